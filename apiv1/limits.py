"""Rate limits: how often a token or an address may call an endpoint. django-ratelimit counts, in fixed windows."""

import logging
from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django_ratelimit.core import get_usage
from redis import RedisError

from apiv1.errors import Refused

log = logging.getLogger(__name__)

UNITS = {"s": "second", "m": "minute", "h": "hour", "d": "day"}


@dataclass(frozen=True, slots=True)
class Usage:
    limit: int
    remaining: int
    reset: int  # seconds until the window ends
    rate: str  # as in settings.LIMITS

    def write_to(self, response: HttpResponse) -> None:
        response["RateLimit-Limit"] = str(self.limit)
        response["RateLimit-Remaining"] = str(self.remaining)
        response["RateLimit-Reset"] = str(self.reset)


class TooMany(Refused):
    def __init__(self, usage: Usage) -> None:
        wait = str(max(1, usage.reset))
        sentence = f"Too many requests: {rate_in_words(usage.rate)} are allowed. Wait {wait} s, then try again."
        super().__init__(429, sentence, Retry_After=wait)
        self.usage = usage

    def answer(self) -> HttpResponse:
        response = super().answer()
        self.usage.write_to(response)
        return response


def rate_in_words(rate: str) -> str:
    """Return "120 a minute" for 120/m, "5 in 10 minutes" for 5/10m."""
    amount, _slash, period = rate.partition("/")
    times, unit = period[:-1], UNITS[period[-1]]
    return f"{amount} in {times} {unit}s" if times else f"{amount} {'an' if unit == 'hour' else 'a'} {unit}"


def count(request: HttpRequest, name: str, who: str) -> Usage | None:
    """Count one call of the endpoint `name` (a key of settings.LIMITS) by `who`: a token's id or an address.

    Returns None when limits are off. Returns None when Redis does not answer, too: then nobody is refused. Raises
    TooMany, which carries the usage.
    """
    return _usage(request, name, who, increment=True)


def require_room(request: HttpRequest, name: str, who: str) -> None:
    """Raise TooMany if one more call would be too many. Counts nothing."""
    usage = _usage(request, name, who, increment=False)
    if usage is not None and usage.remaining == 0:
        raise TooMany(usage)


def _usage(request: HttpRequest, name: str, who: str, *, increment: bool) -> Usage | None:
    if settings.LIMITS is None:
        return None
    rate = settings.LIMITS[name]
    try:
        found = get_usage(request, group=f"api.{name}", key=lambda group, request: who, rate=rate, increment=increment)
    except RedisError as error:
        log.warning("calls are not counted until Redis answers again: %s", error)
        return None
    usage = Usage(found["limit"], max(0, found["limit"] - found["count"]), max(0, found["time_left"]), rate)
    if found["should_limit"]:
        raise TooMany(usage)
    return usage
