"""The link that makes the first account of a fresh installation, which is its operator's."""

from datetime import timedelta

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core import signing
from django.db import transaction
from django.http import HttpRequest
from django.urls import reverse

from accounts.forms import FirstSignUp
from accounts.models import User
from accounts.plans import UNLIMITED, lock_default_plan, nobody_has_an_account, start_on

LIFETIME = timedelta(days=1)
SALT = "accounts.first_account"


def make_link() -> str:
    """Return a new link. It gives its holder the operator's account."""
    return settings.BASE_URL + reverse("first_account", args=[signing.dumps("operator", salt=SALT)])


def is_open(key: str) -> bool:
    """Return whether the link is ours and young, and nobody has an account yet: so it works once."""
    try:
        signing.loads(key, salt=SALT, max_age=LIFETIME)
    except signing.BadSignature:
        return False
    return nobody_has_an_account()


@transaction.atomic
def make_first_account(request: HttpRequest, form: FirstSignUp) -> User | None:
    """Make the operator's account, its address confirmed. Return None if somebody else was quicker."""
    lock_default_plan()
    if not nobody_has_an_account():
        return None
    if form.has_no_limits():
        start_on(UNLIMITED)
    user, _response = form.try_save(request)
    if user is not None:
        user.is_staff = user.is_superuser = True
        user.save(update_fields=["is_staff", "is_superuser"])
        EmailAddress.objects.filter(user=user).update(primary=True, verified=True)
    return user
