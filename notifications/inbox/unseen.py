"""Count the changes by others on a reader's boards since that reader last opened them."""

from uuid import UUID

from boards.models import Board
from boards.reader import Reader
from core import sql
from jobs.followers import IS_BEHIND
from notifications.inbox.counting import NAME
from notifications.models import Unseen


def unseen_counts(reader: Reader) -> dict[UUID, int]:
    """Return how many changes each board got; boards without any are left out. One statement."""
    mine = Unseen.objects.filter(reader.membership("board__memberships__"), user=reader.user, count__gt=0)
    return dict(mine.values_list("board_id", "count"))


STATE = f"""SELECT {IS_BEHIND}, mine.count, mine.seen FROM (SELECT 1) here
    LEFT JOIN notifications_unseen mine ON mine.board_id = %s AND mine.user_id = %s"""  # noqa: S608 (own names)


def mark_seen(reader: Reader, board: Board) -> None:
    """Begin to count anew, as the board is now shown at its version.

    One statement, and a second one only where there is a count, or where shown changes are still to be counted.
    """
    here, me = sql.keys([board.pk, reader.user.pk])
    for behind, count, seen in sql.rows(STATE, [here, NAME, here, me]):
        if count or (behind and (seen or 0) < board.version):
            row = Unseen(user=reader.user, board=board, count=0, seen=board.version)
            unique, reset = ["user", "board"], ["count", "seen"]
            Unseen.objects.bulk_create([row], update_conflicts=True, unique_fields=unique, update_fields=reset)
