"""Remembered browsers: where the password alone signs in, for thirty days. Each is a row that its owner can take away.

All of an account end with its password, with its sessions and with every change of its factors.
"""

import re
import secrets

from django.conf import settings
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from accounts.locks import lock_account
from accounts.models import TrustedBrowser, User
from accounts.models.token import digest_of
from accounts.models.trusted_browser import LIFETIME
from security.events import log_event
from security.models import EventKind

MOST = 20  # browsers of an account; the oldest go first
MOST_VALUES = 5  # accounts that one browser is remembered for
BETWEEN = "|"
LETTERS = re.compile(r"[\w-]+", re.ASCII)  # of a value; no cookie may be set with others, control characters for one


@transaction.atomic
def remember(request: HttpRequest, response: HttpResponse, user: User) -> None:
    """Remember the browser that gets this response. Call it once the user is signed in. Raise AccountChanged."""
    lock_account(user)
    value = secrets.token_urlsafe(32)
    TrustedBrowser.objects.create(
        user=user,
        digest=digest_of(value),
        address=str(request.META.get("REMOTE_ADDR", ""))[:45],
        browser=str(request.META.get("HTTP_USER_AGENT", ""))[:200],
        expires_at=timezone.now() + LIFETIME,
    )
    kept = TrustedBrowser.objects.filter(user=user).order_by("-id").values_list("pk", flat=True)[:MOST]
    TrustedBrowser.objects.filter(user=user).exclude(pk__in=list(kept)).delete()
    log_event(EventKind.BROWSER_TRUSTED, request, user=user)
    response.set_cookie(
        cookie_name(),
        BETWEEN.join([value, *values_in(request)][:MOST_VALUES]),
        max_age=LIFETIME,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def find(request: HttpRequest, user: User) -> TrustedBrowser | None:
    digests = [digest_of(value) for value in values_in(request)]
    if not digests:
        return None
    living = TrustedBrowser.objects.filter(user=user, digest__in=digests, expires_at__gt=timezone.now())
    return living.first()


def is_trusted(request: HttpRequest, user: User) -> bool:
    """Return whether this browser is remembered for the user, and note the use."""
    browser = find(request, user)
    if browser is None:
        return False
    TrustedBrowser.objects.filter(pk=browser.pk).update(used_at=timezone.now())
    return True


def forget_all(user: User) -> int:
    """Return how many browsers were remembered."""
    return TrustedBrowser.objects.filter(user=user).delete()[0]


def cookie_name() -> str:
    return "__Host-trusted" if settings.SESSION_COOKIE_SECURE else "trusted"


def values_in(request: HttpRequest) -> list[str]:
    values = request.COOKIES.get(cookie_name(), "").split(BETWEEN)[:MOST_VALUES]
    return [value for value in values if LETTERS.fullmatch(value)]
