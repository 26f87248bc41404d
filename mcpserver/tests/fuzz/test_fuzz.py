"""Answers follow the protocol and have sentences, whatever is sent, and a change is made wholly or not at all."""

import json
import re
from typing import Any

import pytest
from django.db.models import Count
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from boards.actions.boards.board import create_board
from boards.actions.cards.archive import archive_card
from boards.actions.cards.card import create_card
from boards.models import Activity, Board, Card, Comment, List
from conftest import web
from mcpserver.eras import CAPABILITIES, SPOKEN, VERSION
from mcpserver.prompt_texts import PROMPTS
from mcpserver.tools import TOOLS

pytestmark = pytest.mark.usefixtures("many_examples")

FEW = settings(
    max_examples=150, deadline=None, database=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
INSIDES = re.compile(
    r"Traceback|Error\b|Exception|\bdjango|psycopg|sqlite|SELECT |File \"|<class|0x[0-9a-f]{6}|NoneType|KeyError"
)
ODD = [
    "",
    " ",
    "\0",
    "\n",
    "\ud800",
    "\u202e",
    "😀",
    "x" * 600,
    "é" * 30_000,
    "'; DROP TABLE boards_card; --",
    "%s",
    "{}",
    "%",
    "\\",
]

texts = st.one_of(st.text(max_size=40), st.sampled_from(ODD))
values = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(allow_nan=False, allow_infinity=False),
        texts,
        st.sampled_from([2**63, -(2**70), 1e308, 0.5, 20.0]),
    ),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
METHODS = ["initialize", "ping", "tools/list", "tools/call", "prompts/list", "prompts/get", "server/discover", "x"]
VERSIONS = [*SPOKEN, "2099-01-01", ""]
META = st.fixed_dictionaries({}, optional={VERSION: st.sampled_from(VERSIONS) | values, CAPABILITIES: values}) | values
ARGUMENTS = st.fixed_dictionaries({}, optional={"board": st.just("Launch") | values, "language": values}) | values


@pytest.fixture
def ids(board, todo, doing, card, olga, stan) -> list[str]:
    """Real ids of every kind, of rows that the agent may change and of rows that it may not."""
    theirs = create_board(actor=web(stan), title="Theirs", template="kanban")
    hidden = create_card(actor=web(stan), board_id=theirs.pk, title="Hidden")
    archived = create_card(actor=web(olga), list_id=todo.pk, title="Archived")
    archive_card(actor=web(olga), card_id=archived.pk)
    things = (board, todo, doing, card, theirs, theirs.lists.first(), hidden, archived, olga)
    return [str(thing.pk) for thing in things]


def arguments_for(tool: str, ids: list[str]) -> st.SearchStrategy[dict[str, Any]]:
    """Draw some of the tool's arguments in either spelling, and unknown ones, with good, bad and odd values."""
    names = [argument.name for argument in TOOLS[tool].arguments]
    spelled = (
        names + [re.sub("([A-Z])", lambda found: f"_{found[1].lower()}", name) for name in names] + ["cardId", "zzz"]
    )
    good = [
        *ids,
        "#1",
        "2",
        "me",
        "board",
        "top",
        "bottom",
        "open",
        "kanban",
        "weekly",
        "2026-12-01",
        "2026-12-01T09:00:00Z",
        "9999-12-31",
        "Launch",
    ]
    return st.dictionaries(st.sampled_from(spelled) | texts, st.sampled_from(good) | values, max_size=6)


def require_protocol(reply: Any) -> dict[str, Any]:
    assert reply.status in (200, 202, 400, 404, 406)
    if reply.status == 202:
        assert reply.body == b""
        return {}
    answer = json.loads(reply.body)
    assert not INSIDES.search(json.dumps(answer.get("error", "")))
    return answer


def state() -> dict[str, Any]:
    """Count the rows of every model; assert that each board has as many lines of activity as its version says."""
    for version, lines in Board.objects.annotate(lines=Count("activities")).values_list("version", "lines"):
        assert lines == version
    return {model.__name__: model._default_manager.count() for model in (Board, List, Card, Comment, Activity)}


@pytest.mark.parametrize("tool", TOOLS)
def test_any_arguments_of_a_tool_get_a_proper_answer(agent, ids, tool):
    now = state()

    @FEW
    @given(arguments_for(tool, ids))
    def hold(arguments):
        nonlocal now
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
        result = require_protocol(agent.send(message))["result"]
        [block] = result["content"]
        before, now = now, state()
        if result["isError"]:
            assert block["text"].rstrip().endswith(".")
            assert not INSIDES.search(without(block["text"], arguments))
            assert now == before
        else:
            json.loads(block["text"])
            assert now["Activity"] - before["Activity"] in (0, 1, 2)  # two for a move between boards

    hold()


def without(text: str, arguments: dict[str, Any]) -> str:
    """Return the tool's text without what it was sent and may quote."""
    for part in sorted([*arguments, *(value for value in arguments.values() if isinstance(value, str))], key=len):
        if part:
            text = text.replace(part[:60], "")
    return text


@FEW
@given(st.binary(max_size=200) | values.map(lambda value: json.dumps(value).encode()))
def test_any_body_gets_a_proper_answer(agent, body):
    require_protocol(agent.send(body))


@FEW
@given(
    st.fixed_dictionaries(
        {},
        optional={
            "jsonrpc": st.just("2.0") | values,
            "id": values,
            "method": st.sampled_from(METHODS) | values,
            "params": st.fixed_dictionaries(
                {}, optional={"name": st.sampled_from([*TOOLS, *PROMPTS]) | values, "arguments": values, "_meta": META}
            )
            | values,
            "result": values,
            "error": values,
        },
    )
)
def test_any_message_gets_a_proper_answer(agent, message):
    require_protocol(agent.send(message))


@FEW
@given(st.text(max_size=60), st.text(max_size=30))
def test_any_headers_get_a_proper_answer(agent, accept, version):
    message = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    require_protocol(agent.send(message, accept=accept, mcp_protocol_version=version))


@FEW
@given(
    st.sampled_from(METHODS),
    st.fixed_dictionaries({}, optional={"name": texts, "arguments": ARGUMENTS, "_meta": META}) | values,
    st.sampled_from(VERSIONS) | texts,
    st.sampled_from(METHODS) | texts,
    st.sampled_from(["stand_up", "=?base64?", "=?base64?x?=", "=?base64?c3RhbmRfdXA=?="]) | texts,
)
def test_any_modern_request_gets_a_proper_answer(agent, board, method, params, version, header, name):
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    reply = agent.send(message, mcp_protocol_version=version, mcp_method=header, mcp_name=name)
    assert require_protocol(reply)["id"] in (1, None)


@FEW
@given(ARGUMENTS)
def test_any_arguments_of_a_prompt_get_a_proper_answer(agent, board, arguments):
    params = {"name": "stand_up", "arguments": arguments}
    answer = require_protocol(agent.send({"jsonrpc": "2.0", "id": 1, "method": "prompts/get", "params": params}))
    if "error" in answer:
        assert (answer["error"]["code"], answer["error"]["message"][-1]) == (-32602, ".")
