from typing import TYPE_CHECKING

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from uuid_utils.compat import uuid7

from boards.backgrounds import Background
from boards.colours import Hue
from boards.models.membership import Role
from boards.reader import Reader
from boards.text import BOARD_TITLE

if TYPE_CHECKING:
    from accounts.models import User


class BoardQuerySet(models.QuerySet["Board"]):
    def visible_to(self, reader: Reader) -> "BoardQuerySet":
        return self.filter(reader.membership("memberships__"))

    def open(self) -> "BoardQuerySet":
        return self.filter(archived_at=None)

    def owned_by(self, user: "User") -> "BoardQuerySet":
        return self.filter(memberships__user=user, memberships__role=Role.OWNER)


class Board(models.Model):
    """A board. `version` is the number of its last change; `changed_at` is when that was."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    title = models.CharField(_("title"), max_length=BOARD_TITLE)
    hue = models.PositiveSmallIntegerField(_("color"), choices=Hue, default=Hue.BLUE)
    background = models.CharField(max_length=48, default=Background.PLAIN, db_default=Background.PLAIN, editable=False)
    version = models.BigIntegerField(default=0, editable=False)
    # The last change of what the board itself shows: title, color, archiving, lists, labels, members; not its cards.
    own_version = models.BigIntegerField(default=0, db_default=0, editable=False)
    last_card_number = models.PositiveIntegerField(default=0, editable=False)
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)
    changed_at = models.DateTimeField(_("last change"), default=timezone.now, editable=False)
    archived_at = models.DateTimeField(pgettext_lazy("time", "archived"), null=True, blank=True)

    is_shared: bool  # read by read_board (boards/statements.py) and with_shared

    objects = BoardQuerySet.as_manager()

    class Meta:
        ordering = ["created_at", "id"]
        verbose_name = _("board")
        verbose_name_plural = _("boards")

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return f"/board/{self.pk}"
