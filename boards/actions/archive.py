"""Archiving and restoring cards; a recurring card that has a date makes its next occurrence."""

from typing import NamedTuple
from uuid import UUID

from boards.actions.change import Change, change
from boards.actions.places import BOTTOM, position_for
from boards.actions.states import require_open
from boards.actor import Actor
from boards.models import Assignment, Card, CardLabel, Checklist, ChecklistItem, Membership, Role, Verb
from boards.recurrence import Recurrence, next_due


class Archived(NamedTuple):
    card: Card
    next: Card | None  # the next occurrence, when this call made one


def archive_card(*, actor: Actor, card_id: UUID | None) -> Archived:
    following = None
    with change(actor, Card, card_id) as c:
        card = c.row
        if card.archived_at is None:
            require_open(card)
            following = _next_occurrence(c, card)
            c.set(card, archived_at=c.now)
            extra = {"next": [None, str(following.pk)]} if following else {}
            c.record(Verb.CARD_ARCHIVED, card, **extra)
    return Archived(card, following)


def restore_card(*, actor: Actor, card_id: UUID | None) -> Card:
    """Back to its list. A next occurrence that nobody has touched since goes away again and gives its rule back."""
    with change(actor, Card, card_id) as c:
        card = c.row
        if card.archived_at is not None:
            following = Card.objects.filter(repeats=card).first()
            if following is not None and _untouched(following):
                c.set(card, recurrence=following.recurrence, recurrence_anchor=following.recurrence_anchor)
                c.remove("card", following)
            c.set(card, archived_at=None)
            c.record(Verb.CARD_RESTORED, card)
    return card


def _untouched(following: Card) -> bool:
    """Its version is still that of the change which archived the card it repeats."""
    return following.repeats is not None and following.version == following.repeats.version


def _next_occurrence(c: Change[Card], card: Card) -> Card | None:
    if not card.recurrence or card.due_at is None:
        return None
    anchor = card.recurrence_anchor or card.due_at
    due = next_due(Recurrence(card.recurrence), anchor, card.due_at, c.now, _owner_zone(c))
    if due is None:
        return None
    following = Card(
        board=c.board,
        list=card.list,
        number=c.next_card_number(),
        position=position_for(Card.objects.filter(list=card.list), BOTTOM, c.number),
        title=card.title,
        description=card.description,
        search_text=card.search_text,
        due_at=due,
        recurrence=card.recurrence,
        recurrence_anchor=anchor,
        repeats=card,
        created_by=c.actor.user,
        created_at=c.now,
        updated_at=c.now,
    )
    c.add(following)
    _copy_what_hangs_on(c, card, following)
    c.set(card, recurrence="", recurrence_anchor=None)
    return following


def _owner_zone(c: Change[Card]):  # type: ignore[no-untyped-def]
    return Membership.objects.select_related("user").get(board=c.board, role=Role.OWNER).user.zone


def _copy_what_hangs_on(c: Change[Card], old: Card, new: Card) -> None:
    """Labels, assignees and checklists, these unticked."""
    c.add_all(CardLabel(card=new, label_id=row.label_id) for row in old.card_labels.all())
    c.add_all(Assignment(card=new, user_id=row.user_id) for row in old.assignments.all())
    twins = {row.pk: Checklist(card=new, title=row.title, position=row.position) for row in old.checklists.all()}
    c.add_all(twins.values())
    c.add_all(
        ChecklistItem(card=new, checklist=twins[item.checklist_id], text=item.text, position=item.position)
        for item in old.checklist_items.all()
    )
