"""Access checks of live pages: find the user of a socket's session, and which of its boards they may see."""

from dataclasses import dataclass
from importlib import import_module
from uuid import UUID

from django.conf import settings
from django.contrib.auth import SESSION_KEY, get_user
from django.contrib.sessions.backends.base import SessionBase
from django.http import HttpRequest

from accounts.models import User
from accounts.sign_in.factors.held import owes_factor
from boards.reader import Reader
from boards.statements import read_last_changes
from core.ids import parse_id
from web.live.cursor import Cursor

NOT_SIGNED_IN, NO_ACCESS, NO_SUCH_BOARD = 4401, 4403, 4404


@dataclass(frozen=True, slots=True)
class Visitor:
    """The reader behind a socket, and the present state of the boards that it follows."""

    reader: Reader
    present: dict[UUID, Cursor]  # the last change, by board that they may see
    refused: dict[UUID, int]  # the code to close with, by board that they may not see


def user_of(session_key: str) -> UUID | None:
    """Return whose session this is. Whether it is still good `check_access` tells, which every socket asks next."""
    session = _session(session_key)
    return parse_id(session[SESSION_KEY]) if SESSION_KEY in session else None


def check_access(session_key: str, board_ids: list[UUID]) -> Visitor | int:
    """Return the visitor, or the code to close with when the session has ended. Nothing is cached between checks."""
    user = _signed_in(session_key)
    if user is None:
        return NOT_SIGNED_IN
    reader = Reader(user)
    present, refused = {}, dict.fromkeys(board_ids, NO_SUCH_BOARD)
    for pk, version, change, is_mine in read_last_changes(reader, board_ids):
        if is_mine:
            present[pk] = Cursor(version, change)
            del refused[pk]
        else:
            refused[pk] = NO_ACCESS
    return Visitor(reader, present, refused)


def _signed_in(session_key: str) -> User | None:
    """Return the session's user. None if it has ended, the password has changed, the account is deactivated, or the user
    has to set up a second factor first.
    """
    session = _session(session_key)
    request = HttpRequest()
    request.session = session
    # After a change of the secret key Django moves the session to a new id, which a socket cannot tell the browser. The
    # browser's next request does the same.
    request.session.cycle_key = lambda: None  # type: ignore[method-assign]
    user = get_user(request)
    return user if user.is_authenticated and not owes_factor(user, session) else None


def _session(session_key: str) -> SessionBase:
    return import_module(settings.SESSION_ENGINE).SessionStore(session_key)  # the settings name the module
