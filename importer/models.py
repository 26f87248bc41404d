from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from uuid_utils.compat import uuid7

from importer.formats.source import Source


class ImportState(models.TextChoices):
    ASKING = "asking", _("waiting for your answers")
    READING = "reading", _("reading")
    REPORTED = "reported", _("waiting for a decision")
    WAITING = "waiting", _("starting")
    RUNNING = "running", _("running")
    DONE = "done", _("done")
    FAILED = "failed", _("failed")
    CANCELLED = "cancelled", _("canceled")
    TAKEN_BACK = "taken-back", _("undone")


def states() -> list[tuple[str, object]]:
    """Return the choices of a field. A callable, so that changing a label needs no migration."""
    return list(ImportState.choices)


OPEN = (ImportState.ASKING, ImportState.READING, ImportState.REPORTED, ImportState.WAITING, ImportState.RUNNING)
BUSY = (ImportState.READING, ImportState.WAITING, ImportState.RUNNING)  # a worker has it, or will


class Import(models.Model):
    """One import of one account, from the upload to its end.

    `report` is {"things": {"all", "taken"}, "boards": [{"key", "title", "archived", "counts": {…}}], "losses": [{"loss", "count", "places"}],
    "people": [{"key", "name"}], "me": the key of the person who seems to be the user}. `made` has the boards that are there, [{"place", "id", "title", "cards"}], written in
    the very transactions that made them; `place` is the board's place in the file. `at_hand` is the board that is being
    written, which nobody can see yet.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    state = models.CharField(_("state"), max_length=10, choices=states, default=ImportState.ASKING)
    attempt = models.PositiveSmallIntegerField(default=0)  # of the worker that has it: an earlier one may still run
    format = models.CharField(_("format"), max_length=20)
    file = models.CharField(max_length=100, blank=True)  # its random name in the storage, "" once it is deleted
    file_name = models.CharField(_("file"), max_length=255)
    size = models.BigIntegerField(_("size"), default=0)  # bytes
    salt = models.BinaryField(max_length=32)
    choices = models.JSONField(default=dict)  # answers to the questions of the format
    secrets = models.JSONField(default=dict)  # those that are secret; emptied with the end
    people = models.JSONField(default=dict)  # ids of users by the keys of people
    left_out = models.JSONField(default=list)  # keys of boards that are not wanted
    report = models.JSONField(default=dict)
    made = models.JSONField(default=list)
    at_hand = models.UUIDField(null=True)
    progress = models.PositiveIntegerField(_("cards written"), default=0)
    error = models.TextField(_("error"), blank=True)  # a sentence for the person
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)
    changed_at = models.DateTimeField(_("last change"), default=timezone.now)

    class Meta:
        ordering = ["-created_at", "-id"]
        verbose_name = _("import")
        verbose_name_plural = _("imports")
        constraints = [
            models.UniqueConstraint(fields=["user"], condition=Q(state__in=OPEN), name="one_open_import_an_account")
        ]
        indexes = [models.Index(fields=["state", "changed_at"], name="import_by_state")]

    def __str__(self) -> str:
        return self.file_name

    def get_absolute_url(self) -> str:
        return f"/settings/data/import/{self.pk}"

    @property
    def is_open(self) -> bool:
        return self.state in OPEN

    @property
    def is_busy(self) -> bool:
        return self.state in BUSY

    @property
    def boards(self) -> list[dict[str, Any]]:
        """Return what the report says of the boards that are wanted."""
        return [board for board in self.report.get("boards", ()) if board["key"] not in self.left_out]

    @property
    def total(self) -> int:
        return sum(board["counts"]["cards"] for board in self.boards)

    @property
    def can_be_taken_back(self) -> bool:
        return bool(self.made) and not self.is_open and self.state != ImportState.TAKEN_BACK

    @property
    def answers(self) -> dict[str, Any]:
        """Return the answers to the questions of the format, also the secret ones."""
        return self.choices | self.secrets

    def source(self, path: Path, still_wanted: Callable[[], None] = lambda: None) -> Source:
        return Source(
            path=path,
            name=self.file_name,
            time_zone=self.user.zone.key,
            salt=bytes(self.salt),
            left_out=frozenset(self.left_out),
            choices=self.answers,
            still_wanted=still_wanted,
        )
