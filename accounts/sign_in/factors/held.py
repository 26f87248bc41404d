"""Read which factors an account has beside its password, and whether it must have one."""

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib.sessions.backends.base import SessionBase

if TYPE_CHECKING:
    from django.contrib.auth.models import _User

Type = Authenticator.Type
SECOND_STEPS = [Type.TOTP, Type.WEBAUTHN]  # recovery codes alone ask nobody for a second step
RECENT = timedelta(days=7)  # so long a factor is recent: the mailbox of the account can remove it (docs/security.md)
HAS_FACTOR = "has_factor"  # in the session of a user who must have one and does


@dataclass(frozen=True)
class Factors:
    app: Authenticator | None
    codes: Authenticator | None
    passkeys: list[Authenticator]

    @property
    def have_second_step(self) -> bool:
        return self.app is not None or bool(self.passkeys)


def factors_of(user: "_User") -> Factors:
    found = list(Authenticator.objects.filter(user_id=user.pk).order_by("pk"))
    return Factors(
        app=next((one for one in found if one.type == Type.TOTP), None),
        codes=next((one for one in found if one.type == Type.RECOVERY_CODES), None),
        passkeys=[one for one in found if one.type == Type.WEBAUTHN],
    )


def has_second_step(user: "_User") -> bool:
    return Authenticator.objects.filter(user_id=user.pk, type__in=SECOND_STEPS).exists()


def must_have_factor(user: "_User") -> bool:
    return settings.SECOND_FACTOR == "all" or (settings.SECOND_FACTOR == "operators" and user.is_staff)


def owes_factor(user: "_User", session: SessionBase) -> bool:
    """Return whether the user must set up a factor before anything else."""
    if not must_have_factor(user) or session.get(HAS_FACTOR):
        return False
    return not has_second_step(user)
