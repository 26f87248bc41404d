"""Merge the checklists that an agent sends into those of a card, by title and text. What is not named stays."""

from collections.abc import Iterable, Sequence
from uuid import UUID

from boards.actions.cards.checklists import (
    add_item,
    create_checklist,
    delete_checklist,
    delete_item,
    update_item,
)
from boards.actions.cards.new_checklists import ChecklistDraft, draft_checklist
from boards.actor import Actor
from boards.models import Checklist, ChecklistItem
from mcpserver.caller import Caller
from mcpserver.card_kinds import GivenChecklist, GivenItem


def new_checklists(given: Iterable[GivenChecklist]) -> list[ChecklistDraft]:
    """Return the checklists of a new card. Of equal titles and texts there is one."""
    found: dict[str, dict[str, bool]] = {}
    for one in given:
        if not one.remove:
            found.setdefault(one.title, {}).update(_new_items(one.items))
    return [draft_checklist(title, items.items()) for title, items in found.items()]


def change_checklists(card_id: UUID, given: Iterable[GivenChecklist], caller: Caller) -> None:
    """Merge into the checklists of the card. Of several with one title or text, the first is meant."""
    present = _checklists_of(card_id)
    for one in given:
        found = present.get(one.title)
        if found is not None and one.remove:
            delete_checklist(actor=caller.actor, checklist_id=found.pk)
            present = _checklists_of(card_id)
        elif found is not None:
            _change_items(found, one.items, caller.actor)
        elif not one.remove:
            items = [*_new_items(one.items).items()]
            made = create_checklist(actor=caller.actor, card_id=card_id, title=one.title, items=items)
            present[made.title] = made


def _change_items(checklist: Checklist, given: Sequence[GivenItem], actor: Actor) -> None:
    present = _items_of(checklist)
    for one in {one.text: one for one in given}.values():  # of those with one text, the last is meant
        found = present.get(one.text)
        if found is None and not one.remove:
            present[one.text] = add_item(actor=actor, checklist_id=checklist.pk, text=one.text, done=one.done is True)
        elif found is not None and one.remove:
            delete_item(actor=actor, item_id=found.pk)
            present = _items_of(checklist)
        elif found is not None and one.done not in (None, found.done):
            present[one.text] = update_item(actor=actor, item_id=found.pk, done=one.done)


def _new_items(given: Iterable[GivenItem]) -> dict[str, bool]:
    """Return whether each is done, by its text."""
    return {one.text: one.done is True for one in given if not one.remove}


def _checklists_of(card_id: UUID) -> dict[str, Checklist]:
    """Return the first checklist of each title."""
    rows = Checklist.objects.filter(card=card_id).order_by("-position")
    return {row.title: row for row in rows}


def _items_of(checklist: Checklist) -> dict[str, ChecklistItem]:
    """Return the first item of each text."""
    rows = ChecklistItem.objects.filter(checklist=checklist).order_by("-position")
    return {row.text: row for row in rows}
