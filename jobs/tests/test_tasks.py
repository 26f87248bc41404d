"""Tasks run once, later, and again after a failure."""

import logging
import threading
from datetime import timedelta

import pytest
import time_machine
from django.db import OperationalError, transaction
from django.utils import timezone
from django_tasks.base import TaskResultStatus
from django_tasks_db.models import DBTaskResult

from conftest import run_jobs
from core.limits.queues import LATER, own_queue
from jobs import running
from jobs.backend import HEAVY
from jobs.heartbeat import Pulse
from jobs.housekeeping import tidy_jobs
from jobs.models import Heartbeat
from jobs.running import run_one, take_back_from_the_dead
from jobs.tests import chores

READY, RUNNING = TaskResultStatus.READY, TaskResultStatus.RUNNING
FAILED, SUCCESSFUL = TaskResultStatus.FAILED, TaskResultStatus.SUCCESSFUL

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _nothing_done(monkeypatch):
    chores.done.clear()
    monkeypatch.setattr("random.uniform", lambda low, high: 1.0)


@pytest.fixture
def clock():
    with time_machine.travel(timezone.now(), tick=False) as clock:
        yield clock


def only_task() -> DBTaskResult:
    return DBTaskResult.objects.get()


def take(worker: str) -> DBTaskResult:
    """A task that this worker holds, and about which nothing more is heard of it."""
    row = Pulse(worker).hold(lambda: running._take(worker))
    assert row is not None
    return row


def test_a_task_runs_once_and_its_result_can_be_read():
    result = chores.write.enqueue("hello")
    run_jobs()
    run_jobs()
    assert chores.done == ["hello"]
    result.refresh()
    assert (result.status, result.return_value) == (SUCCESSFUL, "HELLO")


def test_a_task_of_a_transaction_that_is_rolled_back_never_was():
    with transaction.atomic():
        chores.write.enqueue("hello")
        transaction.set_rollback(True)
    run_jobs()
    assert chores.done == []


def test_a_task_for_later_waits(clock):
    chores.write.using(run_after=timezone.now() + timedelta(minutes=5)).enqueue("later")
    run_jobs()
    assert chores.done == []
    clock.shift(301)
    run_jobs()
    assert chores.done == ["later"]


def test_a_task_knows_which_attempt_it_is():
    chores.count_attempts.enqueue()
    run_jobs()
    assert chores.done == [1]


def test_a_task_whose_result_is_not_kept_leaves_no_trace():
    chores.whisper.enqueue("a secret")
    run_jobs()
    assert chores.done == ["a secret"]
    assert not DBTaskResult.objects.exists()


def test_results_are_kept_as_long_as_the_task_says(clock):
    chores.write.enqueue("hello")
    chores.despair.enqueue()
    run_jobs()
    seen = []
    for days in (0.99, 0.02, 28.9, 0.1):
        clock.shift(timedelta(days=days))
        tidy_jobs.call()
        seen.append(set(DBTaskResult.objects.values_list("status", flat=True)))
    assert seen == [{SUCCESSFUL, FAILED}, {FAILED}, {FAILED}, set()]


# Failures


def test_a_task_that_fails_is_tried_again_later_and_in_the_end_given_up(clock, caplog):
    chores.stumble.enqueue()
    pauses = []
    for _attempt in range(2):
        run_jobs()
        assert only_task().status == READY
        pauses.append(only_task().run_after - timezone.now())
        clock.shift(pauses[-1] - timedelta(seconds=1))
        run_jobs()  # too early
        clock.shift(1)
    run_jobs()
    assert pauses == [timedelta(seconds=10), timedelta(seconds=50)]
    assert len(chores.done) == 3
    given_up = only_task()
    assert (given_up.status, given_up.exception_class_path) == (FAILED, "builtins.ValueError")
    assert "in the way" in given_up.traceback
    assert [record.levelname for record in caplog.records] == ["WARNING", "WARNING", "ERROR"]
    assert caplog.records[-1].getMessage() == "jobs.tests.chores.stumble is given up after 3 tries"


