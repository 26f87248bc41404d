"""What state a row must be in before it may be changed."""

from django.utils.translation import gettext as _

from boards.errors import Conflict
from boards.models import Card, List


def require_open(card: Card) -> None:
    """A card in an archived list counts as archived."""
    if card.archived_at is not None:
        raise Conflict(_("This card is archived. Restore it before changing it."), card)
    if card.list.archived_at is not None:
        raise Conflict(_("This card is in an archived list. Restore the list before changing the card."), card)


def require_open_list(row: List) -> None:
    if row.archived_at is not None:
        raise Conflict(_("This list is archived. Restore it first."), row)


def require_archived(row: Card | List) -> None:
    if row.archived_at is None:
        raise Conflict(_("Only what is archived can be deleted for good. Archive it first."), row)
