"""Every tool and every prompt, called by everybody there can be: each has one outcome, which the tables give."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import ApiToken, User
from accounts.tokens import create_token
from boards.actions.boards.board import create_board
from boards.models import Activity, Board
from boards.tests.world import RANK, taken_back
from conftest import web
from mcpserver.prompt_texts import PROMPTS
from mcpserver.tests.conftest import plain
from mcpserver.tests.test_permissions import calls, comment
from mcpserver.tools import TOOLS

__all__ = ["calls", "comment"]

OLD, SHORT = "/api/v1/mcp", "/mcp"
OWN, NEW, VIEWER, EDITOR, AUTHOR = "own", "new", "viewer", "editor", "author"

# What a tool needs: a role on the board that its row names; AUTHOR, to be Olga, who wrote the comment of the row; OWN,
# nothing, as it is about no board; NEW, a token of all boards, as it makes one.
NEEDS = {
    "list_boards": OWN,
    "create_board": NEW,
    "create_list": EDITOR,
    "search_tasks": VIEWER,
    "get_task": VIEWER,
    "create_task": EDITOR,
    "update_task": EDITOR,
    "complete_task": EDITOR,
    "reopen_task": EDITOR,
    "move_task": EDITOR,
    "archive_task": EDITOR,
    "add_comment": EDITOR,
    "overview": VIEWER,
    "list_changes": VIEWER,
    "get_board": VIEWER,
    "create_tasks": EDITOR,
    "update_tasks": EDITOR,
    "restore_task": EDITOR,
    "edit_comment": AUTHOR,
}
PLACES = {"taskId", "listId", "boardId", "task", "list", "board", "boards"}  # arguments that name something on a board
PROMPT_NEEDS = dict.fromkeys(("triage_list", "stand_up", "plan_project", "weekly_review", "hand_over"), VIEWER)


@dataclass(frozen=True)
class Principal:
    """Somebody with a token, whose fields are set after it was made. `role` is theirs on the board of the calls."""

    user: str = "olga"
    role: str = "owner"
    fields: Callable[[Board, Board], dict[str, Any]] = lambda board, other: {}
    is_known: bool = True
    writes: bool = True
    deletes: bool = True
    sees_the_board: bool = True
    is_of_all_boards: bool = True


PRINCIPALS = {
    "nobody": Principal(user="", is_known=False),
    "stranger": Principal("stan", "", sees_the_board=False),
    "viewer": Principal("vera", "viewer"),
    "editor": Principal("ed", "editor"),
    "owner": Principal(),
    "read-only": Principal(fields=lambda board, other: {"access": "read"}, writes=False),
    "other boards": Principal(
        fields=lambda board, other: {"board_ids": [str(other.pk)]}, sees_the_board=False, is_of_all_boards=False
    ),
    "this board": Principal(fields=lambda board, other: {"board_ids": [str(board.pk)]}, is_of_all_boards=False),
    "no deletes": Principal(fields=lambda board, other: {"deletes": False}, deletes=False),
    "expired": Principal(fields=lambda board, other: {"expires_at": timezone.now()}, is_known=False),
    "revoked": Principal(fields=lambda board, other: {"revoked_at": timezone.now()}, is_known=False),
    "deactivated": Principal(is_known=False),
}
WALKS = [*((name, OLD) for name in PRINCIPALS), ("editor", SHORT), ("revoked", SHORT)]


@pytest.fixture
def client_of(settings, olga, ed, vera, stan, board):
    settings.LIMITS = None
    other = create_board(actor=web(olga), title="Other")

    def client_of(name: str) -> Client:
        principal = PRINCIPALS[name]
        if not principal.user:
            return Client()
        owner = {"olga": olga, "ed": ed, "vera": vera, "stan": stan}[principal.user]
        token, value = create_token(owner, "Robot")
        if fields := principal.fields(board, other):
            ApiToken.objects.filter(pk=token.pk).update(**fields)
        if name == "deactivated":
            User.objects.filter(pk=olga.pk).update(is_active=False)
        return Client(headers={"Authorization": f"Bearer {value}"})

    return client_of


def send(client: Client, path: str, method: str, name: str, arguments: dict[str, Any]):
    params = {"name": name, "arguments": {key: plain(value) for key, value in arguments.items()}}
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    return client.post(path, message, content_type="application/json")


def outcome(answer) -> str:
    """Return what came of a call: 401, done or refused, the last also for a prompt."""
    if answer.status_code != 200:
        return str(answer.status_code)
    body = answer.json()
    return "refused" if "error" in body or body["result"].get("isError") else "done"


def may_call(tool: str, arguments: dict[str, Any], principal: Principal) -> bool:
    need = needs(tool, arguments)
    if not (principal.writes or TOOLS[tool].hints.read_only) or (deletes(tool, arguments) and not principal.deletes):
        return False
    if need in (OWN, NEW):
        return need == OWN or principal.is_of_all_boards
    if not principal.sees_the_board:
        return False
    return principal.user == "olga" if need == AUTHOR else RANK[principal.role] >= RANK[need]


def needs(tool: str, arguments: dict[str, Any]) -> str:
    """Return what a call needs. A tool that reads answers about all boards of the caller where it is given none."""
    return OWN if TOOLS[tool].hints.read_only and not arguments.keys() & PLACES else NEEDS[tool]


def deletes(tool: str, arguments: dict[str, Any]) -> bool:
    return tool == "edit_comment" and arguments.get("text", "") is None


def expected(may: bool, principal: Principal) -> str:
    return "401" if not principal.is_known else "done" if may else "refused"


def test_the_tables_have_a_row_for_every_tool_and_prompt(calls):
    assert {tool for tool, _arguments in calls} == TOOLS.keys()
    assert TOOLS.keys() == NEEDS.keys()
    assert PROMPT_NEEDS.keys() == PROMPTS.keys()


@pytest.mark.usefixtures("each_makes_statements")
@pytest.mark.parametrize("name, path", WALKS)
def test_everybody_gets_of_each_tool_what_the_table_says(calls, client_of, card, subtests, name, path):
    client, principal = client_of(name), PRINCIPALS[name]
    before = Activity.objects.count()
    for tool, arguments in calls:
        with subtests.test(tool=tool, arguments=arguments), taken_back():
            answer = send(client, path, "tools/call", tool, arguments)
            assert outcome(answer) == expected(may_call(tool, arguments, principal), principal), answer.content
            if outcome(answer) != "done":
                assert Activity.objects.count() == before
                assert card.title not in answer.content.decode()


@pytest.mark.parametrize("name, path", WALKS)
def test_everybody_gets_of_each_prompt_what_the_table_says(client_of, board, subtests, name, path):
    client, principal = client_of(name), PRINCIPALS[name]
    for prompt, need in PROMPT_NEEDS.items():
        with subtests.test(prompt=prompt):
            answer = send(client, path, "prompts/get", prompt, {"board": board.pk})
            role_fits = principal.sees_the_board and RANK[principal.role] >= RANK[need]
            may = role_fits and (principal.writes or not PROMPTS[prompt].writes)
            assert outcome(answer) == expected(may, principal), answer.content
            if not may:
                assert board.title not in answer.content.decode()


@pytest.mark.parametrize("name, path", WALKS)
def test_everybody_is_shown_what_their_token_may_call(client_of, name, path):
    client, principal = client_of(name), PRINCIPALS[name]
    for method, things, writes in (
        ("tools/list", TOOLS, lambda tool: not tool.hints.read_only),
        ("prompts/list", PROMPTS, lambda prompt: prompt.writes),
    ):
        answer = send(client, path, method, "", {})
        assert outcome(answer) == expected(may=True, principal=principal)
        if principal.is_known:
            shown = [name for name, thing in things.items() if principal.writes or not writes(thing)]
            [listed] = [value for key, value in answer.json()["result"].items() if key in ("tools", "prompts")]
            assert [one["name"] for one in listed] == shown
