import hashlib
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple
from uuid import UUID

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from uuid_utils.compat import uuid7

KEEP_FOR = timedelta(days=90)  # rows of tokens that nobody can use any more


class MadeBy(models.TextChoices):
    WEB = "web", _("web")
    COMMAND_LINE = "cli", _("command line")


class Access(models.TextChoices):
    """Whether a token may change anything. The values are those of the API."""

    READ = "read", pgettext_lazy("token", "read")
    READ_WRITE = "readWrite", pgettext_lazy("token", "read and write")


class TokenState(StrEnum):
    VALID = "valid"
    REVOKED = "revoked"
    RESERVED = "reserved"  # approved: a command line may fetch it
    EXPIRED = "expired"


class Bounds(NamedTuple):
    """Rights of a token, of all that its owner has. A token without limits may do everything that its owner may."""

    access: str = Access.READ_WRITE
    board_ids: list[str] | None = None  # None: all boards, also future ones
    deletes: bool = True


EVERYTHING = Bounds()


class ApiTokenQuerySet(models.QuerySet["ApiToken"]):
    def live(self) -> "ApiTokenQuerySet":
        """Return tokens that are accepted now, if their user is active."""
        return self.filter(Q(expires_at=None) | Q(expires_at__gt=timezone.now()), revoked_at=None, digest__isnull=False)

    def held(self) -> "ApiTokenQuerySet":
        """Return the tokens to list for their owner: live, expired, and reserved ones that can still be fetched."""
        return self.filter(Q(digest__isnull=False) | Q(reserved_until__gt=timezone.now()), revoked_at=None)

    def past_use(self, now: datetime) -> "ApiTokenQuerySet":
        """Return the rows to delete: long revoked, or reserved and never fetched. The history keeps their names."""
        limit = now - KEEP_FOR
        return self.filter(Q(revoked_at__lt=limit) | Q(digest=None, reserved_until__lt=limit))

    def taking_a_slot(self) -> "ApiTokenQuerySet":
        """Return what counts against the plan's limit: live tokens, and reserved ones that can still be fetched."""
        return self.held().filter(Q(expires_at=None) | Q(expires_at__gt=timezone.now()))


class ApiToken(models.Model):
    """An API token. Only the SHA-256 of its value is stored (`digest`). A row without digest is a reserved slot."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="tokens")
    name = models.CharField(_("name"), max_length=100)
    digest = models.CharField(max_length=64, unique=True, null=True, editable=False)  # noqa: DJ001  "" would not be unique
    last_four = models.CharField(_("ends in"), max_length=4, editable=False)
    access = models.CharField(
        _("access"), max_length=10, choices=Access, default=Access.READ_WRITE, db_default=Access.READ_WRITE
    )
    # Ids of boards as text, null for all. No foreign keys: a board that is deleted must not make the set wider.
    board_ids = models.JSONField(_("boards"), null=True, blank=True, default=None)
    deletes = models.BooleanField(_("may delete"), default=True, db_default=True)
    made_by = models.CharField(_("created via"), max_length=10, choices=MadeBy, default=MadeBy.WEB)
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)
    last_used_at = models.DateTimeField(_("last used"), null=True, editable=False)
    expires_at = models.DateTimeField(_("expires"), null=True, blank=True)
    revoked_at = models.DateTimeField(pgettext_lazy("time", "revoked"), null=True, editable=False)
    reserved_until = models.DateTimeField(_("reserved until"), null=True, editable=False)

    objects = ApiTokenQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-id"]
        verbose_name = _("API token")
        verbose_name_plural = _("API tokens")

    def __str__(self) -> str:
        return f"{self.name} (…{self.last_four})"

    @property
    def boards(self) -> frozenset[UUID] | None:
        """The ids of the boards that exist for this token, or None for all. Some of them may be gone."""
        return None if self.board_ids is None else frozenset(map(UUID, self.board_ids))

    @property
    def writes(self) -> bool:
        return self.access == Access.READ_WRITE

    @property
    def is_live(self) -> bool:
        expired = self.expires_at is not None and self.expires_at <= timezone.now()
        return self.digest is not None and self.revoked_at is None and not expired

    @property
    def state(self) -> TokenState:
        if self.is_live:
            return TokenState.VALID
        if self.revoked_at is not None:
            return TokenState.REVOKED
        if self.digest is None and self.reserved_until is not None and self.reserved_until > timezone.now():
            return TokenState.RESERVED
        return TokenState.EXPIRED


class LastLook(models.Model):
    """The number of the last change that the holder of a token has said to have seen, by the id of a board.

    It has a row of its own, because every call reads the token's.
    """

    token = models.OneToOneField(ApiToken, on_delete=models.CASCADE, primary_key=True, related_name="last_look")
    versions = models.JSONField(default=dict)

    class Meta:
        verbose_name = "last look"
        verbose_name_plural = "last looks"

    def __str__(self) -> str:
        return str(self.token)


def digest_of(value: str) -> str:
    return hashlib.sha256(value.encode()).hexdigest()
