"""Running tasks: take one that is due, run it, then delete, keep or retry it.

django-tasks-db has a column for all that a retry needs: a task that failed is *ready* again, at `run_after`, with its last
error; `worker_ids` has one entry for each attempt.
"""

import logging
import threading
from datetime import timedelta
from traceback import format_exception
from typing import Any
from uuid import UUID

from django.db import InterfaceError, OperationalError, connection, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.module_loading import import_string
from django_tasks.base import DEFAULT_TASK_BACKEND_ALIAS, TaskContext, TaskResultStatus
from django_tasks.utils import normalize_json
from django_tasks_db.models import DBTaskResult

from core.http.request_ids import working_for
from core.limits.queues import OF
from core.measures import TASK_RUNS, TASK_SECONDS
from jobs.backend import HEAVY, REQUEST_ID, Job
from jobs.backoff import back_off
from jobs.heartbeat import Pulse, dead_workers
from jobs.models import Heartbeat
from jobs.waking import Work, wake

TAKING = 7_461_738  # key of the advisory lock, beside MIGRATING: any number, the same in every process
LONGEST_PAUSE = timedelta(hours=6)
DATABASE_PAUSE = 1.0  # seconds, until the outcome of a task is written again

log = logging.getLogger(__name__)


class WorkerDied(Exception):
    """The worker that ran this task ended before it had an outcome."""


def run_one(pulse: Pulse, stopping: threading.Event, *, heavy: bool = True) -> bool:
    """Run a task that is due, a heavy one only if `heavy`; return False when there was none."""
    if not _ready(heavy).exists():  # without a transaction, which on SQLite would take the write lock
        return False
    row = pulse.hold(lambda: _take(pulse.worker, heavy))
    if row is None:
        return False
    with working_for(row.args_kwargs.get(REQUEST_ID)):
        with TASK_SECONDS.timed(row.task_path):
            error, value = _call(row)
        TASK_RUNS.add(row.task_path, "failed" if error else "succeeded")
        while not _settled(row, error, value):
            if stopping.wait(DATABASE_PAUSE):
                return False  # still held: another worker takes it back
    pulse.release()
    return True


def _ready(heavy: bool = True) -> QuerySet[DBTaskResult]:
    """Return the tasks that are due, without those whose owner has one running already."""
    running = DBTaskResult.objects.running().filter(queue_name__contains=OF).values("queue_name")
    rows = DBTaskResult.objects.ready().filter(backend_name=DEFAULT_TASK_BACKEND_ALIAS).exclude(queue_name__in=running)
    return rows if heavy else rows.exclude(queue_name__startswith=HEAVY)


def _take(worker: str, heavy: bool = True) -> DBTaskResult | None:
    """Take a task that is due. Workers do so one after another: at once, two could take tasks of the same owner."""
    if connection.vendor == "postgresql":  # SQLite has one writer at a time
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [TAKING])
    row = _ready(heavy).get_locked()  # type: ignore[attr-defined]
    if row is not None:
        row.claim(worker)
    return row


def _call(row: DBTaskResult) -> tuple[BaseException | None, Any]:
    try:
        result = row.task_result
        context = [TaskContext(task_result=result)] if result.task.takes_context else []  # type: ignore[arg-type]
        return None, normalize_json(result.task.call(*context, *result.args, **result.kwargs))
    except BaseException as error:
        return error, None


def _settled(row: DBTaskResult, error: BaseException | None, value: Any) -> bool:
    """Write the outcome; return False when the database cannot be reached."""
    try:
        _settle(row, error, value)
    except (InterfaceError, OperationalError):
        log.exception("the outcome of task %s cannot be written yet", row.pk)
        connection.close()
        return False
    return True


def _settle(row: DBTaskResult, error: BaseException | None, value: Any) -> None:
    if error is not None:
        fail(row, error)
        return
    try:
        _succeed(row, value)
    except (InterfaceError, OperationalError):
        raise
    except (
        Exception
    ) as refused:  # the value cannot be kept, for whatever reason: else the task would run again for ever
        fail(row, refused)


def _held(row: DBTaskResult) -> QuerySet[DBTaskResult]:
    """Return this task, unless it was taken from its worker, which was thought to be dead, and maybe given to another."""
    return DBTaskResult.objects.filter(pk=row.pk, status=TaskResultStatus.RUNNING, started_at=row.started_at)


def _succeed(row: DBTaskResult, value: Any) -> None:
    if not job_of(row.task_path).keep:
        _held(row).delete()
        return
    _held(row).update(
        status=TaskResultStatus.SUCCESSFUL,
        finished_at=timezone.now(),
        return_value=value,
        exception_class_path="",
        traceback="",
    )


def fail(row: DBTaskResult, error: BaseException) -> None:
    """Have the task tried again later, or give it up."""
    job, now, tries = job_of(row.task_path), timezone.now(), len(row.worker_ids)
    told = {
        "exception_class_path": f"{type(error).__module__}.{type(error).__qualname__}",
        "traceback": "".join(format_exception(error)).replace("\0", "").encode(errors="backslashreplace").decode(),
    }
    if tries >= job.tries or job.is_permanent(error):
        if _held(row).update(status=TaskResultStatus.FAILED, finished_at=now, **told):
            log.error("%s is given up after %s tries", row.task_path, tries, exc_info=error)
        return
    pause = back_off(tries, first=job.first, factor=5, most=LONGEST_PAUSE)
    if isinstance(error, WorkerDied):  # which is seldom the task's fault
        pause = timedelta(0)
    if _held(row).update(status=TaskResultStatus.READY, run_after=now + pause, **told):
        log.warning("%s failed and is tried again in %s s: %s", row.task_path, round(pause.total_seconds()), error)


def try_again(pk: UUID) -> bool:
    """Give a task that was given up one more try; False where it is not given up."""
    given_up = DBTaskResult.objects.filter(pk=pk, status=TaskResultStatus.FAILED)
    found = given_up.update(status=TaskResultStatus.READY, run_after=timezone.now(), finished_at=None)
    transaction.on_commit(lambda: wake(Work.TASKS))
    return found == 1


def job_of(task_path: str) -> Job:
    """Return the task; in place of one that this version of the service does not have, one with the usual policy."""
    try:
        job = import_string(task_path)
    except ImportError:
        job = None
    return job if isinstance(job, Job) else Job(func=job_of)


def take_back_from_the_dead() -> None:
    """Make tasks of dead workers ready again. The lost run counts as an attempt."""
    if not dead_workers().exists():  # without a transaction, as above
        return
    with transaction.atomic():
        dead = {row.worker for row in dead_workers().select_for_update(skip_locked=True)}
        for row in DBTaskResult.objects.running().select_for_update():
            if row.worker_ids[-1] in dead:
                with working_for(row.args_kwargs.get(REQUEST_ID)):
                    fail(row, WorkerDied(f"{row.worker_ids[-1]} ended while it ran this task"))
        Heartbeat.objects.filter(pk__in=dead).delete()
