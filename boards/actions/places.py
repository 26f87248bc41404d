"""Order inside a list: big integers with gaps. Callers name a place by its neighbour; the numbers stay in here."""

from dataclasses import dataclass
from typing import Any, Literal
from uuid import UUID

from django.db import connection, models
from django.db.models import Max, Min
from django.db.models.functions import RowNumber

from boards.access import not_found

GAP = 2**32


@dataclass(frozen=True, slots=True)
class Place:
    """`top`, `bottom`, or `before` / `after` the row `neighbour` of the same parent."""

    where: Literal["top", "bottom", "before", "after"] = "bottom"
    neighbour: UUID | None = None

    def holds(self, row: Any, shown: "models.QuerySet[Any]") -> bool:
        """Whether `row` already is here among the `shown` rows of its parent."""
        below = shown.filter(position__gt=row.position).order_by("position").values_list("pk", flat=True).first()
        above = shown.filter(position__lt=row.position).order_by("-position").values_list("pk", flat=True).first()
        return {
            "top": above is None,
            "bottom": below is None,
            "before": self.neighbour in (row.pk, below),
            "after": self.neighbour in (row.pk, above),
        }[self.where]


TOP, BOTTOM = Place("top"), Place("bottom")


def position_for(rows: "models.QuerySet[Any]", place: Place, number: int, moving: UUID | None = None) -> int:
    """A free position for `place` among `rows` (all rows of one parent, archived ones too), under the board's lock.

    A list without a gap left is renumbered in one statement under change `number`, which marks its rows as changed.
    """
    others = rows.exclude(pk=moving) if moving else rows
    if place.where == "bottom":
        return (others.aggregate(last=Max("position"))["last"] or 0) + GAP
    if place.where == "top":
        first = others.aggregate(first=Min("position"))["first"]
        return GAP if first is None else first - GAP
    position = _between(others, place)
    if position is None:
        renumber(rows, number)
        position = _between(others, place)
    assert position is not None
    return position


def _between(rows: "models.QuerySet[Any]", place: Place) -> int | None:
    """The middle between the neighbour and the next row on that side; None where no number is left between."""
    at = rows.filter(pk=place.neighbour).values_list("position", flat=True).first()
    if at is None:
        raise not_found()
    if place.where == "before":
        low = rows.filter(position__lt=at).aggregate(p=Max("position"))["p"]
        return at - GAP if low is None else _middle(low, at)
    high = rows.filter(position__gt=at).aggregate(p=Min("position"))["p"]
    return at + GAP if high is None else _middle(at, high)


def _middle(low: int, high: int) -> int | None:
    return (low + high) // 2 if high - low > 1 else None


def renumber(rows: "models.QuerySet[Any]", number: int) -> None:
    """Spread the rows evenly again, above the highest position so far: no place is held twice on the way."""
    table = connection.ops.quote_name(rows.model._meta.db_table)
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
            f"UPDATE {table} SET position = ranked.top + ranked.place * {GAP}, version = %s "
            f"FROM ({ranked}) AS ranked WHERE {table}.id = ranked.id",
            [number, *params],
        )
