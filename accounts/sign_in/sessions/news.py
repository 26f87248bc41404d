"""Mail an account about a sign-in in an unknown browser."""

from datetime import timedelta

from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone

from accounts.models import User
from accounts.notices import tell
from accounts.sign_in.sessions import known_browsers
from security.limits import TooMany, count

RESET = "account_reset_password_from_key"  # the sign-in at its end: the new password is told already
FIRST = timedelta(days=1)  # after the sign-up: the first sign-in is not mailed so long


def is_sign_in_news(request: HttpRequest, user: User) -> bool:
    """Return whether the account should be told. Ask before the sign-in: it makes the browser a known one."""
    if not settings.ACCOUNT_EMAIL_NOTIFICATIONS:
        return False
    if known_browsers.find(request, user) or known_browsers.is_learned(request, user):
        return False
    is_first = user.last_login is None and timezone.now() - user.date_joined < FIRST
    is_reset = request.resolver_match is not None and request.resolver_match.url_name == RESET
    return not is_first and not is_reset


def tell_of_sign_in(request: HttpRequest, user: User) -> None:
    """Mail it, unless the account got several such mails today: the list of sessions and the activity have all."""
    try:
        count(request, "mail-sign-in-day", str(user.pk), user=user)
    except TooMany:
        return
    tell(user, "new_sign_in", request)
