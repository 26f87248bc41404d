"""Exports that are made beside requests: asked for, watched, downloaded, cancelled, deleted, and gone after a day."""

import errno
from datetime import timedelta
from io import BytesIO
from zipfile import ZipFile

import pytest
import time_machine
from django.core.files.storage import default_storage
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from account_deletion.deletion import delete_account
from boards.actions.boards.board import create_board
from boards.actions.cards.card import create_card
from boards.actions.people.members import remove_member
from conftest import run_jobs, web
from core.limits.queues import own_queue
from exporter import kept, making
from exporter.models import FOLDER, Export, ExportState, Form, Problem
from exporter.tests.conftest import checked, titles
from jobs.backend import HEAVY
from jobs.models import Task
from notifications.models import Notification
from operating.tidying import tidy
from security.models import EventKind, SecurityEvent
from web.tests.browsing import browser, text_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("storage")]
PAGE = "/settings/data"


def ask(user, form="json", board=None):
    return browser(user).post("/settings/data/exports", {"form": form, "board": board.pk if board else "all"})


def made(user, form="json", board=None) -> Export:
    answer = ask(user, form, board)
    assert answer.status_code == 302, text_of(answer)
    run_jobs()
    return Export.objects.filter(user=user).latest("created_at")


def downloaded(user, export: Export, **headers):
    """Return the answer, whose content was read."""
    answer = browser(user).get(address(export), **headers)
    if answer.streaming:
        answer.text_sent = answer.getvalue().decode()
    return answer


def test_exports_of_an_account_wait_for_each_other_alone(olga, board):
    ask(olga)
    assert Task.objects.get().queue_name == own_queue(olga.pk, HEAVY)


def address(export: Export, rest: str = "") -> str:
    return f"/settings/data/exports/{export.pk}{rest}"


def stored(storage) -> list[str]:
    return sorted(path.name for path in (storage / FOLDER).iterdir()) if (storage / FOLDER).exists() else []


def told(user) -> list[dict]:
    return list(Notification.objects.filter(user=user, kind="finished").values_list("data", flat=True))


def test_what_is_asked_for_is_made_and_downloaded_again_and_again(olga, board, card, storage):
    export = made(olga)
    assert (export.state, stored(storage)) == (ExportState.DONE, [export.name])
    for _time in range(2):
        answer = downloaded(olga, export)
        assert answer["Content-Disposition"].startswith('attachment; filename="taskboard-export-')
        assert answer["Content-Type"] == "application/json"
        assert "no-store" in answer["Cache-Control"]
        assert int(answer["Content-Length"]) == export.size
        assert titles(checked(answer.text_sent)["boards"]) == ["Launch"]


def test_the_page_shows_nothing_then_the_progress_then_the_download(olga, board):
    client = browser(olga)
    assert "No exports yet" in text_of(client.get(PAGE))
    ask(olga, "zip")
    page = text_of(client.get(PAGE))
    assert "Waiting to start" in page
    assert "Create export" not in page
    run_jobs()
    page = text_of(client.get(PAGE))
    assert "Download" in page
    assert "kept until" in page
    assert "Create export" in page


def test_scripts_read_the_panel_alone(olga, board):
    ask(olga)
    answer = browser(olga).get("/settings/data/exports")
    assert answer["X-Answer"] == "fragments"
    assert answer.content.decode().lstrip().startswith("<section")
    assert 'data-behaviour="exports"' in answer.content.decode()


def test_its_person_is_told_that_it_is_ready(olga, board):
    made(olga)
    assert told(olga) == [{"what": "export", "state": "done", "name": "all boards", "link": PAGE}]


