"""The lifetime of a session: after its last use, and after its sign-in. docs/running/accounts.md has the policy."""

import secrets
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.sessions.backends.base import SessionBase, UpdateError
from django.db import DatabaseError, transaction
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from accounts.sign_in.confirmation import note_confirmation
from accounts.sign_in.sessions import browser_sessions
from core.http.calls import is_call
from core.http.requests import SignedInRequest
from core.limits.not_waiting import not_waiting
from security.events import log_event
from security.limits import COUNTED_AS
from security.models import EventKind

BEGAN_AT, USED_AT = "began_at", "used_at"  # in the session, seconds
LISTED = "listed"  # in the session: it has a row, as all have that began since there are such rows
USE_IS_NOTED_EVERY = 24 * 60 * 60  # seconds, so that a page seldom writes


def begin(request: HttpRequest, user: Any, **signal: Any) -> None:
    """Begin a session. Django sends this signal at each sign-in, whichever way."""
    request.session[BEGAN_AT] = int(time.time())
    request.session[COUNTED_AS] = secrets.token_urlsafe(12)
    note_use(request.session)
    note_confirmation(request.session)
    browser_sessions.record(request, user)


def end(request: HttpRequest | None, user: Any, **signal: Any) -> None:
    """Log a sign-out, on the page of the site or that of the admin."""
    if user is not None:
        log_event(EventKind.SIGNED_OUT, request, user=user)


def note_use(session: SessionBase) -> None:
    """Put the end of the session off, but not beyond its longest life. A session of before that was kept begins now."""
    now = int(time.time())
    session[USED_AT], session[LISTED] = now, True
    began_at = session.setdefault(BEGAN_AT, now)
    ends_at = min(now + settings.SESSION_COOKIE_AGE, began_at + settings.SESSION_LIFE)
    session.set_expiry(datetime.fromtimestamp(ends_at, UTC))


def is_use_unnoted(session: SessionBase) -> bool:
    return LISTED not in session or time.time() - session.get(USED_AT, 0) >= USE_IS_NOTED_EVERY


class NoteUse:
    """Notes once a day that a session is used. Sockets of open boards do not count as use."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        is_page = not (is_call(request.path) or request.path in ("/healthz", "/livez"))
        if is_page and request.user.is_authenticated and is_use_unnoted(request.session):
            note_use(request.session)
            self.save(request)  # type: ignore[arg-type]  # it is signed in
        return self.get_response(request)

    def save(self, request: SignedInRequest) -> None:
        """Save now rather than at the end, where an error would be the answer. The cookie follows at the end.

        While the database can be read and not written, pages are shown all the same; the next one notes the use.
        """
        try:
            with not_waiting(), transaction.atomic():
                browser_sessions.note(request, request.user)
                request.session.save()
                get_user_model().objects.filter(pk=request.user.pk).update(seen_at=timezone.now())
        except (DatabaseError, UpdateError):
            request.session.modified = False
