"""The backend that TASKS names: django-tasks' own, in the database, for tasks that say how failures are retried.

@task(tries=8, first=timedelta(seconds=30))
def fetch(address: str) -> None: ...

fetch.enqueue("https://...")  # a row, so it is enqueued if and only if the transaction around it commits
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, TypeVar

from django.db import transaction
from django.db.models.signals import pre_save
from django.dispatch import receiver
from django_tasks.base import Task
from django_tasks_db import DatabaseBackend
from typing_extensions import ParamSpec

from core.http.request_ids import request_id
from jobs.waking import Work, wake

REQUEST_ID = "request_id"  # of the request that enqueued a task, beside `args` and `kwargs` in its row
HEAVY = "heavy"  # the queue of tasks that take minutes: one thread of a worker leaves them alone, so that mails go out

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Job(Task[P, T]):
    """A task and its retries. After a crash it may run twice, so its work must be repeatable."""

    tries: int = 5
    first: timedelta = timedelta(minutes=1)  # the pause after the first failure; each further one is five times as long
    is_permanent: Callable[[BaseException], bool] = lambda error: False  # then it is not tried again
    keep: timedelta = timedelta(days=1)  # how long its row stays when it has succeeded; 0: not at all
    keep_failed: timedelta = timedelta(days=30)  # and when it was given up


class Backend(DatabaseBackend):
    task_class = Job  # type: ignore[assignment]  # its types are those of Django 6.0

    def enqueue(self, task: Task[Any, Any], args: Any, kwargs: Any) -> Any:  # type: ignore[override]
        result = super().enqueue(task, args, kwargs)  # type: ignore[arg-type, var-annotated]
        transaction.on_commit(lambda: wake(Work.TASKS))
        return result


@receiver(pre_save, sender="django_tasks_database.DBTaskResult")
def keep_request_id(instance: Any, **signal: Any) -> None:
    """Keep the id of the request beside the arguments of a new task, where workers of older versions do not look."""
    if instance._state.adding and (given := request_id.get()):
        instance.args_kwargs[REQUEST_ID] = given