def test_one_board_is_exported_alone_in_each_form(olga, board, card):
    create_board(actor=web(olga), title="Private")
    assert titles(checked(browser(olga).get(address(made(olga, "json", board))).getvalue())["boards"]) == ["Launch"]
    csv = browser(olga).get(address(made(olga, "csv", board)))
    assert csv["Content-Type"] == "text/csv; charset=utf-8"
    assert 'filename="Launch-' in csv["Content-Disposition"]
    assert "Write the announcement" in csv.getvalue().decode()
    with ZipFile(BytesIO(browser(olga).get(address(made(olga, "zip", board))).getvalue())) as archive:
        assert "boards/Launch.md" in archive.namelist()
        assert "boards/Private.md" not in archive.namelist()


def test_a_viewer_exports_a_board_too(vera, board, card):
    assert made(vera, "csv", board).state == ExportState.DONE


def test_a_board_of_others_cannot_be_chosen(stan, board):
    answer = ask(stan, "json", board)
    assert answer.status_code == 422
    assert not Export.objects.exists()


def test_csv_wants_one_board(olga, board):
    answer = ask(olga, "csv")
    assert (answer.status_code, "Choose which" in text_of(answer)) == (422, True)


def test_who_is_removed_before_it_is_made_gets_nothing(olga, ed, board):
    ask(ed, "json", board)
    remove_member(actor=web(olga), board_id=board.pk, user_id=ed.pk)
    run_jobs()
    export = Export.objects.get()
    assert (export.state, export.problem) == (ExportState.FAILED, Problem.NO_BOARD)
    assert "no longer have access" in text_of(browser(ed).get(PAGE))
    assert told(ed)[0]["state"] == "failed"


@pytest.mark.usefixtures("each_makes_statements")
@pytest.mark.parametrize("rest", ["", "/cancellation", "/deletion"])
def test_the_export_of_somebody_else_is_not_there(olga, ed, board, rest, storage):
    export = made(olga)
    client = browser(ed)
    answer = client.post(address(export, rest)) if rest else client.get(address(export))
    assert answer.status_code == 404
    assert stored(storage) == [export.name]


def test_without_a_session_nothing_is_sent(olga, board):
    export = made(olga)
    assert "/sign-in" in browser().get(address(export))["Location"]


def test_an_unchanged_file_is_not_sent_again(olga, board):
    export = made(olga)
    etag = downloaded(olga, export)["ETag"]
    assert downloaded(olga, export, HTTP_IF_NONE_MATCH=etag).status_code == 304


@pytest.mark.usefixtures("each_makes_statements")
@pytest.mark.parametrize(
    ("asked", "status", "part"),
    [
        ("bytes=0-9", 206, slice(0, 10)),
        ("bytes=10-", 206, slice(10, None)),
        ("bytes=-5", 206, slice(-5, None)),
        ("bytes=0-1,4-5", 200, slice(None)),
        ("bytes=9-3", 200, slice(None)),
    ],
)
def test_a_part_of_the_file_is_sent_where_one_is_asked_for(olga, board, card, asked, status, part):
    export = made(olga)
    whole = downloaded(olga, export).text_sent.encode()
    answer = downloaded(olga, export, HTTP_RANGE=asked)
    assert (answer.status_code, answer.text_sent.encode()) == (status, whole[part])
    assert answer["Content-Length"] == str(len(whole[part]))
    first = len(whole) - len(whole[part]) if part.start != 0 else 0
    told = f"bytes {first}-{first + len(whole[part]) - 1}/{len(whole)}" if status == 206 else None
    assert answer.get("Content-Range") == told
    assert (answer["Content-Type"], answer["Accept-Ranges"]) == ("application/json", "bytes")


def test_a_part_that_the_file_does_not_have_is_refused_with_its_size(olga, board):
    export = made(olga)
    answer = downloaded(olga, export, HTTP_RANGE=f"bytes={export.size}-")
    assert (answer.status_code, answer["Content-Range"]) == (416, f"bytes */{export.size}")


