"""Tools that find and read tasks."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from boards import text
from boards.access import not_found
from boards.actions.guards import is_archived
from boards.dates import timestamp
from boards.models import Board, Card, Checklist, Comment, List
from boards.reading.cards import card_in_full, newest_comments
from boards.reading.names import assignee_names, label_names
from boards.reading.search import QUERY, Filters, cursor_after, search_cards
from boards.richtext import to_markdown
from mcpserver.arguments import GivenId
from mcpserver.caller import Caller
from mcpserver.kinds import a_choice, a_line, a_moment, a_number, a_task, a_text, an_id
from mcpserver.messages import encode
from mcpserver.names import NAME, labels_called, people_called
from mcpserver.registry import Hints, tool
from mcpserver.tasks import task_out

if TYPE_CHECKING:
    from accounts.models import User

ROOM = 40_000  # bytes that an answer may have
FRAME = 200  # bytes of ROOM kept for what surrounds the tasks
COMMENTS = 10
READS = Hints(read_only=True, idempotent=True)


@tool(
    "Search tasks",
    "Find tasks by words, board, list, state, assignee, label and due date; all of these narrow the search. Archived tasks "
    "are left out, long descriptions cut. If the answer has nextCursor, there is more.",
    a_text("query", "Words that must all occur in title or description; or a number, as in #5.", QUERY),
    an_id("boardId", "Only on this board."),
    an_id("listId", "Only in this list."),
    a_choice("status", "Only open or only done tasks; both when left out.", ("open", "done")),
    a_line("assignee", "Only tasks of this person: a name, or me.", NAME),
    a_line("label", "Only tasks with a label of this name.", text.LABEL),
    a_moment("dueBefore", "ISO 8601; only tasks due before it, or before that day.", from_midnight=True),
    a_moment("dueAfter", "ISO 8601; only tasks due after it, or after that day."),
    a_choice(
        "order",
        "due, or left out: open ones first, by due date, then newest; board: as on the board, top first.",
        ("due", "board"),
    ),
    a_number("limit", "How many at most; 20 when left out.", 1, 50),
    a_text("cursor", "nextCursor from the previous answer, with the same filters.", 1000),
    hints=READS,
)
def search_tasks(caller: Caller, arguments: dict[str, Any]) -> dict[str, Any]:
    board_id = _reachable(Board.objects.visible_to(caller.reader).open(), arguments.get("boardId"))
    filters = Filters(
        query=arguments.get("query", ""),
        board_id=board_id,
        list_id=_reachable(List.objects.visible_to(caller.reader).open().of_open_boards(), arguments.get("listId")),
        done={"open": False, "done": True}.get(arguments.get("status", "")),
        due_before=arguments.get("dueBefore"),
        due_after=arguments.get("dueAfter"),
        assignee_ids=people_called(arguments["assignee"], caller, board_id) if "assignee" in arguments else None,
        label_ids=labels_called(arguments["label"], caller, board_id) if "label" in arguments else None,
        as_on_boards=arguments.get("order") == "board",
    )
    found = search_cards(
        caller.reader, filters, limit=arguments.get("limit", 20), after=arguments.get("cursor") or None
    )
    tasks = list(_that_fit((_found_out(card, caller) for card in found.cards), ROOM - FRAME, at_least=1))
    if len(tasks) == len(found.cards) and not found.more:
        return {"tasks": tasks}
    return {"tasks": tasks, "nextCursor": cursor_after(filters, found.cards[len(tasks) - 1])}


@tool(
    "Read a task",
    "One task in full, even an archived one: description, checklists, labels, assignees and its 10 newest comments, newest "
    "first (fewer when they are long).",
    *a_task(),
    hints=READS,
)
def get_task(caller: Caller, arguments: dict[str, Any]) -> dict[str, Any]:
    card = card_in_full(arguments["taskId"].id, caller.reader)
    answer = {
        "task": {**task_out(card, caller), "description": to_markdown(card.description)},
        "comments": [],
        "checklists": [_checklist_out(checklist) for checklist in card.checklists.all()],
        "labels": [{"id": str(label.pk), "name": label.name} for label in card.labels.all()],
        "assignees": [_person_out(user) for user in card.assignees.all()],
        "recurrence": card.recurrence or None,
        **({"archived": True} if is_archived(card) else {}),
    }
    comments = (_comment_out(comment) for comment in newest_comments(card, COMMENTS))
    return answer | {"comments": list(_that_fit(comments, max(ROOM - len(encode(answer)), ROOM // 2)))}


def _found_out(card: Card, caller: Caller) -> dict[str, Any]:
    return {**task_out(card, caller), "labels": label_names(card), "assignees": assignee_names(card)}


def _reachable(rows: Any, given: GivenId | None) -> Any:
    """Return the id if `rows` has it. Raises NotFound, because a filter by a wrong id would just find nothing."""
    if given is None:
        return None
    if not rows.filter(pk=given.required()).exists():
        raise not_found()
    return given.id


def _that_fit(things: Iterable[dict[str, Any]], room: int, at_least: int = 0) -> Iterator[dict[str, Any]]:
    """Yield things from the first on, as many as fit into `room` bytes, but `at_least` so many."""
    for place, thing in enumerate(things):
        room -= len(encode(thing)) + 1
        if place >= at_least and room < 0:
            return
        yield thing


def _checklist_out(checklist: Checklist) -> dict[str, Any]:
    items = [{"id": str(item.pk), "text": item.text, "done": item.done} for item in checklist.items.all()]
    return {"id": str(checklist.pk), "title": checklist.title, "items": items}


def _comment_out(comment: Comment) -> dict[str, Any]:
    return {
        "id": str(comment.pk),
        "author": _person_out(comment.author),
        "text": comment.body,
        "createdAt": timestamp(comment.created_at),
        "editedAt": timestamp(comment.edited_at) if comment.edited_at else None,
    }


def _person_out(user: "User") -> dict[str, Any]:
    return {"id": str(user.pk), "name": user.display_name}
