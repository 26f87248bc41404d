"""The next occurrence of a recurring card: made when the card is archived, taken away when it is restored."""

from typing import Any, NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

from django.utils import timezone

from boards.actions.cards.copying import by_model, copies_of_parts, copy_of, show_own_files
from boards.actions.cards.dates import next_dates
from boards.actions.change import Change
from boards.actions.ordering import bottom_of
from boards.dates import Due
from boards.models import Activity, Card, Membership, Role


class Following(NamedTuple):
    card: Card | None
    is_untouched: bool


def following_of(c: Change[Card], card: Card) -> Following:
    """Return the next occurrence of this card, if there is one. One that was changed since becomes independent of this card.

    The change that created it is recorded for the archived card, so any activity of its own means that it was changed.
    """
    following = Card.objects.filter(repeats=card).first()
    if following is not None and Activity.objects.filter(card_id=following.pk).exists():
        c.set(following, repeats=None)
        return Following(following, is_untouched=False)
    return Following(following, is_untouched=following is not None)


def rule_of(following: Card | None) -> dict[str, Any]:
    """Return the fields of the rule that an occurrence gives back to the card before it."""
    if following is None:
        return {}
    return {"recurrence": following.recurrence, "recurrence_anchor": following.recurrence_anchor}


def next_occurrence(c: Change[Card], card: Card) -> Card | None:
    """Create the next occurrence of a recurring card, in the change that archives it. Return None if it has no next date."""
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
