"""Files in a bucket, on a real server of S3's protocol: kept, sent, swept; and what happens while it is away."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import timedelta
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import httpx
import pytest
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.utils import timezone
from PIL import Image

from accounts.pictures import PEOPLE, remove_picture, set_picture
from boards.actions.files.attachments import attach_file, delete_attachment
from boards.actions.files.sweep import sweep
from boards.models import Attachment, Preview, StoredFile
from conftest import run_jobs, web
from core.files import storage
from core.files.storage import StorageFails, open_file, store
from core.outage import Outage, Throttle
from exporter.models import Export
from importer.models import Import
from operating.backup.writing import write_backup
from operating.doctor.finding import FindingState
from operating.doctor.machine import check_storage
from taskboard import environment
from taskboard.tests.servers import ROOT, bare_environment, free_port, wait_for_port
from web.tests.browsing import browser, text_of

KEYS = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_EC2_METADATA_DISABLED": "true"}


@pytest.fixture(scope="module")
def server(s3: Path) -> Iterator[str]:
    port = free_port()
    command = [str(s3 / "bin/python"), "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    process = subprocess.Popen(command, env=os.environ | KEYS, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for_port(port, process)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(20)


@pytest.fixture(scope="module", autouse=True)
def packages(s3: Path) -> Iterator[None]:
    """Find what requirements-s3.txt has in the environment of the S3 server, after everything of the service's own."""
    [place] = map(str, s3.glob("lib/python*/site-packages"))
    sys.path.append(place)
    yield
    sys.path.remove(place)


@pytest.fixture(autouse=True)
def bucket(settings, server, monkeypatch) -> Any:
    import boto3

    monkeypatch.setattr(storage, "outage", Outage())
    monkeypatch.setattr(storage, "failures", Throttle(0))
    for name, value in {**KEYS, "TASKBOARD_S3_ENDPOINT": server, "TASKBOARD_S3_REGION": "us-east-1"}.items():
        monkeypatch.setenv(name, value)
    name = f"files-{time.time_ns()}"
    boto3.resource("s3", endpoint_url=server, region_name="us-east-1").create_bucket(Bucket=name)
    settings.S3_BUCKET = name
    settings.STORAGES = {**settings.STORAGES, "default": environment.bucket(name, server, "us-east-1")}
    return name


@pytest.fixture
def away(bucket, settings, monkeypatch) -> None:
    """Nothing answers where the bucket should be."""
    settings.S3_BUCKET = "away"
    endpoint = f"http://127.0.0.1:{free_port()}"
    settings.STORAGES = {**settings.STORAGES, "default": environment.bucket("away", endpoint, "us-east-1")}


def names() -> set[str]:
    folders, _files = default_storage.listdir("attachments")
    return {name for folder in folders for name in default_storage.listdir(f"attachments/{folder}")[1]}


def photo() -> bytes:
    file = BytesIO()
    Image.new("RGB", (640, 400), "red").save(file, "JPEG")
    return file.getvalue()


def attach(user, card, content: bytes, name: str):
    return attach_file(actor=web(user), card_id=card.pk, stored=store([content], most=10**7), file_name=name)


def test_a_file_is_kept_sent_in_parts_and_has_previews(ed, card):
    content = os.urandom(3_000_000)
    made = attach(ed, card, content, "Large.bin")
    answer = browser(ed).get(f"/attachments/{made.pk}", HTTP_RANGE="bytes=10-19")
    assert (answer.status_code, b"".join(answer.streaming_content)) == (206, content[10:20])
    picture = attach(ed, card, photo(), "photo.jpg")
    run_jobs()
    assert StoredFile.objects.get(pk=picture.file_id).preview == Preview.MADE
    preview = browser(ed).get(f"/attachments/{picture.pk}/thumbnail")
    assert Image.open(BytesIO(b"".join(preview.streaming_content))).size == (320, 200)


def test_downloads_may_go_to_the_bucket_by_a_signed_address_that_expires(ed, stan, card, settings):
    settings.S3_REDIRECT = True
    made = attach(ed, card, b"<script>", "Größe.html")
    answer = browser(ed).get(f"/attachments/{made.pk}")
    assert (answer.status_code, "X-Amz-Expires=60" in answer["Location"]) == (302, True)
    sent = httpx.get(answer["Location"], trust_env=False)
    assert (sent.content, sent.headers["Content-Type"]) == (b"<script>", "text/plain")
    assert sent.headers["Content-Disposition"].startswith("attachment; filename*=utf-8''Gr")
    assert browser(stan).get(f"/attachments/{made.pk}").status_code == 404


