"""Rate limits: how often a token or an address may call an endpoint, counted by django-ratelimit in fixed windows."""

import logging
from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django_ratelimit.core import get_usage
from redis import RedisError

from apiv1.errors import Refused

log = logging.getLogger(__name__)

PERIODS = {"s": "a second", "m": "a minute", "h": "an hour", "d": "a day"}


@dataclass(frozen=True, slots=True)
class Usage:
    limit: int
    remaining: int
    reset: int  # seconds to go

    def write_to(self, response: HttpResponse) -> None:
        response["RateLimit-Limit"] = str(self.limit)
        response["RateLimit-Remaining"] = str(self.remaining)
        response["RateLimit-Reset"] = str(self.reset)


class TooMany(Refused):
    def __init__(self, usage: Usage, rate: str) -> None:
        wait = str(max(1, usage.reset))
        amount, _slash, period = rate.partition("/")
        sentence = f"Too many requests: {amount} {PERIODS[period]} are allowed. Wait {wait} s, then try again."
        super().__init__(429, sentence, Retry_After=wait)
        self.usage = usage

    def answer(self) -> HttpResponse:
        response = super().answer()
        self.usage.write_to(response)
        return response


def count(request: HttpRequest, name: str, who: str) -> Usage | None:
    """Count one call of the endpoint `name` (a key of settings.LIMITS) by `who`: a token's id or an address.

    None when limits are off, and when Redis cannot count: then nobody is turned away. Raises TooMany, which carries the
    usage as well.
    """
    if settings.LIMITS is None:
        return None
    rate = settings.LIMITS[name]
    try:
        found = get_usage(request, group=f"api.{name}", key=lambda group, request: who, rate=rate, increment=True)
    except RedisError as error:
        log.warning("calls are not counted until Redis answers again: %s", error)
        return None
    usage = Usage(found["limit"], max(0, found["limit"] - found["count"]), max(0, found["time_left"]))
    if found["should_limit"]:
        raise TooMany(usage, rate)
    return usage
