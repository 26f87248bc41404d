"""bin/manage doctor: what is wrong and what to do, each line by itself."""

import io
import json
import shutil
from collections import namedtuple
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from django.core import mail
from django.core.management import call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone
from django_tasks.base import TaskResultStatus

from accounts.models import User
from importer.models import Import
from jobs.clock import set_clock
from jobs.models import Task, Turn
from operating.backup.daily import keep_copy
from operating.backup.kept import TIME
from operating.doctor import machine
from operating.doctor.accounts import check_operators
from operating.doctor.backups import check_backups, check_files
from operating.doctor.database import check_database, check_work
from operating.doctor.finding import Finding, FindingState
from operating.doctor.machine import check_machine
from operating.doctor.settings import check_settings
from operating.tests.test_backup import manage
from taskboard.tests.prepared import prepared_data

Usage = namedtuple("Usage", "free")


def of(found: Iterable[Finding], state: FindingState) -> str:
    return "\n".join(f"{finding.what} {finding.do}" for finding in found if finding.state == state)


def wrong(found: Iterable[Finding]) -> str:
    return of(found, FindingState.WRONG)


def notes(found: Iterable[Finding]) -> str:
    return of(found, FindingState.NOTE)


def test_an_installation_that_is_sound_ends_with_0_and_has_notes(processes: None, tmp_path: Path) -> None:
    data = prepared_data(tmp_path / "data")
    done = manage("doctor", TASKBOARD_DATA=str(data))
    assert done.returncode == 0, done.stdout
    assert "WRONG" not in done.stdout
    assert "note   No copies are kept by the service.\n       Set TASKBOARD_BACKUPS" in done.stdout


def test_a_database_that_is_away_ends_with_1_and_says_so_in_json(processes: None, tmp_path: Path) -> None:
    away = "postgres://nobody@127.0.0.1:1/nothing"
    done = manage("doctor", "--json", TASKBOARD_DATA=str(prepared_data(tmp_path / "data")), DATABASE_URL=away)
    assert done.returncode == 1
    [found] = [row for row in json.loads(done.stdout) if row["state"] == "wrong"]
    assert found["what"].startswith("The database that DATABASE_URL names cannot be reached.")
    assert "Traceback" not in done.stderr


