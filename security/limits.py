"""Rate limits: how often an account, a token or an address may do something. Rates are in settings.LIMITS.

Uses are counted in fixed windows, in caches that the processes share. django-ratelimit counts uses for good; `take`
counts uses that are taken back, such as an attempt with the right password.
"""

import contextlib
import hashlib
import re
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from django.conf import settings
from django.core.cache import caches
from django.http import HttpRequest, HttpResponse
from django_ratelimit.core import get_usage

from core.limits.turns import Busy
from core.measures import LIMITS_HIT
from security.events import log_event
from security.models import EventKind

if TYPE_CHECKING:
    from django.contrib.auth.models import _User

PERIODS = {"s": 1, "m": 60, "h": 60 * 60, "d": 24 * 60 * 60}  # seconds
RATE = re.compile(r"(\d+)/((\d*)([smhd]))")
COUNTED_AS = "counted_as"  # in the session, from its sign-in on: who it is for limits
SHARED = {"sign-in-account", "sign-in-account-day", "public-password-link"}  # all networks count together in these
MARGIN = 60  # seconds that a counter outlives its window, for clocks that differ


class Usage(NamedTuple):
    limit: int
    remaining: int
    reset: int  # seconds until the window ends
    rate: str  # as in settings.LIMITS

    def write_to(self, response: HttpResponse) -> None:
        response["RateLimit-Limit"] = str(self.limit)
        response["RateLimit-Remaining"] = str(self.remaining)
        response["RateLimit-Reset"] = str(self.reset)


class TooMany(Exception):
    """A limit is reached. Each interface maps this to its answer once; `wait` is in seconds, at least 1.

    `together` is true for a limit over several things, such as all tokens of an account.
    """

    def __init__(self, usage: Usage, *, together: bool = False) -> None:
        super().__init__(usage.rate)
        self.usage = usage
        self.together = together
        self.wait = max(1, usage.reset)


def count(
    request: HttpRequest | None, name: str, who: str, *, times: int = 1, user: "_User | None" = None
) -> Usage | None:
    """Count one use of `name` (a key of settings.LIMITS) by `who`: the id of a token or account, or a network.

    Returns None when limits are off, or when the cache forgot the count at this moment. Raises TooMany, which carries the usage. `times` multiplies the rate. `user` is the
    account to name in the security log, if it is not the one that is signed in; without a request nothing is logged.
    """
    if settings.LIMITS is None:
        return None
    rate = _multiplied(settings.LIMITS[name], times)
    found = get_usage(None, group=name, key=lambda group, request: who, rate=rate, increment=True)
    if found is None:
        return None
    usage = Usage(found["limit"], max(0, found["limit"] - found["count"]), max(0, found["time_left"]), rate)
    if found["should_limit"]:
        LIMITS_HIT.add(name)
        _log_once(request, name, who, usage, user)
        raise TooMany(usage, together=times > 1)
    return usage


def require_room(name: str, who: str) -> Usage | None:
    """Return the usage, as `count` does. Raise TooMany if that would refuse one more use. Counts and logs nothing."""
    if settings.LIMITS is None:
        return None
    rate = settings.LIMITS[name]
    found = get_usage(None, group=name, key=lambda group, request: who, rate=rate, increment=False)
    if found is None:
        return None
    usage = Usage(found["limit"], max(0, found["limit"] - found["count"]), max(0, found["time_left"]), rate)
    if not usage.remaining:
        LIMITS_HIT.add(name)
        raise TooMany(usage)
    return usage


