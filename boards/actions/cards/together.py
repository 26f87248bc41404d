"""Changes of several cards, all or none. Each is an action of its own, with its own number and line of history."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from boards.access import not_found
from boards.actions.files.caps import lock_owners
from boards.errors import Conflict
from boards.models import Board, Card
from boards.statements import lock_board, lock_boards, read_ids


@contextmanager
def together(board_id: UUID, card_ids: Collection[UUID], and_board: UUID | None = None) -> Iterator[Board]:
    """Open a transaction in which these cards cannot leave the board, and yield the board as it is under its lock.

    With `and_board`, the board to which they move is locked too, and before it its owner's account, whose cap of files
    counts there. Boards are locked in the order of their ids.

    Raises NotFound when one of the cards is not on the board. The actions that are called inside check the actor's role.
    """
    with transaction.atomic():
        if and_board not in (None, board_id):
            lock_owners([and_board])
        locked = {pk: lock_board(pk) for pk in sorted({board_id, and_board or board_id})}
        board = locked[board_id]
        if board is None or len(read_ids(Card, "board_id", board_id, card_ids)) != len(card_ids):
            raise not_found()
        yield board


@contextmanager
def across_boards(card_ids: Collection[UUID]) -> Iterator[None]:
    """Open a transaction in which these cards, of any boards, cannot leave their boards.

    Raises NotFound when one of the cards does not exist, and Conflict when one has just left its board. The actions that are
    called inside check the actor's role on each board.
    """
    with transaction.atomic():
        homes = _boards_of(card_ids)
        if len(homes) != len(card_ids):
            raise not_found()
        lock_boards(set(homes.values()))
        if _boards_of(card_ids) != homes:
            raise Conflict(_("A card has just moved to another board. Try again."))
        yield


def _boards_of(card_ids: Collection[UUID]) -> dict[UUID, UUID]:
    return dict(Card.objects.filter(pk__in=card_ids).values_list("pk", "board_id"))
