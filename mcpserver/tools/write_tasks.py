"""Tools that change tasks."""

from typing import Any

from boards import text
from boards.actions import archive, cards, comments, moves
from boards.actions.ordering import BOTTOM, TOP
from mcpserver.caller import Caller
from mcpserver.kinds import (
    a_choice,
    a_line,
    a_moment,
    a_recurrence,
    a_text,
    an_id,
    an_idempotency_key,
)
from mcpserver.registry import Hints, tool
from mcpserver.tasks import task_out

TASK = an_id("taskId", "The task, as search_tasks gives it.", required=True)
DUE = "ISO 8601 date or date-time, as in 2026-12-01T09:00:00Z; without offset in the account's time zone"
DATABASE_NAMES = {"dueDate": "due_at"}


@tool(
    "Create a task",
    "Add a task at the end of a list. Give listId, or boardId for its first list. Search first, to avoid duplicates.",
    a_line("title", "Title on one line.", text.CARD_TITLE, required=True),
    an_id("listId", "The list; takes precedence over boardId."),
    an_id("boardId", "The board whose first list is used."),
    a_text("description", "Markdown.", text.DESCRIPTION),
    a_moment("dueDate", f"{DUE}."),
    a_recurrence("Repeats after it is archived; needs dueDate."),
    an_idempotency_key(),
    needs_one_of=("listId", "boardId"),
)
def create_task(caller: Caller, arguments: dict[str, Any]) -> dict[str, Any]:
    card = cards.create_card(
        actor=caller.actor,
        list_id=arguments["listId"].id if "listId" in arguments else None,
        board_id=arguments["boardId"].id if "listId" not in arguments else None,
        title=arguments["title"],
        description=arguments.get("description", ""),
        due_at=arguments.get("dueDate"),
        recurrence=arguments.get("recurrence"),
    )
    return {"task": task_out(card)}


@tool(
    "Update a task",
    "Change the fields you give; the others stay as they are.",
    TASK,
    a_line("title", "Title on one line.", text.CARD_TITLE),
    # Without limit: get_task may show more than a new text may have, and sending it back unchanged must be accepted.
    # docs/decisions/mcp.md
    a_text("description", f"Markdown, at most {text.DESCRIPTION} characters; replaces it all, empty clears it.", None),
    a_moment("dueDate", f"{DUE}; null clears it.", nullable=True),
    a_recurrence("Repeats after it is archived; null stops it.", nullable=True),
    needs_one_of=("title", "description", "dueDate", "recurrence"),
    hints=Hints(destructive=True, idempotent=True),
)
def update_task(caller: Caller, arguments: dict[str, Any]) -> dict[str, Any]:
    fields = {DATABASE_NAMES.get(name, name): value for name, value in arguments.items() if name != "taskId"}
    card = cards.update_card(actor=caller.actor, card_id=arguments["taskId"].id, **fields)
    return {"task": task_out(card)}


@tool("Complete a task", "Mark a task as done.", TASK, hints=Hints(idempotent=True))
def complete_task(caller: Caller, arguments: dict[str, Any]) -> dict[str, Any]:
    return {"task": task_out(cards.complete_card(actor=caller.actor, card_id=arguments["taskId"].id))}


@tool("Reopen a task", "Mark a task as not done.", TASK, hints=Hints(idempotent=True))
def reopen_task(caller: Caller, arguments: dict[str, Any]) -> dict[str, Any]:
    return {"task": task_out(cards.reopen_card(actor=caller.actor, card_id=arguments["taskId"].id))}


@tool(
    "Move a task",
    "Move a task within its list, to another list, or to a list of another board, if you can edit both.",
    TASK,
    an_id("listId", "The list to move to, as list_boards gives it.", required=True),
    a_choice("position", "Where in the list; bottom when left out.", ("top", "bottom")),
    hints=Hints(idempotent=True),
)
def move_task(caller: Caller, arguments: dict[str, Any]) -> dict[str, Any]:
    place = TOP if arguments.get("position") == "top" else BOTTOM
    into = arguments["listId"].required()
    card = moves.move_card(actor=caller.actor, card_id=arguments["taskId"].id, list_id=into, place=place)
    return {"task": task_out(card)}


@tool(
    "Archive a task",
    "Hide a task; a person can restore it. If it repeats and has a due date, the next one is created.",
    TASK,
    hints=Hints(destructive=True, idempotent=True),
)
def archive_task(caller: Caller, arguments: dict[str, Any]) -> dict[str, Any]:
    archived, following = archive.archive_card(actor=caller.actor, card_id=arguments["taskId"].id)
    return {"task": task_out(archived), **({"next": task_out(following)} if following else {})}


@tool(
    "Comment on a task",
    "Leave a note for people, for example on progress or a question.",
    TASK,
    a_text("text", "Markdown.", text.COMMENT, filled=True, required=True),
)
def add_comment(caller: Caller, arguments: dict[str, Any]) -> dict[str, Any]:
    comment = comments.add_comment(actor=caller.actor, card_id=arguments["taskId"].id, text=arguments["text"])
    return {"task": task_out(comment.card)}