def test_a_download_goes_on_where_it_broke_only_in_the_same_file(olga, board):
    export = made(olga)
    etag = downloaded(olga, export)["ETag"]
    same, other = (
        downloaded(olga, export, HTTP_RANGE="bytes=5-", HTTP_IF_RANGE=known) for known in (etag, '"another"')
    )
    assert (same.status_code, len(same.text_sent.encode())) == (206, export.size - 5)
    assert (other.status_code, len(other.text_sent.encode())) == (200, export.size)


def test_nobody_else_is_sent_a_part(olga, ed, board):
    assert downloaded(ed, made(olga), HTTP_RANGE="bytes=0-0").status_code == 404


def test_a_head_request_has_the_head_of_the_whole_whatever_part_it_asks_for(olga, board):
    export = made(olga)
    answer = browser(olga).head(address(export), HTTP_RANGE="bytes=0-0")
    assert (answer.status_code, answer["Content-Length"]) == (200, str(export.size))
    answer.close()


def test_one_export_at_a_time(olga, ed, board):
    assert ask(olga).status_code == 302
    again = ask(olga)
    assert (again.status_code, "An export is already running" in text_of(again)) == (409, True)
    assert ask(ed).status_code == 302
    assert Export.objects.filter(user=olga).count() == 1


def test_no_more_than_five_are_kept(olga, board, settings):
    settings.LIMITS = None
    for _number in range(kept.MOST):
        made(olga)
    refused = ask(olga)
    assert (refused.status_code, "Delete one" in text_of(refused)) == (409, True)
    browser(olga).post(address(Export.objects.first(), "/deletion"))
    assert made(olga).state == ExportState.DONE


def test_five_an_hour_and_a_refused_one_costs_nothing(olga, board):
    ask(olga)
    for _refused in range(10):
        assert ask(olga).status_code == 409
    run_jobs()
    for _more in range(4):
        assert made(olga).state == ExportState.DONE
        browser(olga).post(address(Export.objects.filter(user=olga).first(), "/deletion"))
    refused = ask(olga)
    assert refused.status_code == 429
    assert "You can export again in" in text_of(refused)


def test_cancelled_while_it_waits_it_is_never_made(olga, board, storage):
    ask(olga)
    client = browser(olga)
    client.post(address(Export.objects.get(), "/cancellation"))
    assert "No exports yet" in text_of(client.get(PAGE))
    run_jobs()
    assert not Export.objects.exists()
    assert (stored(storage), told(olga)) == ([], [])


@pytest.fixture
def meanwhile(monkeypatch):
    """Has something happen while an export is written, when so many cards were read."""

    def during(happens, after: int = 1) -> None:
        read = making.Watched.read_card
        monkeypatch.setattr(making, "TELL_EVERY", 0)

        def read_card(self):
            if self.cards_done == after - 1:
                happens()
            read(self)

        monkeypatch.setattr(making.Watched, "read_card", read_card)

    return during


@pytest.mark.parametrize("form", ["json", "zip"])
def test_cancelled_while_it_is_made_it_stops_and_its_file_goes(olga, board, card, storage, meanwhile, form):
    ask(olga, form)
    meanwhile(lambda: browser(olga).post(address(Export.objects.get(), "/cancellation")))
    run_jobs()
    assert not Export.objects.exists()
    assert (stored(storage), told(olga)) == ([], [])


def test_its_progress_is_on_the_page(olga, board, todo, card, meanwhile):
    create_card(actor=web(olga), list_id=todo.pk, title="Second")
    seen = []
    meanwhile(lambda: seen.append(text_of(browser(olga).get(PAGE))), after=2)
    made(olga)
    assert "1 of 2 cards" in seen[0]
    assert "1 board" in seen[0]


