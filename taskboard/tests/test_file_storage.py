"""A storage of files that does not answer: told by the start, /healthz and doctor, while everything else works."""

import logging
import signal
from pathlib import Path
from threading import Event

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from boards.models import StoredFile
from core.files import storage
from core.files.storage import StorageFails, storage_may_fail, store
from operating.admin.overview import Overview
from operating.doctor.finding import FindingState
from operating.doctor.machine import check_storage
from taskboard import file_storage, health
from taskboard.file_storage import Watch
from taskboard.tests.prepared import prepared_data
from taskboard.tests.servers import serving
from taskboard.tests.waiting import wait_until
from web.tests.browsing import browser

SENTENCE = "Files cannot be stored or opened right now. Try again in a few minutes."


@pytest.fixture(autouse=True)
def _lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage, "failures", storage.Throttle(0))


@pytest.fixture
def broken(settings, tmp_path: Path) -> Path:
    """The folder of files is a file."""
    (tmp_path / "files").touch()
    settings.FILES = tmp_path / "files"
    return tmp_path / "files"


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Watch:
    """A watch that has looked once."""
    (watch := Watch()).look()
    monkeypatch.setattr(health, "WATCH", watch)
    monkeypatch.setattr(watch, "_next", float("inf"))
    return watch


def test_doctor_says_where_files_are_kept(settings, tmp_path: Path) -> None:
    settings.FILES = tmp_path / "made" / "later"
    [found] = check_storage()
    assert (found.state, found.what) == (FindingState.OK, f"Files can be kept in the folder {settings.FILES}.")


def test_doctor_counts_a_folder_that_cannot_be_used_as_a_failure(broken: Path) -> None:
    [found] = check_storage()
    assert found.state == FindingState.WRONG
    assert found.what == f"Files cannot be kept in the folder {broken}: {broken} is not a folder."


@pytest.mark.django_db(transaction=True)
def test_the_service_is_degraded_and_not_unavailable(broken: Path, watch: Watch, client: Client) -> None:
    answer = client.get("/healthz")
    assert (answer.status_code, answer.json()) == (200, {"status": "degraded", "files": False})


def test_the_log_says_once_that_the_storage_is_away_and_once_that_it_is_back(broken: Path, caplog) -> None:
    watch = Watch()
    watch.look()
    watch.look()
    broken.unlink()
    watch.look()
    told = [record.getMessage() for record in caplog.records if record.name == "taskboard.file_storage"]
    assert told == [
        f"Files cannot be kept in the folder {broken}: {broken} is not a folder. Everything but files works meanwhile.",
        f"Files can be kept in the folder {broken} again.",
    ]


@pytest.mark.django_db(transaction=True)
def test_the_first_page_of_the_admin_says_so(broken: Path, watch: Watch) -> None:
    assert not Overview.now().is_healthy


def test_the_service_starts_and_says_that_files_are_away(processes: None, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    environment = {"TASKBOARD_DATA": str(prepared_data(tmp_path / "data")), "TASKBOARD_FILES": str(tmp_path / "file")}
    with serving(environment) as running:
        wait_until(lambda: running.get("/healthz").json() == {"status": "degraded", "files": False}, "It says ok.")
        assert running.get("/sign-in").status_code == 200
        _code, _out, err = running.stop(signal.SIGTERM)
    assert f"Files cannot be kept in the folder {tmp_path / 'file'}: " in err
    assert "Traceback" not in err


def test_nobody_waits_for_a_storage_that_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    released, asked = Event(), []

    def hang() -> str:
        asked.append(1)
        released.wait(30)
        return "away"

    monkeypatch.setattr(file_storage, "storage_trouble", hang)
    watch = Watch()
    try:
        assert watch.ask()
        assert watch.ask()
        assert len(asked) == 1
    finally:
        released.set()
        wait_until(lambda: not watch.answers, "It goes on looking.")  # else it logs into the next test


def test_an_upload_is_told_that_files_cannot_be_stored(ed, card, settings, broken: Path) -> None:
    answer = upload(ed, card, settings, broken, HTTP_HX_REQUEST="true")
    assert answer.status_code == 503
    assert SENTENCE in answer.content.decode()
    assert "<html" not in answer.content.decode()
    assert not StoredFile.objects.exists()


def test_without_scripts_the_same_sentence_is_a_page(ed, card, settings, broken: Path) -> None:
    answer = upload(ed, card, settings, broken)
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert SENTENCE in answer.content.decode()
    assert "<html" in answer.content.decode()


def upload(person, card, settings, place: Path, **head: str):
    folder = {"BACKEND": "django.core.files.storage.FileSystemStorage", "OPTIONS": {"location": str(place)}}
    settings.STORAGES = {**settings.STORAGES, "default": folder}
    file = SimpleUploadedFile("Some.txt", b"12345")
    return browser(person).post(f"/card/{card.pk}/attachments", {"file": file}, **head)


def test_a_storage_that_fails_is_a_line_and_no_traceback(monkeypatch: pytest.MonkeyPatch, caplog) -> None:
    with pytest.raises(StorageFails), storage_may_fail():
        raise OSError(28, "No space left on device")
    [record] = caplog.records
    assert (record.levelno, record.exc_info) == (logging.ERROR, None)
    assert "No space left on device" in record.getMessage()


def test_a_fault_of_ours_keeps_its_traceback(caplog) -> None:
    with pytest.raises(StorageFails), storage_may_fail():
        raise TypeError("ours")
    assert caplog.records[0].exc_info is not None


def test_a_full_disk_does_not_keep_others_from_trying(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(StorageFails), storage_may_fail():
        raise OSError(28, "No space left on device")
    assert store([b"12345"], most=10).size == 5
