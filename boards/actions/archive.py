"""Archiving and restoring cards; a recurring card that has a date makes its next occurrence."""

from typing import Any, NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

from boards.actions.change import Change, change
from boards.actions.guards import is_archived, require_open_list
from boards.actions.ordering import bottom_of
from boards.actor import Actor
from boards.models import Activity, Card, Membership, Role, Verb
from boards.models.base import BoardRow
from boards.models.card_parts import CARD_PARTS
from boards.recurrence import Recurrence, next_due


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
    _copy_parts(c, card, following)
    return following


def _owner_zone(c: Change[Card]) -> ZoneInfo:
    return Membership.objects.select_related("user").get(board=c.board, role=Role.OWNER).user.zone


def _copy_parts(c: Change[Card], old: Card, new: Card) -> None:
    """Copy the parts that card_parts.py marks as repeated. A copied item refers to the copied checklist."""
    twins: dict[Any, Any] = {old.pk: new.pk}
    for part in CARD_PARTS:
        if part.repeated is not None:
            rows = list(part.of(old).order_by("pk"))
            copies = [_copy(row, twins, part.repeated) for row in rows]
            c.add_all(copies)
            twins |= {row.pk: copy.pk for row, copy in zip(rows, copies, strict=True)}


def _copy(row: BoardRow, twins: dict[Any, Any], unlike: dict[str, Any]) -> BoardRow:
    """Return an unsaved copy of `row`, with ids replaced by those in `twins` and fields set to those in `unlike`."""
    columns = [field.attname for field in row._meta.concrete_fields if field.name not in ("id", "board", "version")]
    values = {column: getattr(row, column) for column in columns}
    return type(row)(**{column: twins.get(value, value) for column, value in values.items()} | unlike)
