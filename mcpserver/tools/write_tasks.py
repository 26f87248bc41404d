"""Tools that change one task."""

from contextlib import nullcontext
from typing import Any

from django.db import transaction

from boards import text
from boards.actions.cards import archive, comments, moves
from boards.actions.cards import card as card_actions
from boards.actions.cards.together import together
from boards.actions.ordering import BOTTOM, TOP
from boards.actions.unchanged import UNCHANGED
from boards.models import Card
from mcpserver.answers import BRIEF, FULL, Answer, task_answer
from mcpserver.board_names import BoardNames
from mcpserver.caller import Caller
from mcpserver.card_changes import OF_BOARD, PARTS, Present, change_card, change_own, target_of
from mcpserver.kinds import a_choice, a_flag, a_task, a_text, an_id, an_idempotency_key
from mcpserver.new_cards import NAMED, board_for, new_fields, require_date
from mcpserver.registry import Hints, tool
from mcpserver.tools.card_arguments import A_CHANGE, CHANGED_TASK, ELSEWHERE, KEY, NEW_TASK, a_form

TASK = a_task()


@tool(
    "Create a task",
    "Add a task at the end of a list. Give listId, or boardId for its first list. Search first, to avoid duplicates.",
    *NEW_TASK,
    an_idempotency_key(),
    a_form("full"),
    needs_one_of=("listId", "boardId"),
    elsewhere=ELSEWHERE,
)
def create_task(caller: Caller, arguments: dict[str, Any]) -> dict[str, Any]:
    require_date(arguments)
    with transaction.atomic() if arguments.get("createLabels") else nullcontext():
        names = None
        if arguments.keys() & {*NAMED}:
            names = BoardNames(board_for(arguments, caller.finder), caller.actor)
        card = card_actions.create_card(
            actor=caller.actor,
            list_id=arguments["listId"].id if "listId" in arguments else None,
            board_id=arguments["boardId"].id if "listId" not in arguments else None,
            **new_fields(arguments, names),
        )
    return {"task": shown(card, arguments, caller)}


@tool(
    "Update a task",
    "Change what you give; the rest stays.",
    *CHANGED_TASK,
    KEY,
    a_form("full"),
    needs_one_of=A_CHANGE,
    elsewhere=ELSEWHERE,
    hints=Hints(destructive=True, idempotent=True),
)
def update_task(caller: Caller, arguments: dict[str, Any]) -> dict[str, Any]:
    pk = arguments["taskId"].id
    if arguments.keys() & OF_BOARD:
        target = target_of(arguments, caller.finder)
        there = target.board_id if target.leaves_board else None
        with together(target.task.board_id, [target.task.id], there):
            card = change_card(arguments, target, BoardNames(target.board_id, caller.actor), Present(), caller)
    else:
        with transaction.atomic() if arguments.keys() & PARTS else nullcontext():
            card = change_own(pk, arguments, caller) or card_actions.update_card(actor=caller.actor, card_id=pk)
    return {"task": shown(card, arguments, caller)}


@tool("Complete a task", "Mark a task as done.", *TASK, KEY, a_form("full"), hints=Hints(idempotent=True))
def complete_task(caller: Caller, arguments: dict[str, Any]) -> dict[str, Any]:
    card = card_actions.complete_card(actor=caller.actor, card_id=arguments["taskId"].id)
    return {"task": shown(card, arguments, caller)}


@tool("Reopen a task", "Mark a task as not done.", *TASK, KEY, a_form("full"), hints=Hints(idempotent=True))
def reopen_task(caller: Caller, arguments: dict[str, Any]) -> dict[str, Any]:
    card = card_actions.reopen_card(actor=caller.actor, card_id=arguments["taskId"].id)
    return {"task": shown(card, arguments, caller)}


@tool(
    "Move a task",
    "Move a task within its list, or to another list or board.",
    *TASK,
    an_id("listId", "The list, by id or title.", required=True),
    a_choice("position", "Where in the list; bottom when left out.", ("top", "bottom")),
    KEY,
    a_form("full"),
    hints=Hints(idempotent=True),
)
def move_task(caller: Caller, arguments: dict[str, Any]) -> dict[str, Any]:
    place = TOP if arguments.get("position") == "top" else BOTTOM
    into = arguments["listId"].required()
    card = moves.move_card(actor=caller.actor, card_id=arguments["taskId"].id, list_id=into, place=place)
    return {"task": shown(card, arguments, caller)}


@tool(
    "Archive a task",
    "Hide a task, or bring it back. If it repeats and has a due date, the next one is created.",
    *TASK,
    a_flag("undo", "true restores an archived task."),
    KEY,
    a_form("full"),
    hints=Hints(destructive=True, idempotent=True),
)
def archive_task(caller: Caller, arguments: dict[str, Any]) -> dict[str, Any]:
    if arguments.get("undo"):
        return _restored(caller, arguments, FULL)
    archived, following = archive.archive_card(actor=caller.actor, card_id=arguments["taskId"].id)
    return {
        "task": shown(archived, arguments, caller),
        **({"archived": True} if arguments.get("answer", FULL) == FULL else {}),  # which a task in full does not say
        **({"next": shown(following, arguments, caller)} if following else {}),
    }


@tool(
    "Restore a task",
    "Bring an archived task back into its list.",
    *TASK,
    KEY,
    a_form("brief"),
    hints=Hints(idempotent=True),
)
def restore_task(caller: Caller, arguments: dict[str, Any]) -> dict[str, Any]:
    return _restored(caller, arguments, BRIEF)


def _restored(caller: Caller, arguments: dict[str, Any], default: Answer) -> dict[str, Any]:
    restored, following, gone = archive.restore_card(actor=caller.actor, card_id=arguments["taskId"].id)
    task = {"task": shown(restored, arguments, caller, default)}
    if gone and following:
        return {**task, "next": {"number": following.number, "title": following.title, "removed": True}}
    return {**task, "next": task_answer(following, BRIEF, caller) | {"removed": False}} if following else task


@tool(
    "Comment on a task",
    "Leave a note for people.",
    *TASK,
    a_text("text", "Markdown.", text.COMMENT, filled=True, required=True),
    KEY,
    a_form("full"),
)
def add_comment(caller: Caller, arguments: dict[str, Any]) -> dict[str, Any]:
    comment = comments.add_comment(actor=caller.actor, card_id=arguments["taskId"].id, text=arguments["text"])
    return {"task": shown(comment.card, arguments, caller), "comment": {"id": str(comment.pk)}}


@tool(
    "Edit a comment",
    "Edit a comment of your account.",
    an_id("commentId", "As get_task gives it.", required=True),
    a_text("text", "Markdown; null deletes it.", text.COMMENT, filled=True, required=True, nullable=True),
    KEY,
    a_form("brief"),
    hints=Hints(destructive=True, idempotent=True),
)
def edit_comment(caller: Caller, arguments: dict[str, Any]) -> dict[str, Any]:
    pk, body = arguments["commentId"].id, arguments["text"]
    with transaction.atomic():
        edited = comments.edit_comment(actor=caller.actor, comment_id=pk, text=UNCHANGED if body is None else body)
        if body is None:
            comments.delete_comment(actor=caller.actor, comment_id=pk)
    return {"task": shown(edited.card, arguments, caller, BRIEF)}


def shown(card: Card, arguments: dict[str, Any], caller: Caller, default: Answer = FULL) -> dict[str, Any]:
    """Return the task in the form that was asked for. A brief one names its board if it has moved there."""
    return task_answer(card, arguments.get("answer", default), caller, several=caller.moved_boards)