def test_an_error_with_a_letter_that_no_database_takes_is_kept(caplog):
    caplog.set_level(logging.CRITICAL, "jobs.running")  # as pytest-xdist takes it neither
    chores.write.enqueue("hello")
    running.fail(take("worker"), ValueError("half a letter: \udc80"))
    assert only_task().status == READY
    assert r"half a letter: \udc80" in only_task().traceback


def test_the_usual_task_is_tried_for_some_hours(clock, monkeypatch):
    monkeypatch.setattr(running, "_call", lambda row: (ValueError("no"), None))
    chores.write.enqueue("hello")
    began = timezone.now()
    run_jobs()
    while only_task().status == READY:
        clock.move_to(only_task().run_after)
        run_jobs()
    assert len(only_task().worker_ids) == 5
    assert timedelta(hours=2) < timezone.now() - began < timedelta(hours=4)


def test_what_another_try_cannot_mend_is_given_up_at_once():
    chores.despair.enqueue()
    run_jobs()
    assert (only_task().status, len(only_task().worker_ids)) == (FAILED, 1)


def test_a_task_that_failed_does_not_hold_up_others():
    chores.stumble.enqueue()
    chores.write.enqueue("hello")
    run_jobs()
    assert chores.done == ["stumbled", "hello"]


@pytest.mark.parametrize("task", [chores.leave, chores.answer_nonsense])
def test_whatever_a_task_does_the_worker_goes_on(task):
    task.enqueue()
    chores.write.enqueue("hello")
    run_jobs()
    assert chores.done == ["hello"]
    assert DBTaskResult.objects.get(task_path=task.module_path).status == READY


def test_a_task_that_this_version_does_not_know_waits_for_one_that_does(clock):
    chores.write.enqueue("hello")
    DBTaskResult.objects.update(task_path="jobs.tests.chores.from_the_future")
    run_jobs()
    assert only_task().status == READY
    DBTaskResult.objects.update(task_path="jobs.tests.chores.write")
    clock.shift(timedelta(hours=1))
    run_jobs()
    assert chores.done == ["hello"]


def test_what_can_wait_comes_after_what_others_wait_for(olga, ed):
    for user in (olga, ed):
        chores.write.using(queue_name=own_queue(user.pk), priority=LATER).enqueue("preview")
    chores.write.enqueue("mail")
    assert run_one(Pulse("worker"), threading.Event()) is True
    assert chores.done == ["mail"]


@pytest.mark.parametrize("kind", ["default", HEAVY])
def test_of_one_owner_a_single_task_runs_and_those_of_others_go_on(olga, ed, kind):
    for user, text in ((olga, "first"), (olga, "second"), (ed, "of Ed")):
        chores.write.using(queue_name=own_queue(user.pk, kind)).enqueue(text)
    taken = running._take("worker")
    another = Pulse("another worker")
    assert run_one(another, threading.Event()) is True
    assert run_one(another, threading.Event()) is False
    assert chores.done == ["of Ed"]
    running._settle(taken, *running._call(taken))
    assert run_one(another, threading.Event()) is True
    assert chores.done == ["of Ed", "first", "second"]


def test_an_outcome_that_cannot_be_written_is_written_when_the_database_is_back(monkeypatch, caplog):
    answers = iter([OperationalError("away"), OperationalError("away"), None])
    settle = running._settle

    def settle_in_the_end(*args):
        if error := next(answers):
            raise error
        settle(*args)

    monkeypatch.setattr(running, "_settle", settle_in_the_end)
    monkeypatch.setattr(running, "DATABASE_PAUSE", 0)
    monkeypatch.setattr(running.connection, "close", lambda: None)
    chores.write.enqueue("hello")
    assert run_one(Pulse("worker"), threading.Event()) is True
    assert only_task().status == SUCCESSFUL
    assert chores.done == ["hello"]


def test_a_worker_that_is_stopped_meanwhile_leaves_the_task_to_another(monkeypatch, clock):
    def fail(*args):
        raise OperationalError("away")

    with monkeypatch.context() as patch:
        patch.setattr(running, "_settle", fail)
        patch.setattr(running.connection, "close", lambda: None)
        chores.write.enqueue("hello")
        pulse, stopping = Pulse("worker"), threading.Event()
        stopping.set()
        assert run_one(pulse, stopping) is False
    pulse.end()
    take_back_from_the_dead()
    clock.shift(100)
    run_jobs()
    assert chores.done == ["hello", "hello"]
    assert only_task().status == SUCCESSFUL


