"""Pages of very large boards are made one at a time, so that a few of them do not keep the processor from all others."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

from boards.models import Board
from core.http.requests import SignedInRequest
from core.limits.turns import Turns

LARGE = 20_000  # cards; counting them takes the database a millisecond for a thousand or two
MAKING = Turns(at_once=1, waiting=3, patience=10.0, each=2)


def one_at_a_time(request: SignedInRequest) -> AbstractContextManager[None]:
    """Wait for a turn, for what takes long whatever the board. Raise as `in_turn` does."""
    return MAKING.take(request.user.pk)


@contextmanager
def in_turn(request: SignedInRequest, board: Board) -> Iterator[None]:
    """Wait for a turn if the board may be large. Raise core.limits.turns.Busy if many such pages are being made."""
    if board.last_card_number <= LARGE:
        yield
        return
    with one_at_a_time(request):
        yield
