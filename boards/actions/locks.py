"""The beginning of every change: lock the row's board, read the row again, check the actor's role.

Why lock the board and not only the row: a change takes the board's next version number, so changes of one board run one
after another anyway, and under this lock nothing that was checked can change before the commit. Accounts are locked
before boards, and boards in the order of their ids, which rules out deadlocks. docs/decisions/database.md says which
locks the databases take.
"""

from collections.abc import Iterable
from typing import Any, Generic, NamedTuple, TypeVar
from uuid import UUID

from django.db import models

from boards.access import not_found, require
from boards.actor import Actor
from boards.models import Attachment, Board, Card, Checklist, ChecklistItem, Comment, Role
from boards.statements import lock_board, lock_board_of, read_role, read_row

Row = TypeVar("Row", bound=models.Model)
READ_WITH: dict[type[models.Model], tuple[str, ...]] = {
    Card: ("list",),
    Checklist: ("card__list",),
    ChecklistItem: ("card__list", "checklist"),
    Comment: ("card", "author"),
    Attachment: ("card__list", "uploaded_by"),
}


class Locked(NamedTuple, Generic[Row]):
    row: Row
    board: Board  # that of the row
    role: str | None  # the actor's on that board
    other: Board | None


def lock_row(actor: Actor, model: type[Row], pk: UUID | None, and_board: UUID | None) -> Locked[Row] | None:
    """Lock the row's board (and `and_board`) and read the row again.

    The other board is None when `and_board` is the row's own board. Returns None when the row moved to a board that is
    not locked: try again in a new transaction. Raises NotFound when there is no such row.
    """
    if pk is None or not (boards := _lock_boards(model, pk, and_board)):
        raise not_found()
    board: Board
    row: Any
    if issubclass(model, Board):
        row = board = boards[pk]
        role = read_role(pk, actor.user.pk)
    elif row := read_row(model, pk, boards, actor.user.pk, *READ_WITH.get(model, ())):
        board = row.board = boards[row.board_id]
        role = row.role_of_user
    else:
        return None
    other = boards.get(and_board) if and_board else None
    return Locked(row, board, role, None if other == board else other)


def _lock_boards(model: type[models.Model], pk: UUID, and_board: UUID | None) -> dict[UUID, Board]:
    """Lock the boards and return them by id; empty when there is no such row.

    Two boards are locked in the order of their ids, so that two changes cannot deadlock.
    """
    if and_board is None or issubclass(model, Board):
        board = lock_board(pk) if issubclass(model, Board) else lock_board_of(model, pk)
        return {board.pk: board} if board else {}
    home = model._default_manager.filter(pk=pk).values_list("board_id", flat=True).first()
    return lock_boards([home, and_board] if home else [])


def lock_boards(ids: Iterable[UUID]) -> dict[UUID, Board]:
    """Lock the boards in the order of their ids, and return them by id."""
    wanted = Board.objects.filter(pk__in=ids)
    return {board.pk: board for board in wanted.select_for_update(no_key=True).order_by("pk")}


def role_for_change(
    actor: Actor,
    board: Board,
    role: str | None,
    needs: Role,
    archived_board: bool,
    of: type[models.Model] | None = None,
) -> Role:
    """Return the actor's role on a locked board. Operators in the admin count as owners for changes of model `of`.

    Raises NotFound for users who are not members and for an archived board (unless `archived_board`), and NotAllowed
    when the role is below `needs`.
    """
    if of is not None and actor.operates(of):
        role = Role.OWNER
    if role is None or (board.archived_at is not None and not archived_board):
        raise not_found()
    require(Role(role), needs)
    return Role(role)
