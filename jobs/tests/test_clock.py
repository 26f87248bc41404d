"""Periodic tasks: one turn an interval, whoever and however many run the clock."""

from datetime import timedelta

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from conftest import run_jobs
from jobs.clock import CLOCK, _take_turn, every, set_clock, take_turns
from jobs.models import Turn
from jobs.tests import chores

ALL = dict(CLOCK)
HOUR = timedelta(hours=1)

pytestmark = pytest.mark.django_db


@pytest.fixture
def clock(monkeypatch):
    """Only the entries of this test."""
    entries = dict(CLOCK)
    CLOCK.clear()
    chores.done.clear()
    with time_machine.travel(timezone.now(), tick=False) as clock:
        yield clock
    CLOCK.clear()
    CLOCK.update(entries)


def turns(clock, *shifts: timedelta) -> list[int]:
    """How often the task had run after each shift."""
    counts = []
    for shift in shifts:
        clock.shift(shift)
        take_turns()
        run_jobs()
        counts.append(len(chores.done))
    return counts


def test_a_task_runs_once_an_interval(clock):
    every(HOUR, "count")(chores.count_attempts)
    set_clock()
    assert turns(clock, HOUR / 2, HOUR / 2, HOUR / 2, HOUR / 2, HOUR) == [0, 1, 1, 2, 3]


def test_turns_that_were_missed_are_made_up_for_by_one(clock):
    every(HOUR, "count")(chores.count_attempts)
    set_clock()
    assert turns(clock, 10 * HOUR, timedelta(0), HOUR) == [1, 1, 2]


def test_the_clock_goes_on_where_it_was_after_a_restart(clock):
    every(HOUR, "count")(chores.count_attempts)
    set_clock()
    clock.shift(HOUR / 2)
    set_clock()
    assert turns(clock, HOUR / 2) == [1]


def test_a_shorter_interval_counts_at_once(clock):
    every(24 * HOUR, "count")(chores.count_attempts)
    set_clock()
    every(HOUR, "count")(chores.count_attempts)
    set_clock()
    assert turns(clock, HOUR) == [1]


def test_a_turn_is_left_out_while_the_one_before_is_not_finished(clock):
    every(HOUR, "count")(chores.count_attempts)
    set_clock()
    for _turn in range(3):
        clock.shift(HOUR)
        take_turns()
    assert DBTaskResult.objects.count() == 1
    run_jobs()
    assert turns(clock, HOUR) == [2]


def test_a_turn_that_another_worker_took_a_moment_ago_is_not_taken_again(clock):
    every(HOUR, "count")(chores.count_attempts)
    set_clock()
    before = Turn.objects.get()
    turns(clock, HOUR)
    _take_turn(before, CLOCK["count"])
    run_jobs()
    assert chores.done == [1]


@pytest.mark.parametrize("jump", [timedelta(days=-3650), -HOUR, timedelta(days=91), timedelta(days=3650)])
def test_a_clock_that_jumps_costs_no_turn_for_longer_than_an_interval(clock, jump):
    every(HOUR, "count")(chores.count_attempts)
    set_clock()
    [after_the_jump] = turns(clock, jump)
    assert after_the_jump <= 1
    assert turns(clock, HOUR, HOUR) == [after_the_jump + 1, after_the_jump + 2]


def test_what_fails_has_its_next_turn_all_the_same(clock):
    every(HOUR, "despair")(chores.despair)
    set_clock()
    turns(clock, HOUR, HOUR)
    assert DBTaskResult.objects.failed().count() == 2


def test_an_entry_that_this_version_does_not_have_is_left_alone(clock):
    Turn.objects.create(name="gone", next_at=timezone.now())
    assert turns(clock, HOUR) == [0]


def test_the_turn_says_when_and_with_which_task_it_was_taken(clock):
    every(HOUR, "count")(chores.count_attempts)
    set_clock()
    turns(clock, HOUR)
    turn = Turn.objects.get()
    assert (turn.last_at, turn.next_at) == (timezone.now(), timezone.now() + HOUR)
    assert turn.task_id == DBTaskResult.objects.get().pk


def test_a_worker_with_nothing_to_do_writes_one_row_a_minute(clock):
    every(timedelta(seconds=30), "count", lambda: False)(chores.count_attempts)
    CLOCK["worker"] = ALL["worker"]
    set_clock()
    written = []
    for _look in range(60):
        clock.shift(timedelta(seconds=5))
        with CaptureQueriesContext(connection) as asked:
            take_turns()
        written += [query["sql"] for query in asked if not query["sql"].startswith(("SELECT", "BEGIN", "SAVE", "REL"))]
    assert (len(written), DBTaskResult.objects.count()) == (5, 0)


def test_without_a_turn_that_is_due_the_clock_takes_one_statement(clock, django_assert_num_queries):
    every(HOUR, "count")(chores.count_attempts)
    set_clock()
    with django_assert_num_queries(1):
        take_turns()


def test_a_turn_that_has_nothing_to_do_waits_writes_nothing_and_is_asked_once_an_interval(clock, monkeypatch):
    asked, answers = [], iter([False, True])
    moment = [0.0]
    monkeypatch.setattr("jobs.clock.monotonic", lambda: moment[0])
    monkeypatch.setattr("jobs.clock._asked", {})
    every(HOUR, "count", lambda: asked.append(1) or next(answers))(chores.count_attempts)
    set_clock()
    before = Turn.objects.get().next_at
    assert turns(clock, HOUR, timedelta(0)) == [0, 0]
    assert (len(asked), Turn.objects.get().next_at) == (1, before)
    moment[0] += HOUR.total_seconds()
    assert turns(clock, timedelta(0)) == [1]
    assert len(asked) == 2
