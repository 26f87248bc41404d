from datetime import timedelta
from hashlib import sha256

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from boards.models.base import BoardRow
from boards.models.membership import Role

LONGEST = timedelta(days=90)  # that a link works
MOST_USES = 100
LONGEST_NAME = 50  # characters


class InvitationLinkQuerySet(models.QuerySet["InvitationLink"]):
    def with_uses(self) -> "InvitationLinkQuerySet":
        return self.filter(models.Q(uses_left=None) | models.Q(uses_left__gt=0))

    def listed(self) -> "InvitationLinkQuerySet":
        """Keep links that have not expired, used up or not."""
        return self.filter(expires_at__gt=timezone.now())

    def live(self) -> "InvitationLinkQuerySet":
        """Keep what lets somebody join now: the board is open, and its owner, who made the link, is active."""
        owns = {"board__memberships__user": models.F("made_by"), "board__memberships__role": Role.OWNER}
        return self.listed().with_uses().filter(board__archived_at=None, made_by__is_active=True, **owns)


class InvitationLink(BoardRow):
    """A link that lets everybody who has it join the board. Only the SHA-256 of its key is stored (`digest`)."""

    board = models.ForeignKey("boards.Board", on_delete=models.CASCADE, related_name="invitation_links")
    name = models.CharField(_("name"), max_length=LONGEST_NAME, blank=True)
    role = models.CharField(_("role"), max_length=10, choices=Role)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    last_four = models.CharField(_("ends in"), max_length=4, editable=False)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name=_("created by")
    )
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)
    expires_at = models.DateTimeField(_("expires"))
    uses_left = models.PositiveSmallIntegerField(_("uses left"), null=True)  # None: no limit
    last_used_at = models.DateTimeField(pgettext_lazy("time", "last used"), null=True, editable=False)

    objects = InvitationLinkQuerySet.as_manager()

    class Meta:
        ordering = ["created_at", "id"]
        verbose_name = _("invitation link")
        verbose_name_plural = _("invitation links")
        constraints = [
            models.CheckConstraint(condition=~models.Q(role=Role.OWNER), name="invitation_link_makes_no_owner"),
        ]

    def __str__(self) -> str:
        return self.name or f"…{self.last_four}"

    def get_absolute_url(self) -> str:
        return f"/joining/{self.pk}"


def digest_of(key: str) -> str:
    return sha256(key.encode()).hexdigest()
