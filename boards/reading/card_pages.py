"""Pages of cards for programs, each order with the keyset by which a page goes on where the one before ended.

What others add, move or archive between two pages neither doubles nor hides any other card. Making room in a list gives
all of its cards new positions, so places as on the board are carried over (boards/models/renumbering.py).
"""

from collections.abc import Callable
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import F, Q

from boards.dates import timestamp
from boards.models.renumbering import present
from boards.reader import Reader
from boards.reading.card_rows import CardRow, card_rows
from boards.reading.search import Filters, matching_cards


class CardOrder(NamedTuple):
    """`columns` to order by, those of the last row that make up its place, and the condition for cards behind a place.

    A place holds what JSON has. `behind` raises ValueError, TypeError or AttributeError for anything else.
    """

    columns: tuple[Any, ...]
    place: tuple[str, ...]
    behind: Callable[..., Q]


class CardPage(NamedTuple):
    cards: list[CardRow]
    place: list[Any] | None  # of the last one; None when nothing follows


def read_page(reader: Reader, filters: Filters, order: CardOrder, limit: int, after: list[Any] | None) -> CardPage:
    """Return at most `limit` cards behind the place `after`: two statements, and two more to carry a place over."""
    cards = matching_cards(reader, filters)
    if after is not None:
        cards = cards.filter(order.behind(*after))
    found = list(cards.order_by(*order.columns).values_list("pk", *order.place)[: limit + 1])
    shown = found[:limit]
    place = [_plain(value) for value in shown[-1][1:]] if len(found) > limit else None
    return CardPage(card_rows([row[0] for row in shown]), place)


def _plain(value: Any) -> Any:
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
        ("board_id", "list__position", "position"),
        ("board_id", "list_id", "list__position", "position", "board__version"),
        _on_board,
    ),
    "due": CardOrder((F("due_at").asc(nulls_last=True), "pk"), ("due_at", "pk"), _by_due),
    "created": CardOrder(("-created_at", "-pk"), ("created_at", "pk"), _newest_first("created_at")),
    "updated": CardOrder(("-updated_at", "-pk"), ("updated_at", "pk"), _newest_first("updated_at")),
}
