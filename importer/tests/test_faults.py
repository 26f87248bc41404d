"""A worker that dies at any step leaves nothing half made, and the next one makes each board exactly once."""

import os
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.core.files.storage import default_storage
from django.urls import reverse
from django.utils import timezone

from boards.actions import imports as writing
from boards.actions.boards.board import create_board
from boards.actions.cards.card import create_card
from boards.models import Board, Card, Invitation, List, Membership
from conftest import join, run_jobs, web
from importer import steps, storing, tasks
from importer.models import Import, ImportState
from importer.storing import delete_unused
from importer.tasks import tidy_imports, write_file
from importer.tests.circle import exported
from importer.tests.test_pages import upload
from notifications.models import Notification
from web.tests.browsing import browser


class Killed(BaseException):
    """Ends the worker in the middle: what it would do afterwards is not done."""


@pytest.fixture
def waiting(olga, stan, transactional_db, monkeypatch):
    """An import of two boards with five cards each, about to be written."""
    for title in ("First", "Second"):
        board = create_board(actor=web(olga), title=title, template="kanban")
        for number in range(5):
            create_card(actor=web(olga), list_id=board.lists.first().pk, title=f"{title} {number}")
    run_jobs()
    monkeypatch.setattr(writing, "CHUNK", 2)
    upload(stan, exported(olga))
    row = Import.objects.get()
    steps.begin_writing(row, people={}, left_out=(), at_once=True)
    return row


def die_at(monkeypatch, number):
    """Have the worker die at its transaction of this number, without tidying up after itself."""
    seen = []
    commit = writing.transaction.atomic

    def atomic(*args, **options):
        seen.append(1)
        if len(seen) == number:
            raise Killed
        return commit(*args, **options)

    monkeypatch.setattr(writing.transaction, "atomic", atomic)
    monkeypatch.setattr(writing, "discard_import", lambda board_id: None)


def boards_of(user):
    return sorted(Membership.objects.filter(user=user).values_list("board__title", flat=True))


@pytest.mark.usefixtures("each_makes_statements")
@pytest.mark.parametrize("number", [1, 2, 3, 5, 6, 7, 8, 12])
def test_a_worker_that_dies_leaves_whole_boards_and_the_next_one_goes_on(waiting, stan, monkeypatch, number):
    with monkeypatch.context() as patch:
        die_at(patch, number)
        with pytest.raises(Killed):
            write_file.call(str(waiting.pk))
    waiting.refresh_from_db()
    assert waiting.state == ImportState.RUNNING
    assert len(boards_of(stan)) == len(waiting.made)
    for board in Board.objects.filter(memberships__user=stan):
        assert board.cards.count() == 5
    write_file.call(str(waiting.pk))
    waiting.refresh_from_db()
    assert waiting.state == ImportState.DONE
    assert boards_of(stan) == ["First", "Second"]
    assert Card.objects.filter(board__memberships__user=stan).count() == 10
    assert not Board.objects.filter(version=0).exists()
    assert Notification.objects.filter(user=stan).count() == 1


def test_people_are_invited_to_a_board_after_which_the_worker_died(waiting, stan, ed, board, monkeypatch):
    def die(**_options):
        raise Killed

    join(stan, board)
    Import.objects.update(people={"ken": str(ed.pk)})
    with monkeypatch.context() as patch:
        patch.setattr("importer.writing.invite_person", die)
        with pytest.raises(Killed):
            write_file.call(str(waiting.pk))
    write_file.call(str(waiting.pk))
    assert sorted(Invitation.objects.filter(invitee=ed).values_list("board__title", flat=True)) == ["First", "Second"]


def test_an_import_whose_end_cannot_be_told_is_failed_by_the_last_attempt(waiting, stan, monkeypatch):
    told = []

    def tell(row, state):
        told.append(state)
        if state == "done":
            raise OSError("the table is broken")

    monkeypatch.setattr(tasks, "_tell", tell)
    for _attempt in range(tasks.TRIES):
        with pytest.raises(OSError, match="the table is broken"):
            write_file.call(str(waiting.pk))
    waiting.refresh_from_db()
    assert (waiting.state, told[-1]) == (ImportState.FAILED, "failed")
    assert boards_of(stan) == ["First", "Second"]


def test_an_import_that_is_run_again_after_its_end_does_nothing(waiting, stan):
    write_file.call(str(waiting.pk))
    write_file.call(str(waiting.pk))
    assert boards_of(stan) == ["First", "Second"]


