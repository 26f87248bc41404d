"""The state of the queue, for operators."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Self

from django.db.models import Case, Count, Exists, F, Max, Min, OuterRef, Q, When
from django.utils import timezone
from django_tasks.base import TaskResultStatus
from django_tasks_db.models import get_date_max

from boards.models import Activity
from core.limits.queues import OF
from jobs.backend import HEAVY
from jobs.clock import CLOCK, names_of_steady_turns
from jobs.heartbeat import DEAD_AFTER
from jobs.models import Cursor, Heartbeat, News, Task, Turn

LOOKED_AT = 1000  # changes
OVERDUE = timedelta(minutes=2)  # a worker looks for work every second
WAIT_FOR_EACH_OTHER = Q(queue_name__startswith=HEAVY) | Q(queue_name__contains=OF)


@dataclass(frozen=True)
class Queue:
    waiting: int
    running: int
    given_up: int
    workers: int  # that hold tasks now: an idle worker has no row, so it cannot be counted
    failing: int  # boards of which a follower fails
    behind: int  # boards with changes that followers have not handled yet
    behind_since: datetime | None
    oldest: datetime | None  # since when a task is due that nobody has taken; heavy ones may wait
    last_work: datetime | None  # the last task, turn of the clock, sign of life, or change that followers handled
    last_turn: datetime | None  # when a worker last enqueued a periodic task
    overdue_since: datetime | None  # since when there is work that no worker has taken

    @classmethod
    def now(cls) -> Self:
        """Count. Takes six statements."""
        now = timezone.now()
        at_once = Q(run_after=get_date_max())
        ready = Q(status=TaskResultStatus.READY)
        tasks = Task.objects.aggregate(
            waiting=Count("pk", filter=ready),
            running=Count("pk", filter=Q(status=TaskResultStatus.RUNNING)),
            given_up=Count("pk", filter=Q(status=TaskResultStatus.FAILED)),
            last=Max("finished_at"),
            due=Min(
                Case(When(at_once, then=F("enqueued_at")), default=F("run_after")),
                filter=ready & ~WAIT_FOR_EACH_OTHER,
            ),
        )
        steady = Q(name__in=names_of_steady_turns())
        turns = Turn.objects.filter(name__in=CLOCK).aggregate(last=Max("last_at"), due=Min("next_at", filter=steady))
        failing = Cursor.objects.filter(attempts__gt=0)
        news = News.objects.filter(~Exists(failing.filter(board_id=OuterRef("board_id")))).aggregate(
            due=Min("since"), behind=Count("pk")
        )
        due, finished = tasks.pop("due"), tasks.pop("last")
        overdue = [at for at in (due, turns["due"], news["due"]) if at and at < now - OVERDUE]
        alive = Q(beat_at__gt=now - DEAD_AFTER)
        beats = Heartbeat.objects.aggregate(workers=Count("pk", filter=alive), last=Max("beat_at"))
        worked = (finished, turns["last"], beats["last"], newest_handled_change())
        return cls(
            **tasks,
            workers=beats["workers"],
            behind=news["behind"],
            behind_since=news["due"],
            oldest=due if due and due <= now else None,
            last_work=max(filter(None, worked), default=None),
            failing=failing.values("board_id").distinct().count(),
            last_turn=turns["last"],
            overdue_since=min(overdue, default=None),
        )


def newest_handled_change() -> datetime | None:
    """Return when the newest change was made that all followers have handled: their work leaves no time of its own.

    None if none of the last `LOOKED_AT` is such a change.
    """
    news = News.objects.filter(board_id=OuterRef("board_id"))
    last = Activity.objects.order_by("-pk").values("pk")[:LOOKED_AT]
    return (
        Activity.objects.filter(~Exists(news), pk__in=last).order_by("-pk").values_list("created_at", flat=True).first()
    )


def is_overdue() -> bool:
    """Tell whether work has been waiting for OVERDUE. Takes at most three statements that stop at the first row.

    Heavy tasks and those of one owner wait for each other, for minutes: they do not count.
    """
    before = timezone.now() - OVERDUE
    at_once = Q(run_after=get_date_max())
    due = Q(at_once, enqueued_at__lt=before) | Q(~at_once, run_after__lt=before)
    failing = Cursor.objects.filter(attempts__gt=0, board_id=OuterRef("board_id"))
    return (
        Task.objects.filter(due, status=TaskResultStatus.READY).exclude(WAIT_FOR_EACH_OTHER).exists()
        or Turn.objects.filter(name__in=names_of_steady_turns(), next_at__lt=before).exists()
        or News.objects.filter(~Exists(failing), since__lt=before).exists()
    )
