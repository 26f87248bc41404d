from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from boards.models.base import BoardRow


class Offer(BoardRow):
    """The owner's offer to hand the board over to a member, until that member answers."""

    board = models.ForeignKey("boards.Board", on_delete=models.CASCADE, related_name="offers")
    to = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name=_("offered to")
    )
    offered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name=_("offered by")
    )
    created_at = models.DateTimeField(pgettext_lazy("time", "offered"), default=timezone.now, editable=False)

    class Meta:
        ordering = ["created_at", "id"]
        verbose_name = _("board offer")
        verbose_name_plural = _("board offers")
        constraints = [models.UniqueConstraint(fields=["board"], name="one_offer_a_board")]

    def __str__(self) -> str:
        return f"{self.board} → {self.to}"
