"""Django's SQLite backend, with threads kept for reads while something holds the one write lock for long."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

from django.db import OperationalError
from django.db.backends.sqlite3 import base

from core.impatience import is_impatient

WAITING_AT_ONCE = 5  # of the 8 threads that answer requests (taskboard/asgi.py): the others go on reading
PATIENCE = 3.0  # seconds in which nobody here got the lock, after which further writers are refused
LONGEST_WAIT = 20.0  # seconds for a place, where writers follow each other


class Places:
    """The places in which transactions wait for the write lock."""

    def __init__(self, number: int) -> None:
        self._free = threading.BoundedSemaphore(number)
        self._last_left = time.monotonic()

    def enter(self, *, impatient: bool = False) -> None:
        began = time.monotonic()
        while not self._free.acquire(timeout=0 if impatient else PATIENCE):
            now = time.monotonic()
            if impatient or now - max(began, self._last_left) > PATIENCE or now - began > LONGEST_WAIT:
                raise OperationalError("database is locked: others wait already to write")

    def leave(self) -> None:
        self._last_left = time.monotonic()
        self._free.release()


places = Places(WAITING_AT_ONCE)


class DatabaseWrapper(base.DatabaseWrapper):
    def _start_transaction_under_autocommit(self) -> None:
        """Begin a transaction, which takes the write lock (docs/decisions/database.md)."""
        impatient = is_impatient()
        places.enter(impatient=impatient)
        try:
            with self._without_timeout() if impatient else nullcontext():
                super()._start_transaction_under_autocommit()  # type: ignore[misc]  # the stubs leave it out
        finally:
            places.leave()

    @contextmanager
    def _without_timeout(self) -> Iterator[None]:
        usual = self.connection.execute("PRAGMA busy_timeout").fetchone()[0]
        self.connection.execute("PRAGMA busy_timeout = 0")
        try:
            yield
        finally:
            self.connection.execute(f"PRAGMA busy_timeout = {usual}")
