"""Reads the place that a form names among the rows of one parent."""

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from boards.actions.ordering import BOTTOM, TOP, Place, Where
from boards.errors import Invalid
from boards.models import Card, ChecklistItem, List
from boards.statements import read_ids
from web.http import fields


class Siblings(NamedTuple):
    """The rows of `model` whose foreign key `parent` is `pk`."""

    model: type[Card | List | ChecklistItem]
    parent: str
    pk: UUID

    def shown(self) -> "QuerySet[Any]":
        rows: QuerySet[Any] = self.model._default_manager.filter(**{self.parent: self.pk})
        return rows if self.model is ChecklistItem else rows.filter(archived_at=None)


NEIGHBOURS: tuple[Where, ...] = ("after", "before")


def place_of(sent: Mapping[str, Any], rows: Siblings, moving: Collection[UUID] = ()) -> Place:
    """Return the place beside the neighbour in `after` or `before`, or else the one in `position` or `where`.

    `position` counts from 1 among the visible rows that are not `moving`; `where` is top or bottom.

    A drop names both neighbours, because either may have been moved away since the page was drawn: the first one that
    still is among `rows` counts. If none is, and there is no `where`, the place is the bottom. Raises NotFound for what
    is no id.
    """
    named = {where: fields.id_of(sent, where) for where in NEIGHBOURS if where in sent}
    there = read_ids(rows.model, f"{rows.parent}_id", rows.pk, named.values())
    for where, pk in named.items():
        if pk in there:
            return Place(where, pk)
    if "position" in sent:
        return _numbered(sent["position"], rows.shown().exclude(pk__in=moving))
    if sent.get("where", "bottom" if named else None) not in ("top", "bottom"):
        raise Invalid.of("where", _("%(field)s must be top or bottom."))
    return TOP if sent.get("where") == "top" else BOTTOM


def _numbered(number: str, rows: "QuerySet[Any]") -> Place:
    """Return the place that has this number among the rows; the bottom if there are fewer."""
    if not (number.isascii() and number.isdigit() and 0 < len(number) < 7 and int(number)):
        raise Invalid.of("position", _("%(field)s must be a whole number, 1 or more."))
    below = rows.order_by("position").values_list("pk", flat=True)[int(number) - 1 : int(number)].first()
    return Place("before", below) if below else BOTTOM
