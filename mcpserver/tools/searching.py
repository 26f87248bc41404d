"""The tool that finds tasks."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from boards import text
from boards.access import not_found
from boards.models import Card
from boards.reading.changes import boards_now
from boards.reading.marks import cut_around
from boards.reading.search import cursor_after, search_cards
from boards.reading.search_filters import Filters, State
from boards.reading.search_parts import kinds_with_words
from boards.reading.search_words import QUERY
from boards.reading.snippets import marked_words, snippets_of_parts
from core.text.names import display_name
from mcpserver.answers import FULL, Answer, an_answer, tasks_by_id
from mcpserver.caller import Caller
from mcpserver.given_ids import GivenId
from mcpserver.kinds import a_board, a_choice, a_flag, a_line, a_moment, a_number, a_text, an_id, some_lines
from mcpserver.names import NAME, NOBODY, boards_called, labels_called, people_called
from mcpserver.registry import Hints, tool
from mcpserver.room import FRAME, ROOM, that_fit
from mcpserver.tasks import task_out
from mcpserver.wrong_ids import is_reachable

MOST = 20  # names in a list
EXCERPT = 120  # characters, with … on both sides


@tool(
    "Search tasks",
    "Find tasks by words, board, list, state, people, labels and dates; all of these narrow the search. foundIn and excerpt "
    "say where words are that title and description lack. Archived tasks are left out, long descriptions cut. If the answer has "
    "nextCursor, there is more.",
    a_text(
        "query",
        "Words that must all occur in title, description, comments, checklists or files; or a number, as in #5.",
        QUERY,
    ),
    a_board("Only on this board."),
    an_id("listId", "Only in this list."),
    a_choice("status", "Only open or only done tasks; both when left out.", ("open", "done")),
    a_line("assignee", "Only tasks of this person: a name, me, or nobody.", NAME),
    a_line("label", "Only tasks with a label of this name.", text.LABEL),
    a_moment("dueBefore", "ISO 8601; only tasks due before it, or before that day.", from_midnight=True),
    a_moment("dueAfter", "ISO 8601; only tasks due after it, or after that day."),
    a_choice(
        "order",
        "due, or left out: open ones first, by due date, then newest; board: as on the board, top first; best: all words in "
        "the title, then open ones, then last changed.",
        ("due", "board", "best"),
    ),
    a_number("limit", "How many at most; 20 when left out.", 1, 50),
    a_text("cursor", "nextCursor from the previous answer, with the same filters.", 1000),
    some_lines("boards", "Only on these: titles or ids.", text.BOARD_TITLE, MOST),
    some_lines("assignees", "Any of these, as assignee.", NAME, MOST),
    some_lines("labels", "Any of these.", text.LABEL, MOST),
    a_line("createdBy", "A name, or me.", NAME),
    a_moment("changedSince", "ISO 8601.", from_midnight=True),
    a_flag("undated", "true: only without a due date."),
    a_flag("archived", "true: archived tasks instead."),
    an_answer("full"),
    hints=Hints(read_only=True, idempotent=True),
)
def search_tasks(caller: Caller, arguments: dict[str, Any]) -> dict[str, Any]:
    filters = _filters(caller, arguments)
    found = search_cards(
        caller.reader, filters, limit=arguments.get("limit", 20), after=arguments.get("cursor") or None
    )
    elsewhere = kinds_with_words(found.cards, filters.query)
    several = filters.list_id is None and filters.board_id is None and len(filters.board_ids or (1, 2)) > 1
    shown = _found_out(found.cards, arguments.get("answer", FULL), caller, several=several)
    cards = [card for card in found.cards if card.pk in shown]
    excerpts = _excerpts([card for card in cards if elsewhere.get(card.pk)], filters.query, arguments)
    places = (
        {"foundIn": kinds} | excerpts.get(card.pk, {}) if (kinds := elsewhere.get(card.pk)) else {} for card in cards
    )
    fitting = ({**shown[card.pk], **place} for card, place in zip(cards, places, strict=True))
    tasks = list(that_fit(fitting, ROOM - FRAME, at_least=1))
    if len(tasks) == len(cards) and not found.more:
        return {"tasks": tasks}
    last = cards[len(tasks) - 1] if tasks else found.cards[-1]
    return {"tasks": tasks, "nextCursor": cursor_after(filters, last)}


def _excerpts(cards: Sequence[Card], query: str, arguments: Mapping[str, Any]) -> dict[UUID, dict[str, str]]:
    """Return, for answers in full, what stands around the words in comments, checklists and names of files."""
    if arguments.get("answer", FULL) != FULL:
        return {}
    found, words = snippets_of_parts(cards, query), marked_words(query)
    return {pk: {"excerpt": cut_around(one.text, words, EXCERPT - 2)} for pk, one in found.items()}


def _filters(caller: Caller, arguments: dict[str, Any]) -> Filters:
    board_id = _reachable("boardId", arguments, caller)
    chosen = None
    if "boards" in arguments:
        chosen = tuple(
            board.id for board in boards_called(arguments["boards"], boards_now(caller.reader), caller.reader)
        )
    on = chosen if board_id is None else (board_id,)
    people = _sent("assignee", "assignees", arguments)
    named = [name for name in people or () if name.lower() != NOBODY]
    return Filters(
        query=arguments.get("query", ""),
        board_id=board_id,
        list_id=_reachable("listId", arguments, caller),
        done={"open": False, "done": True}.get(arguments.get("status", "")),
        due_before=arguments.get("dueBefore"),
        due_after=arguments.get("dueAfter"),
        assignee_ids=people_called(named, caller, on) if named else None,
        unassigned=len(named) < len(people or ()),
        label_ids=labels_called(names, caller, on) if (names := _sent("label", "labels", arguments)) else None,
        as_on_boards=arguments.get("order") == "board",
        best_first=arguments.get("order") == "best",
        updated_since=arguments.get("changedSince"),
        states=(State.ARCHIVED,) if arguments.get("archived") else (State.OPEN, State.DONE),
        board_ids=chosen,
        creator_ids=people_called([arguments["createdBy"]], caller, on, "createdBy")
        if "createdBy" in arguments
        else None,
        undated=arguments.get("undated", False),
        everywhere=True,
    )


def _sent(one: str, several: str, arguments: Mapping[str, Any]) -> list[str] | None:
    """Return the names that were sent as one or as several; None when there are none."""
    alone = [arguments[one]] if one in arguments else []
    return [*alone, *arguments.get(several, ())] or None


def _found_out(cards: Iterable[Card], answer: Answer, caller: Caller, *, several: bool) -> dict[UUID, dict[str, Any]]:
    if answer != FULL:
        return tasks_by_id([card.pk for card in cards], answer, caller, several=several)
    return {card.pk: _in_full(card, caller) for card in cards}


def _in_full(card: Any, caller: Caller) -> dict[str, Any]:
    labels = [name for _pk, name in card.label_rows]
    assignees = [display_name(name, email) for _pk, name, email in card.assignee_rows]
    return {**task_out(card, caller), "labels": labels, "assignees": assignees}


def _reachable(name: str, arguments: dict[str, Any], caller: Caller) -> UUID | None:
    """Return the id that was sent. Raises NotFound for a wrong one, because a filter by it would just find nothing."""
    given: GivenId | None = arguments.get(name)
    if given and not is_reachable(name, given, caller.reader):
        raise not_found()
    return given.id if given else None
