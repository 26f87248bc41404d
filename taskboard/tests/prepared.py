"""Prepare once what every started server needs: a database with the cast in it, and collected static files.

The first worker that needs them makes them, while the others wait, in a folder that all workers of a run share. The
folder is new for each run and removed at its end, so nothing in it can be older than the code.
"""

import fcntl
import json
import os
import shutil
import subprocess
import sys
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

from taskboard.tests.migrated import copy_to_database, copy_to_file
from taskboard.tests.own_services import copy, own_postgresql
from taskboard.tests.servers import (
    ROOT,
    bare_environment,
    database_server,
    drop_database,
    on_postgresql,
    same_services,
)

FOLDER = "PYTEST_TASKBOARD_PREPARED"  # the environment variable that tells the workers where the folder is


def begin_run() -> None:
    os.environ[FOLDER] = tempfile.mkdtemp(prefix="taskboard-prepared-")


def end_run() -> None:
    folder = Path(os.environ.pop(FOLDER))
    if (template := folder / "template").exists():
        drop_database(template.read_text())
    shutil.rmtree(folder, ignore_errors=True)


def prepared_data(data: Path) -> Path:
    """Put a copy of the SQLite database and its secret key into a data folder, and links to the static files."""
    shared = shared_data()
    data.mkdir(exist_ok=True)
    for name in ("taskboard.sqlite3", "secret_key"):
        shutil.copy(shared / name, data)
    return with_static_files(data)


def with_static_files(data: Path) -> Path:
    """Put links to the static files into a data folder; collecting them takes a first start some seconds."""
    shared = shared_data()
    for name in ("static", "static.collected"):
        (data / name).symlink_to(shared / name)
    return data


def prepared_static_files() -> Path:
    return shared_data() / "static"


def prepared_services() -> AbstractContextManager[dict[str, str]]:
    """Like `same_services`, with a prepared database where it is PostgreSQL. `prepared_data` brings the SQLite one."""
    return same_services(shared_template() if on_postgresql() else None)


def prepared_cast(environment: dict[str, str]) -> dict[str, dict[str, Any]]:
    """Return what the scripts and browsers of the cast hold at a service with this environment."""
    source = "template" if "DATABASE_URL" in environment else "data"
    return json.loads((Path(os.environ[FOLDER]) / f"{source}.cast").read_text())


def shared_data() -> Path:
    with in_turn() as folder:
        data = folder / "data"
        if not data.exists():
            (unfinished := folder / "unfinished").mkdir(mode=0o700)
            copy_to_file(unfinished / "taskboard.sqlite3")
            cast = start_for_the_first_time(TASKBOARD_DATA=str(unfinished))
            (folder / "data.cast").write_text(cast)
            unfinished.rename(data)
    return data


def shared_template() -> str:
    """Return the name of the PostgreSQL database that the others are copied from."""
    data = shared_data()
    with in_turn() as folder:
        template = folder / "template"
        if not template.exists():
            name = f"taskboard_test_{uuid.uuid4().hex}"
            copy_to_database(name)
            address = f"{database_server()}/{name}"
            try:
                cast = start_for_the_first_time(TASKBOARD_DATA=str(data), DATABASE_URL=address)
            except BaseException:
                drop_database(name)
                raise
            (folder / "template.cast").write_text(cast)
            template.write_text(name)
    return template.read_text()


def prepared_cluster() -> tuple[Path, dict[str, dict[str, Any]]]:
    """Return a folder for `own_postgresql` to copy, and what the cast holds in its database."""
    data = shared_data()
    with in_turn() as folder:
        cluster, kept = folder / "cluster", folder / "cluster.cast"
        if not kept.exists():
            with own_postgresql() as own:
                cast = start_for_the_first_time(TASKBOARD_DATA=str(data), DATABASE_URL=own.url)
                own.stop()
                copy(own.cluster, cluster)
            kept.write_text(cast)
        return cluster, json.loads(kept.read_text())


@contextmanager
def in_turn() -> Iterator[Path]:
    folder = Path(os.environ[FOLDER])
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield folder


def start_for_the_first_time(**environment: str) -> str:
    """Return what the cast holds, as JSON."""
    command = [sys.executable, "-m", "taskboard.tests.settle"]
    done = subprocess.run(command, cwd=ROOT, env=bare_environment() | environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout
