"""The order in which the threads of this process write to one SQLite file: first come, first served. SQLite itself
keeps no order. A thread that finds the write lock taken sleeps and tries again, longer each time, so it loses to new
threads, sometimes until its time is over. Here each thread that is done wakes the one that has waited for longest.
docs/decisions/database.md has the figures.
"""

import os
import threading
import time
import weakref
from collections import deque

from django.db import OperationalError

WAITING_AT_ONCE = 5  # of the 8 threads that answer requests (taskboard/asgi.py): the others go on reading
PATIENCE = 3.0  # seconds in which nobody here could write, after which writers behind those five are refused
TIMEOUT = 5.0  # seconds of that kind which each of the five waits
LONGEST_WAIT = 20.0  # seconds, where writers follow each other
LOOK_EVERY = 0.25  # seconds after which a thread that waits looks whether that makes sense
LONGEST_RUN = 1.0  # seconds in which writers of this process follow each other before other processes may write
GAP = 0.005  # seconds that they then have for that; longer than they sleep (base.py)


class Waiting:
    """A connection that waits for its turn."""

    def __init__(self, holder: object) -> None:
        self.holder = holder
        self.since = time.monotonic()
        self.call = threading.Lock()  # released by who calls
        self.call.acquire()


class Turns:
    """Hands the right to write from one connection to the next."""

    def __init__(self) -> None:
        self._begin()
        os.register_at_fork(after_in_child=self._begin)  # the threads of a parent do not run in its child

    def _begin(self) -> None:
        self._lock = threading.Lock()  # for the fields below; nobody waits while holding it
        self._holder: weakref.ref[object] | None = None  # weak: the connection of a thread that died takes no turns
        self._waiting: deque[Waiting] = deque()
        self._tried_since = self._last_written = self._freed_at = self._running_since = time.monotonic()

    def take(self, holder: object, *, impatient: bool = False) -> float:
        """Wait for a turn; return the seconds left to wait for other processes. Raise OperationalError after too long."""
        with self._lock:
            if not self._waiting and self._is_free():
                self._hold(holder)
                self._tried_since = time.monotonic()
                return 0 if impatient else TIMEOUT
            if impatient:
                raise locked()
            self._waiting.append(waiting := Waiting(holder))
        try:
            while not self._is_called(waiting):
                if waiting.call.acquire(timeout=min(LOOK_EVERY, PATIENCE)):
                    break
        except BaseException:
            self._leave(waiting)
            raise
        return max(0.0, TIMEOUT - self._stands_still_for(waiting))

    def give_back(self, *, written: bool = True) -> None:
        """End the turn, and call the next. A turn in which nothing could be written is not progress."""
        with self._lock:
            self._end(written)

    def must_pause(self) -> bool:
        """Return whether the thread at its turn must let other processes go first, after many turns without a gap."""
        now = time.monotonic()
        if now - self._running_since < LONGEST_RUN:
            return False
        self._running_since = now
        return True

    def _is_free(self) -> bool:
        return self._holder is None or self._holder() is None

    def _hold(self, holder: object) -> None:
        self._holder = weakref.ref(holder)
        now = time.monotonic()
        if now - self._freed_at >= GAP:
            self._running_since = now

    def _end(self, written: bool) -> None:
        self._freed_at = time.monotonic()
        if written:
            self._last_written = self._freed_at
        self._holder = None
        self._call_next()

    def _call_next(self) -> None:
        if self._waiting:
            waiting = self._waiting.popleft()
            self._hold(waiting.holder)
            waiting.call.release()

    def _is_called(self, waiting: Waiting) -> bool:
        """Return whether it is the turn of this one. Raise OperationalError where waiting on makes no sense."""
        with self._lock:
            if self._is_free():
                self._call_next()
            if waiting not in self._waiting:
                return True
            now = time.monotonic()
            too_long = self._stands_still_for(waiting) > TIMEOUT or now - waiting.since > LONGEST_WAIT
            is_behind = self._waiting.index(waiting) >= WAITING_AT_ONCE - 1  # one more has the turn
            if too_long or (is_behind and now - max(self._tried_since, self._last_written) > PATIENCE):
                raise locked()
        return False

    def _leave(self, waiting: Waiting) -> None:
        """Go without having written, called meanwhile or not."""
        with self._lock:
            if waiting in self._waiting:
                self._waiting.remove(waiting)
            else:
                self._end(written=False)

    def _stands_still_for(self, waiting: Waiting) -> float:
        """Return the seconds in which nobody wrote while this one waited."""
        return time.monotonic() - max(waiting.since, self._last_written)


def locked() -> OperationalError:
    return OperationalError("database is locked: others wait already to write")


_of_files: dict[str, Turns] = {}


def turns_of(file: str) -> Turns:
    return _of_files.setdefault(os.path.realpath(file), Turns())
