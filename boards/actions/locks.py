"""The beginning of every change: lock the row's board, read the row as it is then, check the actor's role and token.

Why lock the board and not only the row: a change takes the board's next version number, so changes of one board run one
after another anyway, and under this lock nothing that was checked can change before the commit. Accounts are locked
before boards, and boards in the order of their ids, which rules out deadlocks. docs/decisions/database.md says which
locks the databases take.
"""

from typing import Any, Generic, NamedTuple, TypeVar
from uuid import UUID

from django.db import models

from boards.access import lacking_right, not_found, refusal, require, require_rights
from boards.actor import Actor
from boards.errors import ArchivedBoard
from boards.models import Attachment, Board, Card, Checklist, ChecklistItem, Comment, Role
from boards.statements import board_of, lock_board, lock_boards, lock_with_row, read_role, read_row

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
    """Lock the row's board (and `and_board`) and read the row, as it is under the lock.

    The other board is None when `and_board` is the row's own board. Returns None when the row moved to a board that is
    not locked: try again in a new transaction. Raises NotFound when there is no such row.
    """
    if pk is None:
        raise not_found()
    if issubclass(model, Board):
        return _lock_board(pk, actor)
    if and_board is not None:
        return _lock_both(actor, model, pk, and_board)
    row = lock_with_row(model, pk, actor.user.pk, *READ_WITH.get(model, ()))
    if row is None:
        raise not_found()
    return _as_it_is(row, actor)


def _lock_board(pk: UUID, actor: Actor) -> Locked[Any]:
    board = lock_board(pk)
    if board is None:
        raise not_found()
    return Locked(board, board, read_role(pk, actor.user.pk), None)


def _lock_both(actor: Actor, model: type[Row], pk: UUID, and_board: UUID) -> Locked[Row] | None:
    """Lock two boards in the order of their ids, so that two changes cannot deadlock, and then read the row.

    If the row is on `and_board` already, that is the only one to lock.
    """
    related = READ_WITH.get(model, ())
    if (row := lock_with_row(model, pk, actor.user.pk, *related, on=and_board)) is not None:
        return _as_it_is(row, actor)
    home = board_of(model, pk)
    boards = lock_boards([home, and_board] if home else [])
    if not boards:
        raise not_found()
    return _locked(read_row(model, pk, boards, actor.user.pk, *related), boards, and_board)


def _as_it_is(row: Any, actor: Actor) -> Locked[Any] | None:
    """Return the row that was read while its board was locked, read again if somebody changed the board before that."""
    board = row.board
    if row.board_seen != board.version:
        row = read_row(type(row), row.pk, [board.pk], actor.user.pk, *READ_WITH.get(type(row), ()))
    return _locked(row, {board.pk: board})


def _locked(row: Any, boards: dict[UUID, Board], and_board: UUID | None = None) -> Locked[Any] | None:
    if row is None:
        return None
    board = row.board = boards[row.board_id]
    other = boards.get(and_board) if and_board else None
    return Locked(row, board, row.role_of_user, None if other == board else other)


def role_for_change(
    actor: Actor,
    board: Board,
    role: str | None,
    needs: Role,
    archived_board: bool,
    of: type[models.Model] | None = None,
    deletes: bool = False,
) -> Role:
    """Return the actor's role on a locked board. Operators in the admin and at the command line count as owners for changes of model `of`.

    Raises NotFound for users who are not members, for a board that their token does not reach and for an archived one
    (unless `archived_board`), and NotAllowed when their token lacks a right or their role is below `needs`.
    """
    if of is not None and actor.operates(of):
        role = Role.OWNER
    if role is None or not actor.reaches(board.pk):
        raise not_found()
    if board.archived_at is not None and not archived_board:
        raise ArchivedBoard(not_found().message, refusal(Role(role), needs) or lacking_right(actor, deletes=deletes))
    require_rights(actor, deletes=deletes)
    require(Role(role), needs)
    return Role(role)
