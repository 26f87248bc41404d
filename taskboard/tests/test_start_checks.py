"""gunicorn and Daphne start only with tables and static files of this version, and say so in a sentence."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from taskboard.tests.prepared import prepared_data
from taskboard.tests.processes import DAPHNE, GUNICORN
from taskboard.tests.servers import PATIENCE, ROOT, bare_environment, free_port

SERVERS = pytest.mark.parametrize("server", [GUNICORN, DAPHNE], ids=["gunicorn", "daphne"])


@pytest.fixture
def data(processes: None, tmp_path: Path) -> Path:
    return prepared_data(tmp_path / "data")


def refusal_of(command: list[str], **environment: str) -> str:
    """Start the server, which must end by itself before it listens; return what it says on standard error."""
    port = str(free_port())
    address = f"127.0.0.1:{port}" if command[-1] == "--bind" else port
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", *command, address],
        cwd=ROOT,
        env=bare_environment() | environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 3
    assert "Traceback" not in done.stderr
    assert "Listening at" not in done.stderr
    return done.stderr


@SERVERS
def test_without_tables_it_names_migrate_and_its_file_of_settings(
    processes: None, data: Path, server: list[str]
) -> None:
    (data / "taskboard.sqlite3").unlink()
    (data / "taskboard.env").write_text("TASKBOARD_SIGNUP=closed\n")
    words = refusal_of(server, TASKBOARD_DATA=str(data))
    assert f"Settings are read from {data / 'taskboard.env'}." in words
    assert "Run bin/manage migrate first." in words


@SERVERS
def test_without_static_files_it_names_collectstatic(processes: None, data: Path, server: list[str]) -> None:
    (data / "static").unlink()
    words = refusal_of(server, TASKBOARD_DATA=str(data))
    assert f"The static files are not in {data / 'static'}. Run bin/manage collectstatic --noinput first." in words


@SERVERS
def test_the_database_of_a_newer_version_is_refused(processes: None, data: Path, server: list[str]) -> None:
    with closing(sqlite3.connect(data / "taskboard.sqlite3", isolation_level=None)) as database:
        database.execute(
            "INSERT INTO django_migrations (app, name, applied) VALUES ('boards', '9999_new', '2030-01-01')"
        )
    assert "The database belongs to a newer version of Taskboard" in refusal_of(server, TASKBOARD_DATA=str(data))


def test_a_wrong_setting_is_a_sentence(processes: None, data: Path) -> None:
    words = refusal_of(DAPHNE, TASKBOARD_DATA=str(data), TASKBOARD_SIGNUP="perhaps")
    assert words == "TASKBOARD_SIGNUP is 'perhaps': write one of open, closed, invited.\n"
