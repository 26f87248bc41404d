from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from uuid_utils.compat import uuid7

from boards.models.verbs import doors, verbs


class HistoryLine(models.Model):
    """One line of a board's history: who did what, when, through which door.

    `subject` is the changed thing, `{"kind", "id", "title"}`, for cards and their parts also `card` and `number`.
    `data` is the record of the verb (records.py): pairs of old and new values by name.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    verb = models.CharField(_("event"), max_length=30, choices=verbs)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    door = models.CharField(_("source"), max_length=10, choices=doors)
    token_id = models.UUIDField(null=True)
    token_name = models.CharField(_("token"), max_length=100, blank=True)
    subject = models.JSONField(encoder=DjangoJSONEncoder, default=dict)
    data = models.JSONField(encoder=DjangoJSONEncoder, default=dict)
    created_at = models.DateTimeField(_("when"), default=timezone.now, editable=False)

    class Meta:
        abstract = True


class Activity(HistoryLine):
    """One change of one board; `version` is its number.

    `removed` names the rows that this change deleted or moved to another board, `[{"kind", "id"}]`. Without it, a page
    that catches up could not know of them, as it reads only rows that are on the board.

    `undoes` is the number of the earlier change of this board that this one took back, if it did so.
    """

    board = models.ForeignKey("boards.Board", on_delete=models.CASCADE, related_name="activities")
    version = models.BigIntegerField(editable=False)
    card_id = models.UUIDField(null=True)
    removed = models.JSONField(encoder=DjangoJSONEncoder, null=True)
    undoes = models.BigIntegerField(null=True, editable=False)

    class Meta:
        ordering = ["-version"]
        verbose_name = _("activity")
        verbose_name_plural = _("activities")
        constraints = [models.UniqueConstraint(fields=["board", "version"], name="one_activity_a_change")]
        indexes = [models.Index(fields=["card_id", "-version"], name="activity_by_card")]

    def __str__(self) -> str:
        return f"{self.version} · {self.get_verb_display()}"


class FormerValues(models.Model):
    """Former values that are too long for a line of history: a replaced long text, the parts of a deleted row.

    `values` holds them by name. They have a table of their own so that pages, which show many lines and none of these
    values, never load them (docs/decisions/history.md).
    """

    activity = models.OneToOneField(Activity, on_delete=models.CASCADE, primary_key=True, related_name="former")
    values = models.JSONField(encoder=DjangoJSONEncoder)

    class Meta:
        verbose_name = _("former values")
        verbose_name_plural = _("former values")

    def __str__(self) -> str:
        return ", ".join(self.values)


class OwnerActivity(HistoryLine):
    """A line of history that outlives its board: the deletion of a board that `owner` owned.

    The board's own history is deleted together with the board.
    """

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    board_id = models.UUIDField()  # no foreign key: the board is deleted

    class Meta:
        ordering = ["-created_at", "-id"]
        verbose_name = _("board deletion")
        verbose_name_plural = _("board deletions")

    def __str__(self) -> str:
        return f"{self.get_verb_display()} · {self.subject.get('title', '')}"
