"""An operator's first day, in a clone where nothing was started yet, and beside a running service."""

import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from django.core.management import get_commands

from operating.backup.daily import keep_copy
from operating.backup.trouble import BackupTrouble
from taskboard.serving.data_folder import LOCK
from taskboard.serving.readiness import OWN_COMMANDS, WITHOUT_TABLES
from taskboard.tests.prepared import prepared_data
from taskboard.tests.servers import ROOT, bare_environment, serving

OLGA = ("adduser", "olga@example.com", "--password", "correct horse battery")
ARGUMENTS = {
    "addtoken": ["olga@example.com"],
    "adduser": ["olga@example.com"],
    "backup": ["some.backup"],
    "export": ["olga@example.com"],
    "import": ["olga@example.com", "some.json"],
    "removefactors": ["olga@example.com"],
}
# Of these the doctor tells it among other things, restore reads its file first, and parts of a service wait for the database.
# test_serve.py has `serve`.
NOT_TRIED = {"doctor", "live", "mcpdocs", "restore", "sendtestemail", "serve", "web", "work", "worker"}


def manage(data: Path, *command: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    given = bare_environment() | {"TASKBOARD_DATA": str(data)} | environment
    return subprocess.run(
        [sys.executable, "manage.py", *command], cwd=ROOT, env=given, capture_output=True, text=True, timeout=110
    )


def test_the_first_commands_may_come_before_the_first_start(processes: None, tmp_path: Path) -> None:
    link = manage(tmp_path / "data", "firstlink")
    assert (link.returncode, link.stdout.startswith("http://127.0.0.1:8000/first/")) == (0, True), link.stderr
    modes = {path.name: path.stat().st_mode & 0o077 for path in (tmp_path / "data").iterdir()}
    assert modes == dict.fromkeys(("secret_key", "serve.lock", "taskboard.sqlite3"), 0)
    added = manage(tmp_path / "data", *OLGA)
    assert (added.returncode, added.stdout) == (0, "olga@example.com added.\n"), added.stderr


@pytest.fixture
def data(processes: None, tmp_path: Path) -> Path:
    return prepared_data(tmp_path / "data")


@pytest.fixture(scope="module")
def served(processes: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
    """The data folder of a running service, and its address."""
    data = prepared_data(tmp_path_factory.mktemp("served"))
    with serving({"TASKBOARD_DATA": str(data)}) as running:
        yield data, running.url


@contextmanager
def tables_of_an_older_version(data: Path) -> Iterator[None]:
    """Let the database say, within this block, that the migrations of one app were never applied."""
    rename = "UPDATE django_migrations SET app = ? WHERE app = ?"
    with closing(sqlite3.connect(data / "taskboard.sqlite3", isolation_level=None)) as database:
        database.execute(rename, ["unknown", "jobs"])
        try:
            yield
        finally:
            database.execute(rename, ["jobs", "unknown"])


def test_a_database_of_an_older_version_that_is_served_is_left_alone(served: tuple[Path, str]) -> None:
    data, _address = served
    with tables_of_an_older_version(data):
        refused = manage(data, "tidy")
    assert refused.returncode == 1
    assert refused.stderr.startswith("The service is running already on the data folder")


# All commands that need tables are refused in the same place; those that need none reach the database by themselves.
@pytest.mark.parametrize("command", ["adduser", *sorted(WITHOUT_TABLES.keys() - NOT_TRIED)])
def test_a_server_that_is_away_is_a_sentence(processes: None, command: str, tmp_path: Path) -> None:
    away = "postgres://nobody:hidden@127.0.0.1:1/nothing"
    refused = manage(tmp_path, command, *ARGUMENTS.get(command, []), DATABASE_URL=away)
    assert refused.returncode == 1
    said = refused.stderr.removeprefix("CommandError: ")
    assert said.startswith("The database that DATABASE_URL names cannot be reached.")
    assert "Traceback" not in said
    assert "hidden" not in said


def test_our_commands_are_those_that_django_finds() -> None:
    ours = {name for name, app in get_commands().items() if Path(find_spec(app).origin).parents[1] == ROOT}
    assert ours == OWN_COMMANDS
    assert WITHOUT_TABLES.keys() < OWN_COMMANDS
    assert {"adduser", "firstlink"}.isdisjoint(WITHOUT_TABLES), "either may be the first, and makes the tables"


def test_the_demo_names_the_address_of_the_running_service(served: tuple[Path, str]) -> None:
    data, address = served
    assert f"Address:   {address}\n" in manage(data, "demo", "--yes").stdout


def test_after_a_service_was_killed_the_demo_names_the_usual_address(served: tuple[Path, str], data: Path) -> None:
    of_the_service, address = served
    shutil.copy(of_the_service / LOCK, data)  # which nobody holds here
    assert (data / LOCK).read_text() == address
    assert "Address:   http://127.0.0.1:8000\n" in manage(data, "demo", "--yes").stdout


def test_a_backup_is_made_while_the_service_runs(served: tuple[Path, str], tmp_path: Path) -> None:
    data, _address = served
    done = manage(data, "backup", str(tmp_path / "some.backup"))
    assert (done.returncode, done.stderr) == (0, "")
    assert f"stored files of the SQLite database {data / 'taskboard.sqlite3'}; read back and whole." in done.stdout


def refusal_to_save(data: Path) -> str:
    done = manage(data, "backup", str(data / "some.backup"))
    assert (done.returncode, done.stdout) == (1, "")
    assert not (data / "some.backup").exists()
    return done.stderr


def test_a_backup_where_no_database_is_makes_none_and_says_what_to_do(processes: None, tmp_path: Path) -> None:
    said = refusal_to_save(tmp_path)
    assert f"Nothing was saved: the SQLite database {tmp_path / 'taskboard.sqlite3'} does not exist." in said
    assert "Run the command as the service's user with its environment: docs/running/install.md" in said
    assert not (tmp_path / "taskboard.sqlite3").exists()


def test_a_database_without_accounts_is_not_saved(processes: None, data: Path) -> None:
    with closing(
        sqlite3.connect(data / "taskboard.sqlite3", isolation_level=None)
    ) as database:  # which checks no foreign keys
        database.execute("DELETE FROM accounts_user")
    assert f"the SQLite database {data / 'taskboard.sqlite3'} has no accounts." in refusal_to_save(data)
    (data / "taskboard.sqlite3").write_bytes(b"")
    assert f"the SQLite database {data / 'taskboard.sqlite3'} has no accounts." in refusal_to_save(data)
    with closing(sqlite3.connect(data / "taskboard.sqlite3", isolation_level=None)) as database:
        assert database.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,)


def test_a_database_of_an_older_version_is_not_brought_up_to_date_by_a_backup(processes: None, data: Path) -> None:
    with tables_of_an_older_version(data):
        assert "has the tables of an older version. Back up with that version" in refusal_to_save(data)
    assert copies_before_migrating(data) == []


def test_a_backup_that_cannot_be_written_leaves_nothing(processes: None, data: Path, tmp_path: Path) -> None:
    done = manage(data, "backup", str(tmp_path / "nowhere" / "some.backup"))
    assert done.returncode == 1
    assert "could not be written" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_worker_keeps_copies_or_says_why_not(
    processes: None, data: Path, tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    monkeypatch.setenv("DJANGO_SETTINGS_MODULE", "taskboard.settings")
    monkeypatch.setenv("TASKBOARD_DATA", str(data))
    settings.BACKUPS = tmp_path / "kept"
    monkeypatch.setenv("TASKBOARD_BACKUPS", str(settings.BACKUPS))
    keep_copy.call()
    assert [path.suffix for path in settings.BACKUPS.iterdir()] == [".backup"]
    (tmp_path / "file").touch()
    settings.BACKUPS = tmp_path / "file" / "kept"
    monkeypatch.setenv("TASKBOARD_BACKUPS", str(settings.BACKUPS))
    with pytest.raises(BackupTrouble, match=f"The folder {settings.BACKUPS} cannot be made: Not a directory."):
        keep_copy.call()


def copies_before_migrating(data: Path) -> list[Path]:
    return sorted((data / "backups").glob("before-migration-*.sqlite3"))


def test_a_database_is_copied_before_it_is_brought_up_to_date(processes: None, data: Path) -> None:
    with closing(sqlite3.connect(data / "taskboard.sqlite3", isolation_level=None)) as database:
        database.execute(
            "DELETE FROM django_migrations WHERE app = 'jobs' AND name = '0003_moved_tasks'"
        )  # which alters no row here
    (data / "backups").mkdir()
    for day in range(1, 6):
        (data / "backups" / f"before-migration-2010010{day}T000000Z.sqlite3").touch()
    with serving({"TASKBOARD_DATA": str(data)}) as running:
        _code, _out, said = running.stop(2)
    *_older, copy = copies_before_migrating(data)
    assert len(copies_before_migrating(data)) == 3
    assert f"the database was copied to {copy}" in said
    assert oct(copy.stat().st_mode & 0o777) == "0o600"
    with closing(sqlite3.connect(copy, isolation_level=None)) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert database.execute("SELECT count(*) FROM accounts_user").fetchone() == (9,)
    assert manage(data, "migrate", "-v0").returncode == 0
    assert copies_before_migrating(data)[-1] == copy  # nothing was missing, so there is no further one
