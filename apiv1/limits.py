"""Rate limits: how often a token or an address may call an endpoint, counted by django-ratelimit in fixed windows."""

from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django_ratelimit.core import get_usage

from apiv1.errors import Refused


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
    def __init__(self, usage: Usage) -> None:
        wait = max(1, usage.reset)
        super().__init__(
            429, f"Too many requests: {usage.limit} are allowed. Try again in {wait} s.", Retry_After=str(wait)
        )
        self.usage = usage


def count(request: HttpRequest, name: str, who: str) -> Usage | None:
    """Count one call of the endpoint `name` (a key of settings.LIMITS) by `who`; None when limits are off.

    Raises TooMany, which carries the usage as well.
    """
    if settings.LIMITS is None:
        return None
    found = get_usage(
        request, group=f"api.{name}", key=lambda group, request: who, rate=settings.LIMITS[name], increment=True
    )
    usage = Usage(found["limit"], max(0, found["limit"] - found["count"]), max(0, found["time_left"]))
    if found["should_limit"]:
        raise TooMany(usage)
    return usage
