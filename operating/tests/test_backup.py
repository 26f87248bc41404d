"""A backup is whole, of one moment, private, and leaves nothing where it fails; restored, it is what it was."""

import io
import json
import os
import resource
import signal
import sqlite3
import subprocess
import sys
import threading
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone
from django_tasks.base import TaskResultStatus

from accounts.tokens import create_token
from apiv1.models import KeptAnswer
from boards.actions.boards.board import create_board
from boards.actions.cards.archive import archive_card
from boards.actions.cards.card import create_card
from boards.actions.lists.list import create_list
from boards.models import Activity, Board, Card, FormerValues, List
from conftest import web
from jobs.clock import CLOCK
from jobs.models import Task
from operating.backup import before_migrating, daily, encryption, kept, passphrases, tables, writing
from operating.backup.reading import check, open_backup
from operating.backup.trouble import BackupTrouble
from taskboard.tests.migrated import copy_to_database
from taskboard.tests.servers import ROOT, bare_environment, create_database, drop_database, on_postgresql

pytestmark = pytest.mark.django_db(transaction=True)

GOOD = "correct horse battery"
JSON_COLUMNS = {
    "data",
    "subject",
    "description",
    "document",
    "values",
    "removed",
    "outline",
    "cards",
    "details",
    "filters",
}


def manage(*command: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "manage.py", *command],
        cwd=ROOT,
        env=bare_environment() | environment,
        capture_output=True,
        text=True,
        timeout=110,
    )


def run(*command: Any, **options: Any) -> str:
    out = io.StringIO()
    call_command(*map(str, command), stdout=out, **options)
    return out.getvalue()


def contents(file: Path, passphrase: str = "") -> dict[str, list[str]]:
    """Return the rows of each table, JSON columns with sorted keys, as PostgreSQL orders these anew."""
    found = {}
    with open_backup(file, passphrase) as backup:
        for part in backup.manifest.of("tables/"):
            rows = [dict(zip(part.columns, json.loads(line), strict=True)) for line in backup.lines(part)]
            for row in rows:
                for name in JSON_COLUMNS & row.keys():
                    with suppress(TypeError, ValueError):
                        row[name] = json.loads(row[name])
            found[part.table] = sorted(json.dumps(row, sort_keys=True) for row in rows)
    return found


def everything_odd(olga: Any) -> None:
    """Make rows of every kind that could be changed on the way."""
    call_command("demo", yes=True, stdout=io.StringIO())
    board = create_board(actor=web(olga), title="😀 'quoted' \\N \\. \t Ünïcode")
    todo = create_list(actor=web(olga), board_id=board.pk, title="‮right to left")
    card = create_card(actor=web(olga), list_id=todo.pk, title="Archived", description="a\n\n- b\t\\c")
    archive_card(actor=web(olga), card_id=card.pk)
    Card.objects.filter(pk=card.pk).update(position=2**63 - 1, description=None)
    token, _value = create_token(olga, "laptop")
    KeptAnswer.objects.create(token=token, path="/", key="k", body_digest="0" * 64, answer=bytes(range(256)))
    activity = Activity.objects.filter(board=board).earliest("version")
    FormerValues.objects.create(activity=activity, values={"n": None, "big": 10**30, "f": 0.1, "s": "\\u0000 \"'"})


def restored_into(file: Path, data: Path, **environment: str) -> dict[str, list[str]]:
    """Restore in a process of its own, and return what a backup of the restored service has."""
    settings = {"TASKBOARD_DATA": str(data), **environment}
    done = manage("restore", str(file), **settings)
    assert done.returncode == 0, done.stderr
    assert "This service has another secret key than the backup was made under" in done.stdout
    again = data / "again.backup"
    assert (done := manage("backup", str(again), **settings)).returncode == 0, done.stderr
    return contents(again)


@contextmanager
def another_database() -> Iterator[str]:
    name, address = create_database()
    try:
        yield address
    finally:
        drop_database(name)


def test_what_is_restored_is_what_was_saved_on_either_database(processes, olga, tmp_path: Path) -> None:
    everything_odd(olga)
    run("backup", file := tmp_path / "first.backup")
    before = contents(file)
    assert len(before["boards_card"]) > 20
    assert restored_into(file, tmp_path / "sqlite") == before
    if on_postgresql():
        again = tmp_path / "sqlite" / "again.backup"
        with another_database() as address:
            assert restored_into(again, tmp_path / "postgresql", DATABASE_URL=address) == before
            number_of_next_row = (
                "from accounts.models import User; from django.contrib.auth.models import Group; "
                "from allauth.account.models import EmailAddress; "
                "print(EmailAddress.objects.create(user=User.objects.first(), email='next@example.com').pk)"
            )
            made = manage(
                "shell", "-v0", "-c", number_of_next_row, TASKBOARD_DATA=str(tmp_path / "pg"), DATABASE_URL=address
            )
            assert made.stdout.strip().isdigit(), made.stderr  # else its sequence would give a number that is taken


