"""The figures that all processes share: read from the database, Redis and the disk when somebody asks for them."""

import logging
import platform
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import Any, NamedTuple

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection, transaction
from django.db.models import Case, CharField, Count, Exists, F, Min, OuterRef, Q, Sum, Value, When
from django.db.models.functions import Left, StrIndex
from django.utils import timezone
from django_tasks.base import TaskResultStatus
from django_tasks_db.models import get_date_max
from prometheus_client.core import GaugeMetricFamily

from boards.models import StoredFile
from core.limits.queues import OF
from core.outage import one_line
from jobs.backend import HEAVY
from jobs.followers import FOLLOWERS
from jobs.models import Cursor, News, Task
from operating.admin.overview import database_size
from taskboard.health import Checks

WORDS = {
    "taskboard_build_info": "1, with the version of the process that answers.",
    "taskboard_up": "Whether this part of the service works: 1 or 0, as in /healthz.",
    "taskboard_figures_read": "Whether the database gave its figures for this answer: 1 or 0.",
    "taskboard_tasks": "Tasks by state: due, later, running, given_up.",
    "taskboard_oldest_task_seconds": "How long the oldest task that is due has been waiting.",
    "taskboard_follower_boards_behind": "Boards with changes that the follower has not handled.",
    "taskboard_follower_lag_seconds": "How long the oldest change that the follower has not handled has been waiting.",
    "taskboard_database_bytes": "Size of the database.",
    "taskboard_files_bytes": "Size of the files of cards.",
    "taskboard_disk_bytes": "Size of the disk of the data folder.",
    "taskboard_disk_free_bytes": "Free room on the disk of the data folder.",
}
LONGEST = 2  # seconds for one statement on PostgreSQL
MOST_NEWS = 10_000  # boards; with more, as many are counted
FILES_EVERY = 300.0  # seconds: adding up the sizes reads all rows of files
KINDS = ("default", HEAVY)  # of queues, which have one for each account besides: core/limits/queues.py
STATES = ("due", "later", "running", "given_up")

log = logging.getLogger(__name__)

Labels = Mapping[str, str]


class Figure(NamedTuple):
    name: str
    value: float
    labels: Labels = {}


def shared_figures() -> list[GaugeMetricFamily]:
    figures = [build(), *parts(), *disk()]
    figures += database_figures() if figures[1].value else [Figure("taskboard_figures_read", 0)]
    families: dict[str, GaugeMetricFamily] = {}
    for figure in figures:
        if figure.name not in families:
            families[figure.name] = GaugeMetricFamily(figure.name, WORDS[figure.name], labels=list(figure.labels))
        families[figure.name].add_metric(list(figure.labels.values()), figure.value)
    return list(families.values())


def build() -> Figure:
    about = {"version": settings.VERSION, "python": platform.python_version(), "database": connection.vendor}
    return Figure("taskboard_build_info", 1, about)


def parts() -> list[Figure]:
    """The database comes first."""
    found = Checks.now()
    works = {"database": found.needed["database"], **found.needed, "worker": found.worker, "files": found.files}
    if settings.REDIS_URL:
        works["redis"] = found.redis
    return [Figure("taskboard_up", works_now, {"part": part}) for part, works_now in works.items()]


def disk() -> Iterator[Figure]:
    try:
        usage = shutil.disk_usage(settings.DATA)
    except OSError:
        return
    yield Figure("taskboard_disk_bytes", usage.total)
    yield Figure("taskboard_disk_free_bytes", usage.free)


def database_figures() -> list[Figure]:
    """Take three statements, on PostgreSQL the size of the database and a transaction that bounds each of them besides."""
    try:
        with bounded():
            found = [*tasks(), *followers(), Figure("taskboard_database_bytes", database_size())]
            found.append(Figure("taskboard_files_bytes", files_size()))
    except (DatabaseError, InterfaceError) as error:
        log.warning("the database gave no figures for /metrics: %s", one_line(error))
        return [Figure("taskboard_figures_read", 0)]
    return [*found, Figure("taskboard_figures_read", 1)]


@contextmanager
def bounded() -> Iterator[None]:
    """Let no statement take longer than LONGEST on PostgreSQL. On SQLite a transaction would wait for those who write."""
    if connection.vendor != "postgresql":
        yield
        return
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL statement_timeout = '{LONGEST}s'")
        yield


def tasks() -> Iterator[Figure]:
    """Count by kind and state. A queue of one account counts as its kind, and kinds that are none of KINDS as default."""
    now = timezone.now()
    mark = StrIndex("queue_name", Value(OF))
    kind = Case(When(queue_name__contains=OF, then=Left("queue_name", mark - 1)), default=F("queue_name"))
    is_due = Q(run_after=get_date_max()) | Q(run_after__lte=now)
    state = Case(
        When(status=TaskResultStatus.RUNNING, then=Value("running")),
        When(status=TaskResultStatus.FAILED, then=Value("given_up")),
        When(is_due, then=Value("due")),
        default=Value("later"),
        output_field=CharField(),
    )
    since = Case(When(run_after=get_date_max(), then=F("enqueued_at")), default=F("run_after"))
    unfinished = (TaskResultStatus.READY, TaskResultStatus.RUNNING, TaskResultStatus.FAILED)
    rows = Task.objects.order_by().filter(status__in=unfinished).annotate(kind=kind, state=state)
    numbers = dict.fromkeys(((kind, state) for kind in KINDS for state in STATES), 0)
    oldest = dict.fromkeys(KINDS, 0.0)
    counted = rows.values("kind", "state").annotate(number=Count("pk"), first=Min(since))
    for kind, state, number, first in counted.values_list("kind", "state", "number", "first"):
        queue = kind if kind in KINDS else KINDS[0]
        numbers[queue, state] += number
        if state == "due":
            oldest[queue] = max(oldest[queue], age(first, now))
    yield from (
        Figure("taskboard_tasks", number, {"queue": queue, "state": state})
        for (queue, state), number in numbers.items()
    )
    yield from (Figure("taskboard_oldest_task_seconds", seconds, {"queue": queue}) for queue, seconds in oldest.items())


def followers() -> Iterator[Figure]:
    now = timezone.now()
    lacks: dict[str, Any] = {}
    asked: dict[str, Count | Min] = {}
    for number, name in enumerate(FOLLOWERS):
        handled = Cursor.objects.filter(follower=name, board_id=OuterRef("board_id"), version__gte=OuterRef("version"))
        lacks[f"lacks_{number}"] = ~Exists(handled)
        lacking = Q(**{f"lacks_{number}": True})
        asked |= {f"behind_{number}": Count("pk", filter=lacking), f"since_{number}": Min("since", filter=lacking)}
    found = News.objects.annotate(**lacks).order_by("since")[:MOST_NEWS].aggregate(**asked) if asked else {}
    for number, name in enumerate(FOLLOWERS):
        since = found[f"since_{number}"]
        yield Figure("taskboard_follower_boards_behind", found[f"behind_{number}"], {"follower": name})
        yield Figure("taskboard_follower_lag_seconds", age(since, now) if since else 0, {"follower": name})


def age(since: datetime, now: datetime) -> float:
    return max(0.0, (now - since).total_seconds())


class Kept:
    """A number that is read again once it is FILES_EVERY old."""

    def __init__(self, read: Callable[[], int]) -> None:
        self.read = read
        self._number, self._until = 0, 0.0

    def __call__(self) -> int:
        if time.monotonic() >= self._until:
            self._number, self._until = self.read(), time.monotonic() + FILES_EVERY
        return self._number


files_size = Kept(lambda: StoredFile.objects.aggregate(size=Sum("size"))["size"] or 0)