# Dead workers


def test_the_task_of_a_dead_worker_is_tried_again_and_that_counts(clock):
    chores.write.enqueue("hello")
    take("dead")
    clock.shift(29)
    take_back_from_the_dead()
    assert only_task().status == RUNNING
    clock.shift(1)
    take_back_from_the_dead()
    found = only_task()
    assert (found.status, found.exception_class_path) == (READY, "jobs.running.WorkerDied")
    assert not Heartbeat.objects.exists()
    run_jobs()  # at once
    assert chores.done == ["hello"]
    assert len(only_task().worker_ids) == 2


def test_only_the_tasks_of_the_dead_are_taken_back(clock):
    chores.write.enqueue("lost")
    take("dead")
    clock.shift(20)
    chores.write.enqueue("running")
    take("alive")
    clock.shift(20)
    take_back_from_the_dead()
    assert [row.status for row in DBTaskResult.objects.order_by("enqueued_at")] == [READY, RUNNING]
    assert [row.worker for row in Heartbeat.objects.all()] == ["alive"]


def test_a_task_that_kills_its_worker_each_time_is_given_up(clock, caplog):
    chores.stumble.enqueue()
    for number in range(3):
        take(f"worker {number}")
        clock.shift(60)
        take_back_from_the_dead()
        clock.shift(60)
    assert only_task().status == FAILED
    assert chores.done == []


def test_the_slow_task_of_a_living_worker_is_left_to_it(clock):
    chores.write.enqueue("slow")
    pulse = Pulse("slow")
    row = pulse.hold(lambda: running._take("slow"))
    for _tick in range(100):
        clock.shift(5)
        pulse.beat()
        take_back_from_the_dead()
    assert only_task().status == RUNNING
    running._settle(row, None, "done")
    assert only_task().status == SUCCESSFUL


def test_of_a_task_that_was_taken_back_the_first_worker_writes_no_outcome(clock):
    """It was asleep, and thought to be dead."""
    chores.write.enqueue("hello")
    asleep = take("asleep")
    clock.shift(60)
    take_back_from_the_dead()
    clock.shift(60)
    awake = take("awake")
    running._settle(asleep, ValueError("too late"), None)
    assert only_task().status == RUNNING
    running._settle(asleep, None, "too late")
    assert only_task().status == RUNNING
    running._settle(awake, None, "in time")
    assert only_task().return_value == "in time"


def test_a_worker_that_ends_with_a_task_gives_it_back_at_once(clock):
    chores.write.enqueue("hello")
    pulse = Pulse("ending")
    pulse.hold(lambda: running._take("ending"))
    pulse.end()
    take_back_from_the_dead()
    assert only_task().status == READY


def test_a_worker_without_a_task_writes_nothing(django_assert_num_queries, clock):
    pulse = Pulse("idle")
    with django_assert_num_queries(1):  # is there a task
        run_one(pulse, threading.Event())
        pulse.beat()
    chores.write.enqueue("hello")
    run_one(pulse, threading.Event())
    assert Heartbeat.objects.exists()
    pulse.beat()
    assert not Heartbeat.objects.exists()
    with django_assert_num_queries(0):
        pulse.beat()


def test_a_beat_is_written_before_something_is_held(clock):
    pulse = Pulse("busy")
    chores.write.enqueue("one")
    run_one(pulse, threading.Event())
    assert Heartbeat.objects.get().beat_at == timezone.now()
    clock.shift(6)
    chores.write.enqueue("two")
    run_one(pulse, threading.Event())
    assert Heartbeat.objects.get().beat_at == timezone.now()


def test_no_argument_of_a_task_is_logged(caplog):
    with caplog.at_level(logging.DEBUG):
        chores.stumble.enqueue()
        chores.whisper.enqueue("a secret")
        run_jobs()
    assert "a secret" not in " ".join(
        record.getMessage() for record in caplog.records if record.name != "django.db.backends"
    )