def test_the_sweep_finds_and_mends_the_same_as_in_a_folder(ed, card):
    made = attach(ed, card, b"12345", "Some.txt")
    stray = store([b"stray"], most=10)
    later = timezone.now() + timedelta(hours=2)
    assert sweep(later)["files without row"] == 1
    assert stray.name not in names()
    delete_attachment(actor=web(ed), attachment_id=made.pk)
    sweep(later)
    sweep(later + timedelta(hours=25))
    assert names() == set()


def test_a_file_that_is_gone_is_answered_404_and_marked(ed, card):
    made = attach(ed, card, b"12345", "Some.txt")
    default_storage.delete(f"attachments/{made.file.name[:2]}/{made.file.name}")
    assert browser(ed).get(f"/attachments/{made.pk}").status_code == 404
    with pytest.raises(FileNotFoundError):
        open_file(made.file.name)
    assert sweep(timezone.now())["rows without file"] == 1


def test_pictures_of_people_are_kept_there_too(olga):
    set_picture(olga, b"a picture")
    assert PEOPLE.read(olga.picture) == b"a picture"
    assert PEOPLE.delete_unused(timezone.now() + timedelta(hours=2)) == 0
    remove_picture(olga)


@pytest.mark.django_db(transaction=True)
def test_a_backup_holds_what_is_in_the_bucket_and_a_restore_puts_it_into_another(processes, ed, card, server, tmp_path):
    import boto3

    content = os.urandom(300_000)
    made = attach(ed, card, content, "Some.bin")
    kept = f"attachments/{made.file.name[:2]}/{made.file.name}"
    file = tmp_path / "some.backup"
    assert [part.file for part in write_backup(file).of("files/")] == [kept]
    another = boto3.resource("s3", endpoint_url=server, region_name="us-east-1").create_bucket(Bucket=f"{made.pk}")

    done = restored(file, TASKBOARD_DATA=str(tmp_path / "data"), TASKBOARD_S3_BUCKET=another.name)
    assert done.returncode == 0, done.stderr
    assert {one.key: one.get()["Body"].read() for one in another.objects.all()} == {kept: content}
    assert not [*(tmp_path / "data").rglob("*.bin"), *(tmp_path / "data").rglob(made.file.name)]


@pytest.mark.django_db(transaction=True)
def test_a_restore_into_a_bucket_with_other_files_is_refused(processes, ed, card, bucket, tmp_path):
    write_backup(file := tmp_path / "some.backup")
    store([b"stray"], most=10)
    done = restored(file, TASKBOARD_DATA=str(tmp_path / "data"), TASKBOARD_S3_BUCKET=bucket)
    assert done.returncode == 1
    assert f"There are files in the bucket {bucket} that are not in the backup" in done.stderr
    assert len(names()) == 1


@pytest.mark.django_db(transaction=True)
def test_a_backup_while_the_bucket_is_away_is_none_and_says_so(away, olga, tmp_path):
    with pytest.raises(CommandError, match="connect"):
        call_command("backup", str(tmp_path / "some.backup"))
    assert [*tmp_path.iterdir()] == []


def restored(file: Path, **more: str) -> "subprocess.CompletedProcess[str]":
    """Restore in a process of its own, which finds the packages for S3."""
    code = "import sys; sys.path.append(sys.argv.pop(1)); from django.core.management import execute_from_command_line as run; run()"
    command = [sys.executable, "-c", code, sys.path[-1], "restore", str(file)]
    known = {name: os.environ[name] for name in ("TASKBOARD_S3_ENDPOINT", "TASKBOARD_S3_REGION")}
    known["DJANGO_SETTINGS_MODULE"] = "taskboard.settings"
    return subprocess.run(
        command, cwd=ROOT, env=bare_environment() | known | more, capture_output=True, text=True, timeout=110
    )


def test_while_the_bucket_is_away_nothing_is_attached_and_people_are_told_to_come_back(db, away):
    with pytest.raises(StorageFails):
        store([b"12345"], most=10)
    assert StoredFile.objects.count() == 0


def test_a_bucket_that_was_just_away_is_not_tried_by_everybody(db, away, server, settings, monkeypatch, caplog):
    monkeypatch.setattr(storage, "outage", Outage(retry_after=3600))
    with pytest.raises(StorageFails):
        store([b"12345"], most=10)
    settings.STORAGES = {**settings.STORAGES, "default": environment.bucket("away", server, "us-east-1")}
    with pytest.raises(StorageFails):
        store([b"12345"], most=10)
    assert [record.exc_info for record in caplog.records if record.name == "core.files.storage"] == [None]


def test_a_file_that_is_gone_is_no_outage(bucket):
    with pytest.raises(FileNotFoundError):
        open_file("a" * 32)
    assert not storage.outage.is_on


