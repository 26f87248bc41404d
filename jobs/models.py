"""The state of followers of the history, tasks and the clock between two turns.

Boards are named by their ids, without foreign keys: deleting a board never waits for a follower. Rows of boards that are
gone are removed every hour (jobs/housekeeping.py).
"""

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django_tasks_db.models import DBTaskResult

from boards.models import Activity


class Follower(models.Model):
    """A follower that a worker has met. It gets the changes since `began_at`."""

    name = models.CharField(_("follower"), max_length=50, primary_key=True)
    began_at = models.DateTimeField(_("started"))

    class Meta:
        verbose_name = _("follower")
        verbose_name_plural = _("followers")

    def __str__(self) -> str:
        return self.name


class Cursor(models.Model):
    """The cursor of a follower on a board: it has handled the changes up to `version`.

    `attempts` counts the failures in a row; the next try is due at `next_try_at`.
    """

    follower = models.CharField(_("follower"), max_length=50)
    board_id = models.UUIDField(_("board"))
    version = models.BigIntegerField(_("version"))
    attempts = models.PositiveIntegerField(_("failures in a row"), default=0)
    next_try_at = models.DateTimeField(_("next attempt"), null=True)
    error = models.TextField(_("last error"), blank=True)

    class Meta:
        verbose_name = _("follower cursor")
        verbose_name_plural = _("follower cursors")
        constraints = [models.UniqueConstraint(fields=["board_id", "follower"], name="one_cursor_a_board_and_follower")]

    def __str__(self) -> str:
        return f"{self.follower} · {self.board_id}"

    def waits(self) -> bool:
        return self.next_try_at is not None and self.next_try_at > timezone.now()

    def changes(self) -> "models.QuerySet[Activity]":
        """Return what this follower has not handled, in order."""
        return Activity.objects.filter(board=self.board_id, version__gt=self.version).order_by("version")


class News(models.Model):
    """A board with changes that some follower may not have handled: up to `version`, the first of them noted at `since`."""

    board_id = models.UUIDField(primary_key=True)
    version = models.BigIntegerField()
    since = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.board_id} · {self.version}"


class Heartbeat(models.Model):
    """A worker that holds tasks, and when it was last alive. A worker that holds none has no row."""

    worker = models.CharField(max_length=64, primary_key=True)
    beat_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.worker


class Task(DBTaskResult):
    """A task, with its arguments and outcome. Rows are written by django-tasks and by jobs/running.py."""

    class Meta:
        proxy = True
        verbose_name = _("task")
        verbose_name_plural = _("tasks")

    def __str__(self) -> str:
        return self.task_path


class Turn(models.Model):
    """The next turn of a periodic task, and the task that was enqueued for its last one."""

    name = models.CharField(_("name"), max_length=50, primary_key=True)
    next_at = models.DateTimeField(_("next run"))
    last_at = models.DateTimeField(_("last run"), null=True)
    task_id = models.UUIDField(_("task"), null=True)

    class Meta:
        verbose_name = _("periodic task")
        verbose_name_plural = _("periodic tasks")

    def __str__(self) -> str:
        return self.name
