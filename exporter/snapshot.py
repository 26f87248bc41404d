"""An unchanging view of the database for a long read, on a connection of its own. It does not block writers."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper

ALIAS = "snapshot"  # for `using()` of querysets; known in this thread only, while the block runs


@contextmanager
def snapshot() -> Iterator[str]:
    """Yield an alias. Querysets with `.using(alias)` see the database as it was when the block began.

    The connection is a copy of the default one, which stays as it is: docs/decisions/export.md.
    """
    reader = connection.copy()
    connections[ALIAS] = reader
    try:
        _begin(reader)
        yield ALIAS
    finally:
        del connections[ALIAS]
        _end(reader)


def _begin(reader: BaseDatabaseWrapper) -> None:
    """Begin the transaction and take the snapshot: PostgreSQL does at the first statement, SQLite at the first read.

    transaction.atomic() would take SQLite's write lock, as settings.py makes all transactions IMMEDIATE.
    """
    if reader.vendor == "postgresql":
        reader.set_autocommit(False)
        # It holds up nobody while its reader writes to a disk.
        longer = "SET LOCAL idle_in_transaction_session_timeout = '60s'"
        statements = ["SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY", longer, "SELECT 1"]
    else:
        # each sort of a long read may fill a cache of its own before it goes on in a temporary file
        statements = ["PRAGMA cache_size=-2000", "BEGIN DEFERRED", "SELECT 1 FROM django_migrations LIMIT 1"]
    with reader.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def _end(reader: BaseDatabaseWrapper) -> None:
    if reader.vendor == "postgresql" and reader.connection is not None:
        reader.rollback()
        reader.set_autocommit(True)
    reader.close()
