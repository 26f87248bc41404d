import hashlib
from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

LONGEST = 200  # characters: on a phone five lines, above whatever people came for


class Level(models.TextChoices):
    INFORMATION = "information", gettext_lazy("Information")
    WARNING = "warning", gettext_lazy("Warning")


class Banner(models.Model):
    """A text for everybody at the top of the pages, at most one. It is shown from `starts_at` until `ends_at`."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1, editable=False)
    text = models.CharField(
        gettext_lazy("text"),
        max_length=LONGEST,
        help_text=gettext_lazy("At the top of all pages, and of the sign-in page. Plain text in one paragraph."),
    )
    level = models.CharField(gettext_lazy("level"), max_length=12, choices=Level, default=Level.INFORMATION)
    starts_at = models.DateTimeField(
        pgettext_lazy("time", "from"), null=True, blank=True, help_text=gettext_lazy("Empty: immediately.")
    )
    ends_at = models.DateTimeField(
        pgettext_lazy("time", "until"), null=True, blank=True, help_text=gettext_lazy("Empty: until you delete it.")
    )

    class Meta:
        verbose_name = gettext_lazy("banner")
        verbose_name_plural = gettext_lazy("banner")
        constraints = [models.CheckConstraint(condition=models.Q(id=1), name="one_banner")]

    def __str__(self) -> str:
        return self.text

    def clean(self) -> None:
        self.text = " ".join(self.text.split())
        if self.starts_at and self.ends_at and self.ends_at <= self.starts_at:
            raise ValidationError({"ends_at": _("Choose a time after the beginning.")})

    @property
    def mark(self) -> str:
        """Stands for the text in the cookie of a browser whose user has closed the banner."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:16]

    def is_shown(self, now: datetime) -> bool:
        return (self.starts_at is None or self.starts_at <= now) and (self.ends_at is None or now < self.ends_at)
