"""Counting who is in: by one process, and by several with Redis."""

import os

import pytest

from core.limits import concurrency_caps
from core.limits.concurrency_caps import ConcurrencyCaps

REDIS = os.environ.get("REDIS_URL", "")


def test_nobody_is_let_in_beyond_the_cap_until_somebody_leaves():
    count = ConcurrencyCaps("")
    assert [count.enter("room", member, 2) for member in ("olga", "ed", "vera")] == [True, True, False]
    assert count.enter("other room", "vera", 2)
    count.leave("room", "ed")
    assert count.enter("room", "vera", 2)


def test_names_that_nobody_is_in_take_no_memory():
    count = ConcurrencyCaps("")
    count.enter("room", "olga", 1)
    count.enter("room", "ed", 1)
    count.leave("room", "olga")
    assert not count._in


def test_leaving_twice_does_no_harm():
    count = ConcurrencyCaps("")
    count.enter("room", "olga", 1)
    for _time in range(2):
        count.leave("room", "olga")
    assert count.enter("room", "ed", 1)


@pytest.mark.usefixtures("services")
def test_with_redis_processes_count_together():
    one, other = ConcurrencyCaps(REDIS), ConcurrencyCaps(REDIS)
    assert [one.enter("shared", "olga", 2), other.enter("shared", "ed", 2)] == [True, True]
    assert [one.enter("shared", "vera", 2), other.enter("shared", "vera", 2)] == [False, False]
    other.leave("shared", "ed")
    assert one.enter("shared", "vera", 2)
    one.leave("shared", "vera")
    one.leave("shared", "olga")


@pytest.mark.usefixtures("services")
def test_members_of_a_process_that_died_are_out_a_while_later(monkeypatch):
    dead, alive = ConcurrencyCaps(REDIS), ConcurrencyCaps(REDIS)
    dead.enter("stale", "olga", 2)
    alive.enter("stale", "ed", 2)
    now = concurrency_caps.time.time()
    monkeypatch.setattr(concurrency_caps.time, "time", lambda: now + concurrency_caps.STALE - 1)
    alive.refresh()
    monkeypatch.setattr(concurrency_caps.time, "time", lambda: now + concurrency_caps.STALE + 1)
    assert alive.enter("stale", "vera", 2)
    for member in ("ed", "vera"):
        alive.leave("stale", member)


def test_without_an_answer_from_redis_each_process_counts_its_own(monkeypatch):
    monkeypatch.setattr(concurrency_caps, "REFRESH", 3600)  # later tests would find the thread's warnings in their logs
    count = ConcurrencyCaps("redis://127.0.0.1:1/0")
    assert [count.enter("room", member, 1) for member in ("olga", "ed")] == [True, False]
