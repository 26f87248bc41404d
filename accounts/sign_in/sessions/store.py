"""Django's store of sessions in the database. Our own row of a session (BrowserSession) follows when its key changes."""

from typing import Any

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.db import transaction
from django.utils import timezone

from core import sql
from security.models import BrowserSession

FORMER_BACKEND = "allauth.account.auth_backends.AuthenticationBackend"  # in sessions that began before 26 November 2026


class SessionStore(db.SessionStore):
    def load(self) -> dict[str, Any]:
        """Read the session by a fixed statement: every page begins with it. One that has ended is none."""
        found = sql.select(Session, "WHERE this.session_key = %s", [self.session_key])
        if found and found[0].expire_date > timezone.now():
            return _with_own_backend(self.decode(found[0].session_data))
        self._session_key = None
        return {}

    def _validate_session_key(self, key: str | None) -> bool:
        """Return whether this can be a key. A cookie may hold a NUL, which PostgreSQL takes in no text."""
        return bool(super()._validate_session_key(key)) and str(key).isalnum() and str(key).isascii()  # type: ignore[misc]

    def cycle_key(self) -> None:
        """Give the session a new key. A session that was ended meanwhile, from another browser, stays ended."""
        data, former = self._session, self.session_key  # type: ignore[attr-defined]  # Django's own store reads it so
        with transaction.atomic():
            self.create()
            self._session_cache = data
            if former and SESSION_KEY in data and not self._moved_from(former):
                self.flush()
            elif former:
                self.delete(former)

    def _moved_from(self, former: str) -> bool:
        """Return False if the session to move from has ended. A session that is older than BrowserSession has no row."""
        moved = BrowserSession.objects.filter(session=former).update(session=self.session_key)
        return bool(moved) or self.exists(former)


def _with_own_backend(data: dict[str, Any]) -> dict[str, Any]:
    """Let a session go on that names the class which ours replaced."""
    if data.get(BACKEND_SESSION_KEY) == FORMER_BACKEND:
        data[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    return data
