"""2026-07-28 beside the older versions: which requests are modern, what they have to carry, and how they are answered."""

import base64
import json

import pytest

from mcpserver.core import handle
from mcpserver.eras import CAPABILITIES, HEADER_MISMATCH, SERVER_INFO, UNSUPPORTED_VERSION, VERSION

MODERN = "2026-07-28"
OLDER = ["2025-11-25", "2025-06-18", "2025-03-26"]
SPOKEN = [MODERN, *OLDER]
META = {VERSION: MODERN, CAPABILITIES: {}}


def request(method, meta=META, **params):
    """Return a request; `meta` None leaves its `_meta` out."""
    with_meta = params if meta is None else {**params, "_meta": meta}
    return {"jsonrpc": "2.0", "id": "one", "method": method, "params": with_meta}


def headers(method, name=None, version=MODERN):
    named = {} if name is None else {"mcp_name": name}
    return {"mcp_protocol_version": version, "mcp_method": method, **named}


def modern(agent, method, **params):
    """Return the result of a modern request that is as it should be."""
    reply = agent.send(request(method, **params), **headers(method, params.get("name")))
    assert reply.status == 200, reply
    return json.loads(reply.body)["result"]


def failure(reply):
    """Return status, code and id of an error, whose sentence ends as one."""
    body = json.loads(reply.body)
    assert body.keys() == {"jsonrpc", "id", "error"}
    assert body["error"]["message"].endswith(".")
    return reply.status, body["error"]["code"], body["id"]


def is_modern(reply):
    """Tell the era of an answer: modern results state it, modern errors are no 200 and carry the request's id."""
    body = json.loads(reply.body)
    return "resultType" in body["result"] if "result" in body else reply.status != 200 and body["id"] is not None


# Which requests are modern


@pytest.mark.parametrize("version", [MODERN, "2024-11-05", "2099-01-01", "soon", "", None, 5, ["2025-06-18"], {}])
def test_a_request_whose_metadata_has_any_but_an_older_version_is_modern(agent, version):
    assert is_modern(agent.send(request("tools/list", {VERSION: version})))


@pytest.mark.parametrize("version", OLDER)
def test_a_request_whose_metadata_has_an_older_version_is_not(agent, version):
    for named in ({}, {"mcp_protocol_version": version}):
        assert not is_modern(agent.send(request("tools/list", {VERSION: version}), **named))


def test_server_discover_is_modern_without_anything_else(agent):
    for meta in (None, {}, {VERSION: "2025-06-18"}):
        assert failure(agent.send(request("server/discover", meta))) == (400, -32602, "one")


@pytest.mark.parametrize("version", [MODERN, "2026-07-29", "2099-12-31", f" {MODERN}\t"])
def test_a_version_header_that_is_a_date_from_then_on_is_modern(agent, version):
    for params in ({}, [], None, {"_meta": 5}, {"_meta": {VERSION: "2025-06-18"}}):
        message = {"jsonrpc": "2.0", "id": "one", "method": "tools/list", "params": params}
        assert failure(agent.send(message, mcp_protocol_version=version))[::2] == (400, "one")


@pytest.mark.parametrize(
    "version", ["2026-07-27", "2026-13-01", "2027-02-30", "20270101", "2027-01-01x", "v2027", "٢٠٢٧-01-01"]
)
def test_any_other_unknown_version_header_is_refused_as_before(agent, version):
    assert failure(agent.send(request("ping", None), mcp_protocol_version=version)) == (400, -32600, None)


def test_initialize_ignores_the_version_header(agent):
    reply = agent.send(request("initialize", None, protocolVersion="2025-11-25"), **headers("x"))
    result = json.loads(reply.body)["result"]
    assert (result["protocolVersion"], is_modern(reply)) == ("2025-11-25", False)


@pytest.mark.parametrize("params", [{}, {"_meta": META}, {"_meta": {VERSION: "2099-01-01"}}, []])
@pytest.mark.parametrize("version", [MODERN, "2099-01-01", "2024-11-05", "x", ""])
def test_the_headers_of_a_notification_are_not_read(agent, params, version):
    message = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}
    reply = agent.send(message, mcp_protocol_version=version, mcp_method="other")
    assert (reply.status, reply.headers, reply.body) == (202, {}, b"")


def test_each_request_is_told_apart_by_itself(agent):
    for _time in range(2):
        assert "resultType" in modern(agent, "tools/list")
        assert not is_modern(agent.send(request("tools/list", None)))
        assert not is_modern(agent.send(request("initialize", None, protocolVersion="2025-06-18")))


# What they have to carry, in the order in which it is checked


