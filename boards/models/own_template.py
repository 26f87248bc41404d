from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from uuid_utils.compat import uuid7

from boards.colours import Hue
from boards.text import BOARD_TITLE

if TYPE_CHECKING:
    from accounts.models import User


class OwnTemplateQuerySet(models.QuerySet["OwnTemplate"]):
    def of(self, user: "User") -> "OwnTemplateQuerySet":
        """Keep the templates of this user, without the cards, which may be long. Nobody sees those of somebody else."""
        return self.filter(user=user).defer("cards")


class OwnTemplate(models.Model):
    """A board as somebody has saved it, to create further ones from: a snapshot that no board refers to.

    `outline` is {"background", "lists": [{"title", "limit"}], "labels": [{"name", "hue"}]}, without a background where it is
    older; `cards` have the numbers of their list and their labels there (boards/actions/boards/own_templates.py).
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(_("name"), max_length=BOARD_TITLE)
    hue = models.PositiveSmallIntegerField(_("color"), choices=Hue, default=Hue.BLUE)
    outline = models.JSONField(editable=False)
    cards = models.JSONField(editable=False)
    card_count = models.PositiveIntegerField(editable=False)
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)

    objects = OwnTemplateQuerySet.as_manager()

    class Meta:
        ordering = ["created_at", "id"]
        verbose_name = _("board template")
        verbose_name_plural = _("board templates")

    def __str__(self) -> str:
        return self.name

    @property
    def list_titles(self) -> list[str]:
        return [row["title"] for row in self.outline["lists"]]
