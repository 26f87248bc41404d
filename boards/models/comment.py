from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy as _

from boards.models.base import BoardRow
from boards.models.verbs import Door, doors
from boards.text import COMMENT


class Comment(BoardRow):
    """A comment on a card, in Markdown. `door` and `token_name` say how it was written, as in its activity.

    `document` and `html` are made of `body` when it is written, so that showing a comment takes no work. `html_version`
    is the HTML_VERSION that wrote `html`, 0 for comments of the time before.
    """

    card = models.ForeignKey("boards.Card", on_delete=models.CASCADE, related_name="comments")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    body = models.TextField(_("text"), max_length=COMMENT)
    document = models.JSONField(null=True, editable=False)
    html = models.TextField(default="", editable=False)
    html_version = models.PositiveSmallIntegerField(default=0, editable=False)
    door = models.CharField(_("source"), max_length=10, choices=doors, default=Door.WEB)
    token_name = models.CharField(_("token"), max_length=100, blank=True)
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)
    edited_at = models.DateTimeField(_("edited"), null=True, editable=False)

    class Meta:
        ordering = ["created_at", "id"]
        verbose_name = _("comment")
        verbose_name_plural = _("comments")
        indexes = [models.Index(fields=["card", "created_at"], name="comment_by_time")]

    def __str__(self) -> str:
        return self.body[:80]

    @property
    def shown(self) -> SafeString:
        return mark_safe(self.html)  # noqa: S308  to_html alone writes this column, and escapes every text
