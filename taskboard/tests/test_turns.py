"""Threads write to SQLite in the order in which they asked for it, and a turn ends with its transaction, however that ends."""

import contextlib
import gc
import os
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.db import IntegrityError, OperationalError, connection, transaction
from django.utils import timezone

from boards.models import Board, List
from core.limits.not_waiting import not_waiting
from taskboard.databases.sqlite import base
from taskboard.databases.sqlite import turns as turns_module
from taskboard.databases.sqlite.turns import Turns
from taskboard.tests.servers import address_of_the_test_database
from taskboard.tests.waiting import PATIENCE, wait_until

pytestmark = [
    pytest.mark.skipif("DATABASE_URL" in os.environ, reason="is about SQLite's one write lock"),
    pytest.mark.django_db(transaction=True),
]


@pytest.fixture
def turns() -> Turns:
    connection.ensure_connection()
    return connection.turns


def in_a_connection(work: Callable[[], object]) -> object:
    try:
        return work()
    finally:
        connection.close()


def elsewhere(work: Callable[[], object]) -> object:
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(in_a_connection, work).result()


def write() -> None:
    with transaction.atomic():
        pass


def write_at_once() -> bool:
    try:
        with not_waiting():
            write()
    except OperationalError:
        return False
    return True


class Arrivals(deque):
    """A queue that notes who came into it."""

    def __init__(self) -> None:
        super().__init__()
        self.all: list[int] = []
        self.queued: set[int] = set()

    def append(self, waiting: turns_module.Waiting) -> None:
        super().append(waiting)
        self.all.append(id(waiting.holder))
        self.queued.add(id(waiting.holder))


def test_writers_that_keep_the_lock_busy_are_served_in_the_order_in_which_they_came(turns, monkeypatch) -> None:
    """Each keeps the lock until all the others wait for it."""
    monkeypatch.setattr(turns, "_waiting", arrivals := Arrivals())
    monkeypatch.setattr(turns_module, "TIMEOUT", PATIENCE)
    served: list[int] = []
    at_work = set(range(turns_module.WAITING_AT_ONCE))

    def keep_writing(number: int) -> None:
        connection.ensure_connection()
        for left in reversed(range(10)):
            with transaction.atomic():
                if id(connections_own()) in arrivals.queued:
                    arrivals.queued.remove(id(connections_own()))
                    served.append(id(connections_own()))
                if not left:
                    at_work.remove(number)
                wait_until(lambda: len(arrivals) == len(at_work - {number}))

    with ThreadPoolExecutor(len(at_work)) as threads:
        writers = [threads.submit(in_a_connection, partial(keep_writing, number)) for number in sorted(at_work)]
        for writer in writers:
            writer.result()
    assert len(served) == 10 * len(writers) - 1  # all but the first one waited
    assert served == arrivals.all


def connections_own() -> Any:
    """Return the connection itself, which `connection` stands for in this thread."""
    return transaction.get_connection()


def test_writers_of_other_processes_come_first_after_many_turns_without_a_gap(turns, monkeypatch) -> None:
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        with another_process_writing():  # raises if the lock is not free
            pass

    now = 0.0
    monkeypatch.setattr(turns_module, "time", SimpleNamespace(monotonic=lambda: now))
    monkeypatch.setattr(base, "time", SimpleNamespace(monotonic=time.monotonic, sleep=sleep))
    turns._running_since = turns._freed_at = now
    for _transaction in range(2):
        now += turns_module.LONGEST_RUN
        turns._freed_at = now
        write()
        write()
    assert slept == [turns_module.GAP] * 2
    now += turns_module.LONGEST_RUN
    write()
    assert len(slept) == 2


def test_a_writer_of_another_process_tries_more_than_once_in_a_gap(turns, monkeypatch) -> None:
    slept: list[float] = []
    turns._freed_at -= turns_module.GAP
    with contextlib.ExitStack() as others:
        others.enter_context(another_process_writing())

        def sleep(seconds: float) -> None:
            slept.append(seconds)
            if len(slept) == 3:
                others.close()

        monkeypatch.setattr(base, "time", SimpleNamespace(monotonic=time.monotonic, sleep=sleep))
        write()
    assert len(slept) == 3
    assert max(slept) < turns_module.GAP / 2


def commit() -> None:
    write()


def roll_back() -> None:
    with contextlib.suppress(LookupError), transaction.atomic():
        raise LookupError


def close_within() -> None:
    with transaction.atomic():
        connection.close()


def fail_to_begin() -> None:
    with another_process_writing(), pytest.raises(OperationalError, match="is locked"), not_waiting():
        write()


def fail_to_commit() -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        List.objects.create(board_id=Board().pk, title="Of no board", position=1)


def write_without_a_transaction() -> None:
    Session.objects.filter(pk="x").update(expire_date=timezone.now())


def fail_without_a_transaction() -> None:
    Session.objects.create(pk="x", expire_date=timezone.now())
    with pytest.raises(IntegrityError):
        Session.objects.create(pk="x", expire_date=timezone.now())


@contextlib.contextmanager
def another_process_writing() -> Iterator[None]:
    file = address_of_the_test_database().removeprefix("sqlite:///")
    with contextlib.closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield


@pytest.mark.parametrize(
    "work",
    [
        commit,
        roll_back,
        close_within,
        fail_to_begin,
        fail_to_commit,
        write_without_a_transaction,
        fail_without_a_transaction,
    ],
)
def test_a_turn_ends_with_its_transaction(turns, work) -> None:
    work()
    assert turns._holder is None
    assert elsewhere(write_at_once)
    write()


def test_a_turn_lasts_as_long_as_the_outermost_transaction(turns) -> None:
    with transaction.atomic():
        write()
        roll_back()
        assert not elsewhere(write_at_once)
    assert elsewhere(write_at_once)


def test_what_is_done_after_a_commit_does_not_hold_the_turn(turns) -> None:
    with transaction.atomic():
        transaction.on_commit(lambda: noted.append(elsewhere(write_at_once)))
        noted: list[object] = []
    assert noted == [True]


def test_a_statement_outside_a_transaction_waits_for_its_turn_and_reads_do_not(turns) -> None:
    with ThreadPoolExecutor(1) as threads:
        with transaction.atomic():
            assert elsewhere(Session.objects.count) == 0
            writing = threads.submit(in_a_connection, write_without_a_transaction)
            wait_until(lambda: len(turns._waiting) == 1)
        writing.result()


def test_writers_behind_a_transaction_that_stays_open_are_refused_after_a_while(turns, monkeypatch) -> None:
    monkeypatch.setattr(turns_module, "TIMEOUT", 0.05)
    monkeypatch.setattr(turns_module, "PATIENCE", 0.02)
    with transaction.atomic():
        with pytest.raises(OperationalError, match="others wait already"):
            elsewhere(write)
        assert not turns._waiting
    assert elsewhere(write_at_once)


@pytest.mark.filterwarnings("ignore:unclosed database:ResourceWarning")  # so Python 3.13 calls what the thread leaves
def test_the_turn_of_a_thread_that_died_goes_to_the_next(turns) -> None:
    def die() -> None:
        transaction.atomic().__enter__()

    dying = threading.Thread(target=die)
    dying.start()
    dying.join()
    gc.collect()
    assert elsewhere(write_at_once)


def test_a_child_process_has_turns_of_its_own(turns) -> None:
    with transaction.atomic():
        if (child := os.fork()) == 0:
            os._exit(0 if turns._holder is None and turns._lock.acquire(timeout=1) else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
