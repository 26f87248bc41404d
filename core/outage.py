"""An outage of the database or Redis: callers are told at once, and the log gets a line a second."""

import errno
import logging
import threading
import time

from django.db import InterfaceError, OperationalError
from redis import RedisError

AWAY: tuple[type[Exception], ...] = (OperationalError, InterfaceError, RedisError)
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)  # numbers of OSError: this disk takes no more
RETRY_AFTER = 1  # seconds that a client should wait, and until somebody tries a service again that was away
LINE_EVERY = 1.0  # seconds

log = logging.getLogger(__name__)


class Outage:
    """Whether a service is away. While it is, one caller in `retry_after` seconds may try it; the others must not wait too."""

    def __init__(self, retry_after: float = RETRY_AFTER) -> None:
        self.retry_after = retry_after
        self._try_at: float | None = None
        self._lock = threading.Lock()

    @property
    def is_on(self) -> bool:
        return self._try_at is not None

    def may_try(self) -> bool:
        if self._try_at is None:
            return True
        with self._lock:
            if self._try_at is not None and time.monotonic() < self._try_at:
                return False
            self._try_at = time.monotonic() + self.retry_after
            return True

    def begin(self) -> bool:
        """Note that the service is away; return whether that is new."""
        with self._lock:
            is_new = self._try_at is None
            self._try_at = time.monotonic() + self.retry_after
        return is_new

    def end(self) -> bool:
        """Note that the service answers; return whether that is new."""
        was_on, self._try_at = self.is_on, None
        return was_on


class Throttle:
    """Counts repeated events, so that the log gets a line now and then instead of one each time."""

    def __init__(self, every: float) -> None:
        self.every = every  # seconds
        self._next = 0.0
        self._untold = 0
        self._lock = threading.Lock()

    def count(self) -> int:
        """Count once more. Return how often it happened since the last line, or 0 where it is too early for another."""
        with self._lock:
            self._untold += 1
            if time.monotonic() < self._next:
                return 0
            count, self._untold, self._next = self._untold, 0, time.monotonic() + self.every
        return count


refusals = Throttle(LINE_EVERY)


def report(error: BaseException) -> None:
    """Log that a request is answered with 503."""
    if count := refusals.count():
        refused = "1 request was" if count == 1 else f"{count} requests were"
        log.error("%s answered with 503: %s", refused, one_line(error))


def one_line(error: BaseException) -> str:
    return " ".join(str(error).split())[:300]
