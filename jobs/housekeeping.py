"""Tidy up finished jobs, every hour."""

from datetime import timedelta

from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone
from django_tasks import task
from django_tasks.base import TaskResultStatus
from django_tasks_db.models import DBTaskResult

from boards.models import Board
from jobs.clock import every
from jobs.followers import note_what_followers_lack
from jobs.models import Cursor, News
from jobs.running import job_of


@every(timedelta(hours=1), "jobs")
@task(tries=1)
def tidy_jobs() -> None:
    forget_finished_tasks()
    for rows in (Cursor.objects.all(), News.objects.all()):
        _of_gone_boards(rows).delete()
    note_what_followers_lack()


def forget_finished_tasks() -> None:
    """Delete finished tasks after the time that each kind of task sets."""
    finished = DBTaskResult.objects.filter(status__in=(TaskResultStatus.SUCCESSFUL, TaskResultStatus.FAILED))
    for path in finished.order_by().values_list("task_path", flat=True).distinct():
        of_kind, job, now = finished.filter(task_path=path), job_of(path), timezone.now()
        of_kind.filter(status=TaskResultStatus.SUCCESSFUL, finished_at__lt=now - job.keep).delete()
        of_kind.filter(status=TaskResultStatus.FAILED, finished_at__lt=now - job.keep_failed).delete()


def _of_gone_boards(rows: QuerySet) -> QuerySet:
    return rows.filter(~Exists(Board.objects.filter(pk=OuterRef("board_id"))))
