"""Merge the checklists that an agent sends into those of a card, by title and text. What is not named stays.

Titles and texts are found as those of lists and labels are: exactly, or else in any case.
"""

from collections.abc import Iterable, Sequence
from typing import Generic, TypeVar
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
from boards.errors import Invalid
from boards.models import Checklist, ChecklistItem
from core.text.folding import fold
from core.text.nearest import nearest
from mcpserver.caller import Caller
from mcpserver.card_kinds import GivenChecklist, GivenItem
from mcpserver.wrong_ids import there_are, titled

Row = TypeVar("Row", Checklist, ChecklistItem)


def new_checklists(given: Iterable[GivenChecklist]) -> list[ChecklistDraft]:
    """Return the checklists of a new card. Of equal titles and texts there is one."""
    found: dict[str, dict[str, bool]] = {}
    for one in given:
        if not one.remove:
            found.setdefault(one.title, {}).update(_new_items(one.items))
    return [draft_checklist(title, items.items()) for title, items in found.items()]


def change_checklists(card_id: UUID, given: Iterable[GivenChecklist], caller: Caller) -> None:
    """Merge into the checklists of the card. Of several with one title or text, the first is meant.

    Raises Invalid for a checklist or an item to remove that is not there.
    """
    present = _checklists_of(card_id)
    for one in given:
        found = present.called(one.title)
        if found is not None and one.remove:
            delete_checklist(actor=caller.actor, checklist_id=found.pk)
            present.remove(found.title, found)
        elif found is not None:
            _change_items(found, one.items, caller.actor)
        elif one.remove or any(item.remove for item in one.items):
            raise Invalid(f"checklists: this task has no checklist {present.hint(one.title)}", "checklists")
        else:
            items = [*_new_items(one.items).items()]
            made = create_checklist(actor=caller.actor, card_id=card_id, title=one.title, items=items)
            present.add(made.title, made)


def _change_items(checklist: Checklist, given: Sequence[GivenItem], actor: Actor) -> None:
    present = _items_of(checklist)
    for one in {one.text: one for one in given}.values():  # of those with one text, the last is meant
        found = present.called(one.text)
        if found is None and one.remove:
            there = f"checklists: {titled(checklist.title)} has no item"
            raise Invalid(f"{there} {present.hint(one.text)}", "checklists")
        if found is None:
            made = add_item(actor=actor, checklist_id=checklist.pk, text=one.text, done=one.done is True)
            present.add(made.text, made)
        elif one.remove:
            delete_item(actor=actor, item_id=found.pk)
            present.remove(found.text, found)
        elif one.done not in (None, found.done):
            found.done = update_item(actor=actor, item_id=found.pk, done=one.done).done


def _new_items(given: Iterable[GivenItem]) -> dict[str, bool]:
    """Return whether each is done, by its text."""
    return {one.text: one.done is True for one in given if not one.remove}


class _Present(Generic[Row]):
    """Checklists or items in their order, by name."""

    def __init__(self, rows: Iterable[tuple[str, Row]]) -> None:
        self._exact: dict[str, list[Row]] = {}
        self._folded: dict[str, list[Row]] = {}
        for name, row in rows:
            self.add(name, row)

    def add(self, name: str, row: Row) -> None:
        self._exact.setdefault(name, []).append(row)
        self._folded.setdefault(fold(name), []).append(row)

    def remove(self, name: str, row: Row) -> None:
        for rows, key in ((self._exact, name), (self._folded, fold(name))):
            rows[key].remove(row)
            if not rows[key]:
                del rows[key]

    def called(self, name: str) -> Row | None:
        """Return the first with exactly this name, or else the first with this name in any case."""
        rows = self._exact.get(name) or self._folded.get(fold(name))
        return rows[0] if rows else None

    def hint(self, name: str) -> str:
        """Return the name that was not found, with those that there are."""
        near = nearest(name, self._exact)
        return f"{titled(name)}.{f' Did you mean {titled(near)}?' if near else ''}{there_are([*self._exact])}"


def _checklists_of(card_id: UUID) -> _Present[Checklist]:
    rows = Checklist.objects.filter(card=card_id).order_by("position")
    return _Present((row.title, row) for row in rows)


def _items_of(checklist: Checklist) -> _Present[ChecklistItem]:
    rows = ChecklistItem.objects.filter(checklist=checklist).order_by("position")
    return _Present((row.text, row) for row in rows)
