"""The order of rows within their parent: big integers with gaps between them.

Callers name a place by its neighbour and never see the numbers. Why not 1, 2, 3: every move would write all rows behind
it. A move halves a gap and writes one row; when a gap is used up, one statement renumbers the list. Cards and lists that
are only renumbered keep their version: nobody has changed them.
"""

from dataclasses import dataclass
from typing import Any, Literal, get_args
from uuid import UUID

from django.db import connection, models
from django.db.models import Max, Min, Q
from django.db.models.functions import RowNumber
from django.utils.translation import gettext as _

from boards.access import not_found
from boards.errors import Invalid, NoNeighbour
from boards.models import Card, List, renumbering
from boards.models.renumbering import Renumbering, packed
from boards.statements import last_position

GAP = renumbering.GAP
Where = Literal["top", "bottom", "before", "after"]
PARENTS: dict[type[models.Model], str] = {Card: "list_id", List: "board_id"}  # of the rows that are read in pages


@dataclass(frozen=True, slots=True)
class Place:
    """`top`, `bottom`, or `before` / `after` the row `neighbour` of the same parent."""

    where: Where = "bottom"
    neighbour: UUID | None = None

    def __post_init__(self) -> None:
        if self.where not in get_args(Where):
            raise Invalid(_("place must be top, bottom, before or after."), "place")

    def among(self, rows: "models.QuerySet[Any]") -> "models.QuerySet[Any]":
        """Return the visible rows, plus the neighbour even if it was archived after the page was drawn."""
        return rows.filter(Q(archived_at=None) | Q(pk=self.neighbour))

    def holds(self, row: Any, shown: "models.QuerySet[Any]") -> bool:
        """Tell whether `row` already is at this place among the `shown` rows of its parent."""
        above = shown.filter(position__lt=row.position).order_by("-position")
        below = shown.filter(position__gt=row.position).order_by("position")
        asked = above if self.where in ("top", "after") else below
        nearest = asked.values_list("pk", flat=True).first()
        if self.where in ("top", "bottom"):
            return nearest is None
        return self.neighbour is not None and self.neighbour in (row.pk, nearest)


TOP, BOTTOM = Place("top"), Place("bottom")


def next_id(row: Any, shown: "models.QuerySet[Any]") -> UUID | None:
    """Return the id of the row that `row` stands in front of among the `shown` rows of its parent; None at the end."""
    behind = shown.filter(position__gt=row.position).order_by("position")
    return behind.values_list("pk", flat=True).first()


def bottom_of(model: type[models.Model], parent: str, pk: UUID) -> int:
    """Return the position after the last of the rows of `model` whose foreign key `parent` is `pk`."""
    return (last_position(model, parent, pk) or 0) + GAP


def position_for(rows: "models.QuerySet[Any]", place: Place, number: int, moving: UUID | None = None) -> int:
    """Return a free position for `place` among `rows` (all rows of one parent, archived ones too).

    Call it under the board's lock. `moving` is the row that is moved, which does not count as a neighbour. When no gap
    is left, all rows are renumbered, in the change with this `number`. Raises NoNeighbour when the neighbour is not
    among the rows.
    """
    others = rows.exclude(pk=moving) if moving else rows
    if place.where == "bottom":
        return (others.aggregate(last=Max("position"))["last"] or 0) + GAP
    if place.where == "top":
        first = others.aggregate(first=Min("position"))["first"]
        return GAP if first is None else first - GAP
    low, high = _space(others, place)
    if high - low < 2:
        renumber(rows, number)
        low, high = _space(others, place)
    return (low + high) // 2


def _space(rows: "models.QuerySet[Any]", place: Place) -> tuple[int, int]:
    """Return the positions between which the place is: the neighbour's, and the next row's on the asked side.

    At the end of the list the other one is two gaps away, so that the middle is one gap away. Raises NoNeighbour.
    """
    at = rows.filter(pk=place.neighbour).values_list("position", flat=True).first()
    if at is None:
        raise NoNeighbour(not_found().message)
    if place.where == "before":
        low = rows.filter(position__lt=at).aggregate(last=Max("position"))["last"]
        return at - 2 * GAP if low is None else low, at
    high = rows.filter(position__gt=at).aggregate(first=Min("position"))["first"]
    return at, at + 2 * GAP if high is None else high


def renumber(rows: "models.QuerySet[Any]", number: int) -> None:
    """Spread the rows of one parent evenly again, in the same order, in the change with this `number`.

    Cards and lists note the number, by which open pages learn of their new positions, and their old positions are kept
    for the cursors that name them. Rows inside a card take the number as their version, as an open card asks for those. The new positions lie above the highest old one: positions are unique, and the
    database checks each row as it is written, so a new position must not be one that another row still holds.
    """
    table = connection.ops.quote_name(rows.model._meta.db_table)
    is_noted = rows.model in PARENTS
    if is_noted:
        _keep_positions(rows, number)
    ranked, params = (
        rows.order_by()
        .annotate(
            place=models.Window(RowNumber(), order_by=["position", "id"]),
            top=models.Window(Max("position")),
        )
        .values("id", "place", "top")
        .query.sql_with_params()
    )
    with connection.cursor() as cursor:
        cursor.execute(
            f"UPDATE {table} SET position = ranked.top + ranked.place * {GAP}"  # noqa: S608 (own names)
            f", {'renumbered' if is_noted else 'version'} = %s FROM ({ranked}) AS ranked WHERE {table}.id = ranked.id",
            [number, *params],
        )


def _keep_positions(rows: "models.QuerySet[Any]", number: int) -> None:
    parent = PARENTS[rows.model]
    found = list(rows.order_by("position").values_list("board_id", parent, "position"))
    positions = packed(position for _board, _parent, position in found)
    board_id, parent_id, _position = found[0]
    Renumbering.objects.create(board_id=board_id, parent_id=parent_id, version=number, positions=positions)
