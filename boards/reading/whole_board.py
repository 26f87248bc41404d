"""A board, archived or not, with its lists, labels and members, as programs read it: four statements."""

from typing import NamedTuple
from uuid import UUID

from boards.access import not_found
from boards.models import Board, Card, Label, List, Membership, Role
from boards.reader import Reader
from boards.reading.reach import visible_board
from boards.statements import read_labels, read_members
from core import sql
from core.sql import keys, table


class WholeBoard(NamedTuple):
    board: Board
    role: Role
    lists: list[List]  # open ones in display order, each with `card_count`
    labels: list[Label]
    members: list[Membership]


def whole_board(board_id: UUID | None, reader: Reader) -> WholeBoard:
    """Return the board. Raises NotFound."""
    board, role = visible_board(board_id, reader)
    lists = lists_of(board.pk, archived=False)
    return WholeBoard(board, role, lists, read_labels(board.pk), read_members(board.pk))


def lists_of(board_id: UUID, *, archived: bool) -> list[List]:
    """Return the open or the archived lists of a board in display order, each with `card_count`."""
    state = "NOT NULL" if archived else "NULL"
    return _lists(f"this.board_id = %s AND this.archived_at IS {state}", board_id)


def list_with_count(list_id: UUID | None, reader: Reader) -> List:
    """Return the list with its board and `card_count`; both may be archived. Raises NotFound."""
    mine, params = reader.membership_sql("m")
    member = f"EXISTS (SELECT 1 FROM {table(Membership)} m WHERE m.board_id = this.board_id AND {mine})"  # noqa: S608
    found = _lists(f"this.id = %s AND {member}", list_id, *params) if list_id else []
    if not found:
        raise not_found()
    return found[0]


def member_on(board: Board, user_id: UUID | None) -> Membership:
    """Return the membership of a board that the reader can see, with its user. Raises NotFound."""
    found = Membership.objects.filter(board=board, user=user_id).select_related("user").first() if user_id else None
    if found is None:
        raise not_found()
    return found


def _lists(condition: str, *ids: UUID) -> list[List]:
    """`card_count` is the number of cards that are not archived themselves."""
    count = f"(SELECT COUNT(*) FROM {table(Card)} c WHERE c.list_id = this.id AND c.archived_at IS NULL)"  # noqa: S608
    return sql.select(List, f"WHERE {condition} ORDER BY this.position", keys(ids), card_count=count)
