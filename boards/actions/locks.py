"""The beginning of every change: lock the row's board, read the row again, check the actor's role.

Why lock the board and not only the row: a change takes the board's next version number, so changes of one board run one
after another anyway, and under this lock nothing that was checked can change before the commit. Accounts are locked
before boards, and boards in the order of their ids, which rules out deadlocks. docs/decisions/database.md says which
locks the databases take.
"""

from typing import TypeVar
from uuid import UUID

from django.db import models

from boards.access import not_found, require
from boards.actor import Actor
from boards.models import Board, Card, Checklist, ChecklistItem, Comment, Role
from boards.statements import lock_board, lock_board_of, read_role, read_row

Row = TypeVar("Row", bound=models.Model)
READ_WITH: dict[type[models.Model], tuple[str, ...]] = {
    Card: ("list",),
    Checklist: ("card__list",),
    ChecklistItem: ("card__list", "checklist"),
    Comment: ("card", "author"),
}


def lock_row(model: type[Row], pk: UUID | None, and_board: UUID | None) -> tuple[Row, Board, Board | None] | None:
    """Lock the row's board (and `and_board`), read the row again, return (row, board, other board or None).

    The other board is None when `and_board` is the row's own board. Returns None when the row moved to a board that is
    not locked: try again in a new transaction. Raises NotFound when there is no such row.
    """
    if pk is None or not (boards := _lock_boards(model, pk, and_board)):
        raise not_found()
    row = _read(model, pk, boards)
    if row is None:
        return None
    board = row if isinstance(row, Board) else row.board  # type: ignore[attr-defined]
    other = boards.get(and_board) if and_board else None
    return row, board, None if other == board else other


def _lock_boards(model: type[models.Model], pk: UUID, and_board: UUID | None) -> dict[UUID, Board]:
    """Lock the boards and return them by id; empty when there is no such row.

    Two boards are locked in the order of their ids, so that two changes cannot deadlock.
    """
    if and_board is None or issubclass(model, Board):
        board = lock_board(pk) if issubclass(model, Board) else lock_board_of(model, pk)
        return {board.pk: board} if board else {}
    home = model._default_manager.filter(pk=pk).values_list("board_id", flat=True).first()
    wanted = Board.objects.filter(pk__in=[home, and_board] if home else [])
    return {board.pk: board for board in wanted.select_for_update(no_key=True).order_by("pk")}


def _read(model: type[Row], pk: UUID, boards: dict[UUID, Board]) -> Row | None:
    if issubclass(model, Board):
        return boards[pk]  # type: ignore[return-value]
    if model in READ_WITH:
        rows = model._default_manager.filter(pk=pk, board__in=list(boards))
        row = rows.select_related(*READ_WITH[model]).first()
    else:
        (board,) = boards.values()  # there is one: `and_board` is given for cards only
        row = read_row(model, pk, board)
    if row is not None:
        row.board = boards[row.board_id]  # type: ignore[attr-defined]
    return row


def role_for_change(
    actor: Actor, board: Board, needs: Role, archived_board: bool, of: type[models.Model] | None = None
) -> Role:
    """Return the actor's role on a locked board. Operators in the admin count as owners for changes of model `of`.

    Raises NotFound for users who are not members and for an archived board (unless `archived_board`), and NotAllowed
    when the role is below `needs`.
    """
    operated = of is not None and actor.operates(of)
    role = Role.OWNER if operated else read_role(board.pk, actor.user.pk)
    if role is None or (board.archived_at is not None and not archived_board):
        raise not_found()
    require(Role(role), needs)
    return Role(role)
