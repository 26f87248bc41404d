"""Who is behind a socket, and whether they may (still) see the board."""

from dataclasses import dataclass
from importlib import import_module
from uuid import UUID

from django.conf import settings
from django.contrib.auth import get_user
from django.http import HttpRequest

from boards.models import Board, Membership


@dataclass(frozen=True, slots=True)
class Visitor:
    user_id: UUID
    language: str
    version: int  # of the board, as it is now


NOT_SIGNED_IN, NO_ACCESS, NO_SUCH_BOARD = 4401, 4403, 4404


def look(session_key: str, board_id: UUID | None) -> Visitor | int:
    """The visitor, or the code to close the socket with. Reads the session anew each time: it may have ended."""
    request = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(session_key)
    user = get_user(request)
    if not user.is_authenticated:
        return NOT_SIGNED_IN
    version = Board.objects.open().filter(pk=board_id).values_list("version", flat=True).first()
    if version is None:
        return NO_SUCH_BOARD
    if not Membership.objects.filter(board_id=board_id, user=user).exists():
        return NO_ACCESS
    return Visitor(user.pk, user.language, version)
