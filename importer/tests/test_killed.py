"""The worker of an import is killed, as a process: the next attempt begins anew and ends right, once."""

import os
import signal
import subprocess
import sys

import pytest
from django.conf import settings
from django.core.files.storage import default_storage

from boards.actions.boards.board import create_board
from boards.actions.cards.card import create_card
from boards.models import Board, Card, List
from conftest import run_jobs, web
from importer import steps
from importer.models import Import, ImportState
from importer.tasks import read_file, write_file
from importer.tests.circle import exported
from importer.tests.test_pages import upload
from jobs.tests.test_killed import KILLED, database_of_this_test, wait_until_its_locks_are_gone
from notifications.models import Notification
from taskboard.tests.servers import ROOT

pytestmark = pytest.mark.django_db(transaction=True)
TITLES = ["First", "Second"]


@pytest.fixture
def row(olga, stan):
    """An import of two boards with five cards each; its report is made."""
    for title in TITLES:
        board = create_board(actor=web(olga), title=title, template="kanban")
        for number in range(5):
            create_card(actor=web(olga), list_id=board.lists.first().pk, title=f"{title} {number}")
    run_jobs()
    upload(stan, exported(olga))
    row = Import.objects.get()
    assert row.state == ImportState.REPORTED
    return row


def kill_a_worker(moment: str, row: Import) -> None:
    environment = {
        **os.environ,
        "DATABASE_URL": database_of_this_test(),
        "TASKBOARD_DATA": str(settings.DATA),
        "TASKBOARD_FILES": default_storage.path(""),
        "PGAPPNAME": KILLED,
    }
    command = [sys.executable, "-m", "importer.tests.killed", moment, str(row.pk)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == -signal.SIGKILL, done.stderr
    wait_until_its_locks_are_gone()


@pytest.mark.parametrize(
    "moment", ["before the file is read", "between two boards of the report", "before the report is noted"]
)
def test_a_report_is_made_anew(processes, row, moment):
    report = row.report
    Import.objects.update(state=ImportState.READING, report={}, attempt=0)
    kill_a_worker(moment, row)
    row.refresh_from_db()
    assert (row.state, row.report, default_storage.exists(row.file)) == (ImportState.READING, {}, True)
    read_file.call(str(row.pk))
    row.refresh_from_db()
    assert (row.state, row.attempt, row.report) == (ImportState.REPORTED, 2, report)
    assert Board.objects.count() == 2  # Olga's


def test_an_import_whose_reading_was_not_asked_for_still_waits_for_its_answers(processes, row):
    Import.objects.update(state=ImportState.ASKING, report={}, attempt=0)
    kill_a_worker("before the report is asked for", row)
    row.refresh_from_db()
    assert row.state == ImportState.ASKING


@pytest.mark.parametrize("moment", ["in the middle of a board", "before the end is noted"])
def test_boards_are_written_once(processes, row, stan, moment):
    steps.begin_writing(row, people={}, left_out=(), at_once=True)
    kill_a_worker(moment, row)
    row.refresh_from_db()
    assert row.state == ImportState.RUNNING
    write_file.call(str(row.pk))
    row.refresh_from_db()
    assert (row.state, row.file, Notification.objects.filter(user=stan).count()) == (ImportState.DONE, "", 1)
    assert sorted(stan.memberships.values_list("board__title", flat=True)) == TITLES
    assert Card.objects.filter(board__memberships__user=stan).count() == 10
    assert not Board.objects.filter(version=0).exists()
    assert not List.objects.exclude(board__memberships__isnull=False).exists()
