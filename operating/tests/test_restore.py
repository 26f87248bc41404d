"""A backup is restored whole or not at all: refused, killed at any step, on a full disk, from an older version."""

import json
import resource
import shutil
import sqlite3
import subprocess
import sys
import zipfile
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest

from operating.tests.test_backup import GOOD, another_database, manage
from taskboard.migration_names import known_migrations
from taskboard.serving.data_folder import hold_data_folder, leave_address
from taskboard.tests.prepared import prepared_data, with_static_files
from taskboard.tests.servers import ROOT, bare_environment, serving
from taskboard.version import VERSION

pytestmark = pytest.mark.timeout(300)  # some migrate three times

STEPS = ["files", "tables", "half filled", "filled", "files put", "keys put", "database"]
# Restores, and copies the data folder at each step: what a process that is killed there leaves.
RESTORE_AND_COPY = """
import shutil, sys
import django
django.setup()
from django.conf import settings
from pathlib import Path
from operating.backup.restoring import restore_backup
file, copies = map(Path, sys.argv[1:])
restore_backup(file, "correct horse battery", at=lambda step: shutil.copytree(settings.DATA, copies / step))
"""
# Writes a backup of a service that was never upgraded beyond `boards.0012`, with one card that has a description.
OLDER = """
import json, sys
import django
django.setup()
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from pathlib import Path
from operating.backup.writing import write_backup
call_command("migrate", "boards", "0012_undone", verbosity=0)
executor = MigrationExecutor(connection)
apps = executor.loader.project_state(list(executor.loader.applied_migrations)).apps
new = lambda app, model, **fields: apps.get_model(app, model).objects.create(**fields)
user = new("accounts", "User", email="old@example.com", name="Old", password="!")
board = new("boards", "Board", title="Of then", hue=1, version=1)
column = new("boards", "List", board=board, title="To do", position=1, version=1)
text = {"type": "doc", "content": [{"type": "paragraph", "content": [{"type": "text", "text": "What it was about"}]}]}
new("boards", "Card", board=board, list=column, number=1, position=1, version=1, title="Old", description=text,
    created_by=user)
write_backup(Path(sys.argv[1]), apps=apps)
"""


