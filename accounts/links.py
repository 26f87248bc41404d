"""Links of mails about a waiting address: to confirm it, or to stop the change.

Each is signed, lives for a day, and is bound to the account as it was: once its address, its password or its sessions
have changed, no older link does anything.
"""

from collections.abc import Iterator
from datetime import timedelta
from enum import StrEnum

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core import signing
from django.utils.crypto import constant_time_compare, salted_hmac

from accounts.models import User

LIFETIME = timedelta(days=1)


class Purpose(StrEnum):
    CONFIRM = "accounts.links.confirm"
    STOP = "accounts.links.stop"


def make_key(purpose: Purpose, address: EmailAddress) -> str:
    return signing.dumps([address.pk, next(states_of(address.user))], salt=purpose)


def find_address(purpose: Purpose, key: str) -> EmailAddress | None:
    """Return the address, with its user, that the link is for. None if the link is too old, used up or not ours."""
    try:
        pk, state = signing.loads(key, salt=purpose, max_age=LIFETIME)
    except signing.BadSignature:
        return None
    address = EmailAddress.objects.select_related("user").filter(pk=pk, verified=False, user__is_active=True).first()
    is_as_it_was = address and any(constant_time_compare(state, one) for one in states_of(address.user))
    return address if is_as_it_was else None


def states_of(user: User) -> Iterator[str]:
    """Yield what the account is now, by the secret key and then by the former ones."""
    secrets = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    hashes = [user.get_session_auth_hash(), *user.get_session_auth_fallback_hash()]
    for secret, of_session in zip(secrets, hashes, strict=True):
        yield salted_hmac("accounts.links", f"{user.pk}{user.email}{of_session}", secret=secret).hexdigest()
