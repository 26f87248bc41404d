"""Checklists with their items, as part of the change that adds them."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from django.utils.translation import gettext_lazy as _

from boards.actions.caps import CHECKLISTS, ITEMS
from boards.actions.change import Change
from boards.actions.ordering import GAP
from boards.errors import LimitReached
from boards.models import Card, Checklist, ChecklistItem
from boards.text import CHECKLIST, clean_line

NO_CHECKLISTS_LEFT = _("This card has reached its limit of %(most)s checklists. Delete one to create another.")
NO_ITEMS_LEFT = _("This card has reached its limit of %(most)s checklist items. Delete some to add others.")


class ItemDraft(NamedTuple):
    text: str
    done: bool = False


class ChecklistDraft(NamedTuple):
    """A new checklist, cleaned and checked."""

    title: str
    items: tuple[ItemDraft, ...] = ()


def draft_checklist(title: str, items: Iterable[tuple[str, bool]]) -> ChecklistDraft:
    """Return the checked checklist with these (text, done). Raises Invalid."""
    drafts = tuple(ItemDraft(clean_line(text, "text", CHECKLIST), done) for text, done in items)
    return ChecklistDraft(clean_line(title, "title", CHECKLIST), drafts)


def require_room_on_new_card(drafts: Sequence[ChecklistDraft]) -> None:
    """Raise LimitReached when these are more than one card can have."""
    if len(drafts) > CHECKLISTS:
        raise LimitReached(NO_CHECKLISTS_LEFT % {"most": CHECKLISTS})
    if sum(len(draft.items) for draft in drafts) > ITEMS:
        raise LimitReached(NO_ITEMS_LEFT % {"most": ITEMS})


def add_to_new_card(c: Change[Any], card: Card, drafts: Sequence[ChecklistDraft]) -> None:
    rows = [Checklist(card=card, title=draft.title, position=GAP * place) for place, draft in enumerate(drafts, 1)]
    c.add_all(rows)
    c.add_all(item for row, draft in zip(rows, drafts, strict=True) for item in new_items(row, draft.items))


def new_items(checklist: Checklist, drafts: Iterable[ItemDraft]) -> list[ChecklistItem]:
    """Return unsaved items for a checklist that has none."""
    return [
        ChecklistItem(checklist=checklist, card=checklist.card, text=text, done=done, position=GAP * place)
        for place, (text, done) in enumerate(drafts, 1)
    ]
