"""Find one row by its id, with the reader's role. Every function raises NotFound for a row the reader cannot see."""

from typing import Any, TypeVar
from uuid import UUID

from django.db import models

from boards.access import not_found, role_on
from boards.models import Attachment, Board, Card, Checklist, ChecklistItem, Comment, Label, List, Role
from boards.reader import Reader
from boards.statements import read_board

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
    card = _visible(Card, card_id, reader, "board", "list", "created_by")
    return card, _role(card.board_id, reader)


def visible_list(list_id: UUID, reader: Reader) -> tuple[List, Role]:
    """Return the list with its board, and the reader's role. The list may be archived; its board may not."""
    found = _visible(List, list_id, reader, "board")
    return found, _role(found.board_id, reader)


def visible_label(label_id: UUID, reader: Reader) -> tuple[Label, Role]:
    found = _visible(Label, label_id, reader, "board")
    return found, _role(found.board_id, reader)


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


def _visible(model: type[Row], pk: UUID | None, reader: Reader, *related: Any, archived_board: bool = False) -> Row:
    rows = model._default_manager.filter(reader.membership("board__memberships__"))
    if not archived_board:
        rows = rows.filter(board__archived_at=None)
    found = rows.select_related(*related).filter(pk=pk).first() if pk else None
    if found is None:
        raise not_found()
    return found


def _role(board_id: UUID, reader: Reader) -> Role:
    role = role_on(board_id, reader)
    if role is None:  # removed since the row was read
        raise not_found()
    return role
