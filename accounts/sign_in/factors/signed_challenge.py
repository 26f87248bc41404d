"""The challenge of a passkey that signs in: in a signed cookie, so that a browser which only looks begins no session.

It is for one browser, one hour and one use. That it was used is remembered in the cache of attempts until it has
expired: only a signature by a passkey of an account gets there, so nobody can crowd it out.
"""

import hashlib
import time
from typing import Any

from django.conf import settings
from django.core import signing
from django.core.cache import caches
from django.http import HttpRequest, HttpResponse

LASTS = 60 * 60  # seconds: the page for signing in may be open for a while
MARGIN = 60  # seconds that its use is remembered longer, for clocks that differ
SALT = "security.factors.signed_challenge"
PATH = "/sign-in/passkey"


def cookie_name() -> str:
    return f"{'__Secure-' if settings.HTTPS else ''}passkey"


def give(response: HttpResponse, state: dict[str, Any]) -> None:
    response.set_cookie(
        cookie_name(),
        signing.dumps({**state, "at": int(time.time())}, salt=SALT),
        max_age=LASTS,
        path=PATH,
        secure=settings.HTTPS,
        httponly=True,
        samesite="Strict",
    )


def forget(response: HttpResponse) -> None:
    response.delete_cookie(cookie_name(), path=PATH, samesite="Strict")


def read(request: HttpRequest) -> dict[str, Any] | None:
    """Return what fido2 compares the answer with; None without a cookie of ours that is younger than LASTS."""
    try:
        return signing.loads(request.COOKIES.get(cookie_name(), ""), salt=SALT, max_age=LASTS)
    except signing.BadSignature:
        return None


def spend(state: dict[str, Any]) -> bool:
    """Note that the challenge was used. Return False if it was before: of several at once, one is first."""
    digest = hashlib.sha256(str(state["challenge"]).encode()).hexdigest()
    return caches["attempts"].add(f"challenge:{digest}", 1, LASTS + MARGIN)
