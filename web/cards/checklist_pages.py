"""The checklists of a card, each with its first items. Further checklists, and further items, come page by page."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Count, F, Q, QuerySet, Window
from django.db.models.functions import RowNumber

from boards.models import Card, Checklist, ChecklistItem
from core.ids import parse_id

AT_ONCE, EACH_AT_LEAST, MORE = 40, 3, 100  # items: of a card, of each checklist, of a further page
CHECKLISTS = 8  # of a page


@dataclass
class ChecklistPages:
    rows: list[Any]  # checklists with `rows` (items), `total`, `ticked`, `more` (a place, or "") and `is_first`
    more: str  # the place after which the next page of checklists begins; "" if these are the last
    is_first: bool


def read_checklists(card: Card, asked: dict[str, str]) -> ChecklistPages:
    """Return the first checklists, or those after the place `asked["checklists"]`.

    The one with the id `asked["checklist"]` is among them, with the items after the place `asked["after"]`.
    """
    opened, after = parse_id(asked.get("checklist", "")), _place(asked.get("after", ""))
    begins_after = _place(asked.get("checklists", ""))
    counted = checklists_of(card)
    found = list((counted if begins_after is None else counted.filter(position__gt=begins_after))[: CHECKLISTS + 1])
    if opened and opened not in [checklist.pk for checklist in found[:CHECKLISTS]]:
        begins_after = 0
        found = list(
            counted.filter(position__gte=Checklist.objects.filter(pk=opened).values("position"))[: CHECKLISTS + 1]
        )
    shown: list[Any] = found[:CHECKLISTS]
    _add_first_items(shown)
    for checklist in shown:
        if checklist.pk == opened and after is not None:
            checklist.is_first = False
            checklist.rows, checklist.more = items_after(checklist, asked["after"])
    return ChecklistPages(shown, _position(shown[-1]) if len(found) > CHECKLISTS else "", begins_after is None)


def checklists_of(card: Card) -> "QuerySet[Checklist]":
    """Return the checklists of a card in their order, with `total` and `ticked`."""
    totals = {"total": Count("items"), "ticked": Count("items", filter=Q(items__done=True))}
    return Checklist.objects.filter(card=card).order_by("position").annotate(**totals)


def read_some(card: Card, ids: Iterable[UUID]) -> list[Any]:
    """Return these checklists, like those of a page."""
    found = list(checklists_of(card).filter(pk__in=ids))
    _add_first_items(found)
    return found


def _add_first_items(checklists: list[Any]) -> None:
    if not checklists:
        return
    each = max(EACH_AT_LEAST, AT_ONCE // max(1, len(checklists)))
    number = Window(RowNumber(), partition_by=F("checklist"), order_by="position")
    items = ChecklistItem.objects.filter(checklist__in=checklists).annotate(number=number).filter(number__lte=each)
    by_checklist: dict[UUID, list[ChecklistItem]] = {}
    for item in items.order_by("position"):
        by_checklist.setdefault(item.checklist_id, []).append(item)
    for checklist in checklists:
        checklist.is_first = True
        checklist.rows = by_checklist.get(checklist.pk, [])
        is_cut = 0 < len(checklist.rows) < checklist.total  # without any, they are gone since they were counted
        checklist.more = _position(checklist.rows[-1]) if is_cut else ""


def items_after(checklist: Checklist, place: str) -> tuple[list[ChecklistItem], str]:
    """Return a further page of items, and the place after which the next one begins, "" if there is none."""
    after = _place(place)
    found = ChecklistItem.objects.filter(checklist=checklist).order_by("position")
    rows = list((found.filter(position__gt=after) if after is not None else found)[: MORE + 1])
    return rows[:MORE], _position(rows[MORE - 1]) if len(rows) > MORE else ""


def _position(row: Checklist | ChecklistItem) -> str:
    return f"{row.position:x}"


def _place(value: str) -> int | None:
    try:
        return int(value, 16) if value and len(value) < 17 else None
    except ValueError:
        return None
