"""An attempt of a worker at an import. Its row says which attempt it is, so that another worker's writes nothing any more."""

import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar
from uuid import UUID

from django.db.models import F, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from importer.formats.source import Unreadable
from importer.models import Import, State

EVERY = 1  # second at most the row is asked whether the import was cancelled
T = TypeVar("T")


class Stopped(Exception):
    """The import was cancelled, or another worker has it."""


def take(import_id: str, state: State) -> Import | None:
    """Take the import for this attempt; None where it is not to be done any more."""
    found = Import.objects.filter(pk=UUID(import_id), state=state)
    if not found.update(attempt=F("attempt") + 1, changed_at=timezone.now()):
        return None
    return found.select_related("user").first()


def mine(row: Import) -> QuerySet[Import]:
    """Return the row, if the import is still in that state and with this worker."""
    return Import.objects.filter(pk=row.pk, state=row.state, attempt=row.attempt)


class StillWanted:
    """Asks once a second at most whether an import is to go on. Raises Stopped, or Unreadable after `most` seconds of work."""

    def __init__(self, row: Import, most: float = float("inf")) -> None:
        self._row, self._asks_at = row, 0.0
        self._ends_at = time.thread_time() + most

    def __call__(self) -> None:
        if time.thread_time() > self._ends_at:
            raise Unreadable(_("This file takes too long to read. Export fewer boards at once."))
        if time.monotonic() >= self._asks_at:
            note(self._row)
            self._asks_at = time.monotonic() + EVERY


def each_wanted(ones: Iterable[T], still_wanted: Callable[[], None]) -> Iterator[T]:
    """Yield them, and ask before each whether the import is to go on."""
    for one in ones:
        still_wanted()
        yield one


def note(row: Import, **values: Any) -> None:
    """Write to the row. Raises Stopped when the import is not to go on, or no longer with this worker."""
    if not mine(row).update(changed_at=timezone.now(), **values):
        raise Stopped
    for name, value in values.items():
        setattr(row, name, value)
