"""Find boards, cards, or lists to move cards to, by a few letters of their names, the most likely one first."""

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple, TypeVar
from uuid import UUID

from django.db.models import Case, Count, Q, Value, When

from boards.models import Board, Card, List, Role
from boards.reader import Reader
from boards.reading.search import first_with, search_ids
from boards.reading.search_filters import Filters, as_sql
from boards.reading.search_words import number_in, split_words
from core.text.folding import fold

MOST_LISTS = 5000  # that are looked at: those of this board, and then of the boards that changed last
FEWEST_LETTERS, MOST_LETTERS = 2, 30  # of a title
IN_ORDER, WORDS = 4, 3  # the worst ranks: of a name with the letters in this order, of one with the words

Thing = TypeVar("Thing")


class Destination(NamedTuple):
    """An open list of a board that the reader may change."""

    list_id: UUID
    title: str
    board_id: UUID
    board_title: str
    hue: int
    cards: int  # that are open


def boards_like(boards: Iterable[Board], letters: str, *, limit: int) -> list[Board]:
    """Return those of the boards whose titles match, the best match first, and then in their order."""
    return best(letters, ((board.title, board) for board in boards))[:limit]


def cards_like(reader: Reader, query: str, *, here: UUID | None, limit: int) -> list[Card]:
    """Return the first cards that the search page finds for `query`, with board and list.

    A number means a card of the board `here` first. If there are no cards, return those of this board whose titles have the letters
    in this order.
    """
    filters = Filters(query=query, everywhere=True, best_first=True)
    ids = []
    if here and number_in(query):
        ids = search_ids(reader, replace(filters, board_ids=(here,)), limit=limit)
    if len(ids) < limit:
        ids += [pk for pk in search_ids(reader, filters, limit=limit) if pk not in ids][: limit - len(ids)]
    with_places = Card.objects.select_related("board", "list").only(
        "number", "title", "completed_at", "board__title", "list__title"
    )
    letters = [sign for sign in fold(query) if sign.isalnum()]
    if not ids and here and FEWEST_LETTERS <= len(letters) <= MOST_LETTERS:
        # From the beginning, so that a title is read once: titles made for it would take a second for each thousand cards.
        in_order = as_sql(Q(title__iregex="^" + "".join(f"[^{sign}]*{sign}" for sign in letters)))
        ids = first_with(reader, Filters(board_id=here, best_first=True), in_order, limit=limit)
    found = with_places.in_bulk(ids)
    return [found[pk] for pk in ids if pk in found]


def lists_like(reader: Reader, letters: str, *, here: UUID | None, limit: int) -> list[Destination]:
    """Return open lists of boards that the reader may change: two statements.

    Those of the board `here` come first, then the best match; without letters, the lists of the last changed boards.
    """
    mine = reader.membership("board__memberships__")
    lists = List.objects.open().filter(mine, board__memberships__role__in=EDITORS, board__archived_at=None)
    first = [Case(When(board=here, then=Value(0)), default=Value(1))] if here else []
    rows = lists.order_by(*first, "-board__changed_at", "board", "position").values_list(
        "pk", "title", "board", "board__title", "board__hue"
    )[:MOST_LISTS]
    named = [(f"{row[1]} {row[3]}", row) for row in rows]
    near = best(letters, [one for one in named if one[1][2] == here], WORDS)
    found = [*near, *(row for row in best(letters, named) if row not in near)][:limit]
    cards = Card.objects.filter(list__in=[row[0] for row in found], archived_at=None).order_by()
    counts = dict(cards.values_list("list").annotate(number=Count("pk")))
    return [Destination(*row, counts.get(row[0], 0)) for row in found]


EDITORS = [role for role in Role if role.can_edit]


def best(letters: str, things: Iterable[tuple[str, Thing]], worst: int = IN_ORDER) -> list[Thing]:
    """Return the things, each given with its name, whose names match, the best match first, the `worst` rank last."""
    wanted = _spaced(letters)
    ranked = ((rank(wanted, fold(name)), thing) for name, thing in things)
    return [
        thing
        for _rank, thing in sorted(
            ((at, one) for at, one in ranked if at is not None and at <= worst), key=lambda one: one[0]
        )
    ]


def begins(letters: str, name: str) -> bool:
    return rank(_spaced(letters), fold(name)) == 0


def _spaced(letters: str) -> str:
    return " ".join(fold(letters).split())


def rank(letters: str, name: str) -> int | None:
    """Return how well folded letters match a folded name, 0 for best; None if the name has them not even in this order."""
    if name.startswith(letters):
        return 0
    if f" {letters}" in name:
        return 1
    if letters in name:
        return 2
    if all(word in name for word in split_words(letters)):
        return WORDS
    rest = iter(name)
    return IN_ORDER if all(sign in rest for sign in letters.replace(" ", "")) else None