@pytest.mark.usefixtures("services")
def test_a_restore_into_postgresql_that_is_killed_leaves_the_database_as_it_was(
    processes, olga, tmp_path: Path
) -> None:
    run("backup", file := tmp_path / "some.backup")
    script = (
        "import django, os, signal, sys; django.setup(); from pathlib import Path; "
        "from operating.backup.restoring import restore_backup; restore_backup(Path(sys.argv[1]), "
        "at=lambda step: os.kill(os.getpid(), signal.SIGKILL) if step == 'keys put' else None)"
    )
    with another_database() as address:
        given = {
            "DATABASE_URL": address,
            "TASKBOARD_DATA": str(tmp_path),
            "DJANGO_SETTINGS_MODULE": "taskboard.settings",
        }
        command = [sys.executable, "-c", script, str(file)]
        done = subprocess.run(command, cwd=ROOT, env=bare_environment() | given, timeout=110)
        assert done.returncode == -signal.SIGKILL
        with psycopg.connect(address) as database:
            assert database.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone() == (0,)


@pytest.mark.usefixtures("services")
def test_a_restore_into_postgresql_leaves_what_came_there_while_it_unpacked_files(
    processes, olga, tmp_path: Path
) -> None:
    run("backup", file := tmp_path / "some.backup")
    script = (
        "import django, sys; django.setup(); from pathlib import Path; from django.core.management import call_command; "
        "from operating.backup.restoring import restore_backup; restore_backup(Path(sys.argv[1]), "
        "at=lambda step: call_command('demo', yes=True) if step == 'files' else None)"
    )
    with another_database() as address:
        given = {
            "DATABASE_URL": address,
            "TASKBOARD_DATA": str(tmp_path),
            "DJANGO_SETTINGS_MODULE": "taskboard.settings",
        }
        copy_to_database(address.rpartition("/")[2])
        command = [sys.executable, "-c", script, str(file)]
        done = subprocess.run(
            command, cwd=ROOT, env=bare_environment() | given, capture_output=True, text=True, timeout=110
        )
        assert "This service has accounts or boards already" in done.stderr
        with psycopg.connect(address) as database:
            assert database.execute("SELECT 1 FROM accounts_user WHERE email LIKE 'demo%'").fetchone()


def test_a_backup_while_others_write_is_of_one_moment(olga, board, todo, tmp_path: Path, monkeypatch) -> None:
    lists = [todo]
    for number in range(3):
        other = create_board(actor=web(olga), title=f"Board {number}")
        lists.append(create_list(actor=web(olga), board_id=other.pk, title="To do"))
    stop, written = threading.Event(), threading.Semaphore(0)

    def write(into: List) -> None:
        while not stop.is_set():
            create_card(actor=web(olga), list_id=into.pk, title="New")
            written.release()
        connection.close()

    put = writing.Writer.put

    def put_between_writes(self, name: str, *args: Any, **options: Any) -> None:
        if name.startswith("tables/boards_"):
            assert written.acquire(timeout=60)  # something is written between any two tables
        put(self, name, *args, **options)

    monkeypatch.setattr(writing.Writer, "put", put_between_writes)
    threads = [threading.Thread(target=write, args=[into]) for into in lists]
    for thread in threads:
        thread.start()
    try:
        writing.write_backup(file := tmp_path / "some.backup")
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    rows = {name: [json.loads(row) for row in found] for name, found in contents(file).items()}
    newest: dict[str, int] = {}
    for activity in rows["boards_activity"]:
        newest[activity["board_id"]] = max(newest.get(activity["board_id"], 0), activity["version"])
    assert {row["id"]: row["version"] for row in rows["boards_board"]} == newest
    numbers = {row["id"]: row["last_card_number"] for row in rows["boards_board"]}
    for board_id, number in numbers.items():
        assert sum(row["board_id"] == board_id for row in rows["boards_card"]) == number
    assert Board.objects.count() == 4
    assert Card.objects.count() > len(rows["boards_card"])