def test_a_cancelled_import_stops_in_the_middle_of_a_board_of_which_nothing_stays(waiting, stan, monkeypatch):
    real, seen = writing.islice, []

    def islice(*args):
        seen.append(1)
        if len(seen) == 6:  # the second board
            steps.cancel(Import.objects.select_related("user").get())
        return real(*args)

    monkeypatch.setattr(writing, "islice", islice)
    write_file.call(str(waiting.pk))
    waiting.refresh_from_db()
    assert waiting.state == ImportState.CANCELLED
    assert boards_of(stan) == ["First"]
    assert [one["title"] for one in waiting.made] == ["First"]
    assert not Board.objects.filter(version=0).exists()
    assert not List.objects.exclude(board__memberships__isnull=False).exists()


def test_an_earlier_worker_that_was_only_asleep_stops(waiting, stan, monkeypatch):
    real, seen = writing.islice, []

    def islice(*args):
        seen.append(1)
        if len(seen) == 2:
            Import.objects.update(attempt=7)  # another one has taken it
        return real(*args)

    monkeypatch.setattr(writing, "islice", islice)
    write_file.call(str(waiting.pk))
    assert Import.objects.get().state == ImportState.RUNNING
    assert boards_of(stan) == []


def test_an_import_whose_reading_cannot_be_asked_for_stays_as_it_was(olga, stan, board, transactional_db, monkeypatch):
    upload(stan, exported(olga))
    Import.objects.update(state=ImportState.ASKING, report={})
    row = Import.objects.get()

    def enqueue(import_id):
        raise OSError("the table is broken")

    monkeypatch.setattr(steps, "read_file", SimpleNamespace(using=lambda **queue: SimpleNamespace(enqueue=enqueue)))
    with pytest.raises(OSError, match="the table is broken"):
        steps.begin_reading(row)
    row.refresh_from_db()
    assert row.state == ImportState.ASKING


def test_what_nobody_decides_on_ends_after_a_day_with_its_file(olga, stan, board, transactional_db):
    upload(stan, exported(olga))
    row = Import.objects.get()
    Import.objects.update(changed_at=timezone.now() - timedelta(hours=25))
    tidy_imports.call()
    assert not default_storage.exists(row.file)
    row.refresh_from_db()
    assert (row.state, row.file) == (ImportState.CANCELLED, "")


def test_a_board_that_a_dead_worker_left_is_swept_when_its_import_is_gone(waiting, stan, monkeypatch):
    with monkeypatch.context() as patch:
        die_at(patch, 4)
        with pytest.raises(Killed):
            write_file.call(str(waiting.pk))
    assert Board.objects.filter(version=0).exists()
    Import.objects.all().delete()
    tidy_imports.call()
    assert not Board.objects.filter(version=0).exists()
    assert not Card.objects.filter(board__memberships=None).exists()


def test_a_file_without_a_row_is_swept_after_an_hour(olga, stan, board, transactional_db):
    upload(stan, exported(olga))
    name = Import.objects.get().file
    Import.objects.all().delete()
    assert delete_unused(timezone.now()) == 0
    old = (timezone.now() - timedelta(hours=2)).timestamp()
    os.utime(default_storage.path(name), (old, old))
    assert delete_unused(timezone.now()) == 1
    assert not default_storage.exists(name)


class FullDisk:
    def save(self, *args):
        raise OSError(28, "No space left on device")

    def delete(self, name):
        pass


def test_a_full_disk_is_told_in_words_and_leaves_nothing(olga, stan, board, transactional_db, monkeypatch):
    export = exported(olga)
    monkeypatch.setattr(storing, "default_storage", FullDisk())
    answer = upload(stan, export)
    assert answer.status_code == 422
    assert "There is no space left for this file." in answer.content.decode()
    assert not Import.objects.exists()


def test_on_a_real_full_disk_nothing_stays_and_a_smaller_file_is_taken(olga, stan, board, small_disk, transactional_db):
    export = exported(olga)
    answer = upload(stan, export | {"padding": "x" * 3 * 1024 * 1024})
    assert answer.status_code == 422
    assert "There is no space left for this file." in answer.content.decode()
    assert not Import.objects.exists()
    assert [path for path in small_disk.rglob("*") if path.is_file()] == []
    assert upload(stan, export).status_code == 302
    assert Import.objects.get().state == ImportState.REPORTED


def test_a_file_that_is_gone_ends_the_import_in_words(olga, stan, board, transactional_db):
    upload(stan, exported(olga))
    row = Import.objects.get()
    default_storage.delete(row.file)
    browser(stan).post(reverse("import_start", args=[row.pk]))
    run_jobs()
    row.refresh_from_db()
    assert row.state == ImportState.FAILED
    assert row.error == "The file is no longer there. Choose it again."
