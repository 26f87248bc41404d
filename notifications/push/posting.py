"""Sends one message to a push service: to public addresses alone, without redirects, with an end in time and size."""

import time
from collections.abc import Mapping
from contextlib import closing, suppress
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import NamedTuple
from urllib.parse import urlsplit

from django.utils import timezone

from core.reaching import Bounded, connected
from notifications.push.endpoints import is_allowed, is_own

SECONDS = 10.0  # for everything but the look-up of the name, which the system bounds
MOST_BYTES = 32 * 1024  # of an answer
LONGEST_WAIT = timedelta(days=1)


class Away(Exception):
    """The push service was not reached, or did not answer as one."""


class Answer(NamedTuple):
    status: int
    wait: timedelta | None  # what it asks for by Retry-After


def post(endpoint: str, body: bytes, headers: Mapping[str, str]) -> Answer:
    """Raise Away."""
    from http.client import HTTPConnection, HTTPException

    if not is_allowed(endpoint):
        raise Away("this is not the address of a push service")
    parts, until = urlsplit(endpoint), time.monotonic() + SECONDS
    try:
        with closing(connected(parts, until, anywhere=is_own(parts))) as line:
            connection = HTTPConnection(parts.netloc)
            connection.sock = Bounded(line, until, MOST_BYTES)  # type: ignore[assignment]  # what http.client uses of a socket
            path = f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}"
            connection.request("POST", path, body, {**headers, "Connection": "close"})
            answer = connection.getresponse()
            return Answer(answer.status, _wait(answer.headers.get("Retry-After", "")))
    except (OSError, HTTPException, ValueError) as error:
        raise Away(f"{parts.hostname}: {type(error).__name__}") from error


def _wait(text: str) -> timedelta | None:
    """Return what Retry-After asks for, as seconds or as a date: a day at most."""
    if text.isascii() and text.isdecimal():
        return min(timedelta(seconds=int(text[:9])), LONGEST_WAIT)
    with suppress(ValueError, TypeError):
        moment = parsedate_to_datetime(text)
        return min(max(_aware(moment) - timezone.now(), timedelta(0)), LONGEST_WAIT)
    return None


def _aware(moment: datetime) -> datetime:
    return moment if timezone.is_aware(moment) else timezone.make_aware(moment)
