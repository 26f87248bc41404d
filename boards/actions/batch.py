"""Many changes of one board in one transaction. Each has its own number and line of history; few statements write them.

Meant for imports, copies and scripts. Why only additions: `change` writes each row as it goes, and a batch collects the
rows and writes them at its end, so nothing in it may read or update a row that an earlier change of it has added.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Generic
from uuid import UUID

from django.db import models

from boards.actions.change import Change, announce, change, write_board
from boards.actions.locks import Row
from boards.actor import Actor
from boards.models import Activity
from boards.statements import note_saved
from core.sql import insert_all


class Batch(Generic[Row]):
    """Changes of one board that are written together when the batch ends."""

    def __init__(self, opened: Change[Row]) -> None:
        self._opened = opened
        self._rows: dict[type[models.Model], list[models.Model]] = {}
        self._lines: list[Activity] = []
        self._after_commit: list[Callable[[], object]] = []
        self.board, self.row = opened.board, opened.row

    @contextmanager
    def change(self) -> "Iterator[AddingChange]":
        """Open the next change of the board. Add rows through it, then call `record` once."""
        opened = self._opened
        one = AddingChange(opened.actor, opened.board, opened.role, opened.board)
        yield one
        line = one.close()
        self._lines.append(line)
        self._after_commit += one._after_commit
        for row in one.added:
            self._rows.setdefault(type(row), []).append(row)

    def write(self) -> None:
        if not self._lines:
            return
        self._rows[Activity] = [*self._lines]
        for rows in self._rows.values():
            insert_all(rows)
            note_saved(rows)
        write_board(self.board, {"version", "own_version", "changed_at", "last_card_number"})
        announce(self.board.pk, self.board.version, self._after_commit)


class AddingChange(Change[Any]):
    """A change that only adds rows; its batch writes them. Updating a row raises RuntimeError."""

    def add_all(self, rows: Iterable[models.Model]) -> None:
        for row in rows:
            self.add(row)

    def close(self) -> Activity:
        line = self._take_number()
        if line is None:
            raise RuntimeError("a change of a batch adds something")
        return line

    def _write(self, row: models.Model, names: Iterable[str]) -> None:
        raise RuntimeError("a change of a batch only adds rows")


@contextmanager
def batch(actor: Actor, model: type[Row], pk: UUID | None) -> Iterator[Batch[Row]]:
    """Open a batch of changes around the row `pk` of `model`, under the lock of its board.

    Either all of its changes are committed or none. Raises NotFound and NotAllowed as `change` does.
    """
    with change(actor, model, pk) as opened:
        made = Batch(opened)
        yield made
        made.write()
