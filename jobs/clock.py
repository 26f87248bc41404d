"""Periodic tasks: `every(interval, name)` over a task has it enqueued once an interval.

    @every(timedelta(hours=1), "tidying")
    @task
    def tidy() -> None: ...

Of any number of workers one takes a turn: in one transaction it moves the next turn on and enqueues the task, which is
then run, retried and taken back from a dead worker as every other one. A turn is left out while the task of the one
before is not finished; turns that were missed are made up for by one.

One entry has no task: moving its turn on, the only write of an idle worker, proves that a worker lives.
"""

import math
from collections.abc import Callable
from datetime import timedelta
from time import monotonic
from typing import Any, NamedTuple, TypeVar

from django.db import transaction
from django.utils import timezone
from django_tasks.base import Task, TaskResultStatus
from django_tasks_db.models import DBTaskResult

from jobs.models import Turn

AnyTask = TypeVar("AnyTask", bound=Task[Any, Any])


class Periodic(NamedTuple):
    interval: timedelta
    task: Task[Any, Any] | None
    only_if: Callable[[], bool] | None = None


CLOCK: dict[str, Periodic] = {"worker": Periodic(timedelta(minutes=1), None)}
_asked: dict[str, float] = {}  # by name, when this process last asked `only_if`, on the monotonic clock


def every(interval: timedelta, name: str, only_if: Callable[[], bool] | None = None) -> Callable[[AnyTask], AnyTask]:
    """Import the module of the task in the `ready` of its app. `name` is kept in the database: it must not change.

    With `only_if` a turn waits until that returns True, so its `next_at` may be long past. It only reads, so that a worker
    with nothing to do does not write for it, however short the interval; each worker asks it once an interval.
    """

    def add(task: AnyTask) -> AnyTask:
        CLOCK[name] = Periodic(interval, task, only_if)
        return task

    return add


def set_clock() -> None:
    """Give each new entry its first turn, an interval from now. A shortened interval counts from now too."""
    now = timezone.now()
    for name, periodic in CLOCK.items():
        soon = now + periodic.interval
        Turn.objects.get_or_create(name=name, defaults={"next_at": soon})
        Turn.objects.filter(name=name, next_at__gt=soon).update(next_at=soon)


def take_turns() -> None:
    """Enqueue the periodic tasks that are due."""
    now = timezone.now()
    for turn in Turn.objects.filter(name__in=CLOCK):
        periodic = CLOCK[turn.name]
        was_set_back = turn.next_at > now + periodic.interval  # the machine's clock, after this turn was noted
        if (turn.next_at <= now or was_set_back) and _has_work(turn.name, periodic):
            with transaction.atomic():
                _take_turn(turn, periodic)


def names_of_steady_turns() -> list[str]:
    """Return the entries whose turns are taken each interval, whether there is something to do or not."""
    return [name for name, periodic in CLOCK.items() if periodic.only_if is None]


def _has_work(name: str, periodic: Periodic) -> bool:
    if periodic.only_if is None:
        return True
    now = monotonic()
    if now - _asked.get(name, -math.inf) < periodic.interval.total_seconds():
        return False
    _asked[name] = now
    return periodic.only_if()


def _take_turn(turn: Turn, periodic: Periodic) -> None:
    now = timezone.now()
    mine = Turn.objects.filter(name=turn.name, next_at=turn.next_at).update(next_at=now + periodic.interval)
    if not mine or periodic.task is None:
        return  # another worker took it, or there is nothing else to do
    unfinished = (TaskResultStatus.READY, TaskResultStatus.RUNNING)
    if turn.task_id and DBTaskResult.objects.filter(pk=turn.task_id, status__in=unfinished).exists():
        return
    Turn.objects.filter(name=turn.name).update(last_at=now, task_id=periodic.task.enqueue().id)
