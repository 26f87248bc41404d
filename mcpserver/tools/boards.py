"""Tools for boards and their lists."""

from typing import Any

from django.db import transaction

from apiv1.boards.shapes import entry_out
from boards import text
from boards.actions.boards import board as board_actions
from boards.actions.lists import list as list_actions
from boards.board_templates import Template
from boards.dates import timestamp
from boards.reading.boards import BoardEntry, ListEntry, boards_with_lists
from mcpserver.caller import Caller
from mcpserver.kinds import a_board, a_choice, a_line, an_idempotency_key
from mcpserver.registry import Hints, tool


@tool(
    "List boards",
    "Your boards, oldest first, with the ids and titles of their lists in order; your account, its time zone and the "
    "present time. Call this first.",
    hints=Hints(read_only=True, idempotent=True),
)
def list_boards(caller: Caller, arguments: dict[str, Any]) -> dict[str, Any]:
    return {
        "account": _account_out(caller),
        "boards": [entry_out(board) for board in boards_with_lists(caller.reader)],
    }


@tool(
    "Create a board",
    "Create a board that you own, empty or with the lists of a template. Check with list_boards first whether it exists.",
    a_line("title", "Title on one line.", text.BOARD_TITLE, required=True),
    a_choice("template", "The first lists and labels; blank when left out.", Template.values),
    an_idempotency_key("For retries."),
)
def create_board(caller: Caller, arguments: dict[str, Any]) -> dict[str, Any]:
    with transaction.atomic():  # if reading the lists fails, no board is made
        board = board_actions.create_board(actor=caller.actor, **arguments)
        lists = [ListEntry(*row) for row in board.lists.values_list("id", "title")]
    return {"board": entry_out(BoardEntry(board.pk, board.title, lists)) | {"url": board.get_absolute_url()}}


@tool(
    "Create a list",
    "Add a list at the end of a board.",
    a_board("Id, title or address.", required=True),
    a_line("title", "Title on one line.", text.LIST_TITLE, required=True),
    an_idempotency_key("For retries."),
)
def create_list(caller: Caller, arguments: dict[str, Any]) -> dict[str, Any]:
    row = list_actions.create_list(actor=caller.actor, board_id=arguments["boardId"].id, title=arguments["title"])
    return {"list": {"id": str(row.pk), "title": row.title, "boardId": str(row.board_id)}}


def _account_out(caller: Caller) -> dict[str, Any]:
    now = caller.now()
    return {
        "id": str(caller.user.pk),
        "name": caller.user.display_name,
        "timeZone": str(caller.zone),
        "now": timestamp(now.replace(microsecond=0)),
        "today": f"{now:%Y-%m-%d}",
        "weekday": f"{now:%A}",
    }
