"""End sessions, tokens and links of an account that is recovered or closed, so that an intruder keeps nothing.

Everything locks the account first. A concurrent request with the old password (a new token, a new address, the delivery
of a token) either comes first, and its result ends too, or finds the account changed and is refused.
"""

from typing import NamedTuple

from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from accounts.locks import lock_account
from accounts.models import User
from accounts.sign_in.factors.recent import RemovedFactor, remove_recent
from accounts.sign_in.factors.trusted_browsers import forget_all
from accounts.sign_in.sessions.browser_sessions import end_all
from accounts.tokens import revoke_all


class Ended(NamedTuple):
    tokens: int  # how many were revoked
    factors: list[RemovedFactor]


def waiting_addresses(user: User) -> QuerySet[EmailAddress]:
    """Return the new addresses that are not confirmed yet."""
    return EmailAddress.objects.filter(user=user, verified=False).exclude(email=user.email)


def end_leftovers(user: User, *, tokens: bool = True) -> int:
    """End waiting changes of the address, remembered browsers and, if `tokens`, all API tokens. Return how many tokens.

    Call it before the new password is set, in one transaction with that. The new password ends the sessions and makes
    links of older mails useless; `end_all` takes the rows of the sessions away.
    """
    lock_account(user)
    waiting_addresses(user).delete()
    forget_all(user)
    return revoke_all(user) if tokens else 0


def recover(user: User, request: HttpRequest | None = None) -> Ended:
    """End the leftovers of an account that gets a new password by mail or from the operator (then without request).

    Its single sign-on and its recent factors end too: an intruder with the old password may have added them. The
    owner's account at the provider is linked again by its address.
    """
    revoked = end_leftovers(user)
    SocialAccount.objects.filter(user=user).delete()
    return Ended(revoked, remove_recent(user, request))


def end_sessions(user: User, *, but: str | None = None) -> None:
    """Sign the user out everywhere, and forget the remembered browsers. Approved command lines that have no token yet get none.

    The session with the key `but` keeps its row: `update_session_auth_hash` then binds it to the account as it is.
    """
    with transaction.atomic():
        lock_account(user)
        forget_all(user)
        end_all(user, but=but)
        user.sessions_ended_at = timezone.now()
        user.save(update_fields=["sessions_ended_at"])


def deactivate(user: User) -> None:
    """Deactivate the account. Neither its sessions nor its tokens come back when it is activated again."""
    with transaction.atomic():
        end_leftovers(user)
        end_all(user)
        user.is_active, user.sessions_ended_at = False, timezone.now()
        user.save(update_fields=["is_active", "sessions_ended_at"])
