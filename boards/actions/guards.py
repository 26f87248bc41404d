"""Checks of a row's state before it is changed. The `require_` functions raise Conflict, with the row as `current`."""

from django.utils.translation import gettext as _

from boards.errors import Conflict
from boards.models import Board, Card, List


def is_archived(row: Card | List | Board) -> bool:
    """Tell whether the row is archived. A card in an archived list counts as archived."""
    return row.archived_at is not None or (isinstance(row, Card) and is_archived(row.list))


def require_open(card: Card) -> None:
    if card.archived_at is not None:
        raise Conflict(_("This card is archived. Restore it before changing it."), card)
    require_open_list(card.list, card)


def require_open_list(row: List, card: Card | None = None) -> None:
    """Raise Conflict for an archived list. `card` is the card to be changed; None when it is the list itself."""
    if row.archived_at is not None and card is not None:
        raise Conflict(_("This card is in an archived list. Restore the list before changing the card."), card)
    if row.archived_at is not None:
        raise Conflict(_("This list is archived. Restore it first."), row)


def require_archived(row: Card | List | Board) -> None:
    if not is_archived(row):
        raise Conflict(
            _("Only archived boards, lists and cards can be deleted permanently. Archive this one first."), row
        )
