from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from boards.models.base import BoardRow
from boards.models.verbs import Door, doors
from boards.text import COMMENT


class Comment(BoardRow):
    """A comment on a card, in Markdown. `door` and `token_name` say how it was written, as in its activity."""

    card = models.ForeignKey("boards.Card", on_delete=models.CASCADE, related_name="comments")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    body = models.TextField(_("text"), max_length=COMMENT)
    door = models.CharField(_("door"), max_length=10, choices=doors, default=Door.WEB)
    token_name = models.CharField(_("token"), max_length=100, blank=True)
    created_at = models.DateTimeField(_("written"), default=timezone.now, editable=False)
    edited_at = models.DateTimeField(_("edited"), null=True, editable=False)

    class Meta:
        ordering = ["created_at", "id"]
        verbose_name = _("comment")
        verbose_name_plural = _("comments")
        indexes = [models.Index(fields=["card", "created_at"], name="comment_by_time")]

    def __str__(self) -> str:
        return self.body[:80]
