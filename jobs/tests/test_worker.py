"""The worker's loops: they notice work at once, outlive what goes wrong, and end quickly."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest
from django.conf import settings
from django.db import OperationalError
from django_tasks_db.models import DBTaskResult

from boards.actions.boards.board import update_board
from boards.reader import Reader
from conftest import web
from jobs import worker as worker_module
from jobs.followers import follow
from jobs.models import Heartbeat, News, Turn
from jobs.running import run_one
from jobs.tests import chores
from jobs.tests.test_killed import database_of_this_test
from jobs.waking import Work, woken_by
from jobs.worker import Worker
from notifications.inbox.unseen import unseen_counts
from taskboard.tests.servers import ROOT
from taskboard.tests.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _nothing_done() -> None:
    chores.done.clear()
    chores.begun.clear()
    chores.go_on.clear()


@pytest.fixture
def worker() -> Iterator[Worker]:
    with at_work() as worker:
        yield worker


@pytest.fixture
def sleeper(monkeypatch) -> Iterator[Worker]:
    """A worker whose threads have looked for tasks in vain, and look again only if they are woken."""
    idle = set()

    def look(*arguments, **options) -> bool:
        found = run_one(*arguments, **options)
        if not found:
            idle.add(threading.get_ident())
        return found

    monkeypatch.setattr(worker_module, "IDLE", 1000)
    monkeypatch.setattr(worker_module, "run_one", look)
    with at_work() as worker:
        wait_until(lambda: len(idle) == worker_module.TASKS_AT_ONCE)
        yield worker


@contextmanager
def at_work() -> Iterator[Worker]:
    worker = Worker()
    worker.start()
    try:
        yield worker
    finally:
        chores.go_on.set()
        worker.stop(PATIENCE)
    assert not any(thread.is_alive() for thread in worker._threads)


def test_a_heavy_task_leaves_a_thread_for_the_others_however_many_there_are(worker):
    for _heavy in range(3):
        chores.wait_long.enqueue()
    wait_until(chores.begun.is_set)
    chores.write.enqueue("mail")
    wait_until(lambda: chores.done == ["mail"])
    chores.go_on.set()
    wait_until(lambda: chores.done.count("waited") == 3)


def test_it_serves_tasks_followers_and_the_clock(worker, board, olga, ed):
    update_board(actor=web(olga), board_id=board.pk, title="Renamed")
    chores.write.enqueue("hello")
    wait_until(lambda: chores.done == ["hello"] and unseen_counts(Reader(ed)))
    wait_until(lambda: not News.objects.exists())
    assert {"jobs", "tidying"} <= set(Turn.objects.values_list("name", flat=True))


def test_work_of_its_own_process_wakes_it(sleeper):
    chores.write.enqueue("hello")
    wait_until(lambda: chores.done == ["hello"])


def test_a_change_wakes_none_of_the_threads_that_look_for_tasks(board, olga):
    """Under `bin/serve` each look took longer than writing the change."""
    with woken_by(Work.TASKS) as tasks, woken_by(Work.NEWS) as news:
        update_board(actor=web(olga), board_id=board.pk, title="Renamed")
        assert (tasks.is_set(), news.is_set()) == (False, True)
        news.clear()
        chores.write.enqueue("hello")
        assert (tasks.is_set(), news.is_set()) == (True, False)


def test_a_task_that_hangs_holds_up_neither_tasks_nor_followers(worker, board, olga, ed):
    chores.wait.enqueue()
    assert chores.begun.wait(PATIENCE)
    chores.write.enqueue("hello")
    update_board(actor=web(olga), board_id=board.pk, title="Renamed")
    wait_until(lambda: chores.done == ["hello"] and unseen_counts(Reader(ed)))


def test_a_follower_that_is_slow_holds_up_neither_heartbeat_nor_clock(monkeypatch, following, board, olga):
    busy, go_on, beats = threading.Event(), threading.Event(), []

    def handle(board_id, changes):
        busy.set()
        go_on.wait(PATIENCE)

    following()
    follow("recorder", handle)
    monkeypatch.setattr(worker_module, "BEAT_EVERY", timedelta(milliseconds=10))
    monkeypatch.setattr(worker_module, "take_turns", lambda: beats.append("tick"))
    worker = Worker()
    worker.start()
    try:
        wait_until(lambda: beats)  # its clock is set: on SQLite nothing can be written while the follower is at work
        update_board(actor=web(olga), board_id=board.pk, title="Renamed")
        assert busy.wait(PATIENCE)
        beats.clear()
        wait_until(lambda: len(beats) > 2)
    finally:
        go_on.set()
        worker.stop(PATIENCE)


def test_it_outlives_a_database_that_goes_away(monkeypatch, caplog, worker):
    real, failures = worker_module.run_one, []

    def fail_twice(*args, **options):
        if len(failures) < 2 * worker_module.TASKS_AT_ONCE:
            failures.append(OperationalError("the server closed the connection"))
            raise failures[-1]
        return real(*args, **options)

    monkeypatch.setattr(worker_module, "LONGEST_PAUSE", 0.01)
    monkeypatch.setattr(worker_module, "run_one", fail_twice)
    chores.write.enqueue("hello")
    # A loop that looked for work before may do the task, so the failures are waited for too.
    wait_until(lambda: len(failures) >= 2 * worker_module.TASKS_AT_ONCE and chores.done == ["hello"])
    told = [record for record in caplog.records if (record.name, record.levelname) == ("jobs.worker", "ERROR")]
    assert len(told) <= worker_module.TASKS_AT_ONCE  # once for each loop, however often it failed
    assert {record.message for record in told} == {
        "the worker waits for its database: the server closed the connection"
    }
    assert not any(record.exc_info for record in told)


def test_it_does_not_sleep_on_when_it_is_asked_to_stop(sleeper):
    sleeper.stop(PATIENCE)
    assert not any(thread.is_alive() for thread in sleeper._threads)
    assert not Heartbeat.objects.exists()


def test_what_it_cannot_finish_in_time_is_done_again_by_the_next(worker):
    result = chores.wait.enqueue()
    assert chores.begun.wait(PATIENCE)
    worker.stop(0.1)
    another = Worker()
    another.start()
    try:
        wait_until(lambda: DBTaskResult.objects.get().worker_ids == [worker.name, another.name])
        chores.go_on.set()
        wait_until(lambda: DBTaskResult.objects.get().status == "SUCCESSFUL")
    finally:
        another.stop(PATIENCE)
    result.refresh()
    assert result.attempts == 2


@pytest.mark.parametrize("name", ["worker", "work"])  # the second is what it was called until 0.8
def test_the_command_says_when_it_starts_and_stops(processes, db, name):
    result = chores.write.enqueue("hello")
    environment = {**os.environ, "DATABASE_URL": database_of_this_test(), "TASKBOARD_DATA": str(settings.DATA)}
    command = [sys.executable, "manage.py", name]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    process = subprocess.Popen(command, cwd=ROOT, env=environment, **pipes)
    try:
        assert process.stdout.readline().endswith("started.\n")
        wait_until(lambda: DBTaskResult.objects.get(pk=result.id).status == "SUCCESSFUL")
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    assert (process.returncode, err) == (0, "")
    assert out.endswith("stopped.\n")


def test_the_command_can_be_asked_to_stop_at_any_moment(processes):
    command = [sys.executable, "-m", "jobs.tests.stopped"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)
    assert (done.stderr, done.stdout.splitlines()[-1]) == ("", "Worker idle stopped.")


def last_write_raises(monkeypatch, error: Exception) -> None:
    def end(pulse: object) -> None:
        raise error

    monkeypatch.setattr("jobs.heartbeat.Pulse.end", end)


def test_a_worker_ends_while_the_database_is_away(monkeypatch, caplog):
    (ending := Worker()).start()
    last_write_raises(monkeypatch, OperationalError("away"))
    ending.stop(PATIENCE)
    assert "the tasks of this worker are taken from it in a while" in caplog.messages


def test_a_bug_at_the_end_of_a_worker_is_not_taken_for_an_outage(monkeypatch):
    (ending := Worker()).start()
    last_write_raises(monkeypatch, RuntimeError("a bug"))
    with pytest.raises(RuntimeError, match="a bug"):
        ending.stop(PATIENCE)
