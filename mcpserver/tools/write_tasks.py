"""Tools that change tasks."""

from contextlib import nullcontext
from typing import Any

from django.db import transaction

from apiv1.fields import NEEDS_DATE
from boards import text
from boards.actions.cards import archive, comments, moves
from boards.actions.cards import card as card_actions
from boards.actions.ordering import BOTTOM, TOP
from boards.dates import Due
from boards.errors import Invalid
from mcpserver.caller import Caller
from mcpserver.kinds import (
    a_choice,
    a_day,
    a_due_date,
    a_flag,
    a_line,
    a_recurrence,
    a_task,
    a_text,
    an_id,
    an_idempotency_key,
)
from mcpserver.registry import Hints, tool
from mcpserver.tasks import CUT, task_out

TASK = a_task()
DUE = "ISO 8601: a whole day, as in 2026-12-01, or with a time, as in 2026-12-01T09:00; without offset in the account's zone"
START = "A date, as in 2026-11-28; not after dueDate"
WAS_CUT = "description has the mark of a long one that was cut in an answer. get_task gives it whole: send that, or leave it out."

DONE = "complete_task marks a task as done, reopen_task as not done."
PLACE = "move_task puts a task into a list."
ARCHIVE = "archive_task hides a task, and brings it back with undo."
WHOLE_DAY = "dueDate takes a whole day too, as in 2026-12-01."
COMMENT = "add_comment leaves a note on a task."
PEOPLE_ONLY = "no tool changes labels, assignees or checklists; a person can, on the card."
SAME_NAMES = {"title", "description", "recurrence"}  # as in the actions
ELSEWHERE = {
    **dict.fromkeys(("status", "state", "completed", "done"), DONE),
    **dict.fromkeys(("listId", "list", "position"), PLACE),
    **dict.fromkeys(("archived", "archive"), ARCHIVE),
    **dict.fromkeys(("dueDay", "dueLocal"), WHOLE_DAY),
    **dict.fromkeys(("comment", "comments", "text"), COMMENT),
    **dict.fromkeys(("label", "labels", "assignee", "assignees", "checklist", "checklists"), PEOPLE_ONLY),
}


@tool(
    "Create a task",
    "Add a task at the end of a list. Give listId, or boardId for its first list. Search first, to avoid duplicates.",
    a_line("title", "Title on one line.", text.CARD_TITLE, required=True),
    an_id("listId", "The list; takes precedence over boardId."),
    an_id("boardId", "The board whose first list is used."),
    a_text("description", "Markdown.", text.DESCRIPTION),
    a_due_date("dueDate", f"{DUE}."),
    a_day("startDate", f"{START}."),
    a_recurrence("Repeats after it is archived; needs dueDate."),
    an_idempotency_key(),
    needs_one_of=("listId", "boardId"),
    elsewhere=ELSEWHERE,
)
def create_task(caller: Caller, arguments: dict[str, Any]) -> dict[str, Any]:
    if "recurrence" in arguments and "dueDate" not in arguments:
        raise Invalid(NEEDS_DATE, "recurrence")
    card = card_actions.create_card(
        actor=caller.actor,
        list_id=arguments["listId"].id if "listId" in arguments else None,
        board_id=arguments["boardId"].id if "listId" not in arguments else None,
        title=arguments["title"],
        description=arguments.get("description", ""),
        recurrence=arguments.get("recurrence"),
        **_dates(arguments),
    )
    return {"task": task_out(card, caller)}


