"""Archiving and restoring cards; a recurring card that has a date makes its next occurrence."""

from typing import Any, NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

from boards.actions.change import Change, change
from boards.actions.places import bottom_of
from boards.actions.states import is_archived, require_open_list
from boards.actor import Actor
from boards.models import Activity, Assignment, Card, CardLabel, Checklist, ChecklistItem, Membership, Role, Verb
from boards.recurrence import Recurrence, next_due


class Archived(NamedTuple):
    card: Card
    next: Card | None  # the next occurrence, when this call made one


def archive_card(*, actor: Actor, card_id: UUID | None) -> Archived:
    """Out of sight. Nothing happens to a card that counts as archived already because its list is."""
    following = None
    with change(actor, Card, card_id) as c:
        card = c.row
        if not is_archived(card):
            following = _next_occurrence(c, card)
            handed_on: dict[str, Any] = {"recurrence": "", "recurrence_anchor": None} if following else {}
            named: dict[str, Any] = {"next": [None, following.pk]} if following else {}
            c.set(card, archived_at=c.now, **handed_on)
            c.record(Verb.CARD_ARCHIVED, card, **named)
    return Archived(card, following)


def restore_card(*, actor: Actor, card_id: UUID | None) -> Card:
    """Back to its list. A next occurrence that nobody has touched since goes away again and gives its rule back."""
    with change(actor, Card, card_id) as c:
        card = c.row
        require_open_list(card.list, card)
        if card.archived_at is not None:
            c.set(card, archived_at=None, **_taken_back(c, card))
            c.record(Verb.CARD_RESTORED, card)
    return card


def _taken_back(c: Change[Card], card: Card) -> dict[str, Any]:
    """The rule of the next occurrence, which is removed; {} when it stays, then a card in its own right."""
    following = Card.objects.filter(repeats=card).first()
    if following is None:
        return {}
    if Activity.objects.filter(card_id=following.pk).exists():
        c.set(following, repeats=None)
        return {}
    c.remove(following)
    return {"recurrence": following.recurrence, "recurrence_anchor": following.recurrence_anchor}


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
        position=bottom_of(Card, "list", card.list_id),
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
    return following


def _owner_zone(c: Change[Card]) -> ZoneInfo:
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