def faults():
    """Yield for each check the change that breaks it: of message, of metadata, of headers; and the error."""
    yield {}, {CAPABILITIES: None}, {}, (400, -32602)
    yield {}, {}, {"mcp_protocol_version": "2026-07-29"}, (400, HEADER_MISMATCH)
    yield {}, {VERSION: "2099-01-01"}, {"mcp_protocol_version": "2099-01-01"}, (400, UNSUPPORTED_VERSION)
    yield {}, {}, {"mcp_method": "tools/list"}, (400, HEADER_MISMATCH)
    yield {}, {}, {"mcp_name": "get_task"}, (400, HEADER_MISMATCH)


@pytest.mark.parametrize("first", range(5))
def test_the_first_of_several_faults_is_reported(agent, first):
    """Everything after `first` is wrong too. Two of the checks have one code, so the sentences are compared."""
    all_faults = list(faults())
    meta, named = dict(META), headers("tools/call", "list_boards")
    for _message, of_meta, of_headers, _error in reversed(all_faults[first:]):
        meta |= of_meta
        named |= of_headers
    reply = agent.send(request("tools/call", meta, name="list_boards"), **named)
    *_changes, (status, code) = all_faults[first]
    assert failure(reply) == (status, code, "one")
    words = ["_meta", "MCP-Protocol-Version", "not spoken", "Mcp-Method", "Mcp-Name"]
    assert words[first] in json.loads(reply.body)["error"]["message"]


@pytest.mark.parametrize("id", ["one", "", 0, 9007199254740993])
def test_every_error_has_the_id_of_its_request(agent, id):
    no_version = {"mcp_method": "none"}
    for meta, named in (({}, headers("none")), (META, no_version), (META, headers("other")), (META, headers("none"))):
        reply = agent.send({**request("none", meta), "id": id}, **named)
        assert (failure(reply)[2], type(failure(reply)[2])) == (id, type(id))


@pytest.mark.parametrize(
    "meta",
    [{VERSION: MODERN}, {CAPABILITIES: {}}, {VERSION: 5, CAPABILITIES: {}}, {VERSION: MODERN, CAPABILITIES: []}, {}],
)
def test_metadata_without_version_and_capabilities_is_32602(agent, meta):
    reply = agent.send(request("tools/list", meta), **headers("tools/list"))
    assert failure(reply) == (400, -32602, "one")
    assert VERSION in json.loads(reply.body)["error"]["message"]


@pytest.mark.parametrize("version", [None, "2025-11-25", "2026-07-29", "x", ""])
def test_a_version_header_that_differs_or_is_missing_is_32020(agent, version):
    named = headers("tools/list", version=version)
    if version is None:
        del named["mcp_protocol_version"]
    assert failure(agent.send(request("tools/list"), **named)) == (400, HEADER_MISMATCH, "one")


@pytest.mark.parametrize("version", ["2026-07-29", "2099-01-01", "2024-11-05", "soon"])
def test_a_version_that_is_not_spoken_is_32022_with_those_that_are(agent, version):
    meta = {VERSION: version, CAPABILITIES: {}}
    reply = agent.send(request("tools/list", meta), mcp_protocol_version=version)
    assert failure(reply) == (400, UNSUPPORTED_VERSION, "one")
    assert json.loads(reply.body)["error"]["data"] == {"supported": SPOKEN, "requested": version}
    assert modern(agent, "server/discover")["supportedVersions"] == SPOKEN


@pytest.mark.parametrize("sent", [None, "", "tools/call", "Tools/List", "=?base64?dG9vbHMvbGlzdA==?="])
def test_a_method_header_that_differs_or_is_missing_is_32020(agent, sent):
    named = headers("tools/list") | ({"mcp_method": sent} if sent is not None else {})
    if sent is None:
        del named["mcp_method"]
    assert failure(agent.send(request("tools/list"), **named)) == (400, HEADER_MISMATCH, "one")


def encoded(name):
    return f"=?base64?{base64.b64encode(name.encode()).decode()}?="


@pytest.mark.parametrize("method, name", [("tools/call", "list_boards"), ("prompts/get", "stand_up")])
@pytest.mark.parametrize(
    "sent",
    [None, "", "get_task", "LIST_BOARDS", encoded("get_task"), "=?base64?###?=", "=?base64?/w==?=", "=?base64?é?="],
)
def test_a_name_header_that_differs_or_is_missing_is_32020(agent, method, name, sent):
    reply = agent.send(request(method, name=name), **headers(method, sent))
    assert failure(reply) == (400, HEADER_MISMATCH, "one")


