"""Find a card's place in a list, in one statement, under the lock of the list's board."""

from functools import lru_cache
from typing import NamedTuple
from uuid import UUID

from boards.access import not_found
from boards.actions.ordering import GAP, Place, position_for
from boards.errors import NoNeighbour
from boards.models import Board, Card, List
from core import sql
from core.sql import table


class Side(NamedTuple):
    """SQL of the cards `c` around a place: which are beyond it, on the side away from its neighbour `beside`; the order in
    which the nearest of them comes first; and which follow the place.
    """

    beyond: str
    order: str
    behind: str


SIDES = {
    "top": Side("1 = 1", "ASC", "1 = 1"),
    "bottom": Side("1 = 1", "DESC", "1 = 0"),
    "before": Side("c.position < beside.position", "DESC", "c.position >= beside.position"),
    "after": Side("c.position > beside.position", "ASC", "c.position > beside.position"),
}


class Spot(NamedTuple):
    """A place in a list and the cards around it, without the card that moves."""

    into: List
    place: Place
    neighbour: int | None  # position of the card that the place names
    edge: int | None  # position of the nearest card beyond the place
    open_edge: int | None  # the same among open cards
    next_id: UUID | None  # of the open card behind the place
    former_next_id: UUID | None  # of the open card behind the one that moves, where that is now

    def holds(self, card: Card) -> bool:
        """Tell whether the card is at this place already: no open card is in between."""
        if card.list_id != self.into.pk:
            return False
        if self.place.neighbour == card.pk:
            return True
        if self.place.where in ("before", "after") and self.neighbour is None:
            return False
        if self.place.where in ("top", "after"):
            is_above = self.neighbour is not None and card.position < self.neighbour
            return not is_above and (self.open_edge is None or card.position < self.open_edge)
        is_below = self.neighbour is not None and card.position > self.neighbour
        return not is_below and (self.open_edge is None or card.position > self.open_edge)

    def position(self, card: Card, number: int) -> int:
        """Return a free position for the card. Without a gap, renumber the list in the change with this `number`.

        Raises NoNeighbour when the neighbour is not in the list.
        """
        if self.place.where == "top":
            return GAP if self.edge is None else self.edge - GAP
        if self.place.where == "bottom":
            return (self.edge or 0) + GAP
        if self.neighbour is None:
            raise NoNeighbour(not_found().message)
        away = 2 * GAP if self.place.where == "after" else -2 * GAP
        edge = self.neighbour + away if self.edge is None else self.edge
        if abs(edge - self.neighbour) < 2:
            return position_for(Card.objects.filter(list=self.into), self.place, number, moving=card.pk)
        return (self.neighbour + edge) // 2


def read_spot(board: Board, list_id: UUID, place: Place, card: Card) -> Spot:
    """Read the place for this card in a list of the board. Raises NotFound when the board has no such list."""
    rest, annotations = _statement(place.where)
    asked = sql.keys([card.pk, place.neighbour, list_id, board.pk])
    found = sql.select(List, rest, asked, **annotations)
    if not found:
        raise not_found()
    [into] = found
    around = [getattr(into, name) for name in annotations]
    return Spot(into, place, *around[:3], *map(sql.key_in, around[3:]))


@lru_cache
def _statement(where: str) -> tuple[str, dict[str, str]]:
    side = SIDES[where]

    def nearest(column: str, condition: str, order: str) -> str:
        cards = f"SELECT c.{column} FROM {table(Card)} c WHERE c.id <> moved.id AND {condition}"  # noqa: S608 (own names)
        return f"({cards} ORDER BY c.position {order} LIMIT 1)"

    here, is_open = "c.list_id = this.id", "c.archived_at IS NULL"
    rest = (
        f"JOIN {table(Card)} moved ON moved.id = %s"
        f" LEFT JOIN {table(Card)} beside ON beside.id = %s AND beside.list_id = this.id AND beside.id <> moved.id"
        " WHERE this.id = %s AND this.board_id = %s"
    )
    return rest, {
        "neighbour": "beside.position",
        "edge": nearest("position", f"{here} AND {side.beyond}", side.order),
        "open_edge": nearest("position", f"{here} AND {is_open} AND {side.beyond}", side.order),
        "next_id": nearest("id", f"{here} AND {is_open} AND {side.behind}", "ASC"),
        "former_next_id": nearest(
            "id", f"c.list_id = moved.list_id AND {is_open} AND c.position > moved.position", "ASC"
        ),
    }
