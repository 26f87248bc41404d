from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class Counted(models.TextChoices):
    """A kind of use that is counted. The values are kept in rows: they must not change."""

    BOARD = "board", _("board created")
    INVITATION = "invitation", _("invitation sent")
    STRANGER_MAIL = "stranger-mail", _("invitation email sent to an address without an account")
    INVITATION_MAIL = "invitation-mail", _("invitation email received")


class Use(models.Model):
    """One use of a daily allowance. It outlives the row that was made: deleting a board or withdrawing an invitation
    gives nothing back.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False)
    what = models.CharField(_("event"), max_length=20, choices=Counted)
    at = models.DateTimeField(_("when"), default=timezone.now)

    class Meta:
        verbose_name = _("counted use")
        verbose_name_plural = _("counted uses")
        indexes = [
            models.Index(fields=["user", "what", "at"], name="uses_of_account"),
            models.Index(fields=["at"], name="uses_by_age"),
        ]

    def __str__(self) -> str:
        return f"{self.get_what_display()} · {self.at:%Y-%m-%d %H:%M:%S}"