@pytest.mark.parametrize("params", [{}, {"name": None}, {"name": 5}])
def test_a_name_header_without_a_name_in_the_body_is_32020(agent, params):
    reply = agent.send(request("tools/call", **params), **headers("tools/call", "None"))
    assert failure(reply) == (400, HEADER_MISMATCH, "one")


@pytest.mark.parametrize(
    "sent", ["list_boards", "  list_boards\t", encoded("list_boards"), f" {encoded('list_boards')} "]
)
def test_a_name_header_may_be_encoded_and_have_spaces_around_it(agent, board, sent):
    named = headers("tools/call", sent, version=f" {MODERN} ") | {"mcp_method": " tools/call "}
    reply = agent.send(request("tools/call", name="list_boards"), **named)
    assert (reply.status, is_modern(reply)) == (200, True)


def test_only_calls_and_prompts_have_a_name_header(agent):
    for method in ("tools/list", "prompts/list", "server/discover"):
        assert agent.send(request(method, name="x"), **headers(method, "other")).status == 200


@pytest.mark.parametrize("method", ["ping", "initialize", "no/such", "resources/list", "subscriptions/listen", ""])
def test_an_unknown_method_is_a_404_with_32601(agent, method):
    reply = agent.send(request(method, protocolVersion="2025-06-18"), **headers(method))
    assert failure(reply) == (404, -32601, "one")
    assert reply.headers == {"Content-Type": "application/json"}
    assert "server/discover" in json.loads(reply.body)["error"]["message"]


def test_a_name_that_no_tool_has_is_32602(agent):
    assert failure(agent.send(request("tools/call", name="x"), **headers("tools/call", "x"))) == (200, -32602, "one")


# How they are answered


def test_every_result_is_complete_and_says_who_answers(agent, board, settings):
    arguments = {"board": str(board.pk)}
    answers = [
        modern(agent, "server/discover"),
        modern(agent, "tools/list"),
        modern(agent, "prompts/list"),
        modern(agent, "tools/call", name="list_boards"),
        modern(agent, "tools/call", name="get_task", arguments={"taskId": "#9"}),
        modern(agent, "prompts/get", name="stand_up", arguments=arguments),
    ]
    told = {SERVER_INFO: {"name": "taskboard", "title": "Taskboard", "version": settings.VERSION}}
    assert [(answer["resultType"], answer["_meta"]) for answer in answers] == [("complete", told)] * 6
    lists, others = answers[:3], answers[3:]
    assert {answer["cacheScope"] for answer in lists} == {"private"}
    assert all(isinstance(answer["ttlMs"], int) and answer["ttlMs"] > 0 for answer in lists)
    assert not any({"ttlMs", "cacheScope"} & answer.keys() for answer in others)


def test_discover_answers_with_what_initialize_does_and_all_versions(agent):
    initialized = json.loads(agent.send(request("initialize", None, protocolVersion="2025-06-18")).body)["result"]
    found = modern(agent, "server/discover")
    assert found["supportedVersions"] == SPOKEN
    for name in ("capabilities", "instructions"):
        assert found[name] == initialized[name]
    assert found.keys() == {
        *("resultType", "_meta", "ttlMs", "cacheScope", "supportedVersions", "capabilities", "instructions")
    }


def test_discover_answers_a_client_that_says_it_is_older(agent):
    meta = {VERSION: "2025-11-25", CAPABILITIES: {}}
    named = headers("server/discover", version="2025-11-25")
    assert is_modern(agent.send(request("server/discover", meta), **named))


def test_the_rest_of_a_result_is_the_same_in_both_eras(agent, card, subtests):
    for method, params in {
        "tools/list": {},
        "prompts/list": {},
        "tools/call": {"name": "get_task", "arguments": {"taskId": "#1"}},
        "prompts/get": {"name": "stand_up", "arguments": {"board": "Launch"}},
    }.items():
        with subtests.test(method=method):
            older = json.loads(agent.send(request(method, None, **params)).body)["result"]
            assert modern(agent, method, **params).items() >= older.items()
            assert not older.keys() & {"resultType", "_meta", "ttlMs", "cacheScope"}


def test_a_modern_answer_can_be_one_event_too(agent):
    reply = agent.send(request("tools/list"), accept="text/event-stream", **headers("tools/list"))
    assert reply.headers == {"Content-Type": "text/event-stream"}
    assert b'"resultType":"complete"' in reply.body


def test_a_bad_modern_request_is_not_counted_and_an_unknown_method_is(agent):
    counted = []
    for method in ("x", "none"):
        named = {"mcp-protocol-version": MODERN, "mcp-method": method}
        handle(json.dumps(request("none")).encode(), named, agent.caller, counted.append)
    assert counted == ["mcp"]
