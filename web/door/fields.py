"""Reading what a form sent, where it is more than a text. Texts are checked by the actions."""

from datetime import datetime
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext as _

from boards.access import not_found
from boards.colours import Hue
from boards.dates import parse_due
from boards.errors import Invalid
from boards.text import parse_id
from web.door.guard import Request


def flag(request: Request, name: str) -> bool:
    """1 or 0: a form says what is to hold, so that sending it twice does no harm."""
    value = request.POST.get(name)
    if value not in ("0", "1"):
        raise Invalid(_("%(field)s must be 0 or 1.") % {"field": name}, name)
    return value == "1"


def id_of(request: Request, name: str) -> UUID:
    found = parse_id(request.POST.get(name, ""))
    if found is None:
        raise not_found()
    return found


def hue(request: Request, name: str = "color") -> int:
    """0, which no action takes, for anything but a number."""
    value = request.POST.get(name, str(Hue.BLUE))
    return int(value) if value.isascii() and value.isdigit() and len(value) < 3 else 0


def due(request: Request, current: datetime | None) -> datetime | None:
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
