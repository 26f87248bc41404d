"""Sends one message to a push service, without redirects."""

from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import NamedTuple

from django.conf import settings
from django.utils import timezone

from core.http.outgoing import Unreachable, fetch
from notifications.push.endpoints import is_allowed

SECONDS = 10.0
LONGEST_WAIT = timedelta(days=1)


class PushServiceAway(Exception):
    """The push service was not reached, or gave an unknown answer."""


class PushAnswer(NamedTuple):
    status: int
    wait: timedelta | None  # what it asks for by Retry-After


def post(endpoint: str, body: bytes, headers: Mapping[str, str]) -> PushAnswer:
    """Raise PushServiceAway."""
    if not is_allowed(endpoint):
        raise PushServiceAway("this is not the address of a push service")
    try:
        with fetch(
            endpoint, body=body, headers=headers, most=0, seconds=SECONDS, servers=settings.PUSH_SERVERS, redirects=None
        ) as answer:
            return PushAnswer(answer.status, _wait(answer.headers.get("Retry-After", "")))
    except Unreachable as error:
        raise PushServiceAway(str(error)) from error


def _wait(text: str) -> timedelta | None:
    """Return what Retry-After asks for, as seconds or as a date: a day at most."""
    if text.isascii() and text.isdecimal():
        return min(timedelta(seconds=int(text[:9])), LONGEST_WAIT)
    with suppress(ValueError, TypeError, OverflowError):
        moment = parsedate_to_datetime(text)
        return min(max(_aware(moment) - timezone.now(), timedelta(0)), LONGEST_WAIT)
    return None


def _aware(moment: datetime) -> datetime:
    return moment if timezone.is_aware(moment) else timezone.make_aware(moment)
