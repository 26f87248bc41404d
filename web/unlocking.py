"""The cookie of a browser in which the password of a public link was typed.

It is signed and holds no password: it opens the link until the password is changed, the address is made anew, or a week
has passed. It tells the browser from others for longer, so that strangers cannot use up its tries. No session is begun
for it.
"""

import secrets
from collections.abc import Mapping

from django.conf import settings
from django.core import signing
from django.http import HttpResponse
from django.utils.crypto import constant_time_compare, salted_hmac

from boards.models import PublicLink

SALT = "web.unlocking"
LASTS = 7 * 24 * 60 * 60  # seconds
KNOWN_FOR = 13 * LASTS


def cookie_of(link: PublicLink) -> str:
    prefix = "__Host-" if settings.HTTPS else ""
    return f"{prefix}public-{link.pk.hex}"


def is_unlocked(link: PublicLink, cookies: Mapping[str, str]) -> bool:
    if not link.password:
        return True
    proof, _browser = _read(link, cookies, LASTS)
    return any(
        constant_time_compare(proof, _proof(link, secret))
        for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    )


def known_browser(link: PublicLink, cookies: Mapping[str, str]) -> str:
    """Return the name of a browser in which a password of the link was typed, this or a former one; "" for others."""
    _proof, browser = _read(link, cookies, KNOWN_FOR)
    return browser


def unlock(response: HttpResponse, link: PublicLink, browser: str) -> None:
    """Let the browser in. `browser` is its name if it has one."""
    value = signing.dumps([_proof(link, settings.SECRET_KEY), browser or secrets.token_urlsafe(9)], salt=_salt(link))
    response.set_cookie(
        cookie_of(link), value, max_age=KNOWN_FOR, secure=settings.HTTPS, httponly=True, samesite="Lax", path="/"
    )


def _read(link: PublicLink, cookies: Mapping[str, str], max_age: int) -> tuple[str, str]:
    try:
        proof, browser = signing.loads(cookies.get(cookie_of(link), ""), salt=_salt(link), max_age=max_age)
    except signing.BadSignature:
        return "", ""
    return proof, browser


def _salt(link: PublicLink) -> str:
    return f"{SALT} {link.pk}"


def _proof(link: PublicLink, secret: str) -> str:
    """Return what only this link with this password has."""
    return salted_hmac(SALT, f"{link.pk} {link.password}", secret=secret, algorithm="sha256").hexdigest()
