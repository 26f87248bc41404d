"""Reads fields of a form that are not plain text. The actions check texts."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext as _

from boards.access import not_found
from boards.colours import Hue
from boards.dates import parse_due
from boards.errors import Invalid
from core.http import SignedInRequest
from core.ids import parse_id


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


def due(request: SignedInRequest, current: datetime | None) -> datetime | None:
    """Return the moment that a `datetime-local` field names in the account's time zone; None if it is empty.

    The field shows no seconds. If it comes back as it was shown for `current`, return `current` with its seconds.
    """
    value = request.POST.get("due", "").strip()
    if not value:
        return None
    if value == due_field(current):
        return current
    return parse_due(value, request.user.zone, "due")


def due_field(moment: datetime | None) -> str:
    return timezone.localtime(moment).strftime("%Y-%m-%dT%H:%M") if moment else ""
