"""Reads fields of a form that are not plain text. The actions check texts."""

from collections.abc import Callable, Mapping
from datetime import date, timedelta
from typing import Any
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from boards.access import not_found
from boards.actions.cards.fields import CardFields
from boards.colours import Hue
from boards.dates import Due, parse_day, parse_due_date
from boards.errors import Invalid
from boards.models import Card
from core.http.requests import SignedInRequest
from core.ids import parse_id
from core.text.dates import local_time, next_week


def flag(request: SignedInRequest, name: str) -> bool:
    """Return True for 1, False for 0. Raise Invalid for anything else.

    A form sends the state to reach rather than a toggle, so that it is idempotent.
    """
    value = request.POST.get(name)
    if value not in ("0", "1"):
        raise Invalid.of(name, _("%(field)s must be 0 or 1."))
    return value == "1"


def accepted(request: SignedInRequest) -> bool:
    """Return True for the answer "accept", False for "decline". Raise Invalid for anything else."""
    value = request.POST.get("answer")
    if value not in ("accept", "decline"):
        raise Invalid.of("answer", _("%(field)s must be accept or decline."))
    return value == "accept"


def id_of(sent: Mapping[str, Any], name: str) -> UUID:
    """Return the id in the field `name`. Raise NotFound if it is missing or not an id."""
    found = parse_id(sent.get(name, ""))
    if found is None:
        raise not_found()
    return found


def hue(request: SignedInRequest, name: str = "color") -> int:
    """Return the number in the field, or 0, which every action refuses, for anything else."""
    value = request.POST.get(name, str(Hue.BLUE))
    return int(value) if value.isascii() and value.isdigit() and len(value) < 3 else 0


def whole_number(request: SignedInRequest, name: str) -> int | None:
    """Return the number in the field, None if it is empty, and 0, which every action refuses, for anything else."""
    value = request.POST.get(name, "").strip()
    if not value:
        return None
    return int(value) if value.isascii() and value.isdigit() and len(value) < 6 else 0


# Days by the words that buttons send, so that a page that stays open over midnight means the right one
DAYS_AHEAD: dict[str, Callable[[date, int], date]] = {
    "today": lambda today, first: today,
    "tomorrow": lambda today, first: today + timedelta(days=1),
    "next-week": next_week,
}


def day_ahead(word: str, user: User) -> date:
    """Return the day that this word means in the reader's zone, with the weeks that they have."""
    return DAYS_AHEAD[word](timezone.localdate(), user.first_weekday)


def due(request: SignedInRequest, current: Card | None = None, line: str = "") -> CardFields:
    """Return the due date that the fields `due` and `time` name in the account's time zone. Their names may end with `line`.

    `due` may be one of the words in DAYS_AHEAD. Without a time, in either field, it is a whole day. A field with a time shows no seconds: if it comes back as it was
    shown for `current`, the card keeps its seconds.
    """
    day, clock = (request.POST.get(f"{name}{line}", "").strip() for name in ("due", "time"))
    if not day:
        return {"due_at": None}
    if day in DAYS_AHEAD:
        return {"due_day": day_ahead(day, request.user)}
    sent = f"{day}T{clock}" if clock else day
    if current is not None and current.due_at and sent == "T".join(due_fields(current.due)):
        return {"due_at": current.due_at}
    found = parse_due_date(sent, request.user.zone, "due")
    return {"due_day": found.day} if found.day else {"due_at": found.at}


def due_fields(due: Due | None) -> tuple[str, str]:
    """Return the values of the fields for the date and the time, in the reader's zone."""
    if due is None:
        return "", ""
    if due.day:
        return due.day.isoformat(), ""
    local = local_time(due.at)
    return local.date().isoformat(), local.strftime("%H:%M")


def day(request: SignedInRequest, name: str) -> date | None:
    """Return the date in the field; None if it is empty."""
    value = request.POST.get(name, "").strip()
    return parse_day(value, name) if value else None
