"""Factors that an account has had for a few days only. A recovery removes them: an intruder may have added them, and
would lock the owner out.
"""

from dataclasses import dataclass

from allauth.mfa.models import Authenticator
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.notices import tell
from accounts.sign_in.factors.held import RECENT, SECOND_STEPS, Type
from security.events import log_event
from security.models import EventKind

LOGGED_AS = {Type.TOTP: "app", Type.WEBAUTHN: "passkey", Type.RECOVERY_CODES: "codes"}


@dataclass(frozen=True)
class RemovedFactor:
    """A factor that was removed. str() names it in the active language."""

    type: str
    name: str | None  # None: it is no passkey

    def __str__(self) -> str:
        match self.type:
            case Type.TOTP:
                return _("Authenticator app")
            case Type.RECOVERY_CODES:
                return _("Recovery codes")
        return _("Passkey “%(name)s”") % {"name": self.name}


def remove_recent(user: User, request: HttpRequest | None) -> list[RemovedFactor]:
    """Remove the factors that were added within RECENT; log and mail it. Call it with the account locked.

    Recovery codes alone ask nobody for a second step, so they go with the last factor, whatever their age.
    """
    held = list(Authenticator.objects.filter(user=user).order_by("pk"))
    begins = timezone.now() - RECENT
    kept = [one for one in held if one.created_at <= begins]
    if not any(one.type in SECOND_STEPS for one in kept):
        kept = []
    gone = [one for one in held if one not in kept]
    if not gone:
        return []
    Authenticator.objects.filter(pk__in=[one.pk for one in gone]).delete()
    removed = [RemovedFactor(one.type, one.data.get("name")) for one in gone]
    for one in removed:
        log_event(EventKind.FACTOR_REMOVED, request, user=user, factor=LOGGED_AS[Type(one.type)], name=one.name)
    tell(user, "recent_factors_removed", request, factors=removed, days=RECENT.days)
    return removed