@tool(
    "Update a task",
    "Change the fields you give; the others stay as they are. complete_task and move_task change state and list.",
    *TASK,
    a_line("title", "Title on one line.", text.CARD_TITLE),
    # Without limit: get_task may show more than a new text may have, and sending it back unchanged must be accepted.
    # docs/decisions/mcp.md
    a_text("description", f"Markdown, at most {text.DESCRIPTION} characters; replaces it all, empty clears it.", None),
    a_due_date("dueDate", f"{DUE}; null clears it.", nullable=True),
    a_day("startDate", f"{START}; null clears it.", nullable=True),
    a_recurrence("Repeats after it is archived; null stops it.", nullable=True),
    needs_one_of=("title", "description", "dueDate", "startDate", "recurrence"),
    elsewhere=ELSEWHERE,
    hints=Hints(destructive=True, idempotent=True),
)
def update_task(caller: Caller, arguments: dict[str, Any]) -> dict[str, Any]:
    fields = {name: arguments[name] for name in SAME_NAMES & arguments.keys()} | _dates(arguments)
    if CUT in fields.get("description", ""):
        raise Invalid(WAS_CUT, "description")
    repeats = fields.get("recurrence") is not None
    with transaction.atomic() if repeats else nullcontext():
        card = card_actions.update_card(actor=caller.actor, card_id=arguments["taskId"].id, **fields)
        if repeats and card.due_at is None:
            raise Invalid(NEEDS_DATE, "recurrence")
    return {"task": task_out(card, caller)}


def _dates(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the dates that were sent, as the actions take them."""
    fields = {"start_day": arguments["startDate"]} if "startDate" in arguments else {}
    if "dueDate" in arguments:
        due: Due | None = arguments["dueDate"]
        fields |= {"due_day": due.day} if due and due.day else {"due_at": due and due.at}
    return fields


@tool("Complete a task", "Mark a task as done.", *TASK, hints=Hints(idempotent=True))
def complete_task(caller: Caller, arguments: dict[str, Any]) -> dict[str, Any]:
    return {"task": task_out(card_actions.complete_card(actor=caller.actor, card_id=arguments["taskId"].id), caller)}


@tool("Reopen a task", "Mark a task as not done.", *TASK, hints=Hints(idempotent=True))
def reopen_task(caller: Caller, arguments: dict[str, Any]) -> dict[str, Any]:
    return {"task": task_out(card_actions.reopen_card(actor=caller.actor, card_id=arguments["taskId"].id), caller)}


@tool(
    "Move a task",
    "Move a task within its list, to another list, or to a list of another board, if you can edit both.",
    *TASK,
    an_id("listId", "The list to move to, as list_boards gives it.", required=True),
    a_choice("position", "Where in the list; bottom when left out.", ("top", "bottom")),
    hints=Hints(idempotent=True),
)
def move_task(caller: Caller, arguments: dict[str, Any]) -> dict[str, Any]:
    place = TOP if arguments.get("position") == "top" else BOTTOM
    into = arguments["listId"].required()
    card = moves.move_card(actor=caller.actor, card_id=arguments["taskId"].id, list_id=into, place=place)
    return {"task": task_out(card, caller)}


@tool(
    "Archive a task",
    "Hide a task, or bring it back. If it repeats and has a due date, the next one is created.",
    *TASK,
    a_flag("undo", "true restores an archived task."),
    hints=Hints(destructive=True, idempotent=True),
)
def archive_task(caller: Caller, arguments: dict[str, Any]) -> dict[str, Any]:
    if arguments.get("undo"):
        return {"task": task_out(archive.restore_card(actor=caller.actor, card_id=arguments["taskId"].id), caller)}
    archived, following = archive.archive_card(actor=caller.actor, card_id=arguments["taskId"].id)
    return {"task": task_out(archived, caller), **({"next": task_out(following, caller)} if following else {})}


@tool(
    "Comment on a task",
    "Leave a note for people, for example on progress or a question.",
    *TASK,
    a_text("text", "Markdown.", text.COMMENT, filled=True, required=True),
)
def add_comment(caller: Caller, arguments: dict[str, Any]) -> dict[str, Any]:
    comment = comments.add_comment(actor=caller.actor, card_id=arguments["taskId"].id, text=arguments["text"])
    return {"task": task_out(comment.card, caller)}
