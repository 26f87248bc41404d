from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from boards.colours import Hue
from boards.models.base import BoardRow
from boards.text import LABEL


class Label(BoardRow):
    """A coloured word that can be added to the cards of one board."""

    board = models.ForeignKey("boards.Board", on_delete=models.CASCADE, related_name="labels")
    name = models.CharField(_("name"), max_length=LABEL)
    hue = models.PositiveSmallIntegerField(_("color"), choices=Hue)
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)

    class Meta:
        ordering = ["created_at", "id"]
        verbose_name = _("label")
        verbose_name_plural = _("labels")
        constraints = [models.UniqueConstraint(fields=["board", "name"], name="label_names_differ_on_a_board")]

    def __str__(self) -> str:
        return self.name
