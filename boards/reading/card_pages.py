"""Pages of cards for programs, each order with the keyset by which a page goes on where the one before ended.

What others add, move or archive between two pages neither doubles nor hides any other card. Making room in a list gives
all of its cards new positions, so places as on the board are carried over (boards/models/renumbering.py).
"""

from collections.abc import Callable, Iterable
from datetime import datetime
from operator import itemgetter
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Q

from boards.dates import timestamp
from boards.models import Card
from boards.models.renumbering import present
from boards.reader import Reader
from boards.reading.card_rows import CardRow, card_rows
from boards.reading.search import matching
from boards.reading.search_filters import PLACES, Filters, as_sql
from core import sql
from core.sql import combined


class CardOrder(NamedTuple):
    """`columns` to order by, those of the last row that make up its place, and the condition for cards behind a place.

    A place holds what JSON has. `behind` raises ValueError, TypeError or AttributeError for anything else.
    """

    columns: str
    place: tuple[str, ...]
    behind: Callable[..., Q]


class CardPage(NamedTuple):
    cards: list[CardRow]
    place: list[Any] | None  # of the last one; None when nothing follows


def read_page(reader: Reader, filters: Filters, order: CardOrder, limit: int, after: list[Any] | None) -> CardPage:
    """Return at most `limit` cards behind the place `after`: two statements, and two more to carry a place over."""
    found = _places(reader, filters, order, limit + 1, after)
    shown = found[:limit]
    cards = card_rows([pk for pk, *_place in shown])
    return CardPage(cards, _plain(shown[-1][1:]) if len(found) > limit else None)


def read_places(
    reader: Reader, filters: Filters, order: CardOrder, limit: int, after: list[Any] | None
) -> list[tuple[UUID, list[Any]]]:
    """Return the ids of at most `limit` cards behind the place `after`, each with its own place: one statement."""
    return [(pk, _plain(place)) for pk, *place in _places(reader, filters, order, limit, after)]


def _places(
    reader: Reader, filters: Filters, order: CardOrder, limit: int, after: list[Any] | None
) -> list[tuple[Any, ...]]:
    """Return the id of each card, and then the values of its place."""
    behind = Q() if after is None else order.behind(*after)
    which = combined(" AND ", [matching(reader, filters), as_sql(behind)])
    rest = f"{PLACES} WHERE {which.sql} ORDER BY {order.columns} LIMIT %s"
    joined = [name for name in order.place if "__" in name]
    own = ("id", *(name for name in order.place if name not in ("pk", *joined)))
    others = [name.replace("__", ".") for name in joined]
    found = sql.values(Card, own, rest, [*which.params, limit], *others, planned=bool(filters.query))
    columns = (*own, *joined)
    arranged = itemgetter(*(columns.index("id" if name == "pk" else name) for name in ("pk", *order.place)))
    return [arranged(row) for row in found]


def _plain(place: Iterable[Any]) -> list[Any]:
    """Return the place as JSON has it."""
    return [_written(value) for value in place]


def _written(value: Any) -> Any:
    if isinstance(value, datetime):
        return timestamp(value)
    return str(value) if isinstance(value, UUID) else value


def _on_board(board: str, into: str, row: int, position: int, since: int) -> Q:
    row, position = present(UUID(board), row, since), present(UUID(into), position, since)
    within = Q(list__position__gt=row) | Q(list__position=row, position__gt=position)
    return Q(board__gt=UUID(board)) | Q(board=UUID(board)) & within


def _by_due(sent: str | None, pk: str) -> Q:
    if sent is None:
        return Q(due_at=None, pk__gt=UUID(pk))
    due = datetime.fromisoformat(sent)
    return Q(due_at__gt=due) | Q(due_at=None) | Q(due_at=due, pk__gt=UUID(pk))


def _newest_first(name: str) -> Callable[[str, str], Q]:
    def behind(sent: str, pk: str) -> Q:
        moment = datetime.fromisoformat(sent)
        return Q((f"{name}__lt", moment)) | Q((name, moment), pk__lt=UUID(pk))

    return behind


ORDERS = {
    # as people see them: oldest board first (ids are given in the order of time), its lists in order, top card first
    "board": CardOrder(
        "this.board_id, list.position, this.position",
        ("board_id", "list_id", "list__position", "position", "board__version"),
        _on_board,
    ),
    "due": CardOrder("this.due_at ASC NULLS LAST, this.id", ("due_at", "pk"), _by_due),
    "created": CardOrder("this.created_at DESC, this.id DESC", ("created_at", "pk"), _newest_first("created_at")),
    "updated": CardOrder("this.updated_at DESC, this.id DESC", ("updated_at", "pk"), _newest_first("updated_at")),
}
