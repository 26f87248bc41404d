"""The boards that a token is limited to."""

from collections.abc import Iterable
from uuid import UUID

from django.db.models import F

from accounts.models import ApiToken, User
from boards.access import not_found
from boards.models import Board
from boards.reader import Reader
from core.ids import parse_id


def remaining_boards(token: ApiToken) -> list[UUID] | None:
    """Return the ids of the token's boards that its owner can see, oldest board first; None for a token of all boards."""
    if token.boards is None:
        return None
    visible = Board.objects.visible_to(Reader(token.user, token.boards))
    return list(visible.order_by("created_at", "pk").values_list("pk", flat=True))


def boards_of(user: User) -> list[Board]:
    """Return the boards that a token of this user can be limited to, archived ones last."""
    return list(Board.objects.visible_to(Reader(user)).order_by(F("archived_at").asc(nulls_first=True), "title", "pk"))


def ids_of_boards(given: Iterable[str] | None, token: ApiToken) -> list[str] | None:
    """Return the ids as a token keeps them. Raise NotFound where a token of all boards is to get one that is none.

    For a token of chosen boards, other ids are none either: whether they are those of boards, it never learns.
    """
    if given is None:
        return None
    wanted = {*given}
    if token.board_ids is None:
        ids = {pk for pk in map(parse_id, wanted) if pk is not None}
        seen = Board.objects.visible_to(Reader(token.user, frozenset(ids))).count()
        if seen < len(wanted):
            raise not_found()
    return sorted(wanted)
