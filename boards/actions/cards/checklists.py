"""Checklists of a card and their items."""

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from boards.access import not_found
from boards.actions.caps import CHECKLISTS, ITEMS, require_room
from boards.actions.cards.new_checklists import NO_CHECKLISTS_LEFT, NO_ITEMS_LEFT, draft_checklist, new_items
from boards.actions.change import Change, change
from boards.actions.guards import require_open
from boards.actions.ordering import BOTTOM, Place, next_id, position_for
from boards.actions.unchanged import UNCHANGED, Unchanged
from boards.actor import Actor
from boards.models import Card, Checklist, ChecklistItem, Verb
from boards.models.records import ChecklistDeleted, ItemCreated, ItemDeleted, ItemMoved, Moved
from boards.text import CHECKLIST, clean_line


def create_checklist(
    *, actor: Actor, card_id: UUID | None, title: str, items: Iterable[tuple[str, bool]] = (), place: Place = BOTTOM
) -> Checklist:
    """Create a checklist, with `items` (text, done) from the beginning: one change."""
    draft = draft_checklist(title, items)
    checklist = Checklist(title=draft.title)
    with change(actor, Card, card_id) as c:
        require_open(c.row)
        siblings = Checklist.objects.filter(card=c.row)
        require_room(siblings, CHECKLISTS, str(NO_CHECKLISTS_LEFT))
        checklist.card = c.row
        checklist.position = position_for(siblings, place, c.number)
        if draft.items:
            require_room(ChecklistItem.objects.filter(card=c.row), ITEMS, str(NO_ITEMS_LEFT), more=len(draft.items))
        c.add(checklist)
        c.add_all(new_items(checklist, draft.items))
        _record(c, Verb.CHECKLIST_CREATED, checklist, c.row)
    return checklist


def rename_checklist(*, actor: Actor, checklist_id: UUID | None, title: str | Unchanged = UNCHANGED) -> Checklist:
    values = {} if title is UNCHANGED else {"title": clean_line(title, "title", CHECKLIST)}
    with change(actor, Checklist, checklist_id) as c:
        require_open(c.row.card)
        if c.set(c.row, **values):
            _record(c, Verb.CHECKLIST_CHANGED, c.row, c.row.card)
    return c.row


def move_checklist(*, actor: Actor, checklist_id: UUID | None, place: Place) -> Checklist:
    with change(actor, Checklist, checklist_id) as c:
        require_open(c.row.card)
        _move(c, Checklist.objects.filter(card=c.row.card_id), place, Verb.CHECKLIST_MOVED)
    return c.row


def delete_checklist(*, actor: Actor, checklist_id: UUID | None) -> None:
    with change(actor, Checklist, checklist_id, deletes=True) as c:
        require_open(c.row.card)
        items = list(c.row.items.order_by("position").values("id", "text", "done"))
        c.keep(title=c.row.title, items=items)
        place = next_id(c.row, Checklist.objects.filter(card=c.row.card_id))
        _record(c, Verb.CHECKLIST_DELETED, c.row, c.row.card, ChecklistDeleted(next_id=(place, None)))
        c.remove(c.row)


def add_item(
    *, actor: Actor, checklist_id: UUID | None, text: str, done: bool = False, place: Place = BOTTOM
) -> ChecklistItem:
    item = ChecklistItem(text=clean_line(text, "text", CHECKLIST), done=done)
    with change(actor, Checklist, checklist_id) as c:
        require_open(c.row.card)
        require_room(ChecklistItem.objects.filter(card=c.row.card_id), ITEMS, str(NO_ITEMS_LEFT))
        item.checklist, item.card = c.row, c.row.card
        item.position = position_for(ChecklistItem.objects.filter(checklist=c.row), place, c.number)
        c.add(item)
        record = ItemCreated(checklist_id=(None, c.row.pk), checklist=(None, c.row.title))
        _record(c, Verb.ITEM_CREATED, item, c.row.card, record)
    return item


def update_item(
    *, actor: Actor, item_id: UUID | None, text: str | None = None, done: bool | None = None
) -> ChecklistItem:
    """Reword, tick or untick; None leaves a field as it is."""
    values: dict[str, str | bool] = {}
    if text is not None:
        values["text"] = clean_line(text, "text", CHECKLIST)
    if done is not None:
        values["done"] = done
    with change(actor, ChecklistItem, item_id) as c:
        require_open(c.row.card)
        if c.set(c.row, **values):
            _record(c, Verb.ITEM_CHANGED, c.row, c.row.card)
    return c.row


def move_item(
    *, actor: Actor, item_id: UUID | None, place: Place | None = None, checklist_id: UUID | None = None
) -> ChecklistItem:
    """Move an item to `place` in the checklist `checklist_id` (None: its own), which must be of the same card.

    Without `place` it goes to the bottom of another checklist, and stays where it is in its own. Raises NotFound for a
    checklist of another card.
    """
    with change(actor, ChecklistItem, item_id) as c:
        require_open(c.row.card)
        if checklist_id is not None and checklist_id != c.row.checklist_id:
            _move_to(c, checklist_id, place or BOTTOM)
        elif place is not None:
            _move(c, ChecklistItem.objects.filter(checklist=c.row.checklist_id), place, Verb.ITEM_MOVED)
    return c.row


def _move_to(c: Change[ChecklistItem], checklist_id: UUID, place: Place) -> None:
    item, old = c.row, c.row.checklist
    into = Checklist.objects.filter(card=item.card_id, pk=checklist_id).first()
    if into is None:
        raise not_found()
    before = next_id(item, ChecklistItem.objects.filter(checklist=old))
    siblings = ChecklistItem.objects.filter(checklist=into)
    c.set(item, checklist=into, position=position_for(siblings, place, c.number))
    record = ItemMoved(
        checklist_id=(old.pk, into.pk), checklist=(old.title, into.title), next_id=(before, next_id(item, siblings))
    )
    _record(c, Verb.ITEM_MOVED, item, item.card, record)


def _move(c: Change[Any], siblings: "QuerySet[Any]", place: Place, verb: Verb) -> None:
    if not place.holds(c.row, siblings):
        before = next_id(c.row, siblings)
        c.set(c.row, position=position_for(siblings, place, c.number, moving=c.row.pk))
        _record(c, verb, c.row, c.row.card, Moved(next_id=(before, next_id(c.row, siblings))))


def delete_item(*, actor: Actor, item_id: UUID | None, made: Card | None = None) -> None:
    """Delete an item, for the card that was `made` of it, if there is one."""
    with change(actor, ChecklistItem, item_id, deletes=True) as c:
        require_open(c.row.card)
        record = ItemDeleted(
            checklist_id=(c.row.checklist_id, None),
            checklist=(c.row.checklist.title, None),
            next_id=(next_id(c.row, ChecklistItem.objects.filter(checklist=c.row.checklist_id)), None),
            text=(c.row.text, None),
            done=(c.row.done, None),
        )
        _record(c, Verb.ITEM_DELETED, c.row, c.row.card, record)
        if made:
            c.keep(made_id=made.pk)  # without which the item must not be deleted again
        c.remove(c.row)


def _record(
    c: "Change[Card] | Change[Checklist] | Change[ChecklistItem]",
    verb: Verb,
    row: Checklist | ChecklistItem,
    card: Card,
    record: Mapping[str, Any] | None = None,
) -> None:
    """Record the change. A card shows its checklists, so the card gets the change's number as well."""
    c.touch(card)
    c.record(verb, row, record, card=card)