class Counter(NamedTuple):
    """Counts uses that can be taken back, in the window of this moment.

    They have a cache of their own, where each new key costs the check of a password or code, so that nobody can crowd it
    out.
    """

    name: str
    who: str
    key: str
    usage: Usage  # with nothing used

    @classmethod
    def now(cls, name: str, who: str, rate: str) -> "Counter":
        amount, _period, number, unit = RATE.fullmatch(rate).groups()  # type: ignore[union-attr]
        digest = hashlib.sha256(f"{name}\0{rate}\0{who}".encode()).hexdigest()
        now = int(time.time())
        # Windows begin at different times for different keys, so that not all clients return in the same second.
        reset = (int(digest[:8], 16) - now) % (int(number or 1) * PERIODS[unit])
        return cls(name, who, f"{digest}:{now + reset}", Usage(int(amount), int(amount), reset, rate))

    def add(self) -> int:
        """Count one more use; return how many there are."""
        cache, lifetime = caches["attempts"], self.usage.reset + MARGIN
        if not cache.add(self.key, 1, lifetime):
            try:
                return cache.incr(self.key)
            except ValueError:  # it was cleared in between
                cache.add(self.key, 1, lifetime)
        return 1

    def take_back(self) -> None:
        with contextlib.suppress(ValueError):  # it was cleared in between
            caches["attempts"].decr(self.key)

    def clear(self) -> None:
        caches["attempts"].delete(self.key)


class Taken:
    """Uses that are counted in advance: attempts with a password that is still to be checked."""

    def __init__(self, counters: list[Counter]) -> None:
        self._counters = counters

    def take_back(self) -> None:
        for counter in self._counters:
            counter.take_back()

    @contextlib.contextmanager
    def unless_busy(self) -> Iterator[None]:
        """Take the uses back if the block finds no turn to check the password: it was neither right nor wrong."""
        try:
            yield
        except Busy:
            self.take_back()
            raise

    def clear(self, name: str) -> None:
        """Let the counter of this name begin anew, and take back the use of the others."""
        for counter in self._counters:
            counter.clear() if counter.name == name else counter.take_back()


def take(request: HttpRequest, *uses: tuple[str, str], user: "_User | None" = None, own: str = "") -> Taken:
    """Count one use of each (name, who) in this order. At the first that is too many, count none and raise TooMany.

    Where a count of SHARED is used up, `own` has a few uses left, so that strangers cannot spend everybody's.
    """
    counters: list[Counter] = []
    if settings.LIMITS is None:
        return Taken(counters)
    spent: Counter | None = None  # the first of SHARED that is used up
    for name, who in uses:
        counter = Counter.now(name, who, settings.LIMITS[name])
        counters.append(counter)
        if counter.add() <= counter.usage.limit:
            continue
        if name not in SHARED or not own:
            raise _refused(request, counters, counter, user)
        spent = spent or counter
    if spent is not None:
        counters.append(few := Counter.now("own-tries", f"{spent.who} {own}", settings.LIMITS["own-tries"]))
        if few.add() > few.usage.limit:
            raise _refused(request, counters, spent, user)
    return Taken(counters)


def _refused(request: HttpRequest, counters: list[Counter], full: Counter, user: "_User | None") -> TooMany:
    Taken(counters).take_back()
    usage = full.usage._replace(remaining=0)
    LIMITS_HIT.add(full.name)
    _log_once(request, full.name, full.who, usage, user)
    return TooMany(usage)


def session_of(request: HttpRequest) -> str:
    """Return what uses by this session are counted for. Not its key: *Sign out everywhere else* gives it a new one.

    Sessions that began before they had a name of their own count as their account.
    """
    return str(request.session.get(COUNTED_AS) or request.user.pk)


def _multiplied(rate: str, times: int) -> str:
    amount, _slash, period = rate.partition("/")
    return f"{int(amount) * times}/{period}"


def _log_once(request: HttpRequest | None, name: str, who: str, usage: Usage, user: "_User | None") -> None:
    """Log the first refusal of a window: a flood of refusals writes no more rows."""
    digest = hashlib.sha256(f"{name}\0{usage.rate}\0{who}".encode()).hexdigest()
    window = int(time.time()) + usage.reset
    if request is not None and caches["limits"].add(f"logged:{digest}:{window}", 1, usage.reset + MARGIN):
        log_event(EventKind.LIMIT_REACHED, request, user=user or _signed_in(request), limit=name, rate=usage.rate)


def _signed_in(request: HttpRequest) -> "_User | None":
    user = getattr(request, "user", None)
    return user if user is not None and user.is_authenticated else None
