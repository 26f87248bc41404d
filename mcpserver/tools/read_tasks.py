"""Tools that find and read tasks."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import itemgetter
from typing import Any
from uuid import UUID

from boards import text
from boards.access import not_found
from boards.actions.guards import is_archived
from boards.dates import timestamp
from boards.reading.cards import card_in_full, id_in, time_in
from boards.reading.search import QUERY, Filters, cursor_after, search_cards
from boards.richtext import to_markdown
from core.text.names import display_name
from mcpserver.arguments import GivenId
from mcpserver.caller import Caller
from mcpserver.kinds import a_choice, a_line, a_moment, a_number, a_task, a_text, an_id
from mcpserver.messages import encode
from mcpserver.names import NAME, labels_called, people_called
from mcpserver.registry import Hints, tool
from mcpserver.tasks import task_out
from mcpserver.wrong_ids import is_reachable

ROOM = 40_000  # bytes that an answer may have
FRAME = 200  # bytes of ROOM kept for what surrounds the tasks
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
    board_id = _reachable("boardId", arguments, caller)
    filters = Filters(
        query=arguments.get("query", ""),
        board_id=board_id,
        list_id=_reachable("listId", arguments, caller),
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
        "checklists": [_checklist_out(list(rows)) for _pk, rows in groupby(card.item_rows, itemgetter(0))],
        "labels": [{"id": id_in(pk), "name": name} for pk, name in card.label_rows],
        "assignees": [_person_out(*row) for row in card.assignee_rows],
        "recurrence": card.recurrence or None,
        **({"archived": True} if is_archived(card) else {}),
    }
    comments = (_comment_out(*row) for row in card.comment_rows)
    return answer | {"comments": list(_that_fit(comments, max(ROOM - len(encode(answer)), ROOM // 2)))}


def _found_out(card: Any, caller: Caller) -> dict[str, Any]:
    labels = [name for _pk, name in card.label_rows]
    assignees = [display_name(name, email) for _pk, name, email in card.assignee_rows]
    return {**task_out(card, caller), "labels": labels, "assignees": assignees}


def _reachable(name: str, arguments: dict[str, Any], caller: Caller) -> UUID | None:
    """Return the id that was sent. Raises NotFound for a wrong one, because a filter by it would just find nothing."""
    given: GivenId | None = arguments.get(name)
    if given and not is_reachable(name, given, caller.reader):
        raise not_found()
    return given.id if given else None


def _that_fit(things: Iterable[dict[str, Any]], room: int, at_least: int = 0) -> Iterator[dict[str, Any]]:
    """Yield things from the first on, as many as fit into `room` bytes, but `at_least` so many."""
    for place, thing in enumerate(things):
        room -= len(encode(thing)) + 1
        if place >= at_least and room < 0:
            return
        yield thing


def _checklist_out(rows: list[Any]) -> dict[str, Any]:
    checklist, title = rows[0][:2]
    items = [{"id": id_in(pk), "text": text, "done": bool(done)} for _list, _title, pk, text, done in rows if pk]
    return {"id": id_in(checklist), "title": title, "items": items}


def _comment_out(pk: str, body: str, created: str, edited: str | None, *author: str) -> dict[str, Any]:
    return {
        "id": id_in(pk),
        "author": _person_out(*author),
        "text": body,
        "createdAt": timestamp(time_in(created)),
        "editedAt": timestamp(time_in(edited)) if edited else None,
    }


def _person_out(pk: str, name: str, email: str) -> dict[str, Any]:
    return {"id": id_in(pk), "name": display_name(name, email)}
