"""Limit how many threads do expensive work at a time, so that the others go on answering.

    with turns.take(who):

A thread waits for its turn for a moment. If it takes longer, or if enough threads wait already, it gets Busy, which
taskboard/middleware.py answers with 503: a thread that waits is missing elsewhere.
"""

import threading
from collections import Counter
from collections.abc import Hashable, Iterator
from contextlib import contextmanager

RETRY_AFTER = 5  # seconds


class Busy(Exception):
    """Too many threads want to do this work. The caller may try again after RETRY_AFTER."""


class Turns:
    def __init__(self, at_once: int, waiting: int, patience: float, each: int | None = None) -> None:
        """`at_once` threads go on, `waiting` more wait up to `patience` seconds; of one person `each` in all."""
        self._turn = threading.BoundedSemaphore(at_once)
        self._most, self._each, self._patience = at_once + waiting, each or at_once + waiting, patience
        self._inside: Counter[Hashable] = Counter()
        self._lock = threading.Lock()

    @contextmanager
    def take(self, who: Hashable = None) -> Iterator[None]:
        """Wait for a turn and keep it until the block ends. Raise Busy if there is none."""
        with self._lock:
            if self._inside.total() >= self._most or self._inside[who] >= self._each:
                raise Busy
            self._inside[who] += 1
        try:
            if not self._turn.acquire(timeout=self._patience):
                raise Busy
            try:
                yield
            finally:
                self._turn.release()
        finally:
            with self._lock:
                self._inside[who] -= 1
                if not self._inside[who]:
                    del self._inside[who]