@pytest.mark.parametrize(
    "error, problem",
    [
        (OSError(errno.ENOSPC, "No space left on device"), Problem.DISK_FULL),
        (OSError(errno.EIO, "Input/output error"), Problem.STORAGE),
        (ZeroDivisionError(), Problem.FAULT),
    ],
)
def test_one_that_fails_says_why_and_leaves_no_file(olga, board, card, storage, meanwhile, error, problem):
    def fail():
        raise error

    ask(olga)
    meanwhile(fail)
    run_jobs()
    export = Export.objects.get()
    assert (export.state, export.problem, stored(storage)) == (ExportState.FAILED, problem, [])
    assert str(problem.label) in text_of(browser(olga).get(PAGE))
    assert told(olga)[0]["state"] == "failed"
    browser(olga).post(address(export, "/deletion"))
    assert not Export.objects.exists()


def test_after_a_day_it_is_gone_with_its_file(olga, board, storage):
    export = made(olga)
    with time_machine.travel(timezone.now() + timedelta(hours=25)):
        assert browser(olga).get(address(export)).status_code in (302, 404)
        assert tidy()["exports"] == 1
    assert (Export.objects.count(), stored(storage)) == (0, [])


def test_a_day_has_not_passed_after_23_hours(olga, board, storage):
    export = made(olga)
    with time_machine.travel(timezone.now() + timedelta(hours=23)):
        tidy()
    assert stored(storage) == [export.name]


def test_files_without_a_row_go_once_they_are_old(olga, board, storage):
    export = made(olga)
    (storage / FOLDER / "lost").write_bytes(b"x")
    tidy()
    assert stored(storage) == sorted([export.name, "lost"])
    with time_machine.travel(timezone.now() + timedelta(hours=2)):
        tidy()
    assert stored(storage) == [export.name]


def test_one_whose_task_is_gone_has_failed(olga, board):
    ask(olga)
    Export.objects.update(task_id=None)
    tidy()
    assert Export.objects.get().problem == Problem.INTERRUPTED
    assert ask(olga).status_code == 302


def test_a_second_attempt_deletes_what_the_first_left(olga, board, card, storage):
    export = Export.objects.create(user=olga, form=Form.JSON, state=ExportState.RUNNING, name="killed")
    default_storage.save("exports/killed", BytesIO(b"half"))
    making.make_export.func(str(export.pk))
    export.refresh_from_db()
    assert (export.state, stored(storage)) == (ExportState.DONE, [export.name])


def test_an_attempt_that_was_thought_dead_leaves_the_file_of_the_next_one_alone(olga, board, card, storage, meanwhile):
    ask(olga)

    def taken_over():
        Export.objects.update(name="other")
        default_storage.save("exports/other", BytesIO(b"x"))

    meanwhile(taken_over)
    run_jobs()
    export = Export.objects.get()
    assert (export.state, export.name, stored(storage)) == (ExportState.RUNNING, "other", ["other"])


def test_an_export_that_is_done_is_not_made_again(olga, board, storage):
    export = made(olga)
    making.make_export.func(str(export.pk))
    assert stored(storage) == [export.name]
    assert len(told(olga)) == 1


def test_a_deleted_account_leaves_neither_rows_nor_files(olga, board, storage):
    made(olga)
    delete_account(olga, deleting=[board.pk], request=None)
    assert (Export.objects.count(), stored(storage)) == (0, [])


def test_the_security_log_has_the_request_and_the_download(olga, board):
    export = made(olga, "csv", board)
    browser(olga).get(address(export)).getvalue()
    rows = SecurityEvent.objects.filter(kind=EventKind.EXPORTED).order_by("pk").values_list("details", flat=True)
    assert list(rows) == [
        {"form": "csv", "board": "Launch"},
        {"form": "csv", "board": "Launch", "step": "download"},
    ]


def test_the_page_takes_a_known_number_of_statements(olga, board, settings):
    settings.LIMITS = None
    client = browser(olga)
    made(olga)
    client.get(PAGE)

    def count() -> int:
        with CaptureQueriesContext(connection) as seen:
            client.get(PAGE)
        return len(seen)

    before = count()
    for _number in range(3):
        made(olga)
        create_board(actor=web(olga), title="More")
    assert count() == before
