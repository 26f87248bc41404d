"""Links of mails about a waiting address: to confirm it, or to stop the change.

Each is signed, lives for a day, and is bound to the account as it was: once its address, its password or its sessions
have changed, no older link does anything.
"""

from datetime import timedelta
from enum import StrEnum

from allauth.account.models import EmailAddress
from django.core import signing
from django.utils.crypto import constant_time_compare, salted_hmac

from accounts.models import User

LIFETIME = timedelta(days=1)


class Purpose(StrEnum):
    CONFIRM = "accounts.links.confirm"
    STOP = "accounts.links.stop"


def make_key(purpose: Purpose, address: EmailAddress) -> str:
    return signing.dumps([address.pk, state_of(address.user)], salt=purpose)


def find_address(purpose: Purpose, key: str) -> EmailAddress | None:
    """Return the address, with its user, that the link is for. None if the link is too old, used up or not ours."""
    try:
        pk, state = signing.loads(key, salt=purpose, max_age=LIFETIME)
    except signing.BadSignature:
        return None
    address = EmailAddress.objects.select_related("user").filter(pk=pk, verified=False, user__is_active=True).first()
    return address if address and constant_time_compare(state, state_of(address.user)) else None


def state_of(user: User) -> str:
    return salted_hmac("accounts.links", f"{user.pk}{user.email}{user.get_session_auth_hash()}").hexdigest()
