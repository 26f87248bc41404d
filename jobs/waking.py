"""`wake()` tells the worker of this process, if it has one, that there is work. Other processes notice within a second."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

_sleepers: set[threading.Event] = set()


def wake() -> None:
    for alarm in tuple(_sleepers):
        alarm.set()


@contextmanager
def woken_by() -> Iterator[threading.Event]:
    """Yield an event that `wake()` sets."""
    alarm = threading.Event()
    _sleepers.add(alarm)
    try:
        yield alarm
    finally:
        _sleepers.discard(alarm)
