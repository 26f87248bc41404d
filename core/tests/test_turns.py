import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from core.limits.turns import Busy, Turns
from taskboard.tests.waiting import PATIENCE, wait_until


@pytest.fixture
def pool():
    with ThreadPoolExecutor(8) as pool:
        yield pool


class Work:
    """Takes a turn in a thread, and keeps it until it may end."""

    def __init__(self, pool, turns, who=None):
        self.begun, self.may_end = threading.Event(), threading.Event()
        self.done = pool.submit(self.run, turns, who)

    def run(self, turns, who):
        with turns.take(who):
            self.begun.set()
            assert self.may_end.wait(PATIENCE)

    def end(self):
        self.may_end.set()
        self.done.result(PATIENCE)


def test_one_at_a_time_goes_on_and_the_next_one_after_it(pool):
    turns = Turns(at_once=1, waiting=1, patience=PATIENCE)
    first = Work(pool, turns)
    assert first.begun.wait(PATIENCE)
    second = Work(pool, turns)
    wait_until(lambda: turns._inside.total() == 2)
    assert not second.begun.is_set()
    first.end()
    assert second.begun.wait(PATIENCE)
    second.end()


def test_nobody_waits_where_enough_wait_already(pool):
    turns = Turns(at_once=1, waiting=0, patience=PATIENCE)
    first = Work(pool, turns)
    assert first.begun.wait(PATIENCE)
    with pytest.raises(Busy), turns.take():
        pass
    first.end()
    with turns.take():
        pass


def test_patience_ends(pool):
    turns = Turns(at_once=1, waiting=1, patience=0.01)
    first = Work(pool, turns)
    assert first.begun.wait(PATIENCE)
    with pytest.raises(Busy), turns.take():
        pass
    first.end()


def test_one_person_leaves_turns_for_others(pool):
    turns = Turns(at_once=2, waiting=2, patience=PATIENCE, each=1)
    hers = Work(pool, turns, "olga")
    assert hers.begun.wait(PATIENCE)
    with pytest.raises(Busy), turns.take("olga"):
        pass
    with turns.take("ed"):
        pass
    hers.end()


def test_a_turn_that_failed_is_given_back():
    turns = Turns(at_once=1, waiting=0, patience=PATIENCE)
    for _time in range(3):
        with pytest.raises(ZeroDivisionError), turns.take():
            raise ZeroDivisionError
