"""A version that is older than its database refuses it in words, whatever is started, and changes nothing."""

import hashlib
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from taskboard.tests.prepared import prepared_data, prepared_services
from taskboard.tests.servers import ROOT, bare_environment, free_port
from taskboard.tests.waiting import PATIENCE
from taskboard.version import VERSION

NEWER = "INSERT INTO django_migrations (app, name, applied) VALUES ('boards', '9999_later', '2099-01-01 00:00:00Z')"
REFUSAL = (
    f"The database belongs to a newer version of Taskboard: it has boards.9999_later, which this version, {VERSION}, does "
    "not know. Nothing was changed. Start the newer version again, or restore the backup from before it."
)


@pytest.fixture
def data(processes: None, tmp_path: Path) -> Path:
    """A data folder of a later version."""
    data = prepared_data(tmp_path / "data")
    with closing(sqlite3.connect(data / "taskboard.sqlite3", isolation_level=None)) as database:
        database.execute(NEWER)
    return data


def refused(environment: dict[str, str], *arguments: str) -> str:
    command = [sys.executable, "-W", "ignore", "manage.py", *arguments]
    given = bare_environment() | environment
    done = subprocess.run(command, cwd=ROOT, env=given, capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stdout) == (1, "")
    assert "Traceback" not in done.stderr
    return done.stderr


def digest(data: Path) -> str:
    return hashlib.sha256((data / "taskboard.sqlite3").read_bytes()).hexdigest()


@pytest.mark.parametrize(
    "command", ["serve", "worker", "users list", "adduser new@example.com", "migrate", "backup copy"]
)
def test_every_command_refuses_and_changes_nothing(data: Path, tmp_path: Path, command: str) -> None:
    before = digest(data)
    arguments = command.replace("copy", str(tmp_path / "copy")).split()
    if command == "serve":
        arguments += ["--port", str(free_port())]
    assert REFUSAL in refused({"TASKBOARD_DATA": str(data)}, *arguments)
    assert digest(data) == before
    assert not (data / "backups").exists()
    assert not (tmp_path / "copy").exists()


@pytest.mark.parametrize("part", ["web", "live"])
def test_each_part_refuses_at_once(services: None, any_database: None, tmp_path: Path, part: str) -> None:
    with prepared_services() as given:
        with psycopg.connect(given["DATABASE_URL"]) as connection:
            connection.execute(NEWER)
        environment = given | {"TASKBOARD_DATA": str(prepared_data(tmp_path / "data"))}
        assert REFUSAL in refused(environment, part, "--port", str(free_port()))
