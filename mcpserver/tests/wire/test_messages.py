"""Messages are told from other bytes, and each kind of message has its answer."""

import json

import pytest

from mcpserver.tests.wire.conftest import is_failure

# What the servers hand on is the same: test_http.py tries both of them.
pytestmark = pytest.mark.parametrize("wire", ["embedded"], indirect=True)


PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"\xff\xfe{}",
        b'{"jsonrpc": "2.0", "id": 1, "method": "ping\xff"}',
        b'{"jsonrpc": "2.0", "id": NaN, "method": "ping"}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"a": Infinity}}',
        b"[" * 100_000,
        b'{"a":' * 50_000 + b"1" + b"}" * 50_000,
        b"\xef\xbb\xbf{}",
        b"nul",
        b"{} {}",
        b"{'jsonrpc': '2.0'}",
        b'{"jsonrpc": "2.0", "id": 1, "id": 2, "method": "ping"}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"arguments": {"title": "a", "title": "b"}}}',
    ],
    ids=range(14),
)
def test_invalid_json_is_a_400_with_32700(wire, body):
    assert is_failure(wire.send(body), 400, -32700)


@pytest.mark.parametrize("body", [b"[]", b"[" + json.dumps(PING).encode() + b"]", b"1", b'"ping"', b"null", b"true"])
def test_an_array_or_scalar_is_a_400_with_32600(wire, body):
    assert is_failure(wire.send(body), 400, -32600)


@pytest.mark.parametrize("version", ["1.0", "2", 2, 2.0, None, "2.0 ", ["2.0"]])
def test_any_other_jsonrpc_version_is_a_400_with_32600(wire, version):
    assert is_failure(wire.send({**PING, "jsonrpc": version}), 400, -32600)


@pytest.mark.parametrize("message", [{}, {"jsonrpc": "2.0"}, {"jsonrpc": "2.0", "id": 1}, {"id": 1, "method": "ping"}])
def test_a_message_without_method_and_result_is_a_400_with_32600(wire, message):
    assert is_failure(wire.send(message), 400, -32600)


@pytest.mark.parametrize("method", [None, 1, ["ping"], {"a": 1}, True])
def test_a_method_that_is_not_a_string_is_a_400_with_32600(wire, method):
    assert is_failure(wire.send({**PING, "method": method}), 400, -32600)


@pytest.mark.parametrize(
    "id",
    [
        "0",
        "1",
        "-7",
        '""',
        '"é 日本 \\ud83d\\ude00"',
        "9007199254740993",
        '"9007199254740993"',
        "123456789012345678901",
    ],
)
def test_an_id_comes_back_exactly(wire, id):
    answer = wire.send(f'{{"jsonrpc": "2.0", "id": {id}, "method": "ping"}}'.encode())
    given, returned = json.loads(id), json.loads(answer.body)["id"]
    assert (returned, type(returned)) == (given, type(given))
    assert answer.status == 200


@pytest.mark.parametrize("id", ["null", "true", "false", "1.5", "1.0", "1e3", "{}", "[1]"])
def test_any_other_id_is_a_400_with_32600(wire, id):
    assert is_failure(wire.send(f'{{"jsonrpc": "2.0", "id": {id}, "method": "ping"}}'.encode()), 400, -32600)


@pytest.mark.parametrize(
    "message",
    [
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}},
        {"jsonrpc": "2.0", "method": "notifications/unheard-of"},
        {"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "create_board", "arguments": {"title": "No"}}},
        {"jsonrpc": "2.0", "id": 1, "result": {}},
        {"jsonrpc": "2.0", "id": 99, "error": {"code": 1, "message": "x"}},
    ],
)
def test_a_message_that_needs_no_answer_is_a_202_without_body_or_type(wire, message):
    answer = wire.send(message)
    assert (answer.status, answer.body) == (202, b"")
    assert "content-type" not in answer.headers
    assert "No" not in wire.call("list_boards")[0]


@pytest.mark.parametrize(
    "method", ["no/such", "tools", "resources/list", "server/info", "Tools/List", "", "notifications/x"]
)
def test_an_unknown_method_is_32601(wire, method):
    assert is_failure(wire.send({**PING, "method": method}), 200, -32601, id=1)


@pytest.mark.parametrize("params", [[], "x", 1, True, None])
@pytest.mark.parametrize("method", ["ping", "tools/list", "tools/call", "initialize"])
def test_params_that_are_not_an_object_are_32602(wire, method, params):
    assert is_failure(wire.send({**PING, "method": method, "params": params}), 200, -32602, id=1)


@pytest.mark.parametrize("name", ["no_such_tool", "", None, 1, ["list_boards"], "list_boards\0"])
def test_an_unknown_tool_is_32602(wire, name):
    answer = wire.send({**PING, "method": "tools/call", "params": {"name": name, "arguments": {}}})
    assert is_failure(answer, 200, -32602, id=1)


@pytest.mark.parametrize("arguments", [[], "x", 1, True])
def test_arguments_that_are_not_an_object_are_32602(wire, arguments):
    answer = wire.send({**PING, "method": "tools/call", "params": {"name": "list_boards", "arguments": arguments}})
    assert is_failure(answer, 200, -32602, id=1)


@pytest.mark.parametrize("params", [{"name": "list_boards"}, {"name": "list_boards", "arguments": None}])
def test_arguments_may_be_left_out(wire, params):
    assert wire.ask("tools/call", params)["result"]["isError"] is False


@pytest.mark.parametrize("cursor", ["x", "", 1, {}])
def test_an_unknown_cursor_is_32602(wire, cursor):
    answer = wire.send({**PING, "method": "tools/list", "params": {"cursor": cursor}})
    assert is_failure(answer, 200, -32602, id=1)


def test_ping_answers_with_an_empty_object(wire):
    assert wire.ask("ping") == {"jsonrpc": "2.0", "id": 1, "result": {}}
    assert wire.ask("ping", {}) == {"jsonrpc": "2.0", "id": 1, "result": {}}
