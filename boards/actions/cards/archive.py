"""Archiving and restoring cards; a recurring card that has a date makes its next occurrence."""

from typing import Any, NamedTuple
from uuid import UUID

from boards.actions.caps import CARDS_AT_ONCE
from boards.actions.cards.occurrences import following_of, next_occurrence, rule_of
from boards.actions.change import change
from boards.actions.guards import is_archived, require_open_list
from boards.actor import Actor
from boards.models import Card, List, Verb


class Archived(NamedTuple):
    card: Card
    next: Card | None  # the next occurrence, when this call made one


class Restored(NamedTuple):
    card: Card
    next: Card | None = None  # the next occurrence that there was
    gone: UUID | None = None  # the id of the next occurrence, when it was deleted


def archive_card(*, actor: Actor, card_id: UUID | None) -> Archived:
    """Archive a card, and create the next occurrence of a recurring card that has a due date.

    Nothing happens to a card that already counts as archived because its list is archived.
    """
    following = None
    with change(actor, Card, card_id) as c:
        card = c.row
        if not is_archived(card):
            following = next_occurrence(c, card)
            handed_on: dict[str, Any] = {"recurrence": "", "recurrence_anchor": None} if following else {}
            record: dict[str, Any] = {"next_occurrence_id": (None, following.pk)} if following else {}
            c.set(card, archived_at=c.now, **handed_on)
            c.record(Verb.CARD_ARCHIVED, card, record)
    return Archived(card, following)


def archive_done_cards(*, actor: Actor, list_id: UUID | None) -> List:
    """Archive the cards of a list that are done, from the top, but at most CARDS_AT_ONCE: one change each."""
    return _archive_first(actor, list_id, completed_at__isnull=False)


def archive_all_cards(*, actor: Actor, list_id: UUID | None) -> List:
    """Archive the cards of a list, from the top, but at most CARDS_AT_ONCE: one change each."""
    return _archive_first(actor, list_id)


def _archive_first(actor: Actor, list_id: UUID | None, **having: object) -> List:
    with change(actor, List, list_id) as c:
        require_open_list(c.row)
        for card_id in first_cards(c.row, **having):
            archive_card(actor=actor, card_id=card_id)
    return c.row


def first_cards(row: List, **having: object) -> list[UUID]:
    """Return the ids of the first open cards of a list, as many as one call changes."""
    cards = Card.objects.filter(list=row, archived_at=None, **having).order_by("position")
    return list(cards.values_list("pk", flat=True)[:CARDS_AT_ONCE])


def restore_card(*, actor: Actor, card_id: UUID | None) -> Restored:
    """Restore a card to its list; raise Conflict when that list is archived.

    A next occurrence that nobody has changed since is deleted, and its recurrence goes back to the restored card.
    """
    with change(actor, Card, card_id) as c:
        card = c.row
        require_open_list(card.list, card)
        if card.archived_at is None:
            return Restored(card)
        following, is_untouched = following_of(c, card)
        gone = following.pk if following and is_untouched else None
        if following and is_untouched:
            c.remove(following)
        c.set(card, archived_at=None, **rule_of(following if is_untouched else None))
        c.record(Verb.CARD_RESTORED, card, {"next_occurrence_id": (gone, None)} if gone else {})
    return Restored(card, following, gone)
