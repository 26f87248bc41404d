"""`wake()` tells the worker of this process, if it has one, that there is work. Other processes notice within a second.

Each of its threads sleeps until there is work of its own kind: looking for a task takes longer than writing a card.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum


class Work(Enum):
    NEWS = "changes of boards, for their followers"
    TASKS = "tasks"


_sleepers: set[tuple[Work, threading.Event]] = set()


def wake(*kinds: Work) -> None:
    for kind, alarm in tuple(_sleepers):
        if kind in kinds:
            alarm.set()


@contextmanager
def woken_by(kind: Work) -> Iterator[threading.Event]:
    """Yield an event that `wake()` sets for work of this kind."""
    alarm = threading.Event()
    _sleepers.add((kind, alarm))
    try:
        yield alarm
    finally:
        _sleepers.discard((kind, alarm))
