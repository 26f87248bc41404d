"""The tool that reads a whole board."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from boards.access import not_found
from boards.models import List
from boards.reading.card_pages import ORDERS, read_places
from boards.reading.search_filters import Filters
from boards.reading.whole_board import whole_board
from mcpserver.answers import BRIEF, Answer, an_answer, tasks_by_id
from mcpserver.caller import Caller
from mcpserver.cursors import cursor_for, place_of
from mcpserver.kinds import a_board, a_text
from mcpserver.messages import encode
from mcpserver.registry import Hints, tool
from mcpserver.room import FRAME, ROOM, that_fit

CARDS = 500  # that one answer reads
LONG_CARDS = 60  # with descriptions, of which no more than these would fit
CURSOR = 1000
BESIDE = 8_000  # bytes for members, and as many for labels


class Place(NamedTuple):
    """The end of an answer: how many members and labels are told, and the last list and the place of the last card."""

    members: int = 0
    labels: int = 0
    list_id: str | None = None
    card: list[Any] | None = None


class Told(NamedTuple):
    lists: list[dict[str, Any]]
    list_id: str | None
    card: list[Any] | None
    is_all: bool


@tool(
    "Read a board",
    "A board with its lists, their card limits and tasks in order, members and labels.",
    a_board("Id, title or address.", required=True),
    an_answer("brief"),
    a_text("cursor", "nextCursor of the answer before.", CURSOR),
    hints=Hints(read_only=True, idempotent=True),
)
def get_board(caller: Caller, arguments: dict[str, Any]) -> dict[str, Any]:
    whole = whole_board(arguments["boardId"].id, caller.reader)
    board, answer = whole.board, arguments.get("answer", BRIEF)
    if board.archived_at is not None:
        raise not_found()
    of = ("get_board", str(board.pk), answer)
    cursor = arguments.get("cursor")
    place = Place(*place_of(cursor, caller, *of)) if cursor else Place()
    everyone = [{"id": str(one.user_id), "name": one.user.display_name, "role": one.role} for one in whole.members]
    every_label = [{"id": str(label.pk), "name": label.name} for label in whole.labels]
    members = list(that_fit(everyone[place.members :], BESIDE))
    labels = list(that_fit(every_label[place.labels :], BESIDE))
    shown: dict[str, Any] = {"board": {"id": str(board.pk), "title": board.title, "role": whole.role}}
    beside = {name: rows for name, rows in {"members": members, "labels": labels}.items() if rows or not cursor}
    most = LONG_CARDS if "description" in answer.fields else CARDS
    found = read_places(caller.reader, Filters(board_id=board.pk), ORDERS["board"], most + 1, place.card)
    cards = _by_list(found[:most], answer, caller)
    room = ROOM - FRAME - CURSOR - len(encode(shown | beside))
    told = _that_fit(whole.lists, cards, place, room, more=len(found) > most)
    after = Place(place.members + len(members), place.labels + len(labels), told.list_id, told.card)
    is_all = told.is_all and after.members == len(everyone) and after.labels == len(every_label)
    return shown | {"lists": told.lists} | beside | ({} if is_all else {"nextCursor": cursor_for(after, caller, *of)})


Cards = dict[str, list[tuple[list[Any], dict[str, Any]]]]


def _by_list(found: Sequence[tuple[Any, list[Any]]], answer: Answer, caller: Caller) -> Cards:
    """Return the tasks by the id of their list, each with its place."""
    shown = tasks_by_id([pk for pk, _place in found], answer, caller, several=False, without=("list",))
    by_list: Cards = {}
    for pk, place in found:
        if pk in shown:
            by_list.setdefault(place[1], []).append((place, shown[pk]))
    return by_list


def _that_fit(rows: Iterable[List], cards: Cards, place: Place, room: int, *, more: bool) -> Told:
    """Return the lists and tasks that fit. `more`: there are tasks behind these."""
    rows = list(rows)
    ids = [str(row.pk) for row in rows]
    told: list[dict[str, Any]] = []
    last_list, last_card = place.list_id, place.card
    first_new = ids.index(place.list_id) + 1 if place.list_id in ids else 0
    left = sum(map(len, cards.values()))
    for number, row in enumerate(rows):
        inside = cards.get(ids[number], [])
        if number < first_new and not inside:
            continue
        if more and not left:  # the tasks behind come before what this list has
            return Told(told, last_list, last_card, False)
        shown = _list_out(row)
        room -= len(encode(shown)) + 1
        if room < 0 and told:
            return Told(told, last_list, last_card, False)
        told.append(shown)
        last_list = ids[number]
        for at, task in inside:
            room -= len(encode(task)) + 1
            if room < 0 and last_card != place.card:
                return Told(told, last_list, last_card, False)
            shown["cards"].append(task)
            last_card = at
            left -= 1
    return Told(told, last_list, last_card, not more)


def _list_out(row: List) -> dict[str, Any]:
    limit = {} if row.card_limit is None else {"limit": row.card_limit}
    return {"id": str(row.pk), "title": row.title, **limit, "cards": []}
