"""People name a task by its number, as in #5. Each board counts its own tasks, so several may have the same number."""

from typing import Any

from boards.access import not_found
from boards.errors import Invalid, NotFound
from boards.models import Card
from mcpserver.arguments import GivenId
from mcpserver.caller import Caller
from mcpserver.wrong_ids import REACHABLE, some, titled

NOT_THERE = "The task is not on the board with this boardId. Leave boardId out; move_task moves tasks to other boards."


def find_task(arguments: dict[str, Any], caller: Caller) -> None:
    """Put the task's id in the place of its number in `arguments`, and take out the board that the number is of.

    Raises Invalid where the number is that of several tasks, with all that they could be, and NotFound. An id without a
    board takes no statement.
    """
    task: GivenId | None = arguments.get("taskId")
    board: GivenId | None = arguments.get("boardId")
    if task is None or (task.number is None and board is None):
        return
    found = REACHABLE["taskId"](caller.reader)
    found = found.filter(pk=task.required()) if task.number is None else found.filter(number=task.number)
    if board is not None:
        found = found.filter(board=board.required())
    cards, described = some(found.select_related("board").order_by("board"), _described)
    if not cards:
        raise not_found() if task.number is not None else NotFound(NOT_THERE)
    if len(cards) > 1:
        raise Invalid(f"Several tasks have the number {task.number}: {described}. Send the id of one as taskId.")
    arguments["taskId"] = GivenId(task.sent, cards[0].pk)
    arguments.pop("boardId", None)


def _described(card: Card) -> str:
    archived = ", archived" if card.archived_at else ""
    return f"{titled(card.title)} on the board {titled(card.board.title)} (id {card.pk}{archived})"
