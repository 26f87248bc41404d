"""Checklists of a card with their items, as programs read them."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from boards.access import not_found
from boards.models import Card, Checklist
from boards.reader import Reader
from boards.reading.reach import row_of_board

COLUMNS = ("pk", "title", "items__pk", "items__text", "items__done")


def read_checklists(reader: Reader, card_id: UUID | None) -> Sequence[Any]:
    """Return rows of (checklist id, title, item id or None, text, done) in display order: two statements.

    The card and its board may be archived. Raises NotFound.
    """
    card = row_of_board(Card, card_id, reader)
    return _rows(card=card)


def read_checklist(reader: Reader, checklist_id: UUID | None) -> Sequence[Any]:
    """Return the rows of one checklist in one statement. Raises NotFound."""
    found = _rows(reader.membership("board__memberships__"), pk=checklist_id) if checklist_id else []
    if not found:
        raise not_found()
    return found


def _rows(*conditions: Any, **values: Any) -> Sequence[Any]:
    rows = Checklist.objects.filter(*conditions, **values).order_by("position", "items__position")
    return list(rows.values_list(*COLUMNS))