def test_a_damaged_database_is_found(processes: None, tmp_path: Path) -> None:
    data = prepared_data(tmp_path / "data")
    with (data / "taskboard.sqlite3").open("r+b") as file:
        file.seek(file.seek(0, 2) // 2)
        file.write(bytes(200_000))
    done = manage("doctor", TASKBOARD_DATA=str(data))
    assert done.returncode == 1
    assert "WRONG" in done.stdout
    assert "damaged" in done.stdout or "malformed" in done.stdout


@pytest.mark.parametrize(
    "name, value, words",
    [
        ("DEBUG", True, "TASKBOARD_DEBUG is on"),
        ("LIMITS", None, "TASKBOARD_LIMITS is off"),
        ("ALLOWED_HOSTS", ["other.example.com"], "is not in TASKBOARD_ALLOWED_HOSTS"),
        ("ALLOWED_HOSTS", ["*"], "has *"),
        ("HTTPS", True, "no proxy is trusted"),
    ],
)
def test_a_setting_that_is_not_for_others_is_told(settings, name, value, words) -> None:
    assert wrong(check_settings()) == ""
    setattr(settings, name, value)
    assert words in wrong(check_settings())


def test_an_address_without_https_is_a_note(settings) -> None:
    settings.BASE_URL, settings.ALLOWED_HOSTS = "http://boards.example.com", ["boards.example.com"]
    assert "passwords cross the network in clear" in notes(check_settings())


def test_what_others_can_read_is_told(settings, tmp_path) -> None:
    settings.DATA = tmp_path
    tmp_path.chmod(0o700)
    (tmp_path / "secret_key").touch(0o600)
    assert "can read" not in wrong(check_machine())
    (tmp_path / "secret_key").chmod(0o644)
    assert f"chmod go-rwx {tmp_path / 'secret_key'}" in wrong(check_machine())


def test_a_volume_of_a_container_may_let_the_service_in_by_its_group(settings, tmp_path, monkeypatch) -> None:
    settings.DATA = settings.FILES = tmp_path
    monkeypatch.setattr(machine.os, "geteuid", lambda: tmp_path.stat().st_uid + 1)
    tmp_path.chmod(0o2770)
    assert "can read" not in wrong(check_machine())
    tmp_path.chmod(0o2775)
    assert f"chmod o-rwx {tmp_path}" in wrong(check_machine())
    monkeypatch.setattr(machine.os, "geteuid", lambda: tmp_path.stat().st_uid)
    tmp_path.chmod(0o770)
    assert f"chmod go-rwx {tmp_path}" in wrong(check_machine())


def test_a_disk_that_is_nearly_full_is_told(monkeypatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda path: Usage(1000))
    assert "Make room" in wrong(check_machine())
    monkeypatch.setattr(shutil, "disk_usage", lambda path: Usage(machine.LITTLE - 1))
    assert "Make room before the next upgrade" in notes(check_machine())


def test_static_files_that_are_not_collected_are_told(monkeypatch) -> None:
    assert "static" not in wrong(check_machine())
    monkeypatch.setattr(machine, "static_files_are_collected", lambda: False)
    assert "collectstatic" in wrong(check_machine())


def test_a_redis_that_is_away_is_told(settings) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1"
    assert "Redis does not answer" in wrong(check_machine())


@pytest.mark.django_db(transaction=True)
def test_a_database_that_is_sound_is_told_with_its_size() -> None:
    found = list(check_database())
    assert [finding.state for finding in found if "journal mode" not in finding.what] == [FindingState.OK]


@pytest.mark.django_db(transaction=True)
def test_missing_migrations_are_told() -> None:
    recorder = MigrationRecorder(connection)
    recorder.record_unapplied("jobs", "0003_moved_tasks")
    try:
        assert "1 migrations are missing. Run bin/manage migrate" in wrong(check_database())
    finally:
        recorder.record_applied("jobs", "0003_moved_tasks")


@pytest.mark.django_db(transaction=True)
def test_the_database_of_a_newer_version_is_told() -> None:
    recorder = MigrationRecorder(connection)
    recorder.record_applied("jobs", "9999_new")
    try:
        assert "belongs to a newer version" in wrong(check_database())
    finally:
        recorder.record_unapplied("jobs", "9999_new")


@pytest.mark.django_db
def test_a_worker_that_works_is_told_from_one_that_does_not() -> None:
    set_clock()
    assert "No periodic task has run yet" in notes(check_work())
    now = timezone.now()
    Turn.objects.update(last_at=now, next_at=now + timedelta(hours=1))
    assert [finding.state for finding in check_work()] == [FindingState.OK]
    Turn.objects.update(next_at=now - timedelta(minutes=11))
    assert "Work has been waiting since" in wrong(check_work())


@pytest.mark.django_db
def test_work_that_waits_is_told_where_no_worker_ever_ran() -> None:
    keep_copy.enqueue()
    Task.objects.update(enqueued_at=timezone.now() - timedelta(minutes=11))
    assert "Work has been waiting since" in wrong(check_work())


@pytest.mark.django_db
def test_that_nobody_is_an_operator_is_told_with_what_to_do() -> None:
    call_command("demo", stdout=io.StringIO())
    assert "Nobody is an operator yet. Run bin/manage firstlink" in notes(check_operators())
    call_command("adduser", "olga@example.com", password="seven wild swans", stdout=io.StringIO())
    assert "bin/manage adduser EMAIL --operator" in notes(check_operators())
    call_command("adduser", "olga@example.com", password="", operator=True, stdout=io.StringIO())
    assert [finding.state for finding in check_operators()] == [FindingState.OK]
    User.objects.update(is_active=False)
    assert "bin/manage adduser EMAIL --operator" in notes(check_operators())


@pytest.mark.django_db
def test_kept_copies_are_told_by_their_age(settings, tmp_path: Path) -> None:
    settings.BACKUPS = None
    assert "No copies are kept" in notes(check_backups())
    settings.BACKUPS = tmp_path
    assert "There is no copy" in wrong(check_backups())
    for age, state in ((timedelta(days=3), FindingState.WRONG), (timedelta(hours=3), FindingState.OK)):
        (tmp_path / f"taskboard-{(timezone.now() - age).strftime(TIME)}.backup").touch()
        assert "The newest copy" in of(check_backups(), state)


@pytest.mark.django_db
def test_why_the_last_copy_failed_is_told(settings, tmp_path: Path) -> None:
    settings.BACKUPS = tmp_path
    fail_to_copy(timezone.now())
    assert "The last one failed: BackupTrouble: the disk is full" in wrong(check_backups())


@pytest.mark.django_db
def test_a_failure_before_the_newest_copy_is_not_told(settings, tmp_path: Path) -> None:
    settings.BACKUPS, made_at = tmp_path, timezone.now() - timedelta(days=3)
    (tmp_path / f"taskboard-{made_at.strftime(TIME)}.backup").touch()
    fail_to_copy(made_at - timedelta(days=1))
    assert "Does a worker run, and can it write there?" in wrong(check_backups())


def fail_to_copy(at: datetime) -> None:
    Task.objects.create(
        status=TaskResultStatus.FAILED, task_path=keep_copy.module_path, args_kwargs={"args": [], "kwargs": {}},
        backend_name="default", queue_name="default", run_after=at, finished_at=at,
        traceback="Traceback ...\nBackupTrouble: the disk is full\n",
    )  # fmt: skip


@pytest.mark.django_db
def test_a_copy_that_is_dated_ahead_is_none(settings, tmp_path: Path) -> None:
    settings.BACKUPS = tmp_path
    (tmp_path / f"taskboard-{(timezone.now() + timedelta(days=400)).strftime(TIME)}.backup").touch()
    assert "There is no copy" in wrong(check_backups())


@pytest.mark.django_db
def test_a_passphrase_that_is_missing_or_open_is_told(settings, tmp_path: Path) -> None:
    settings.BACKUP_PASSPHRASE_FILE = str(tmp_path / "words")
    assert "cannot be read" in wrong(check_backups())
    (tmp_path / "words").write_text("correct horse battery")
    (tmp_path / "words").chmod(0o644)
    assert "chmod go-rwx" in wrong(check_backups())
    (tmp_path / "words").chmod(0o600)
    assert wrong(check_backups()) == ""


@pytest.mark.django_db
def test_a_passphrase_that_no_backup_takes_is_told(settings, tmp_path: Path) -> None:
    (file := tmp_path / "words").write_text("short")
    file.chmod(0o600)
    settings.BACKUP_PASSPHRASE_FILE = str(file)
    assert "too short" in wrong(check_backups())


def test_uploaded_files_that_are_missing_or_left_over_are_told(olga, settings, tmp_path: Path) -> None:
    settings.FILES = tmp_path
    assert [finding.state for finding in check_files()] == [FindingState.OK]
    olga.picture = "p" * 32
    olga.save(update_fields=["picture"])
    assert "1 uploaded files are missing" in wrong(check_files())
    (tmp_path / "people").mkdir()
    (tmp_path / "people" / f"{'p' * 32}.webp").touch()
    (tmp_path / "people" / "other.webp").touch()
    assert wrong(check_files()) == ""
    assert "1 files in" in notes(check_files())


def test_the_upload_of_an_import_that_waits_is_not_left_over(olga, settings, tmp_path: Path) -> None:
    settings.FILES = tmp_path
    made = Import.objects.create(user=olga, format="trello", file="imports/one", file_name="board.json", salt=b"")
    (tmp_path / made.file).parent.mkdir()
    (tmp_path / made.file).touch()
    assert [finding.state for finding in check_files()] == [FindingState.OK]


def test_a_test_mail_is_sent_or_its_failure_told(settings, olga) -> None:
    settings.MAIL = {}
    out = io.StringIO()
    with pytest.raises(SystemExit):
        call_command("doctor", mail="olga@example.com", stdout=out)
    assert "WRONG  No mail server is set up." in out.getvalue()
    settings.MAIL = {"EMAIL_HOST": "mail.example.com"}
    out = io.StringIO()
    with suppress(SystemExit):  # for what else the settings of tests have
        call_command("doctor", mail="olga@example.com", stdout=out)
    assert "The mail server accepted a test mail to olga@example.com" in out.getvalue()
    assert [message.to for message in mail.outbox] == [["olga@example.com"]]
