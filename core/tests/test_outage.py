"""While a service is away one caller a second tries it, and the log gets a line a second."""

import time

import pytest
from django.db import OperationalError

from core import outage
from core.outage import Outage, Throttle, report


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that have passed, in a list of one."""
    now = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    return now


def test_everybody_may_use_a_service_that_answers() -> None:
    assert all(Outage().may_try() for _caller in range(3))


def test_while_it_is_away_one_caller_a_second_tries_it(clock) -> None:
    away = Outage()
    assert away.begin()
    assert [away.may_try() for _caller in range(3)] == [False, False, False]
    clock[0] += 1
    assert [away.may_try() for _caller in range(3)] == [True, False, False]


def test_after_its_end_everybody_may_use_it_again(clock) -> None:
    away = Outage()
    away.begin()
    assert away.end()
    assert [away.may_try() for _caller in range(3)] == [True, True, True]


def test_beginning_and_end_are_new_once(clock) -> None:
    away = Outage()
    assert (away.begin(), away.begin()) == (True, False)
    assert (away.end(), away.end()) == (True, False)


def test_lines_between_are_counted(clock) -> None:
    lines = Throttle(5)
    assert [lines.count() for _time in range(4)] == [1, 0, 0, 0]
    clock[0] += 5
    assert lines.count() == 4


def test_refused_requests_are_one_line_without_a_traceback(clock, monkeypatch, caplog) -> None:
    monkeypatch.setattr(outage, "refusals", Throttle(1))
    for _request in range(3):
        report(OperationalError("connection refused\n\tIs the server running?"))
    clock[0] += 1
    report(OperationalError("connection refused"))
    assert [line.getMessage() for line in caplog.records] == [
        "1 request was answered with 503: connection refused Is the server running?",
        "3 requests were answered with 503: connection refused",
    ]
    assert not any(line.exc_info for line in caplog.records)