def run(script: str, *arguments: object, data: Path) -> None:
    given = bare_environment() | {"TASKBOARD_DATA": str(data), "DJANGO_SETTINGS_MODULE": "taskboard.settings"}
    command = [sys.executable, "-c", script, *map(str, arguments)]
    done = subprocess.run(command, cwd=ROOT, env=given, capture_output=True, text=True, timeout=110)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def file(processes: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An encrypted backup of a service with the cast, and with a stored file added. Beside it is one not encrypted."""
    folder = tmp_path_factory.mktemp("backup")
    data = with_a_picture(prepared_data(folder / "data"))
    (folder / "words").write_text(GOOD)
    script = (
        "import django, sys; django.setup(); from pathlib import Path; "
        "from operating.backup.writing import write_backup; "
        f"write_backup(Path(sys.argv[1]), '{GOOD}'); write_backup(Path(sys.argv[2]))"
    )
    run(script, folder / "some.backup", folder / "plain.backup", data=data)
    return folder / "some.backup"


def with_a_picture(data: Path) -> Path:
    (data / "files" / "avatars").mkdir(parents=True)
    (data / "files" / "avatars" / "olga.png").write_bytes(b"olga")
    return data


def accounts(data: Path) -> int | None:
    """Return how many accounts the database of the data folder has; None without a database."""
    if not (data / "taskboard.sqlite3").exists():
        return None
    with closing(sqlite3.connect(data / "taskboard.sqlite3")) as database:
        return int(database.execute("SELECT count(*) FROM accounts_user").fetchone()[0])


@pytest.fixture(scope="module")
def restored(file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the restored data, and with copies of them as a restore that is killed at each step leaves them."""
    folder = tmp_path_factory.mktemp("restored")
    (folder / "copies").mkdir()
    run(RESTORE_AND_COPY, file, folder / "copies", data=folder / "data")
    return folder


def test_a_restore_that_is_killed_at_any_step_leaves_an_empty_service_or_a_whole_one(
    file: Path, restored: Path
) -> None:
    data, copies = restored / "data", restored / "copies"
    assert accounts(data) == 9
    assert sorted(path.name for path in copies.iterdir()) == sorted(STEPS)
    for step in STEPS:
        assert accounts(copies / step) is None, step
    assert (data / "files" / "avatars" / "olga.png").read_bytes() == b"olga"
    assert not list(data.glob(".*"))
    key = (file.parent / "data" / "secret_key").read_text()
    assert (data / "secret_key").read_text() == key


@pytest.fixture(scope="module")
def restored_over(restored: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder in which a restore was killed, and then a backup of an older version was restored."""
    folder = tmp_path_factory.mktemp("older")
    run(OLDER, folder / "old.backup", data=with_a_picture(folder / "old"))
    assert "excerpt" not in zipfile.ZipFile(folder / "old.backup").read("manifest.json").decode()
    left = shutil.copytree(restored / "copies" / "database", folder / "left")
    assert (left / ".taskboard.sqlite3.restoring").exists()
    (left / "taskboard.sqlite3").touch()
    done = manage("restore", str(folder / "old.backup"), TASKBOARD_DATA=str(left))
    assert done.returncode == 0, done.stderr
    return left


def test_what_a_killed_restore_left_is_restored_over(restored_over: Path) -> None:
    assert accounts(restored_over) == 1
    assert not list(restored_over.glob(".*"))
    with serving({"TASKBOARD_DATA": str(with_static_files(restored_over))}) as running:
        assert running.get("/healthz").status_code == 200


def test_a_backup_of_an_older_version_is_brought_up_to_date(restored_over: Path) -> None:
    with closing(sqlite3.connect(restored_over / "taskboard.sqlite3")) as database:
        assert database.execute("SELECT title, excerpt FROM boards_card").fetchall() == [("Old", "What it was about")]
        assert known_migrations() <= {*database.execute("SELECT app, name FROM django_migrations")}


def test_a_backup_of_an_older_version_is_brought_up_to_date_on_postgresql(
    services: None, processes: None, tmp_path: Path
) -> None:
    run(OLDER, tmp_path / "old.backup", data=with_a_picture(tmp_path / "old"))
    with another_database() as address:
        done = manage(
            "restore", str(tmp_path / "old.backup"), TASKBOARD_DATA=str(tmp_path / "new"), DATABASE_URL=address
        )
        assert done.returncode == 0, done.stderr
        with psycopg.connect(address) as database:
            cards = database.execute("SELECT title, excerpt FROM boards_card").fetchall()
            assert cards == [("Old", "What it was about")]
            assert known_migrations() <= {*database.execute("SELECT app, name FROM django_migrations").fetchall()}


def refusal(file: Path, data: Path, *options: str) -> str:
    done = manage(
        "restore", str(file), "--passphrase-file", str(file.parent / "words"), *options, TASKBOARD_DATA=str(data)
    )
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    return done.stderr


def test_a_service_with_accounts_is_left_alone(processes: None, file: Path, tmp_path: Path) -> None:
    data = prepared_data(tmp_path / "data")
    before = (data / "taskboard.sqlite3").read_bytes(), (data / "secret_key").read_bytes()
    assert "This service has accounts or boards already" in refusal(file, data)
    assert ((data / "taskboard.sqlite3").read_bytes(), (data / "secret_key").read_bytes()) == before


def test_a_service_that_runs_is_left_alone(file: Path, tmp_path: Path, settings: Any) -> None:
    settings.DATA, settings.REDIS_URL = tmp_path / "data", ""
    with hold_data_folder() as lock:
        leave_address(lock)  # as the service does
        assert "The service is running already" in refusal(file, tmp_path / "data")


@pytest.mark.parametrize("more", [[], ["--check"]])
def test_a_refused_restore_leaves_no_secret_key(processes: None, tmp_path: Path, more: list[str]) -> None:
    broken = tmp_path / "broken.backup"
    broken.write_bytes(b"no backup")
    data = tmp_path / "data"
    given = bare_environment() | {"TASKBOARD_DATA": str(data)}
    done = subprocess.run(
        [sys.executable, "manage.py", "restore", str(broken), *more], cwd=ROOT, env=given, capture_output=True, text=True, timeout=110
    )  # fmt: skip
    assert (done.returncode, "is not a backup of Taskboard" in done.stderr) == (1, True)
    assert not [*data.glob("secret_key*")]


def test_checking_changes_nothing(file: Path, tmp_path: Path) -> None:
    words = str(file.parent / "words")
    done = manage("restore", str(file), "--check", "--passphrase-file", words, TASKBOARD_DATA=str(tmp_path / "data"))
    assert "The backup is whole, and this version can restore it. Nothing was changed." in done.stdout, done.stderr
    assert [path.name for path in (tmp_path / "data").iterdir()] == []


def test_a_full_disk_leaves_nothing(processes: None, file: Path, tmp_path: Path) -> None:
    def little_room() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))

    done = subprocess.run(
        [sys.executable, "manage.py", "restore", str(file), "--passphrase-file", str(file.parent / "words")],
        cwd=ROOT, env=bare_environment() | {"TASKBOARD_DATA": str(tmp_path)}, preexec_fn=little_room,
        capture_output=True, text=True, timeout=110,
    )  # fmt: skip
    assert done.returncode == 1
    assert "Traceback" not in done.stderr, done.stderr
    left = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert sorted(path.name for path in left) == ["serve.lock"]


@pytest.fixture
def plain(file: Path) -> Path:
    """The same backup, not encrypted."""
    return file.with_name("plain.backup")


def rewritten(file: Path, to: Path, change) -> Path:
    """Copy a backup with `change` made to its manifest."""
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            text = old.read(name)
            if name == "manifest.json":
                change(manifest := json.loads(text))
                text = json.dumps(manifest).encode()
            new.writestr(name, text)
    shutil.copy(file.parent / "words", to.parent)
    return to


def test_a_backup_of_a_newer_version_is_refused(plain: Path, tmp_path: Path) -> None:
    newer = rewritten(plain, tmp_path / "newer", lambda manifest: manifest["migrations"].append(["boards", "9999_new"]))
    words = refusal(newer, tmp_path / "data")
    assert f"whose tables this version, {VERSION}, does not know (boards.9999_new). Nothing was changed." in words
    assert accounts(tmp_path / "data") is None


def test_a_table_with_other_columns_is_refused(plain: Path, tmp_path: Path) -> None:
    def change(manifest: dict) -> None:
        part = next(part for part in manifest["parts"] if part["name"] == "tables/boards_card.jsonl")
        part["columns"][0] = 'id"; DROP TABLE boards_card; --'

    other = rewritten(plain, tmp_path / "other", change)
    assert "The table boards_card of the backup differs from that of Taskboard" in refusal(other, tmp_path / "data")
    assert accounts(tmp_path / "data") is None
    assert not list((tmp_path / "data").glob(".*"))
