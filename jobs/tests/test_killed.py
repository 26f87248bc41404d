"""A worker is killed, as a process, at the worst moments: nothing is lost, and nothing in the database is doubled."""

import os
import signal
import subprocess
import sys
from datetime import timedelta

import pytest
import time_machine
from django.conf import settings
from django.db import connection
from django.utils import timezone

from boards.actions.boards.board import update_board
from boards.reader import Reader
from conftest import run_jobs, web
from jobs.followers import FOLLOWERS
from jobs.models import Cursor, Follower, News
from jobs.running import take_back_from_the_dead
from jobs.tests import chores
from notifications.inbox.unseen import unseen_counts
from notifications.models import Unseen
from taskboard.tests.servers import ROOT
from taskboard.tests.waiting import wait_until

KILLED = "killed worker"  # its name at PostgreSQL

pytestmark = pytest.mark.django_db(transaction=True)


def database_of_this_test() -> str:
    name = str(connection.settings_dict["NAME"])
    if connection.vendor == "sqlite":
        return f"sqlite:///{name}"
    return f"{os.environ['DATABASE_URL'].rpartition('/')[0]}/{name}"


@pytest.fixture
def board(board):
    """Nothing is new on it."""
    run_jobs()
    Unseen.objects.update(count=0)
    yield board
    Follower.objects.exclude(name__in=FOLLOWERS).delete()


def kill_a_worker(moment: str) -> None:
    environment = {
        **os.environ,
        "DATABASE_URL": database_of_this_test(),
        "TASKBOARD_DATA": str(settings.DATA),
        "PGAPPNAME": KILLED,
    }
    command = [sys.executable, "-m", "jobs.tests.killed", moment]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == -signal.SIGKILL, done.stderr
    wait_until_its_locks_are_gone()


def wait_until_its_locks_are_gone() -> None:
    """PostgreSQL notices after a moment that a client is dead."""
    if connection.vendor == "postgresql":
        wait_until(is_disconnected, "the killed worker is still connected")


def is_disconnected() -> bool:
    held = "SELECT EXISTS (SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = %s)"
    with connection.cursor() as cursor:
        cursor.execute(held, [KILLED])
        return cursor.fetchone() == (False,)


def an_hour_later() -> None:
    with time_machine.travel(timezone.now() + timedelta(hours=1)):
        take_back_from_the_dead()
    with time_machine.travel(timezone.now() + timedelta(hours=2)):
        run_jobs()


@pytest.mark.parametrize(
    "moment",
    [
        "between handle and commit",
        "before its failure is noted",
        "between two followers",
        "before the news are forgotten",
    ],
)
def test_a_follower_counts_each_change_once_wherever_its_worker_is_killed(processes, board, olga, ed, moment):
    for title in ("One", "Two", "Three"):
        update_board(actor=web(olga), board_id=board.pk, title=title)
    kill_a_worker(moment)
    assert News.objects.exists()
    an_hour_later()
    assert unseen_counts(Reader(ed)) == {board.pk: 3}
    assert not News.objects.exists()
    assert Cursor.objects.get(follower="unseen").version == 6


def test_a_task_that_was_cut_off_is_run_again(processes, board, ed):
    result = chores.count_up.enqueue()
    kill_a_worker("in a task")
    result.refresh()
    assert result.status == "RUNNING"
    an_hour_later()
    result.refresh()
    assert (result.status, result.attempts) == ("SUCCESSFUL", 2)
    assert Unseen.objects.get(user=ed).count == 1


def test_a_task_whose_outcome_was_not_written_is_run_again(processes, board, ed):
    """The one moment at which a task does its work twice."""
    chores.count_up.enqueue()
    kill_a_worker("before the outcome")
    an_hour_later()
    assert Unseen.objects.get(user=ed).count == 2
