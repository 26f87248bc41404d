"""Links of mails: to confirm a waiting address, to stop its change, to remove a new factor.

Each is signed. Those about an address live for a day and are bound to the account as it was: once its address, its
password or its sessions have changed, no older link does anything. Those about a factor live while it is recent, and are
bound to it and to the address that the mail went to, as an intruder may change the password.
"""

from collections.abc import Iterator
from datetime import timedelta
from enum import StrEnum

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.core import signing
from django.utils.crypto import constant_time_compare, salted_hmac

from accounts.models import User
from accounts.sign_in.factors.held import RECENT, SECOND_STEPS

LIFETIME = timedelta(days=1)


class LinkPurpose(StrEnum):
    CONFIRM = "accounts.links.confirm"
    STOP = "accounts.links.stop"
    REMOVE_FACTOR = "accounts.links.remove-factor"


def make_key(purpose: LinkPurpose, address: EmailAddress) -> str:
    return signing.dumps([address.pk, next(states_of(address.user))], salt=purpose)


def find_address(purpose: LinkPurpose, key: str) -> EmailAddress | None:
    """Return the address, with its user, that the link is for. None if the link is too old, used up or not ours."""
    try:
        pk, state = signing.loads(key, salt=purpose, max_age=LIFETIME)
    except signing.BadSignature:
        return None
    address = EmailAddress.objects.select_related("user").filter(pk=pk, verified=False, user__is_active=True).first()
    is_as_it_was = address and any(constant_time_compare(state, one) for one in states_of(address.user))
    return address if is_as_it_was else None


def make_factor_key(factor: Authenticator) -> str:
    return signing.dumps([factor.pk, next(states_of_factor(factor))], salt=LinkPurpose.REMOVE_FACTOR)


def find_factor(key: str) -> Authenticator | None:
    """Return the factor, with its user, that the link is for. None if the link is too old, used up or not ours."""
    try:
        pk, state = signing.loads(key, salt=LinkPurpose.REMOVE_FACTOR, max_age=RECENT)
    except signing.BadSignature:
        return None
    found = Authenticator.objects.select_related("user").filter(type__in=SECOND_STEPS, user__is_active=True)
    factor = found.filter(pk=pk).first()
    is_as_it_was = factor and any(constant_time_compare(state, one) for one in states_of_factor(factor))
    return factor if is_as_it_was else None


def states_of(user: User) -> Iterator[str]:
    """Yield what the account is now, by the secret key and then by the former ones."""
    hashes = [user.get_session_auth_hash(), *user.get_session_auth_fallback_hash()]
    for secret, of_session in zip(secret_keys(), hashes, strict=True):
        yield salted_hmac("accounts.links", f"{user.pk}{user.email}{of_session}", secret=secret).hexdigest()


def states_of_factor(factor: Authenticator) -> Iterator[str]:
    """Yield, likewise, what the factor is. Its number alone may be that of another after a restored backup."""
    added = factor.created_at.isoformat()
    for secret in secret_keys():
        text = f"{factor.user_id}{factor.user.email}{added}"
        yield salted_hmac("accounts.links.factor", text, secret=secret).hexdigest()


def secret_keys() -> list[str]:
    return [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
