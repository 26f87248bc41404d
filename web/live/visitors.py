"""Access checks of live pages: find the user of a socket's session, and which of its boards they may see."""

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING
from uuid import UUID

from django.conf import settings
from django.contrib.auth import get_user
from django.http import HttpRequest

from boards.models import Board
from boards.reader import Reader

if TYPE_CHECKING:
    from accounts.models import User

NOT_SIGNED_IN, NO_ACCESS, NO_SUCH_BOARD = 4401, 4403, 4404


@dataclass(frozen=True, slots=True)
class Visitor:
    """The reader behind a socket, and the present state of the boards that it follows."""

    reader: Reader
    versions: dict[UUID, int]  # the present version, by board that they may see
    refused: dict[UUID, int]  # the code to close with, by board that they may not see


def user_of(session_key: str) -> UUID | None:
    user = _signed_in(session_key)
    return user.pk if user else None


def check_access(session_key: str, board_ids: list[UUID]) -> Visitor | int:
    """Return the visitor, or the code to close with when the session has ended. Nothing is cached between checks."""
    user = _signed_in(session_key)
    if user is None:
        return NOT_SIGNED_IN
    reader = Reader(user)
    versions = dict(Board.objects.open().filter(pk__in=board_ids).values_list("pk", "version"))
    own = set(Board.objects.visible_to(reader).filter(pk__in=board_ids).values_list("pk", flat=True))
    refused = {
        pk: NO_ACCESS if pk in versions else NO_SUCH_BOARD for pk in board_ids if pk not in own & versions.keys()
    }
    return Visitor(reader, {pk: version for pk, version in versions.items() if pk in own}, refused)


def _signed_in(session_key: str) -> "User | None":
    """Return the session's user; None if it has ended, the password has changed or the account is deactivated."""
    if not session_key.isalnum() or not session_key.isascii():
        return None
    request = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(session_key)
    user = get_user(request)
    return user if user.is_authenticated else None