def test_doctor_finds_the_bucket_and_counts_one_that_is_away_as_a_failure(bucket, settings):
    assert [(found.state, found.what) for found in check_storage()] == [
        (FindingState.OK, f"Files can be kept in the bucket {bucket}.")
    ]
    settings.STORAGES = {
        **settings.STORAGES,
        "default": environment.bucket("no-such-bucket", os.environ["TASKBOARD_S3_ENDPOINT"], "us-east-1"),
    }
    settings.S3_BUCKET = "no-such-bucket"
    [found] = check_storage()
    assert found.state == FindingState.WRONG
    assert "Files cannot be kept in the bucket no-such-bucket: " in found.what


def test_doctor_counts_a_bucket_that_cannot_be_reached_as_a_failure(away):
    [found] = check_storage()
    assert found.state == FindingState.WRONG
    assert found.what.startswith("Files cannot be kept in the bucket away: Could not connect to the endpoint URL")


def test_a_client_of_a_bucket_gives_up_in_seconds(bucket):
    config = default_storage.connection.meta.client.meta.config
    assert (config.connect_timeout, config.read_timeout) == (2, 5)
    assert config.retries["total_max_attempts"] == 2
    assert config.s3["addressing_style"] == "path"


@pytest.mark.django_db(transaction=True)
def test_an_export_is_made_there_and_taken_in_from_there_by_another_account(olga, ed, stan, card, board):
    content = os.urandom(6_000_000)  # more than one part of an upload to the bucket
    attach(ed, card, content, "Some.bin")
    zipped = exported(olga)
    with ZipFile(BytesIO(zipped)) as archive:
        assert archive.testzip() is None
    answer = begin_import(stan, zipped)
    assert answer.status_code == 302, text_of(answer)
    run_jobs()
    assert len(default_storage.listdir("imports")[1]) == 1
    browser(stan).post(f"{answer['Location']}/start")
    run_jobs()
    taken = Attachment.objects.get(card__board__memberships__user=stan)
    with open_file(taken.file.name) as file:
        assert file.read() == content
    assert default_storage.listdir("imports")[1] == []
    browser(olga).post(f"/settings/data/exports/{Export.objects.get().pk}/deletion")
    assert default_storage.listdir("exports")[1] == []


def exported(user) -> bytes:
    """Return the zip as its person gets it."""
    browser(user).post("/settings/data/exports", {"form": "zip", "board": "all"})
    run_jobs()
    row = Export.objects.get()
    answer = browser(user).get(f"/settings/data/exports/{row.pk}")
    sent = answer.getvalue()
    assert int(answer["Content-Length"]) == row.size == len(sent)
    return sent


def begin_import(user, content: bytes):
    file = SimpleUploadedFile("export.zip", content)
    return browser(user).post("/settings/data/import", {"file": file, "format": ""})


@pytest.mark.django_db(transaction=True)
def test_while_the_bucket_is_away_an_export_fails_in_words(olga, ed, card, request):
    made = attach(ed, card, b"12345", "Some.bin")
    exported(olga)
    before = Export.objects.get()
    request.getfixturevalue("away")
    browser(olga).post("/settings/data/exports", {"form": "zip", "board": "all"})
    run_jobs()
    assert Export.objects.exclude(pk=before.pk).values_list("state", "problem").get() == ("failed", "storage")
    assert "The file could not be stored." in text_of(browser(olga).get("/settings/data"))
    for address in (f"/settings/data/exports/{before.pk}", f"/attachments/{made.pk}"):
        answer = browser(olga).get(address)
        assert (answer.status_code, answer["Retry-After"]) == (503, "5"), address


@pytest.mark.django_db(transaction=True)
def test_while_the_bucket_is_away_nothing_is_imported_and_people_are_told_to_come_back(stan, request):
    tables = begin_import(stan, b"Title,List,Whose\nPaint the fence,To do,Ed\n")
    assert tables.status_code == 302
    request.getfixturevalue("away")
    for answer in (begin_import(stan, b"{}"), browser(stan).get(tables["Location"])):
        assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert Import.objects.count() == 1
    with pytest.raises(CommandError, match="does not answer"):
        call_command("import", stan.email, __file__, "--format", "csv", "--yes")


@pytest.mark.django_db(transaction=True)
def test_while_the_bucket_is_away_a_picture_is_refused_and_none_is_shown(olga, request):
    set_picture(olga, b"a picture")
    request.getfixturevalue("away")
    file = SimpleUploadedFile("me.jpg", photo(), "image/jpeg")
    for answer in (
        browser(olga).post("/settings/profile/picture", {"picture": file}),
        browser(olga).get(f"/people/{olga.picture}"),
    ):
        assert (answer.status_code, answer["Retry-After"]) == (503, "5")
