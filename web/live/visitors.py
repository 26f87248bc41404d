"""Who is behind a socket, and whether they may (still) see the board."""

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING
from uuid import UUID

from django.conf import settings
from django.contrib.auth import get_user
from django.http import HttpRequest

from boards.access import Reader, role_on
from boards.models import Board

if TYPE_CHECKING:
    from accounts.models import User

NOT_SIGNED_IN, NO_ACCESS, NO_SUCH_BOARD = 4401, 4403, 4404


@dataclass(frozen=True, slots=True)
class Visitor:
    reader: Reader
    version: int  # of the board, as it is now


def user_of(session_key: str) -> UUID | None:
    user = _signed_in(session_key)
    return user.pk if user else None


def look(session_key: str, board_id: UUID) -> Visitor | int:
    """The visitor, or the code to close the socket with. Reads the session anew each time: it may have ended."""
    user = _signed_in(session_key)
    if user is None:
        return NOT_SIGNED_IN
    version = Board.objects.open().filter(pk=board_id).values_list("version", flat=True).first()
    if version is None:
        return NO_SUCH_BOARD
    reader = Reader(user)
    if role_on(board_id, reader) is None:
        return NO_ACCESS
    return Visitor(reader, version)


def _signed_in(session_key: str) -> "User | None":
    """Whose session this is; None when it has ended, or its password has changed, or the account is deactivated."""
    if not session_key.isalnum() or not session_key.isascii():
        return None
    request = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(session_key)
    user = get_user(request)
    return user if user.is_authenticated else None
