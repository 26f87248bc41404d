"""Archiving and restoring cards; a recurring card that has a date makes its next occurrence."""

from typing import Any, NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

from django.utils import timezone

from boards.actions.caps import CARDS_ARCHIVED
from boards.actions.cards.copying import by_model, copies_of_parts, copy_of, show_own_files
from boards.actions.cards.dates import next_dates
from boards.actions.change import Change, change
from boards.actions.guards import is_archived, require_open_list
from boards.actions.ordering import bottom_of
from boards.actor import Actor
from boards.dates import Due
from boards.models import Activity, Card, List, Membership, Role, Verb


class Archived(NamedTuple):
    card: Card
    next: Card | None  # the next occurrence, when this call made one


def archive_card(*, actor: Actor, card_id: UUID | None) -> Archived:
    """Archive a card, and create the next occurrence of a recurring card that has a due date.

    Nothing happens to a card that already counts as archived because its list is archived.
    """
    following = None
    with change(actor, Card, card_id) as c:
        card = c.row
        if not is_archived(card):
            following = _next_occurrence(c, card)
            handed_on: dict[str, Any] = {"recurrence": "", "recurrence_anchor": None} if following else {}
            record: dict[str, Any] = {"next_occurrence_id": (None, following.pk)} if following else {}
            c.set(card, archived_at=c.now, **handed_on)
            c.record(Verb.CARD_ARCHIVED, card, record)
    return Archived(card, following)


def archive_done_cards(*, actor: Actor, list_id: UUID | None) -> List:
    """Archive the cards of a list that are done, from the top, but no more than CARDS_ARCHIVED: one change each."""
    with change(actor, List, list_id) as c:
        require_open_list(c.row)
        done = Card.objects.filter(list=c.row, archived_at=None, completed_at__isnull=False).order_by("position")
        for card_id in list(done.values_list("pk", flat=True)[:CARDS_ARCHIVED]):
            archive_card(actor=actor, card_id=card_id)
    return c.row


def restore_card(*, actor: Actor, card_id: UUID | None) -> Card:
    """Restore a card to its list; raise Conflict when that list is archived.

    A next occurrence that nobody has changed since is deleted, and its recurrence goes back to the restored card.
    """
    with change(actor, Card, card_id) as c:
        card = c.row
        require_open_list(card.list, card)
        if card.archived_at is not None:
            following = _untouched_next_occurrence(c, card)
            record: dict[str, Any] = {}
            if following is not None:
                c.remove(following)
                record = {"next_occurrence_id": (following.pk, None)}
            c.set(card, archived_at=None, **_rule_of(following))
            c.record(Verb.CARD_RESTORED, card, record)
    return card


def _untouched_next_occurrence(c: Change[Card], card: Card) -> Card | None:
    """Return the next occurrence of this card, or None. One that was changed since becomes independent of this card.

    The change that created it is recorded for the archived card, so any activity of its own means that it was changed.
    """
    following = Card.objects.filter(repeats=card).first()
    if following is not None and Activity.objects.filter(card_id=following.pk).exists():
        c.set(following, repeats=None)
        return None
    return following


def _rule_of(following: Card | None) -> dict[str, Any]:
    if following is None:
        return {}
    return {"recurrence": following.recurrence, "recurrence_anchor": following.recurrence_anchor}


def _next_occurrence(c: Change[Card], card: Card) -> Card | None:
    dates = next_dates(card, c.now, _owner_zone(c.board.pk)) if card.recurrence and card.due_at else None
    if dates is None:
        return None
    new = {"list": card.list, "number": c.next_card_number(), "position": bottom_of(Card, "list", card.list_id)}
    made = {"board": c.board, "created_by": c.actor.user, "created_at": c.now, "updated_at": c.now}
    following = copy_of(card, repeats=card, **dates, **new, **made)
    c.add(following)
    twins = {card.pk: following.pk}
    for rows in by_model(copies_of_parts(twins, [card], as_new=True)):
        c.add_all(rows)
    show_own_files(following, card, twins)
    return following


def next_due_of(card: Card) -> Due | None:
    """Return the due date that the next occurrence of a recurring card would have if the card were archived now."""
    dates = next_dates(card, timezone.now(), _owner_zone(card.board_id)) if card.recurrence and card.due_at else None
    return Due(dates["due_at"], dates["due_day"]) if dates else None


def _owner_zone(board_id: UUID) -> ZoneInfo:
    return Membership.objects.select_related("user").get(board=board_id, role=Role.OWNER).user.zone
