from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from uuid_utils.compat import uuid7

from boards.models.base import BoardRow
from boards.models.verbs import Door, doors
from boards.text import FILE_NAME


class Preview(models.TextChoices):
    """Whether there are pictures made of a file, to be shown in its place."""

    NONE = "none", _("none")
    WAITING = "waiting", _("being made")
    MADE = "made", _("made")
    FAILED = "failed", _("could not be made")


class StoredFile(models.Model):
    """A file in the storage (core/files/storage.py), which copies of a card share. Its bytes never change.

    An unused file is deleted a day after the sweep noticed it, so that Undo can bring a deleted attachment back.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    name = models.CharField(_("name in the storage"), max_length=64, unique=True)
    size = models.BigIntegerField(_("size"))  # bytes
    content_type = models.CharField(_("type"), max_length=100)  # by its bytes
    sha256 = models.CharField(max_length=64)
    width = models.PositiveIntegerField(null=True, blank=True)  # of a picture, in pixels, upright
    height = models.PositiveIntegerField(null=True, blank=True)
    preview = models.CharField(_("preview"), max_length=10, choices=Preview, default=Preview.NONE)
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)
    unused_since = models.DateTimeField(_("unused since"), null=True, blank=True)
    missing_since = models.DateTimeField(_("missing since"), null=True, blank=True)  # found by the sweep

    class Meta:
        verbose_name = _("stored file")
        verbose_name_plural = _("stored files")
        indexes = [models.Index(fields=["unused_since"], name="file_by_unused")]

    def __str__(self) -> str:
        return self.name


class Attachment(BoardRow):
    """A file on a card. `door` and `token_name` say how it was attached, as in its activity."""

    card = models.ForeignKey("boards.Card", on_delete=models.CASCADE, related_name="attachments")
    file = models.ForeignKey(StoredFile, on_delete=models.PROTECT, related_name="attachments")
    file_name = models.CharField(_("file name"), max_length=FILE_NAME)
    uploaded_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    door = models.CharField(_("source"), max_length=10, choices=doors, default=Door.WEB)
    token_name = models.CharField(_("token"), max_length=100, blank=True)
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)

    class Meta:
        ordering = ["created_at", "id"]
        verbose_name = _("attachment")
        verbose_name_plural = _("attachments")

    def __str__(self) -> str:
        return self.file_name

    @property
    def is_picture(self) -> bool:
        """Return whether there are pictures of the file to be shown, or will be in a moment."""
        return self.file.preview in (Preview.WAITING, Preview.MADE)

    @property
    def ending(self) -> str:
        """Return the ending of the name in capitals, as PDF; "" for a name without one, or with a long one."""
        ending = self.file_name.rpartition(".")[2] if "." in self.file_name else ""
        return ending.upper() if len(ending) <= 5 else ""

    def get_absolute_url(self) -> str:
        return f"/attachments/{self.pk}"
