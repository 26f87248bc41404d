from datetime import timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from uuid_utils.compat import uuid7

from boards.models.membership import Role

if TYPE_CHECKING:
    from accounts.models import User

OPEN_FOR = timedelta(days=14)


class InvitationQuerySet(models.QuerySet["Invitation"]):
    def pending(self) -> "InvitationQuerySet":
        """Keep what the inviter sees as pending: a declined invitation looks so until it expires."""
        return self.filter(expires_at__gt=timezone.now())

    def to(self, user: "User") -> "InvitationQuerySet":
        """Keep what this user can accept. While their address is not confirmed, that is nothing."""
        if not user.has_confirmed_address:
            return self.none()
        theirs = models.Q(invitee=user) | models.Q(email=user.email, invitee=None)
        return self.pending().filter(theirs, declined_at=None, invited_by__is_active=True)


class Invitation(models.Model):
    """An address that was asked to join a board, or an account that the inviter knows from another board.

    With an address it refers to no account: nobody has to have this address. With an account it holds no address, which
    the inviter does not know and must not learn.

    Not a BoardRow: it does not belong to the board until it is accepted, and then it is a Membership
    (docs/decisions/people.md).
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    board = models.ForeignKey("boards.Board", on_delete=models.CASCADE, related_name="invitations")
    email = models.EmailField(_("email address"), blank=True)
    invitee = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        null=True,
        related_name="+",
        verbose_name=_("invited person"),
    )
    role = models.CharField(_("role"), max_length=10, choices=Role)
    invited_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name=_("invited by")
    )
    created_at = models.DateTimeField(pgettext_lazy("time", "sent"), default=timezone.now, editable=False)
    expires_at = models.DateTimeField(_("expires"))
    declined_at = models.DateTimeField(pgettext_lazy("time", "declined"), null=True)

    objects = InvitationQuerySet.as_manager()

    class Meta:
        ordering = ["created_at", "id"]
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")
        constraints = [
            models.UniqueConstraint(
                fields=["board", "email"], condition=models.Q(invitee=None), name="one_invitation_an_address"
            ),
            models.UniqueConstraint(fields=["board", "invitee"], name="one_invitation_a_person"),
            models.CheckConstraint(
                condition=models.Q(~models.Q(email=""), invitee=None) | models.Q(email="", invitee__isnull=False),
                name="invitation_to_address_or_person",
            ),
            models.CheckConstraint(condition=models.Q(email=Lower("email")), name="invited_address_in_lower_case"),
        ]
        indexes = [models.Index(fields=["email"], name="invitation_by_address")]

    def __str__(self) -> str:
        return f"{self.addressee} · {self.get_role_display()}"

    def get_absolute_url(self) -> str:
        return f"/invitation/{self.pk}"

    @property
    def addressee(self) -> str:
        """Return what the inviter knows: the address that they typed, or the name of the person whom they chose."""
        return self.invitee.display_name if self.invitee else self.email

    def account(self) -> "User | None":
        """Return the account that can accept. Only tasks ask: how long it takes would tell the inviter if there is one."""
        found = self.invitee or get_user_model().objects.filter(email=self.email).first()
        return found if found and found.is_active and found.has_confirmed_address else None
