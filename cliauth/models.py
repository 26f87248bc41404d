from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from uuid_utils.compat import uuid7

from accounts.models import Access, Bounds

BROWSER = 300  # characters of the User-Agent to keep


class GrantState(models.TextChoices):
    WAITING = "waiting", _("waiting")
    APPROVED = "approved", _("approved")
    DENIED = "denied", _("denied")
    DELIVERED = "delivered", _("delivered")


class GrantQuerySet(models.QuerySet["Grant"]):
    def in_time(self) -> "GrantQuerySet":
        return self.filter(expires_at__gt=timezone.now())

    def waiting(self) -> "GrantQuerySet":
        """Return grants that can still be approved or denied."""
        return self.in_time().filter(state=GrantState.WAITING)


class Grant(models.Model):
    """The sign-in of a command line. The command line holds the device code; a person approves the user code.

    Each change of `state` is one conditional UPDATE in cliauth/grants.py. No other row can have its codes while it is
    kept.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    device_digest = models.CharField(max_length=64, unique=True, editable=False)
    user_code = models.CharField(_("code"), max_length=8, unique=True, editable=False)
    client_name = models.CharField(_("claimed name"), max_length=100, blank=True)
    # What the command line wishes its token to be limited to: as in ApiToken, and of its own making
    access = models.CharField(
        _("access"), max_length=10, choices=Access, default=Access.READ_WRITE, db_default=Access.READ_WRITE
    )
    board_ids = models.JSONField(_("boards"), null=True, blank=True, default=None)
    deletes = models.BooleanField(_("may delete"), default=True, db_default=True)
    address = models.CharField(_("IP address"), max_length=45, blank=True)
    browser = models.CharField(_("program"), max_length=BROWSER, blank=True)
    state = models.CharField(_("state"), max_length=10, choices=GrantState, default=GrantState.WAITING)
    created_at = models.DateTimeField(_("started"), default=timezone.now, editable=False)
    expires_at = models.DateTimeField(_("expires"), editable=False, db_index=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="+", verbose_name=_("decided by")
    )
    # A user wanted to approve, and their plan had no free token. The command line is told.
    lacks_slot = models.BooleanField(default=False, db_default=False, editable=False)
    # The account's session hash at the approval. A password changed since then makes the approval void.
    session_hash = models.CharField(max_length=128, blank=True, editable=False)
    token = models.OneToOneField(
        "accounts.ApiToken", on_delete=models.SET_NULL, null=True, related_name="+", verbose_name=_("token")
    )

    objects = GrantQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-id"]
        verbose_name = _("device grant")
        verbose_name_plural = _("device grants")

    def __str__(self) -> str:
        return self.shown_code

    @property
    def wishes(self) -> Bounds:
        return Bounds(self.access, self.board_ids, self.deletes)

    @property
    def shown_code(self) -> str:
        return f"{self.user_code[:4]}-{self.user_code[4:]}"