def test_a_backup_is_private_and_says_what_is_not_in_it(olga, tmp_path: Path) -> None:
    said = run("backup", file := tmp_path / "some.backup")
    assert "The secret key is not in it" in said
    assert oct(file.stat().st_mode & 0o777) == "0o600"
    assert [path.name for path in tmp_path.iterdir()] == ["some.backup"]
    assert not any(name.startswith("keys/") for name in zipfile.ZipFile(file).namelist())


@pytest.fixture
def quick_scrypt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encryption, "COST", 10)


def test_an_encrypted_backup_has_the_secret_key_and_shows_nothing(olga, tmp_path, settings, quick_scrypt) -> None:
    (tmp_path / "words").write_text(GOOD)
    run("backup", file := tmp_path / "some.backup", "--passphrase-file", tmp_path / "words")
    with open_backup(file, GOOD) as backup:
        [key] = backup.manifest.of("keys/")
        assert b"".join(backup.pieces(key)).decode() == settings.SECRET_KEY
    assert b"manifest" not in file.read_bytes()


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """What is typed at the terminal, in this order."""
    lines: list[str] = []
    monkeypatch.setattr(passphrases.getpass, "getpass", lambda _prompt: lines.pop(0))
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    yield lines
    assert lines == []


def test_a_passphrase_that_was_typed_in_two_ways_is_asked_for_again(
    olga, tmp_path, typed, quick_scrypt, capsys
) -> None:
    typed += [GOOD, "korrect horse battery", GOOD, GOOD]
    run("backup", tmp_path / "one", ask=True)
    assert capsys.readouterr().err == "The two passphrases differ. Try again.\n"
    assert contents(tmp_path / "one", GOOD)


def test_who_types_three_times_two_passphrases_gets_no_backup(olga, tmp_path, typed, quick_scrypt) -> None:
    typed += [GOOD, "another one, quite long"] * 3
    with pytest.raises(CommandError, match="Nothing was written"):
        run("backup", tmp_path / "one", ask=True)
    assert not (tmp_path / "one").exists()


def test_a_wrong_passphrase_is_asked_for_again_three_times_in_all(olga, tmp_path, typed, quick_scrypt) -> None:
    typed += [GOOD, GOOD, "korrect horse battery", GOOD]
    run("backup", tmp_path / "one", ask=True)
    assert "The backup is whole" in run("restore", tmp_path / "one", check=True)
    typed += ["korrect horse battery"] * 3
    with pytest.raises(CommandError, match="The passphrase is wrong"):
        run("restore", tmp_path / "one", check=True)


def test_the_passphrase_of_the_settings_is_used(olga, tmp_path, settings, quick_scrypt) -> None:
    (tmp_path / "words").write_text(GOOD)
    settings.BACKUP_PASSPHRASE_FILE = str(tmp_path / "words")
    run("backup", file := tmp_path / "some.backup")
    assert check(file, GOOD).rows
    assert "The backup is whole" in run("restore", file, "--check")


def test_a_backup_takes_the_place_of_another_file_only_by_force(olga, tmp_path: Path) -> None:
    (file := tmp_path / "some.backup").write_text("something else")
    with pytest.raises(CommandError, match="is there already"):
        run("backup", file)
    assert file.read_text() == "something else"
    run("backup", file, "--force")
    assert check(file).rows


def test_a_short_passphrase_is_refused(olga, tmp_path: Path) -> None:
    (tmp_path / "words").write_text("short")
    with pytest.raises(CommandError, match="at least 12 characters"):
        run("backup", tmp_path / "some.backup", "--passphrase-file", tmp_path / "words")


def test_a_passphrase_file_that_is_not_there_is_refused(olga, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="The passphrase cannot be read"):
        run("backup", tmp_path / "some.backup", "--passphrase-file", tmp_path / "words")


def test_two_backups_at_once_do_not_mix(olga, tmp_path: Path) -> None:
    file = tmp_path / "some.backup"
    with writing.unfinished(file), pytest.raises(BackupTrouble, match="Another backup is just being written"):
        writing.write_backup(file)


def test_a_backup_that_another_process_has_just_finished_stays(olga, tmp_path: Path, monkeypatch) -> None:
    file = tmp_path / "taskboard.backup"
    lock = writing.fcntl.flock

    def finish_the_other_first(opened: Any, how: int) -> None:
        with suppress(FileNotFoundError):
            writing.os.replace(tmp_path / ".taskboard.backup.unfinished", file)
        lock(opened, how)

    (tmp_path / ".taskboard.backup.unfinished").write_text("of the other process")
    monkeypatch.setattr(writing.fcntl, "flock", finish_the_other_first)
    with pytest.raises(BackupTrouble):
        writing.write_backup(file)
    assert file.read_text() == "of the other process"


