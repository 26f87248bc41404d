"""Find one row by its id, with the reader's role. Every function raises NotFound for a row the reader cannot see."""

from typing import Any, TypeVar
from uuid import UUID

from django.db import models

from boards.access import not_found
from boards.models import Attachment, Board, Card, Checklist, ChecklistItem, Comment, Label, List, Role
from boards.reader import Reader
from boards.statements import read_board, read_visible

Row = TypeVar("Row", bound=models.Model)


def visible_board(board_id: UUID | None, reader: Reader) -> tuple[Board, Role]:
    """Return the board, archived or not, and the reader's role on it."""
    found = read_board(board_id, reader) if board_id else None
    if found is None:
        raise not_found()
    board, role = found
    return board, Role(role)


def visible_card(card_id: UUID | None, reader: Reader) -> tuple[Card, Role]:
    """Return the card with its board, list and author, and the reader's role.

    The card may be archived; its board may not.
    """
    return _with_role(Card, card_id, reader, "list", "created_by")


def visible_list(list_id: UUID, reader: Reader) -> tuple[List, Role]:
    """Return the list with its board, and the reader's role. The list may be archived; its board may not."""
    return _with_role(List, list_id, reader)


def visible_label(label_id: UUID, reader: Reader) -> tuple[Label, Role]:
    return _with_role(Label, label_id, reader)


def card_of(part: type[Checklist | ChecklistItem | Comment | Attachment], pk: UUID, reader: Reader) -> Card:
    """Return the card to which a checklist, an item, a comment or an attachment belongs."""
    return _visible(part, pk, reader, "card").card


def visible_attachment(attachment_id: UUID | None, reader: Reader, *, archived_board: bool = False) -> Attachment:
    """Return the attachment with its card, its file and who uploaded it.

    The card may be archived; its board only with `archived_board`.
    """
    related = ("card", "file", "uploaded_by")
    return _visible(Attachment, attachment_id, reader, *related, archived_board=archived_board)


def row_of_board(model: type[Row], pk: UUID | None, reader: Reader, *related: str) -> Row:
    """Return the row of a board, which may be archived, for programs: one statement."""
    return _visible(model, pk, reader, *related, archived_board=True)


def _with_role(model: type[Row], pk: UUID | None, reader: Reader, *related: str) -> tuple[Row, Role]:
    found: Any = _visible(model, pk, reader, *related)
    return found, Role(found.role_of_user)


def _visible(model: type[Row], pk: UUID | None, reader: Reader, *related: str, archived_board: bool = False) -> Row:
    found: Any = read_visible(model, pk, reader, *related) if pk else None
    if found is None or (found.board.archived_at is not None and not archived_board):
        raise not_found()
    return found
