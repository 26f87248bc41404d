"""Record which worker holds tasks, and when it was last alive."""

import secrets
import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TypeVar

from django.db import Error, transaction
from django.db.models import QuerySet
from django.utils import timezone

from jobs.models import Heartbeat

BEAT_EVERY = timedelta(seconds=5)
DEAD_AFTER = timedelta(seconds=30)

Held = TypeVar("Held")


class Pulse:
    """Counts the tasks that the threads of one worker hold, and updates its row while there are any.

    The lock ensures that the row exists while a task is held: without it the task would never be taken back.

    Where the connection breaks at a commit nobody knows whether a task was taken. Once nothing else is held, the worker goes on
    under another name and declares the former one dead, and the task is taken back.
    """

    def __init__(self, worker: str) -> None:
        self.worker = self._name = worker
        self._held = 0
        self._is_in_doubt = False
        self._last: datetime | None = None
        self._lock = threading.Lock()

    def hold(self, take: Callable[[], Held | None]) -> Held | None:
        """Return what `take` took, in one transaction with a heartbeat."""
        with self._lock:
            now = timezone.now()
            due = self._last is None or now - self._last >= BEAT_EVERY
            try:
                with transaction.atomic():
                    if due:
                        self._write(now)
                    taken = take()
            except Error:
                self._is_in_doubt = True
                raise
            if due:
                self._last = now
            self._held += taken is not None
        return taken

    def release(self) -> None:
        with self._lock:
            self._held -= 1

    def beat(self) -> None:
        """Write that this worker is alive, or that it holds nothing any more. Called every few seconds."""
        with self._lock:
            if self._held:
                self._last = timezone.now()
                self._write(self._last)
            elif self._is_in_doubt:
                self._declare_dead()
                self.worker = f"{self._name}-{secrets.token_hex(4)}"
                self._last, self._is_in_doubt = None, False
            else:
                self._forget()

    def end(self) -> None:
        """Let other workers take the held tasks at once."""
        with self._lock:
            if self._held or self._is_in_doubt:
                self._declare_dead()
            else:
                self._forget()

    def _declare_dead(self) -> None:
        self._write(timezone.now() - DEAD_AFTER)

    def _forget(self) -> None:
        if self._last is not None:
            Heartbeat.objects.filter(pk=self.worker).delete()
            self._last = None

    def _write(self, now: datetime) -> None:
        row = Heartbeat(worker=self.worker, beat_at=now)
        Heartbeat.objects.bulk_create([row], update_conflicts=True, unique_fields=["worker"], update_fields=["beat_at"])


def dead_workers() -> QuerySet[Heartbeat]:
    return Heartbeat.objects.filter(beat_at__lte=timezone.now() - DEAD_AFTER)
