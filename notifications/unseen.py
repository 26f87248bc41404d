"""What a reader's boards got from others since that reader last opened them."""

from uuid import UUID

from django.db.models import OuterRef, Subquery

from boards.models import Board
from boards.reader import Reader
from jobs.followers import is_behind
from notifications.counting import NAME
from notifications.models import Unseen


def unseen_counts(reader: Reader) -> dict[UUID, int]:
    """Return how many changes each board got; boards without any are left out. One statement."""
    mine = Unseen.objects.filter(reader.membership("board__memberships__"), user=reader.user, count__gt=0)
    return dict(mine.values_list("board_id", "count"))


def mark_seen(reader: Reader, board: Board) -> None:
    """Begin to count anew, as the board is now shown at its version.

    One statement, and a second one only where there is a count, or where shown changes are still to be counted.
    """
    mine = Unseen.objects.filter(user=reader.user, board=OuterRef("pk"))
    state = Board.objects.filter(pk=board.pk).values_list(
        Subquery(mine.values("count")), Subquery(mine.values("seen")), is_behind(NAME, OuterRef("pk"))
    )
    for count, seen, behind in state:
        if count or (behind and (seen or 0) < board.version):
            row = Unseen(user=reader.user, board=board, count=0, seen=board.version)
            unique, reset = ["user", "board"], ["count", "seen"]
            Unseen.objects.bulk_create([row], update_conflicts=True, unique_fields=unique, update_fields=reset)
