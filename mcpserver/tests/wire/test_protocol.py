"""The handshake, which is optional, the list of tools, and how a tool refuses."""

import json

import pytest

from mcpserver.tests.wire.conftest import is_failure
from mcpserver.tools import TOOLS

# What the servers hand on is the same: test_http.py tries both of them.
pytestmark = pytest.mark.parametrize("wire", ["embedded"], indirect=True)


INITIALIZE = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}


@pytest.mark.parametrize(
    "asked, answered",
    [
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("2025-03-26", "2025-06-18"),
        ("2099-01-01", "2025-06-18"),
        ("", "2025-06-18"),
        ("no version", "2025-06-18"),
    ],
)
def test_initialize_answers_with_a_version_that_the_server_speaks(wire, asked, answered):
    result = wire.ask("initialize", {**INITIALIZE, "protocolVersion": asked})["result"]
    assert set(result) == {"protocolVersion", "capabilities", "serverInfo", "instructions"}
    assert result["protocolVersion"] == answered
    assert result["capabilities"] == {"tools": {"listChanged": False}, "prompts": {"listChanged": False}}
    assert len(result["instructions"]) < 500
    assert "list_boards" in result["instructions"]


@pytest.mark.parametrize("version", [None, 1, ["2025-06-18"], {}])
def test_initialize_without_a_version_is_32602(wire, version):
    message = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {**INITIALIZE, "protocolVersion": version}}
    assert is_failure(wire.send(message), 200, -32602, id=1)
    assert is_failure(wire.send({"jsonrpc": "2.0", "id": 1, "method": "initialize"}), 200, -32602, id=1)


def test_no_handshake_is_required_and_no_session_is_made(wire):
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    answers = [wire.send(message), wire.send(message, Mcp_Session_Id="made-up")]
    assert [answer.status for answer in answers] == [200, 200]
    assert answers[0].body == answers[1].body
    initialized = wire.send({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": INITIALIZE})
    assert "mcp-session-id" not in initialized.headers
    assert "set-cookie" not in initialized.headers


@pytest.mark.parametrize("version", [None, "2025-03-26", "2025-06-18", "2025-11-25"])
def test_known_versions_in_the_header_are_accepted(wire, version):
    assert wire.ask("ping", MCP_Protocol_Version=version)["result"] == {}


@pytest.mark.parametrize("version", ["2024-11-05", "2026-01-01", "x", ""])
def test_an_unknown_version_in_the_header_is_a_400_with_32600(wire, version):
    message = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    assert is_failure(wire.send(message, MCP_Protocol_Version=version), 400, -32600)
    assert "result" in wire.ask("initialize", INITIALIZE, MCP_Protocol_Version=version)


def test_the_tools_are_one_stable_page_of_at_most_16_kb(wire):
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"cursor": None}}
    answers = [wire.send(message).body for _time in range(3)]
    assert len(set(answers)) == 1
    assert len(answers[0]) <= 16_384
    result = json.loads(answers[0])["result"]
    assert list(result) == ["tools"]
    assert [tool["name"] for tool in result["tools"]] == list(TOOLS)


def test_answers_are_utf_8_and_not_escaped(wire):
    _text, is_error = wire.call("create_board", title="Größe 日本 😀")
    assert not is_error
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "list_boards"}}
    body = wire.send(message).body
    assert "Größe 日本 😀".encode() in body
    assert b"\\u" not in body


@pytest.mark.parametrize(
    "tool, arguments, words",
    [
        ("create_board", {}, ["title"]),
        ("create_board", {"title": 7}, ["title"]),
        ("create_board", {"title": "x", "template": "scrum"}, ["template", "kanban"]),
        ("create_board", {"titel": "x"}, ["titel", "title"]),
        ("get_task", {"taskId": "nothing"}, ["nothing", "search_tasks"]),
        ("get_task", {"taskId": 7}, ["taskId"]),
        ("create_task", {"title": "x"}, ["listId", "boardId"]),
        ("search_tasks", {"limit": 51}, ["limit", "50"]),
        ("search_tasks", {"cursor": "made-up"}, ["cursor"]),
    ],
)
def test_a_refusal_of_a_tool_is_a_result_with_sentences(wire, tool, arguments, words):
    text, is_error = wire.call(tool, **arguments)
    assert is_error
    assert text.count(".") >= 2
    for word in words:
        assert word in text
    for trace in ("Traceback", "Error(", "Exception", "django", "psycopg"):
        assert trace not in text


def test_a_successful_call_says_so(wire):
    result = wire.ask("tools/call", {"name": "list_boards", "arguments": {}})["result"]
    assert list(result) == ["content", "isError"]
    assert result["isError"] is False
