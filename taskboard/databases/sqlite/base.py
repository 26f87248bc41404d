"""Django's SQLite backend, whose threads write in turn, with some kept for reads while something holds the lock for long."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import OperationalError
from django.db.backends.sqlite3 import base

from core.limits.not_waiting import is_impatient
from core.measures import LOCK_WAIT
from taskboard.databases.sqlite.turns import GAP, TIMEOUT, Turns, turns_of

TRY_EVERY = 0.002  # seconds, while another process writes; its gaps are longer (turns.py)
WRITES = ("INSERT", "UPDATE", "DELETE", "REPLACE")


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection. It has the turn from the beginning of a transaction until the transaction is over."""

    turns: Turns
    _has_turn = False
    _usual_timeout = 5000  # milliseconds

    def get_new_connection(self, conn_params: dict[str, Any]) -> sqlite3.Connection:
        self.turns = Turns() if self.is_in_memory_db() else turns_of(conn_params["database"])
        self._usual_timeout = int(conn_params.get("timeout", 5) * 1000)
        return super().get_new_connection(conn_params)

    def create_cursor(self, name: str | None = None) -> Any:
        return self.connection.cursor(factory=lambda connection: SQLiteCursor(connection, self))

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Hold the turn for a statement outside a transaction."""
        with LOCK_WAIT.timed("sqlite"):
            self._take_turn()
        try:
            yield
        finally:
            self._give_turn_back()

    def _start_transaction_under_autocommit(self) -> None:
        """Begin a transaction, which takes the write lock (docs/decisions/database.md)."""
        with LOCK_WAIT.timed("sqlite"):
            patience = self._take_turn(impatient=is_impatient())
            try:
                with self._without_timeout():
                    self._begin(until=time.monotonic() + patience)
            except BaseException:
                self._give_turn_back(written=False)
                raise

    def _begin(self, until: float) -> None:
        """Try until other processes leave the lock free, at even distances: SQLite's own grow, and with them bad luck."""
        while True:
            try:
                return super()._start_transaction_under_autocommit()  # type: ignore[misc]  # the stubs leave it out
            except OperationalError as error:
                if not is_busy(error) or time.monotonic() > until:
                    raise
            time.sleep(TRY_EVERY)

    @contextmanager
    def _without_timeout(self) -> Iterator[None]:
        self.connection.execute("PRAGMA busy_timeout = 0")
        try:
            yield
        finally:
            self.connection.execute(f"PRAGMA busy_timeout = {self._usual_timeout}")

    def _commit(self) -> None:
        try:
            super()._commit()  # type: ignore[misc]
        finally:
            self._give_turn_back()

    def _rollback(self) -> None:
        try:
            super()._rollback()  # type: ignore[misc]
        finally:
            self._give_turn_back()

    def _close(self) -> None:
        try:
            super()._close()  # type: ignore[misc]
        finally:
            self._give_turn_back(closed=True)

    def _take_turn(self, *, impatient: bool = False) -> float:
        if self._has_turn:  # of a transaction that SQLite ended by itself
            return TIMEOUT
        patience = self.turns.take(self, impatient=impatient)
        self._has_turn = True
        if self.turns.must_pause():
            time.sleep(GAP)
        return patience

    def _give_turn_back(self, *, written: bool = True, closed: bool = False) -> None:
        """Give the turn back if there is no transaction any more: one whose COMMIT failed is still there."""
        if self._has_turn and (closed or not self.connection.in_transaction):
            self._has_turn = False
            self.turns.give_back(written=written)


class SQLiteCursor(base.SQLiteCursorWrapper):
    """Django's cursor. A statement that writes outside a transaction waits for its turn too."""

    def __init__(self, connection: sqlite3.Connection, wrapper: DatabaseWrapper) -> None:
        super().__init__(connection)
        self._wrapper = wrapper

    def execute(self, query: str, params: Any = None) -> Any:
        if self.connection.in_transaction or not query.startswith(WRITES):
            return super().execute(query, params)
        with self._wrapper.turn():
            return super().execute(query, params)

    def executemany(self, query: str, param_list: Any) -> Any:
        if self.connection.in_transaction or not query.startswith(WRITES):
            return super().executemany(query, param_list)
        with self._wrapper.turn():
            return super().executemany(query, param_list)


def is_busy(error: OperationalError) -> bool:
    return getattr(error.__cause__, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY
