"""Where every change begins: the row, re-read under the lock of its board, and the actor's role there."""

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
    """The row as it stands under the lock of its board, that board, and `and_board`, locked too, unless it is the same.

    None when the row has left these boards since they were looked up. Raises NotFound when there is no such row.
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
    """In the order of their ids, so that no two changes wait for each other in a ring."""
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
        (board,) = boards.values()  # only cards move from board to board
        row = read_row(model, pk, board)
    if row is not None:
        row.board = boards[row.board_id]  # type: ignore[attr-defined]
    return row


def role_for_change(
    actor: Actor, board: Board, needs: Role, archived_board: bool, of: type[models.Model] | None = None
) -> Role:
    """The actor's role on a board that is locked; for a change `of` rows that an operator may change, the owner's.

    Raises NotFound to strangers, NotAllowed when the role does not suffice.
    """
    operated = of is not None and actor.operates(of)
    role = Role.OWNER if operated else read_role(board.pk, actor.user.pk)
    if role is None or (board.archived_at is not None and not archived_board):
        raise not_found()
    require(Role(role), needs)
    return Role(role)
