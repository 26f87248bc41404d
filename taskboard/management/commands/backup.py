"""bin/manage backup: copy the SQLite database while the service runs."""

import os
import sqlite3
import tempfile
from argparse import ArgumentParser
from contextlib import closing
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection


class Command(BaseCommand):
    help = "Copies the SQLite database to FILE, as it is at one moment. Keep the data folder's secret_key with it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", type=Path, help="where to write; only a whole copy gets there")

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        if connection.vendor != "sqlite":
            raise CommandError("The database is PostgreSQL: use pg_dump, as docs/running.md shows.")
        try:
            back_up(Path(connection.settings_dict["NAME"]), file)
        except (OSError, sqlite3.Error) as error:
            raise CommandError(f"{file} could not be written: {error}.") from None
        self.stdout.write(f"{file}: {file.stat().st_size} bytes")


def back_up(database: Path, file: Path) -> None:
    """Write a copy beside `file` and move it there in one step. Only its owner can read it."""
    descriptor, name = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
    os.close(descriptor)
    try:
        with closing(sqlite3.connect(database)) as source, closing(sqlite3.connect(name)) as copy:
            source.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")  # one file, without a -wal beside it
        os.replace(name, file)
    except BaseException:
        os.unlink(name)
        raise
