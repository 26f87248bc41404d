"""A database that is migrated once for each state of the migrations, and copied for every worker and started server.

Migrating takes ten seconds, a copy a tenth of one. SQLite's is a file in .pytest_cache, PostgreSQL's a database beside the
one that DATABASE_URL names. Both are kept until the migrations change. To make them anew, delete them.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import psycopg
from django.apps import apps
from django.conf import settings
from django.db import connection

from taskboard.tests.needs import apart_from_tests
from taskboard.tests.servers import ROOT, bare_environment, database_server, on_postgresql

FOLDER = ROOT / ".pytest_cache" / "migrated"
PREFIX = "taskboard_migrated_"
LOCK = 7_461_737  # key of the advisory lock under which the kept PostgreSQL database is made, copied and dropped


@cache
def state() -> str:
    """Return a hash of all migrations, those of the packages too."""
    return state_of(Path(app.path, "migrations") for app in apps.get_app_configs())


def state_of(folders: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for path in sorted(path for folder in folders for path in folder.glob("*.py")):
        digest.update(f"{path.parts[-3:]}\n".encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def copy_to_file(target: Path) -> None:
    """Put a migrated SQLite database there."""
    shutil.copy(kept_file(), target)


def kept_file() -> Path:
    FOLDER.mkdir(parents=True, exist_ok=True)
    kept = FOLDER / f"{state()}.sqlite3"
    with (FOLDER / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not kept.exists():
            shutil.rmtree(unfinished := FOLDER / "unfinished", ignore_errors=True)
            migrate(TASKBOARD_DATA=str(unfinished))
            for older in FOLDER.glob("*.sqlite3"):
                older.unlink()
            (unfinished / "taskboard.sqlite3").rename(kept)
            shutil.rmtree(unfinished)
    return kept


def copy_to_database(name: str) -> None:
    """Create a migrated PostgreSQL database of this name; one that is there already is dropped."""
    with psycopg.connect(f"{database_server()}/postgres", autocommit=True) as server:
        server.execute("SELECT pg_advisory_lock(%s)", [LOCK])  # until the connection ends
        server.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        server.execute(f"CREATE DATABASE {name} TEMPLATE {kept_database(server)}")


def kept_database(server: "psycopg.Connection") -> str:
    kept, unfinished = f"{PREFIX}{state()}", f"{PREFIX}unfinished"
    found = server.execute("SELECT datname FROM pg_database WHERE starts_with(datname, %s)", [PREFIX])
    if kept not in (names := [name for (name,) in found]):
        for name in names:
            server.execute(f"DROP DATABASE {name} WITH (FORCE)")
        server.execute(f"CREATE DATABASE {unfinished}")
        FOLDER.mkdir(parents=True, exist_ok=True)
        migrate(TASKBOARD_DATA=str(FOLDER), DATABASE_URL=f"{database_server()}/{unfinished}")
        server.execute(f"ALTER DATABASE {unfinished} RENAME TO {kept}")
    return kept


def migrate(**environment: str) -> None:
    command = [sys.executable, "manage.py", "migrate", "-v0"]
    with apart_from_tests():
        done = subprocess.run(command, cwd=ROOT, env=bare_environment() | environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@contextmanager
def test_database() -> Iterator[None]:
    """Let Django's connection of this process have a migrated database of its own."""
    usual = settings.DATABASES["default"]["NAME"]
    connection.close()
    if on_postgresql():
        name = f"test_{usual}_{os.environ.get('PYTEST_XDIST_WORKER', 'alone')}"
        copy_to_database(name)
    else:
        name = str(settings.DATA / f"test-{os.getpid()}.sqlite3")
        copy_to_file(Path(name))
    settings.DATABASES["default"]["NAME"] = name
    try:
        yield
    finally:
        connection.close()
        settings.DATABASES["default"]["NAME"] = usual
        if on_postgresql():
            connection.close_pool()
            with psycopg.connect(f"{database_server()}/postgres", autocommit=True) as server:
                server.execute(f"DROP DATABASE {name} WITH (FORCE)")
        else:
            Path(name).unlink()
