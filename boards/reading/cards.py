"""One card with its parts, in a fixed number of statements."""

from uuid import UUID

from django.db.models import Prefetch, prefetch_related_objects

from boards.access import not_found
from boards.models import Card, ChecklistItem, Comment
from boards.reader import Reader


def card_in_full(card_id: UUID | None, reader: Reader) -> Card:
    """Return the card with list, labels, assignees, checklists and items. Raises NotFound as `visible_card` does."""
    cards = Card.objects.visible_to(reader).of_open_boards().select_related("list")
    card = cards.filter(pk=card_id).first() if card_id else None
    if card is None:
        raise not_found()
    items = Prefetch("checklists__items", ChecklistItem.objects.order_by("position"))
    prefetch_related_objects([card], "labels", "assignees", "checklists", items)
    return card


def newest_comments(card: Card, limit: int) -> list[Comment]:
    """Return the newest comments first, each with its author."""
    return list(card.comments.select_related("author").defer("document", "html").order_by("-created_at", "-pk")[:limit])
