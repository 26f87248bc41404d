"""Browsers in which an account signed in before: a signed cookie, which strangers cannot make.

Wrong passwords that others try do not count for them, so nobody can lock an account's owner out of their own browser.
The cookie opens nothing. It ends with the password that it was given for: that is part of what signs it.
"""

import re
import secrets
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.signing import BadSignature, TimestampSigner
from django.http import HttpRequest, HttpResponse

from accounts.models import User
from core.ids import parse_id

KEPT_FOR = timedelta(days=365)
MOST = 5  # accounts that one browser knows; those that signed in longest ago go first
BETWEEN = "|"
LETTERS = re.compile(r"[\w:-]+", re.ASCII)  # of a mark; no cookie may be set with others, control characters for one
LEARNED = "_account_that_this_browser_knows"


def learn(request: HttpRequest, user: User, **signal: Any) -> None:
    """Note that the answer to this request makes its browser a known one. Signals call this."""
    setattr(request, LEARNED, user)


def find(request: HttpRequest, user: User) -> str | None:
    """Return the id under which the account knows this browser; None for a browser that it does not know."""
    return _known(user, _marks(request).get(user.pk, ""))


def is_learned(request: HttpRequest, user: User) -> bool:
    return getattr(request, LEARNED, None) == user


def write_to(response: HttpResponse, request: HttpRequest) -> None:
    user = getattr(request, LEARNED, None)
    if user is None:
        return
    marks = _marks(request)
    browser = _known(user, marks.pop(user.pk, "")) or f"{user.pk}:{secrets.token_urlsafe(9)}"
    marks = {user.pk: _signer(user).sign(browser), **marks}
    response.set_cookie(
        cookie_name(),
        BETWEEN.join([*marks.values()][:MOST]),
        max_age=KEPT_FOR,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def cookie_name() -> str:
    return "__Host-known" if settings.SESSION_COOKIE_SECURE else "known"


def _marks(request: HttpRequest) -> dict[UUID, str]:
    """Return a signed mark for each account that the cookie says to know. Only its letters are checked."""
    marks = request.COOKIES.get(cookie_name(), "").split(BETWEEN)[:MOST]
    return {pk: mark for mark in marks if LETTERS.fullmatch(mark) and (pk := parse_id(mark.partition(":")[0]))}


def _known(user: User, mark: str) -> str | None:
    try:
        return _signer(user).unsign(mark, max_age=KEPT_FOR)
    except BadSignature:
        return None


def _signer(user: User) -> TimestampSigner:
    return TimestampSigner(salt=f"known browser {user.password}")
