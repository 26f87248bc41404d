"""The security log: a row for operators, and a line in the log of the service."""

import json
import logging
from datetime import timedelta
from typing import TYPE_CHECKING

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest

from core.ids import parse_id
from core.measures import SECURITY_EVENTS
from security.models import EventKind, SecurityEvent

if TYPE_CHECKING:
    from django.contrib.auth.models import _User  # what the stubs call the model that AUTH_USER_MODEL names

log = logging.getLogger(__name__)

KEEP_FOR = timedelta(days=90)
# Details that are words of the code
WORDS = frozenset(
    (
        "at",
        "device",
        "factor",
        "factors",
        "form",
        "limit",
        "log",
        "operator",
        "rate",
        "role",
        "state",
        "step",
        "until",
        "via",
        "why",
    )
)


def log_event(
    kind: EventKind,
    request: HttpRequest | None,
    *,
    user: "_User | AnonymousUser | None" = None,
    by: "_User | AnonymousUser | None" = None,
    **details: str | int | None,
) -> None:
    """Log what happened to the account `user`, done `by` somebody else if given.

    `request` is None for commands. `details` are short texts and numbers: names, never passwords, tokens or codes. The
    row belongs to the transaction around it: what is rolled back did not happen.
    """
    meta = request.META if request is not None else {}
    event = SecurityEvent.objects.create(
        kind=kind,
        user_id=user.pk if user else None,
        by_id=by.pk if by else None,
        address=str(meta.get("REMOTE_ADDR", ""))[:45],
        browser=str(meta.get("HTTP_USER_AGENT", ""))[:200],
        details={name: value for name, value in details.items() if value is not None},
    )
    SECURITY_EVENTS.add(event.kind)
    log.info("%s", line(event))


def line(event: SecurityEvent) -> str:
    """Return one line of `name=value`, each value as JSON, so that none can begin a line or a field of its own.

    Of the details, ids, numbers and WORDS. What somebody chose, as names, titles and addresses, is in the row alone: lines
    go where people of other boards may read them, and a stranger may have written it.
    """
    fields = {
        "event": event.kind,
        "account": event.user_id and str(event.user_id),
        "by": event.by_id and str(event.by_id),
        "address": event.address,
        **{name: value for name, value in event.details.items() if name in WORDS or is_number_or_id(value)},
    }
    return " ".join(f"{name}={json.dumps(value)}" for name, value in fields.items() if value not in (None, ""))


def is_number_or_id(value: object) -> bool:
    return isinstance(value, int) or (isinstance(value, str) and parse_id(value) is not None)
