from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class Kind(models.TextChoices):
    """What can happen. The values are kept in rows and log lines: they must not change."""

    SIGNED_IN = "signed-in", _("signed in")
    SIGN_IN_FAILED = "sign-in-failed", _("sign-in failed")
    SIGNED_OUT = "signed-out", _("signed out")
    SIGNED_UP = "signed-up", _("signed up")
    CONFIRMED = "reauthenticated", _("password confirmed")
    PASSWORD_CHANGED = "password-changed", _("password changed")
    PASSWORD_RESET = "password-reset", _("password reset")
    RESET_REQUESTED = "reset-requested", _("password reset requested")
    ADDRESS_REQUESTED = "address-requested", _("email address change requested")
    ADDRESS_STOPPED = "address-stopped", _("email address change stopped")
    ADDRESS_CHANGED = "address-changed", _("email address changed")
    TOKEN_CREATED = "token-created", _("API token created")
    TOKEN_REVOKED = "token-revoked", _("API token revoked")
    TOKEN_REFUSED = "token-refused", _("API token refused")
    DEVICE_APPROVED = "device-approved", _("command line approved")
    DEVICE_DENIED = "device-denied", _("command line denied")
    INVITED = "invited", _("invited to a board")
    JOINED = "joined", _("joined a board")
    BOARD_OFFERED = "board-offered", _("board offered")
    BOARD_HANDED_OVER = "board-handed-over", _("board transferred")
    BOARD_DELETED = "board-deleted", _("board deleted")
    EXPORTED = "exported", _("data exported")
    LIMIT_REACHED = "limit-reached", _("limit reached")
    DEACTIVATED = "deactivated", _("account deactivated")
    ACTIVATED = "activated", _("account activated")
    SESSIONS_ENDED = "sessions-ended", _("sessions ended")


class SecurityEvent(models.Model):
    """One line of the security log: who did what, and from where. Written by `log_event`, never changed."""

    at = models.DateTimeField(_("when"), default=timezone.now, editable=False)
    kind = models.CharField(_("event"), max_length=30, choices=Kind)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        related_name="+",
        verbose_name=_("account"),
        db_index=False,
    )
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        related_name="+",
        verbose_name=_("done by"),
        db_index=False,
    )
    address = models.CharField(_("IP address"), max_length=45, blank=True)
    browser = models.CharField(_("program"), max_length=200, blank=True)
    details = models.JSONField(_("details"), default=dict)

    class Meta:
        ordering = ["-id"]
        verbose_name = _("security event")
        verbose_name_plural = _("security log")
        indexes = [
            models.Index(fields=["user", "-id"], name="events_of_account"),
            models.Index(fields=["at"], name="events_by_age"),
        ]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M:%S} {self.kind}"
