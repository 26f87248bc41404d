"""Reading boards for every door."""

from typing import TYPE_CHECKING, NamedTuple
from uuid import UUID

from django.db.models import Prefetch, prefetch_related_objects

from boards.access import not_found
from boards.models import Card, ChecklistItem, Comment
from boards.statements import read_boards_and_lists

if TYPE_CHECKING:
    from accounts.models import User


class ListEntry(NamedTuple):
    id: UUID
    title: str


class BoardEntry(NamedTuple):
    id: UUID
    title: str
    lists: list[ListEntry]


def boards_with_lists(user: "User") -> list[BoardEntry]:
    """Every open board that the user can access, oldest first, with its open lists in display order: one statement."""
    entries: dict[UUID, BoardEntry] = {}
    for board_id, title, list_id, list_title in read_boards_and_lists(user.pk):
        entry = entries.setdefault(board_id, BoardEntry(board_id, title, []))
        if list_id is not None:
            entry.lists.append(ListEntry(list_id, list_title))
    return list(entries.values())


def card_in_full(card_id: UUID | None, user: "User") -> Card:
    """The card with its list, labels, assignees, checklists and their items fetched; raises NotFound as `visible_card`
    does."""
    cards = Card.objects.visible_to(user).filter(board__archived_at=None).select_related("list")
    card = cards.filter(pk=card_id).first() if card_id else None
    if card is None:
        raise not_found()
    items = Prefetch("checklists__items", ChecklistItem.objects.order_by("position"))
    prefetch_related_objects([card], "labels", "assignees", "checklists", items)
    return card


def newest_comments(card: Card, limit: int) -> list[Comment]:
    """The newest first, each with its author."""
    return list(card.comments.select_related("author").order_by("-created_at", "-pk")[:limit])
