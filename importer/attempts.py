"""An attempt of a worker at an import. Its row says which attempt it is, so that another worker's writes nothing any more."""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import IO, Any
from uuid import UUID

from django.db.models import F, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from boards.outlines import BoardOutline, CardOutline, Open
from importer.models import Import, ImportState

EVERY = 1  # second at most the row is asked whether the import was cancelled
LONGEST = 60 * 60  # seconds, in which a worker's thread waits for other servers and for disks


class Stopped(Exception):
    """The import was cancelled, or another worker has it."""


class TooLong(Exception):
    """The import takes too long. The message is a translated sentence for people."""


def take(import_id: str, state: ImportState) -> Import | None:
    """Take the import for this attempt; None where it is not to be done any more."""
    found = Import.objects.filter(pk=UUID(import_id), state=state)
    if not found.update(attempt=F("attempt") + 1, changed_at=timezone.now()):
        return None
    return found.select_related("user").first()


def mine(row: Import) -> QuerySet[Import]:
    """Return the row, if the import is still in that state and with this worker."""
    return Import.objects.filter(pk=row.pk, state=row.state, attempt=row.attempt)


class StillWanted:
    """Asks once a second at most whether an import is to go on.

    Raises Stopped, or TooLong after `most` seconds of processor time or an hour of waiting.
    """

    def __init__(self, row: Import, most: float = float("inf")) -> None:
        self._row, self._asks_at = row, 0.0
        self._ends_at = time.thread_time() + most
        self._waits_until = time.monotonic() + LONGEST

    def __call__(self) -> None:
        if time.thread_time() > self._ends_at or time.monotonic() > self._waits_until:
            raise TooLong(_("This file takes too long to read. Export fewer boards at once."))
        if time.monotonic() >= self._asks_at:
            note(self._row)
            self._asks_at = time.monotonic() + EVERY


def watch(outline: BoardOutline, still_wanted: Callable[[], None]) -> None:
    """Have the board's cards and files ask, while they are read, whether the import is to go on."""
    outline.cards = each_wanted(outline.cards, still_wanted)
    if outline.picture is not None:
        outline.picture = _asking(outline.picture, still_wanted)


def each_wanted(cards: Iterable[CardOutline], still_wanted: Callable[[], None]) -> Iterator[CardOutline]:
    """Yield them; ask before each, and before each piece of their files, whether the import is to go on."""
    for card in cards:
        still_wanted()
        for file in card.files:
            if file.open is not None:
                file.open = _asking(file.open, still_wanted)
        yield card


def _asking(open_file: Open, still_wanted: Callable[[], None]) -> Open:
    @contextmanager
    def opened() -> Iterator[IO[bytes]]:
        still_wanted()
        with open_file() as file:
            yield _Asking(file, still_wanted)  # type: ignore[misc]  # all that is used of a file

    return opened


class _Asking:
    """A file that checks before each piece whether the import is still wanted."""

    def __init__(self, file: IO[bytes], still_wanted: Callable[[], None]) -> None:
        self._file, self._still_wanted = file, still_wanted

    def read(self, size: int = -1) -> bytes:
        self._still_wanted()
        return self._file.read(size)


def note(row: Import, **values: Any) -> None:
    """Write to the row. Raises Stopped when the import is not to go on, or no longer with this worker."""
    if not mine(row).update(changed_at=timezone.now(), **values):
        raise Stopped
    for name, value in values.items():
        setattr(row, name, value)
