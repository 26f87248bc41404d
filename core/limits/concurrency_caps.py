"""Cap the members of a named group, across processes if there is Redis: `concurrency_caps.enter(name, member, most)`.

Without Redis it counts in this process, with Redis in all processes together. While Redis does not answer each process
counts for itself. Members of a process that died count for another STALE seconds.
"""

import logging
import threading
import time
from collections import defaultdict

from django.conf import settings
from redis import Redis, RedisError
from redis.backoff import NoBackoff
from redis.retry import Retry

PREFIX = "taskboard.in."
REFRESH = 30.0  # seconds between two times that a process says who is still in
STALE = 90  # seconds after which a member of whom nothing was heard is out
PAUSE = 5.0  # seconds without Redis after it failed to answer
TIMEOUT = 1.0  # seconds

log = logging.getLogger(__name__)


class ConcurrencyCaps:
    """With Redis its methods wait for an answer, so an event loop calls them in a thread."""

    def __init__(self, redis_url: str) -> None:
        self._in: defaultdict[str, set[str]] = defaultdict(set)
        self._lock = threading.Lock()
        self._redis = _connect(redis_url) if redis_url else None
        self._away_until = 0.0
        self._thread: threading.Thread | None = None

    def enter(self, name: str, member: str, most: int) -> bool:
        """Let the member in and return True, or return False because `most` are in already."""
        with self._lock:
            if len(self._in[name]) >= most:
                return False
            self._in[name].add(member)
        if self._number_everywhere(name, member) <= most:
            return True
        self.leave(name, member)
        return False

    def leave(self, name: str, member: str) -> None:
        with self._lock:
            self._in[name].discard(member)
            if not self._in[name]:
                del self._in[name]
        self._ask(lambda redis: redis.zrem(PREFIX + name, member))

    def number(self, name: str) -> int:
        """Return how many are in by this process."""
        return len(self._in.get(name, ()))

    def _number_everywhere(self, name: str, member: str) -> int:
        def count(redis: Redis) -> int:
            now = time.time()
            pipeline = redis.pipeline(transaction=False)
            pipeline.zremrangebyscore(PREFIX + name, 0, now - STALE)
            pipeline.zadd(PREFIX + name, {member: now})
            pipeline.zcard(PREFIX + name)
            pipeline.expire(PREFIX + name, STALE)
            return pipeline.execute()[2]

        self._begin_refreshing()
        return self._ask(count) or 0

    def _ask(self, question):  # type: ignore[no-untyped-def]
        """Return Redis' answer; None without Redis, and for a while after it did not answer."""
        if self._redis is None or time.monotonic() < self._away_until:
            return None
        try:
            return question(self._redis)
        except (RedisError, OSError) as error:
            self._away_until = time.monotonic() + PAUSE
            log.warning("each process counts its own until Redis answers again: %s", error)
            return None

    def _begin_refreshing(self) -> None:
        with self._lock:
            if self._redis is not None and self._thread is None:
                self._thread = threading.Thread(target=self._keep_refreshing, name="concurrency caps", daemon=True)
                self._thread.start()

    def _keep_refreshing(self) -> None:
        while True:
            time.sleep(REFRESH)
            self.refresh()

    def refresh(self) -> None:
        """Tell the other processes who is still in."""
        with self._lock:
            present = {name: list(members) for name, members in self._in.items()}

        def tell(redis: Redis) -> None:
            now = time.time()
            pipeline = redis.pipeline(transaction=False)
            for name, members in present.items():
                pipeline.zadd(PREFIX + name, dict.fromkeys(members, now))
                pipeline.expire(PREFIX + name, STALE)
            pipeline.execute()

        if present:
            self._ask(tell)


def _connect(url: str) -> Redis:
    return Redis.from_url(url, socket_timeout=TIMEOUT, socket_connect_timeout=TIMEOUT, retry=Retry(NoBackoff(), 0))


concurrency_caps = ConcurrencyCaps(settings.REDIS_URL)
