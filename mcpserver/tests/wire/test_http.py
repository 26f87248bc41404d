"""HTTP around a message: methods, types, lengths, origins, tokens, limits, and which of two faults is reported."""

import json
from itertools import combinations

import pytest

from apiv1.tests.stacks import embedded
from mcpserver.eras import CAPABILITIES, HEADER_MISMATCH, MODERN, VERSION
from mcpserver.tests.wire.conftest import PATH, Wire, is_failure
from taskboard.tests.prepared import prepared_data

PING = b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}'
METHODS = [
    b'{"jsonrpc": "2.0", "id": 1, "method": "%b"}' % name for name in (b"initialize", b"ping", b"tools/list", b"x")
]
BAD = b"{"
PATHS = [PATH, "/mcp"]
HUGE = b"{" * (1024 * 1024 + 1)


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "PATCH", "OPTIONS", "HEAD"])
def test_any_other_method_is_a_405(wire, method):
    answer = wire.raw(wire.request(None, method=method, Accept="text/event-stream"), method)
    assert (answer.status, answer.headers["allow"]) == (405, "POST")
    if method != "HEAD":
        assert "POST" in answer.error


@pytest.mark.parametrize(
    "kind", [None, "text/plain", "application/x-www-form-urlencoded", "application/json-rpc", "json", ""]
)
def test_a_body_that_is_not_declared_as_json_is_a_415(wire, kind):
    assert "application/json" in wire.send(PING, Content_Type=kind).error
    assert wire.send(PING, Content_Type=kind).status == 415


@pytest.mark.parametrize(
    "kind", ["application/json", "application/json; charset=utf-8", "Application/JSON;charset=UTF-8"]
)
def test_json_may_be_declared_in_any_way(wire, kind):
    assert wire.send(PING, Content_Type=kind).status == 200


@pytest.mark.parametrize("path", PATHS)
def test_a_body_over_1_mib_is_a_413(wire, path):
    answer = wire.raw(wire.request(HUGE, path=path))
    assert answer.status == 413
    assert "1 MiB" in answer.error


def test_a_body_of_exactly_1_mib_is_read(wire):
    filled = PING + b" " * (1024 * 1024 - len(PING))
    assert wire.send(filled).status == 200


@pytest.mark.parametrize("path", PATHS)
def test_a_body_without_a_length_is_a_411(wire, path):
    answer = wire.raw(wire.request(None, path=path, Content_Type="application/json"))
    assert (answer.status, "Content-Length" in answer.error) == (411, True)


@pytest.mark.parametrize(
    "accept",
    [None, "*/*", "application/json", "application/*", "application/json, text/event-stream", "text/html, */*;q=0.1"],
)
def test_json_is_answered_where_it_is_accepted(wire, accept):
    answer = wire.send(PING, Accept=accept)
    assert (answer.status, answer.headers["content-type"]) == (200, "application/json")


@pytest.mark.parametrize(
    "accept", ["text/event-stream", "text/event-stream;q=0.9, text/html", "application/json;q=0, text/event-stream"]
)
def test_only_an_event_stream_gets_the_same_as_one_event(wire, accept):
    answer = wire.send(PING, Accept=accept)
    assert (answer.status, answer.headers["content-type"]) == (200, "text/event-stream")
    assert answer.body == b"event: message\ndata: " + wire.send(PING).body + b"\n\n"


@pytest.mark.parametrize("accept", ["text/html", "image/png, text/plain", "application/json;q=0"])
def test_a_client_that_accepts_neither_gets_a_406(wire, accept):
    answer = wire.send(PING, Accept=accept)
    assert answer.status == 406
    assert "application/json" in answer.error


@pytest.mark.parametrize(
    "origin", ["null", "https://evil.example.com", "http://127.0.0.1.evil.example.com", "", "file://"]
)
def test_a_foreign_origin_is_a_403(wire, origin):
    answer = wire.send(PING, Origin=origin)
    assert answer.status == 403
    assert answer.error


def test_our_own_origin_is_accepted(wire):
    assert wire.send(PING, Origin=wire.running.url).status == 200


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("host", ["evil.example.com", "127.0.0.1.evil.example.com:80"])
def test_a_foreign_host_is_refused(wire, host, path):
    answer = wire.raw(wire.request(PING, path=path, Host=host))
    assert answer.status == 400
    assert "TASKBOARD_ALLOWED_HOSTS" in answer.error


