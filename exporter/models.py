"""Exports that people wait for or keep. A row names a file in the default storage, which exists only while the row says so."""

from datetime import timedelta

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from uuid_utils.compat import uuid7

from core.files.names import safe_name

KEPT_FOR = timedelta(days=1)
FOLDER = "exports"


class Form(models.TextChoices):
    ZIP = "zip", _("Zip")
    JSON = "json", _("JSON")
    CSV = "csv", _("CSV")


class ExportState(models.TextChoices):
    WAITING = "waiting", _("waiting")
    RUNNING = "running", _("running")
    DONE = "done", _("done")
    FAILED = "failed", _("failed")
    CANCELLED = "cancelled", _("canceled")  # until the worker has noticed


ACTIVE = (ExportState.WAITING, ExportState.RUNNING)


class Problem(models.TextChoices):
    """Why an export failed. The labels are shown to its person."""

    DISK_FULL = "disk-full", _("The disk of the service is full. Ask its operator to make room, then export again.")
    STORAGE = "storage", _("The file could not be stored. Wait a few minutes, then export again.")
    NO_BOARD = "no-board", _("You no longer have access to this board.")
    INTERRUPTED = "interrupted", _("The export was interrupted several times. Export again.")
    FAULT = "fault", _("Something went wrong on our side. Export again, and ask the operator if it fails once more.")


class ExportQuerySet(models.QuerySet["Export"]):
    def active(self) -> "ExportQuerySet":
        return self.filter(state__in=ACTIVE)

    def kept(self) -> "ExportQuerySet":
        return self.filter(state=ExportState.DONE, expires_at__gt=timezone.now())

    def shown(self) -> "ExportQuerySet":
        """Keep the exports that the page lists. Cancelled and expired ones only wait to be deleted."""
        past = Q(state=ExportState.CANCELLED) | Q(expires_at__lte=timezone.now())
        return self.exclude(past).order_by("-created_at", "-pk")


class Export(models.Model):
    """`board_id` names one board, or is empty for everything; without a foreign key, so that deleting a board never waits.

    `name` is the random name of the file in the storage. Each attempt has one of its own, and is the attempt that counts
    only while the row has its name. `expires_at` is set once the export is done or has failed.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    board_id = models.UUIDField(_("board"), null=True)
    title = models.CharField(_("title"), max_length=200, blank=True)  # of the board, when it was asked for
    form = models.CharField(_("form"), max_length=4, choices=Form)
    state = models.CharField(_("state"), max_length=10, choices=ExportState, default=ExportState.WAITING)
    problem = models.CharField(_("problem"), max_length=20, choices=Problem, blank=True)
    name = models.CharField(max_length=64, blank=True)
    task_id = models.UUIDField(null=True)
    size = models.BigIntegerField(_("size"), default=0)  # bytes
    boards = models.PositiveIntegerField(default=0)
    cards = models.PositiveIntegerField(default=0)
    cards_done = models.PositiveIntegerField(default=0)
    files = models.PositiveIntegerField(default=0)
    files_done = models.PositiveIntegerField(default=0)
    work = models.PositiveIntegerField(default=0)
    work_done = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)
    ready_at = models.DateTimeField(_("ready"), null=True)
    expires_at = models.DateTimeField(_("expires"), null=True)

    objects = ExportQuerySet.as_manager()

    class Meta:
        verbose_name = _("export")
        verbose_name_plural = _("exports")
        constraints = [
            models.UniqueConstraint(
                fields=["user"], condition=Q(state__in=["waiting", "running"]), name="one_export_at_a_time"
            )
        ]

    def __str__(self) -> str:
        return f"{self.user_id} · {self.form} · {self.state}"

    @property
    def is_active(self) -> bool:
        return self.state in ACTIVE

    @property
    def path(self) -> str:
        return f"{FOLDER}/{self.name}"

    @property
    def percent(self) -> int:
        """The share of the work that is done; never all of it, as the last step is not counted."""
        return min(99, self.work_done * 100 // self.work) if self.work else 0

    @property
    def file_name(self) -> str:
        """Return what browsers call the file."""
        what = safe_name(self.title, "board") if self.board_id else "taskboard-export"
        return f"{what}-{self.ready_at or self.created_at:%Y-%m-%d}.{self.form}"
