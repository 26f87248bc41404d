"""The dates of a card: a start, and a due date that is a moment or a whole day."""

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

from boards.dates import Due, day_of, end_of_day
from boards.errors import Invalid
from boards.models import Card
from boards.recurrence import Recurrence, day_anchor, next_day, next_due


def due_of(due_at: datetime | None, due_day: date | None, zone: ZoneInfo) -> Due | None:
    """Return the due date. A whole day without its last second ends in `zone`."""
    if due_day is not None:
        return Due(due_at or end_of_day(due_day, zone), due_day)
    return Due(due_at) if due_at else None


def new_dates(card: Card, fields: Mapping[str, Any], zone: ZoneInfo) -> dict[str, Any]:
    """Return the dates that are to be written. Raises Invalid when the card would start after it is due.

    A whole day that the card has already keeps its last second, in whichever zone that is. So does one that comes back
    as that second, the way in which callers that know moments alone have read it.
    """
    due, start = card.due, fields.get("start_day", card.start_day)
    if "due_at" in fields or "due_day" in fields:
        due = _sent_due(card, fields, zone)
    sent = {"due_at": due and due.at, "due_day": due and due.day, "start_day": start}
    values = {name: value for name, value in sent.items() if getattr(card, name) != value}
    if values:
        require_order(start, due, zone)
    return values


def _sent_due(card: Card, fields: Mapping[str, Any], zone: ZoneInfo) -> Due | None:
    at, day = fields.get("due_at"), fields.get("due_day")
    is_same_day = day is not None and at is None and day == card.due_day
    is_same_moment = "due_day" not in fields and at == card.due_at
    return card.due if is_same_day or is_same_moment else due_of(at, day, zone)


def require_order(start: date | None, due: Due | None, zone: ZoneInfo) -> None:
    if start is not None and due is not None and start > day_of(due, zone):
        raise Invalid.of("startDate", _("%(field)s must not be after the due date."))


def anchor_of(due: Due | None) -> datetime | None:
    """Return the anchor of the series that begins with this due date."""
    return due and (day_anchor(due.day) if due.day else due.at)


def next_dates(card: Card, now: datetime, zone: ZoneInfo) -> dict[str, Any] | None:
    """Return the dates of the next occurrence, which a whole day has in `zone`; None when there is none.

    The start moves by as many days as the due date.
    """
    if card.due is None or not card.recurrence:
        return None
    anchor = card.recurrence_anchor or anchor_of(card.due)
    due = _next_due(card, card.due, anchor, now, zone)
    if due is None:
        return None
    return {
        "due_at": due.at,
        "due_day": due.day,
        "start_day": card.start_day and _moved(card.start_day, day_of(due, zone) - day_of(card.due, zone)),
        "recurrence_anchor": anchor,
    }


def _moved(start: date, by: timedelta) -> date:
    """Return the start that much later; the last day there is if that would be after the year 9999."""
    return start + min(by, date.max - start)


def _next_due(card: Card, due: Due, anchor: Any, now: datetime, zone: ZoneInfo) -> Due | None:
    rule = Recurrence(card.recurrence)
    if due.day is None:
        at = next_due(rule, anchor, due.at, now, zone)
        return Due(at) if at else None
    day = next_day(rule, anchor, due.day, now.astimezone(zone).date())
    try:
        return Due(end_of_day(day, zone), day) if day else None
    except Invalid:  # it ends after the year 9999 in UTC
        return None