@pytest.mark.parametrize("body", METHODS)
@pytest.mark.parametrize("authorization", [None, "Bearer", "Bearer tbk_" + "a" * 43, "Basic x", "tbk_x", "Bearer é"])
def test_every_method_without_a_token_is_a_401(wire, body, authorization):
    answer = wire.send(body, Authorization=authorization)
    assert (answer.status, answer.headers["www-authenticate"]) == (401, "Bearer")
    assert answer.error


def test_cookies_are_ignored(wire):
    assert wire.send(PING, Authorization=None, Cookie="sessionid=abc; csrftoken=abc").status == 401
    assert wire.send(PING, Cookie="sessionid=abc; csrftoken=abc").status == 200


@pytest.mark.parametrize(
    "name", ["oauth-protected-resource", "oauth-authorization-server", "oauth-protected-resource/api/v1/mcp"]
)
def test_there_is_nothing_at_the_addresses_of_oauth(wire, name):
    assert wire.raw(wire.request(None, "GET", f"/.well-known/{name}"), "GET").status == 404


# Each fault together with the one checked next. The last, 429, is tried below.
FAULTS = {
    403: {"Origin": "null"},
    405: {"method": "PUT"},
    401: {"Authorization": None},
    413: {"body": HUGE},
    415: {"Content_Type": "text/plain"},
    406: {"Accept": "text/html"},
    400: {"body": BAD},
}


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("earlier, later", list(combinations(FAULTS, 2)))
def test_the_first_of_two_faults_is_reported(wire, earlier, later, path):
    faults: dict[str, object] = {"body": PING, "path": path} | FAULTS[later] | FAULTS[earlier]
    assert wire.raw(wire.request(**faults)).status == earlier


def test_a_bad_body_is_reported_before_the_limit(processes, tmp_path, tokens):
    environment = {"TASKBOARD_DATA": str(prepared_data(tmp_path)), "TASKBOARD_LIMITS": "mcp=1/d"}
    with embedded(environment) as running:
        wire = Wire(running, tokens)
        assert [wire.send(PING).status for _time in range(2)] == [200, 429]
        assert is_failure(wire.send(BAD), 400, -32700)
        assert wire.send(PING, Accept="text/html").status == 406


def test_two_hundred_calls_a_minute_are_counted_separately_from_the_rest(processes, tmp_path, tokens):
    environment = {"TASKBOARD_DATA": str(prepared_data(tmp_path))}
    call = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "list_boards"}}).encode()
    with embedded(environment) as running:
        wire = Wire(running, tokens)
        answers = [wire.send(call) for _time in range(201)]
        refused = [answer for answer in answers if answer.status == 429]
        if not refused:  # the minute of the limit ended between them
            refused = [answer for answer in (wire.send(call) for _time in range(201)) if answer.status == 429]
        assert refused
        assert int(refused[-1].headers["retry-after"]) >= 1
        assert refused[-1].headers["ratelimit-limit"] == "200"
        assert "200 a minute" in refused[-1].error
        assert wire.send(PING).status == 200
        assert wire.raw(wire.request(None, "GET", "/api/v1/me"), "GET").status == 200
        other = Wire(running, tokens[1:])
        assert other.send(call).status == 200


@pytest.mark.parametrize("path", PATHS)
def test_the_address_has_no_other_spelling(wire, path):
    assert wire.raw(wire.request(PING, path=f"{path}/")).status == 404


@pytest.mark.parametrize("path", PATHS)
def test_the_headers_of_a_modern_request_reach_it(wire, path):
    meta = {VERSION: MODERN, CAPABILITIES: {}}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "list_boards", "_meta": meta}}
    named = {"MCP_Protocol_Version": MODERN, "mcp_method": "tools/call", "MCP_NAME": "=?base64?bGlzdF9ib2FyZHM=?="}
    answer = wire.raw(wire.request(json.dumps(message).encode(), path=path, **named))
    assert (answer.status, json.loads(answer.body)["result"]["resultType"]) == (200, "complete")
    twice = wire.request(json.dumps(message).encode(), path=path, **named).replace(b"\r\n", b"\r\nMcp-Method: x\r\n", 1)
    assert is_failure(wire.raw(twice), 400, HEADER_MISMATCH, id=1)
