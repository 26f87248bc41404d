"""How the work beside requests stands, for operators."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Self

from django.db.models import Case, Count, Exists, F, Max, Min, OuterRef, Q, When
from django.utils import timezone
from django_tasks.base import TaskResultStatus
from django_tasks_db.models import get_date_max

from jobs.clock import CLOCK
from jobs.heartbeat import DEAD_AFTER
from jobs.models import Cursor, Heartbeat, News, Task, Turn

OVERDUE = timedelta(minutes=2)  # a worker looks for work every second


@dataclass(frozen=True)
class Queue:
    waiting: int
    running: int
    given_up: int
    workers: int  # that hold tasks now: an idle worker writes nothing, so it cannot be counted
    failing: int  # boards of which a follower fails
    last_turn: datetime | None  # when a worker last enqueued a periodic task
    overdue_since: datetime | None  # since when there is work that no worker has taken

    @classmethod
    def now(cls) -> Self:
        """Count. Takes five statements."""
        now = timezone.now()
        at_once = Q(run_after=get_date_max())
        ready = Q(status=TaskResultStatus.READY)
        tasks = Task.objects.aggregate(
            waiting=Count("pk", filter=ready),
            running=Count("pk", filter=Q(status=TaskResultStatus.RUNNING)),
            given_up=Count("pk", filter=Q(status=TaskResultStatus.FAILED)),
            due=Min(
                Case(When(at_once, then=F("enqueued_at")), default=F("run_after")),
                filter=ready,
            ),
        )
        turns = Turn.objects.filter(name__in=CLOCK).aggregate(last=Max("last_at"), due=Min("next_at"))
        failing = Cursor.objects.filter(attempts__gt=0)
        news = News.objects.filter(~Exists(failing.filter(board_id=OuterRef("board_id")))).aggregate(due=Min("since"))
        overdue = [at for at in (tasks.pop("due"), turns["due"], news["due"]) if at and at < now - OVERDUE]
        return cls(
            **tasks,
            workers=Heartbeat.objects.filter(beat_at__gt=now - DEAD_AFTER).count(),
            failing=failing.values("board_id").distinct().count(),
            last_turn=turns["last"],
            overdue_since=min(overdue, default=None),
        )
