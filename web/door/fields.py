"""Reading what a form sent, where it is more than a text. Texts are checked by the actions."""

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
    """1 or 0: a form says what is to hold, so that sending it twice does no harm."""
    value = request.POST.get(name)
    if value not in ("0", "1"):
        raise Invalid.of(name, _("%(field)s must be 0 or 1."))
    return value == "1"


def id_of(sent: Mapping[str, Any], name: str) -> UUID:
    """Return the id in the field `name` of what was sent. Raise NotFound for anything else."""
    found = parse_id(sent.get(name, ""))
    if found is None:
        raise not_found()
    return found


def hue(request: SignedInRequest, name: str = "color") -> int:
    """0, which no action takes, for anything but a number."""
    value = request.POST.get(name, str(Hue.BLUE))
    return int(value) if value.isascii() and value.isdigit() and len(value) < 3 else 0


def due(request: SignedInRequest, current: datetime | None) -> datetime | None:
    """The moment that a `datetime-local` field names in the account's time zone.

    The field shows no seconds: what it showed for `current` comes back as `current`.
    """
    value = request.POST.get("due", "").strip()
    if not value:
        return None
    if value == due_field(current):
        return current
    return parse_due(value, request.user.zone, "due")


def due_field(moment: datetime | None) -> str:
    return timezone.localtime(moment).strftime("%Y-%m-%dT%H:%M") if moment else ""