def test_a_full_disk_leaves_nothing_and_the_former_backup(olga, tmp_path: Path) -> None:
    everything_odd(olga)
    (file := tmp_path / "some.backup").write_text("the former one")
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (8 * 1024, usual[1]))
    try:
        with pytest.raises(BackupTrouble, match="could not be written: File too large"):
            writing.write_backup(file, force=True)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)
    assert file.read_text() == "the former one"
    assert list(tmp_path.iterdir()) == [file]


def test_a_backup_that_is_not_whole_when_read_back_is_no_backup(olga, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(writing.os, "fsync", lambda descriptor: os.ftruncate(descriptor, 5000))
    with pytest.raises(BackupTrouble):
        writing.write_backup(tmp_path / "some.backup")
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_backup_left_is_used_by_the_next(olga, tmp_path: Path) -> None:
    file = tmp_path / "some.backup"
    if (child := os.fork()) == 0:
        with writing.unfinished(file) as (_draft, opened):
            opened.write(b"half of a backup")
            opened.flush()
            os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)
    assert [path.name for path in tmp_path.iterdir()] == [".some.backup.unfinished"]
    writing.write_backup(file)
    assert list(tmp_path.iterdir()) == [file]


@pytest.fixture
def picture(tmp_path: Path, settings) -> Path:
    """Olga's, an hour old."""
    settings.FILES = tmp_path / "files"
    (path := settings.FILES / "avatars" / "olga.png").parent.mkdir(parents=True)
    path.write_bytes(b"olga")
    an_hour_ago = timezone.now().timestamp() - 3600
    os.utime(path, (an_hour_ago, an_hour_ago))
    return path


def saved_files(file: Path, monkeypatch: pytest.MonkeyPatch, meanwhile: Callable[[], object]) -> dict[str, bytes]:
    """Return the files of a backup. `meanwhile` is called between its two looks for files."""
    lines = tables.Table.lines

    def lines_meanwhile(self, using: str) -> Iterator[bytes]:
        meanwhile()
        yield from lines(self, using)

    monkeypatch.setattr(tables.Table, "lines", lines_meanwhile)
    writing.write_backup(file)
    with open_backup(file) as backup:
        return {part.file: b"".join(backup.pieces(part)) for part in backup.manifest.of("files/")}


def test_stored_files_are_saved_also_those_that_come_meanwhile(olga, picture, tmp_path: Path, monkeypatch) -> None:
    found = saved_files(tmp_path / "one", monkeypatch, lambda: picture.with_name("ed.png").write_bytes(b"ed"))
    assert found == {"avatars/olga.png": b"olga", "avatars/ed.png": b"ed"}


def test_a_stored_file_that_is_deleted_meanwhile_is_saved(olga, picture, tmp_path: Path, monkeypatch) -> None:
    found = saved_files(tmp_path / "one", monkeypatch, lambda: picture.unlink(missing_ok=True))
    assert found == {"avatars/olga.png": b"olga"}


def test_a_file_that_is_being_stored_is_saved_whole(olga, picture, tmp_path: Path, monkeypatch) -> None:
    picture.write_bytes(b"half")
    found = saved_files(tmp_path / "one", monkeypatch, lambda: picture.write_bytes(b"half and half"))
    assert found == {"avatars/olga.png": b"half and half"}


def test_files_that_the_service_did_not_store_prevent_no_backup(olga, picture, tmp_path: Path) -> None:
    for name in ("photo.jpg:Zone.Identifier", "back\\slash", os.fsdecode(b"caf\xe9")):
        picture.with_name(name).touch()
    made = writing.write_backup(tmp_path / "some.backup")
    assert [part.file for part in made.of("files/")] == ["avatars/olga.png"]


def test_unfinished_tasks_are_saved_as_waiting_and_finished_ones_not(olga, tmp_path: Path) -> None:
    for status in TaskResultStatus:
        Task.objects.create(
            status=status, task_path="x.y", args_kwargs={"args": [], "kwargs": {}}, backend_name="default", queue_name="default",
            run_after=timezone.now(), worker_ids=["gone"],
        )  # fmt: skip
    writing.write_backup(file := tmp_path / "some.backup")
    assert [json.loads(row)["status"] for row in contents(file)[tables.TASKS]] == ["READY", "READY"]


