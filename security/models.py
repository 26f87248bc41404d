from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from uuid_utils.compat import uuid7

from security.browsers import name_of_browser


class EventKind(models.TextChoices):
    """The kind of an event. The values are kept in rows and log lines: they must not change."""

    SIGNED_IN = "signed-in", _("signed in")
    SIGN_IN_FAILED = "sign-in-failed", _("sign-in failed")
    SIGNED_OUT = "signed-out", _("signed out")
    SIGNED_UP = "signed-up", _("signed up")
    CONFIRMED = "reauthenticated", _("identity confirmed")
    PASSWORD_CHANGED = "password-changed", _("password changed")
    PASSWORD_RESET = "password-reset", _("password reset")
    RESET_REQUESTED = "reset-requested", _("password reset requested")
    ADDRESS_REQUESTED = "address-requested", _("email address change requested")
    ADDRESS_STOPPED = "address-stopped", _("email address change stopped")
    ADDRESS_CHANGED = "address-changed", _("email address changed")
    TOKEN_CREATED = "token-created", _("API token created")
    TOKEN_NARROWED = "token-narrowed", _("API token restricted")
    TOKEN_REVOKED = "token-revoked", _("API token revoked")
    TOKEN_REFUSED = "token-refused", _("API token refused")
    DEVICE_APPROVED = "device-approved", _("command line approved")
    DEVICE_DENIED = "device-denied", _("command line denied")
    INVITED = "invited", _("invited to a board")
    LINK_CREATED = "link-created", _("invitation link created")
    PUBLIC_LINK_ON = "public-link-on", _("public link turned on")
    PUBLIC_LINK_OFF = "public-link-off", _("public link turned off")
    JOINED = "joined", _("joined a board")
    BOARD_OFFERED = "board-offered", _("board offered")
    BOARD_HANDED_OVER = "board-handed-over", _("board transferred")
    BOARD_DELETED = "board-deleted", _("board deleted")
    EXPORTED = "exported", _("data exported")
    IMPORTED = "imported", _("data imported")
    LIMIT_REACHED = "limit-reached", _("limit reached")
    DEACTIVATED = "deactivated", _("account deactivated")
    ACTIVATED = "activated", _("account activated")
    PLAN_CHANGED = "plan-changed", _("plan changed")
    DELETED = "account-deleted", _("account deleted")
    FACTOR_ADDED = "factor-added", _("sign-in factor added")
    FACTOR_REMOVED = "factor-removed", _("sign-in factor removed")
    CODES_MADE = "recovery-codes-made", _("recovery codes created")
    CODE_USED = "recovery-code-used", _("recovery code used")
    BROWSER_TRUSTED = "browser-trusted", _("browser remembered")
    TRUST_WITHDRAWN = "trust-withdrawn", _("browser forgotten")
    SECOND_STEP_FAILED = "second-step-failed", _("second step failed")
    PROVIDER_LINKED = "provider-linked", _("single sign-on linked")
    PROVIDER_UNLINKED = "provider-unlinked", _("single sign-on unlinked")
    GROUPS_APPLIED = "groups-applied", _("changed by groups")
    SESSIONS_ENDED = "sessions-ended", _("sessions ended")
    PUSH_ON = "push-on", _("push notifications turned on")
    PUSH_OFF = "push-off", _("push notifications turned off")


class SecurityEvent(models.Model):
    """One line of the security log: who did what, and from where. Written by `log_event`, never changed."""

    at = models.DateTimeField(_("when"), default=timezone.now, editable=False)
    kind = models.CharField(_("event"), max_length=30, choices=EventKind)
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


class Way(models.TextChoices):
    """The way in which the user signed in. Empty: not recorded."""

    PASSWORD = "password", _("password")
    TWO_STEPS = "two-steps", _("password and second step")
    PASSKEY = "passkey", _("passkey")
    PROVIDER = "provider", _("single sign-on")
    SIGN_UP = "sign-up", _("sign-up")
    RESET = "reset", _("link to reset the password")


class BrowserSession(models.Model):
    """A session of an account. The row ends with the session of Django, which names no account itself.

    The database does not hold the two together: processes of an older version delete sessions without knowing of rows.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    session = models.OneToOneField(Session, models.CASCADE, db_constraint=False, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", verbose_name=_("account"))
    way = models.CharField(max_length=20, choices=Way, blank=True)
    address = models.CharField(_("IP address"), max_length=45, blank=True)
    browser = models.CharField(_("browser"), max_length=200, blank=True)
    began_at = models.DateTimeField(null=True, editable=False)  # None: before there were rows
    used_at = models.DateTimeField(_("last used"), editable=False)  # noted once a day

    class Meta:
        verbose_name = _("session")
        verbose_name_plural = _("sessions")

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        return name_of_browser(self.browser)
