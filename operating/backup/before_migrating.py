"""A copy of the SQLite file before a migration changes it, in data/backups: the way back to the version of before."""

import logging
import os
import sqlite3
from collections.abc import Hashable
from contextlib import closing, suppress
from pathlib import Path

from django.conf import settings
from django.db import connection
from django.utils import timezone

from operating.backup.kept import TIME
from operating.backup.trouble import BackupTrouble

KEPT = 3  # copies, each with other migrations
PATTERN = "before-migration-*.sqlite3"

log = logging.getLogger(__name__)


def copy_before_migrating() -> Path | None:
    """Return the copy; None where there is no SQLite file with tables. Raise BackupTrouble."""
    file = Path(connection.settings_dict["NAME"])
    if connection.vendor != "sqlite" or not file.is_file() or not connection.introspection.table_names():
        return None
    folder = settings.DATA / "backups"
    copy = folder / f"before-migration-{timezone.now().strftime(TIME)}.sqlite3"
    try:
        folder.mkdir(exist_ok=True)
        copy_sqlite(file, copy)
        prune(folder)
    except (OSError, sqlite3.Error) as error:
        raise BackupTrouble(
            f"The database could not be copied to {copy} before it is brought up to date: {error}. Nothing was changed."
        ) from error
    log.warning("the database was copied to %s before it is brought up to date; the last %s copies stay", copy, KEPT)
    return copy


def prune(folder: Path) -> None:
    """Keep three copies, of those with the same migrations the newest.

    Else an upgrade that fails at each start would soon have pushed out the copy from before it.
    """
    kept = set[Hashable]()
    for copy in sorted(folder.glob(PATTERN), reverse=True):
        migrations = migrations_of(copy)
        if migrations in kept or len(kept) >= KEPT:
            copy.unlink(missing_ok=True)
        kept.add(migrations)


def migrations_of(copy: Path) -> Hashable:
    """Return the migrations that were applied; the path itself where the copy cannot be read."""
    with suppress(sqlite3.Error), closing(sqlite3.connect(f"{copy.as_uri()}?mode=ro", uri=True)) as database:
        return frozenset(database.execute("SELECT app, name FROM django_migrations"))
    return copy


def copy_sqlite(database: Path, file: Path) -> None:
    """Copy the database as it is at one moment, whole or not at all."""
    draft = file.with_name(f".{file.name}.unfinished")
    draft.unlink(missing_ok=True)
    try:
        with closing(sqlite3.connect(database)) as source, closing(sqlite3.connect(draft)) as copy:
            source.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")  # one file, without a -wal beside it
        draft.chmod(0o600)
        os.replace(draft, file)
    finally:
        draft.unlink(missing_ok=True)