def test_copies_are_kept_by_age() -> None:
    now = timezone.now().replace(year=2030, month=6, day=15, hour=3, minute=0)
    daily = [now - timedelta(days=number) for number in range(800)]
    found = sorted(kept.kept(daily), reverse=True)
    assert found[:7] == daily[:7]
    assert len({at.isocalendar()[:2] for at in found[:10]}) >= 4
    assert len({(at.year, at.month) for at in found}) == 12
    assert len(found) <= 7 + 4 + 12
    assert kept.kept(found) == set(found)


def test_a_copy_a_day_is_made_and_the_oldest_goes(olga, tmp_path: Path, settings) -> None:
    settings.BACKUPS = tmp_path / "kept"
    settings.BACKUPS.mkdir()
    assert kept.is_copy_due()
    for day in range(1, 30):
        (settings.BACKUPS / f"taskboard-201001{day:02}T030000Z.backup").touch()
    (settings.BACKUPS / "my own notes").touch()
    made = kept.make_copy(settings.BACKUPS)
    assert check(made).rows
    assert not kept.is_copy_due()
    left = sorted(path.name for path in settings.BACKUPS.iterdir())
    assert left[0] == "my own notes"
    assert 7 <= len(left) <= 12
    assert "taskboard-20100101T030000Z.backup" not in left


@pytest.fixture
def dated_ahead(tmp_path: Path, settings) -> list[Path]:
    """Copies of the next year: they were made while the machine's clock was ahead."""
    settings.BACKUPS = tmp_path
    days = [timezone.now() + timedelta(days=number) for number in range(1, 400, 7)]
    copies = [tmp_path / f"taskboard-{day.strftime(kept.TIME)}.backup" for day in days]
    for copy in copies:
        copy.touch()
    return copies


def test_a_copy_that_is_dated_ahead_does_not_stand_for_todays(dated_ahead) -> None:
    assert kept.is_copy_due()


def test_copies_that_are_dated_ahead_crowd_out_no_other(dated_ahead, tmp_path: Path) -> None:
    (todays := tmp_path / f"taskboard-{timezone.now().strftime(kept.TIME)}.backup").touch()
    kept.prune(tmp_path)
    assert todays.exists()


def test_the_clock_does_not_look_into_the_folder_of_copies(tmp_path: Path, settings, monkeypatch) -> None:
    settings.BACKUPS = tmp_path
    monkeypatch.setattr(kept, "copies", lambda folder: pytest.fail("on a network disk that hangs"))
    assert CLOCK["kept backups"].only_if()


def copied_before(folder: Path, second: int, *migrations: str) -> Path:
    file = folder / f"before-migration-20300101T00000{second}Z.sqlite3"
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("CREATE TABLE django_migrations (app, name)")
        database.executemany("INSERT INTO django_migrations VALUES ('boards', ?)", zip(migrations, strict=True))
    return file


def test_an_upgrade_that_fails_at_each_start_leaves_the_copy_of_before_it(tmp_path: Path) -> None:
    before = copied_before(tmp_path, 0, "0001")
    *_failed, newest = [copied_before(tmp_path, second, "0001", "0002") for second in range(1, 5)]
    before_migrating.prune(tmp_path)
    assert sorted(tmp_path.iterdir()) == [before, newest]


def test_of_the_copies_before_migrations_three_stay(tmp_path: Path) -> None:
    copies = [copied_before(tmp_path, second, f"000{second}") for second in range(1, 6)]
    before_migrating.prune(tmp_path)
    assert sorted(tmp_path.iterdir()) == copies[-3:]


def test_the_process_that_copies_reads_the_folders_that_the_service_does(
    processes, tmp_path: Path, settings, monkeypatch
) -> None:
    settings.BACKUPS = tmp_path / "kept"
    told = "import sys; from django.conf import settings; sys.exit(f'{settings.DATA} {settings.FILES}')"
    monkeypatch.setattr(daily, "COMMAND", [*daily.COMMAND[:-2], "-c", told])
    monkeypatch.setenv("TASKBOARD_DATA", "data")
    monkeypatch.setenv("TASKBOARD_FILES", "uploads")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BackupTrouble, match=f"{tmp_path / 'data'} {tmp_path / 'uploads'}$"):
        daily.keep_copy.call()


def test_a_copy_that_fails_leaves_the_kept_ones(olga, tmp_path: Path, settings) -> None:
    settings.BACKUPS = tmp_path / "kept"
    settings.BACKUPS.write_text("a file, no folder")
    with pytest.raises(BackupTrouble, match="cannot be made"):
        kept.make_copy(settings.BACKUPS)
