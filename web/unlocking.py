"""The cookie of a browser in which the password of a public link was typed.

It is signed and holds no password: who keeps it has the link open until the password is changed, the address is made anew, or
a week has passed. No session is begun for it.
"""

from collections.abc import Mapping

from django.conf import settings
from django.core import signing
from django.http import HttpResponse
from django.utils.crypto import constant_time_compare, salted_hmac

from boards.models import PublicLink

SALT = "web.unlocking"
LASTS = 7 * 24 * 60 * 60  # seconds


def cookie_of(link: PublicLink) -> str:
    prefix = "__Host-" if settings.HTTPS else ""
    return f"{prefix}public-{link.pk.hex}"


def is_unlocked(link: PublicLink, cookies: Mapping[str, str]) -> bool:
    if not link.password:
        return True
    try:
        proof = signing.loads(cookies.get(cookie_of(link), ""), salt=SALT, max_age=LASTS)
    except signing.BadSignature:
        return False
    return isinstance(proof, str) and any(
        constant_time_compare(proof, _proof(link, secret))
        for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    )


def unlock(response: HttpResponse, link: PublicLink) -> None:
    value = signing.dumps(_proof(link, settings.SECRET_KEY), salt=SALT)
    response.set_cookie(
        cookie_of(link), value, max_age=LASTS, secure=settings.HTTPS, httponly=True, samesite="Lax", path="/"
    )


def _proof(link: PublicLink, secret: str) -> str:
    """Return what only this link with this password has."""
    return salted_hmac(SALT, f"{link.pk} {link.password}", secret=secret, algorithm="sha256").hexdigest()
