"""Checklists that come with their items in one change: of a new card, and of one that is there."""

import pytest

from boards.actions.cards import checklists, new_checklists
from boards.actions.cards.card import Placed, create_card, create_cards_on, draft_card
from boards.actions.cards.checklists import create_checklist
from boards.actions.cards.new_checklists import draft_checklist
from boards.actions.undo import undo_change
from boards.errors import Invalid, LimitReached
from boards.models import Activity, Card, Checklist, ChecklistItem
from boards.tests.world import last
from conftest import web

STEPS = [("Draft", True), ("Print", False)]


def items_of(card):
    return {row.title: [(item.text, item.done) for item in row.items.all()] for row in card.checklists.all()}


def test_a_card_is_created_with_its_checklists_in_one_change(todo, ed):
    before = Activity.objects.count()
    drafts = [draft_checklist(" Steps ", STEPS), draft_checklist("Empty", [])]
    card = create_card(actor=web(ed), list_id=todo.pk, title="Print", checklists=drafts)
    assert items_of(card) == {"Steps": STEPS, "Empty": []}
    assert Activity.objects.count() == before + 1
    assert {row.version for row in (*Checklist.objects.all(), *ChecklistItem.objects.all())} == {card.version}


def test_many_cards_are_created_with_their_checklists(todo, ed):
    drafts = [draft_card(title=title, checklists=[draft_checklist("Steps", STEPS)]) for title in ("One", "Two")]
    made = create_cards_on(actor=web(ed), board_id=todo.board_id, cards=[Placed(draft, todo.pk) for draft in drafts])
    assert [items_of(card) for card in made] == [{"Steps": STEPS}] * 2


def test_a_checklist_is_created_with_its_items_and_undone_with_them(card, ed):
    create_checklist(actor=web(ed), card_id=card.pk, title="Steps", items=STEPS)
    assert items_of(card) == {"Steps": STEPS}
    made = last(card.board)
    assert made.verb == "checklist.created"
    undo_change(actor=web(ed), board_id=card.board_id, number=made.version)
    assert items_of(card) == {}
    undo_change(actor=web(ed), board_id=card.board_id, number=last(card.board).version)
    assert items_of(card) == {"Steps": STEPS}


@pytest.mark.parametrize("text", ["", "x" * 501, "two\nlines", None])
def test_an_item_that_cannot_be_one_is_refused_and_nothing_is_made(card, todo, ed, text):
    for items in ([(text, False)], [("Fine", False), (text, True)]):
        with pytest.raises(Invalid):
            create_checklist(actor=web(ed), card_id=card.pk, title="Steps", items=items)
        with pytest.raises(Invalid):
            draft_checklist("Steps", items)
    assert not Checklist.objects.exists()


def test_more_items_than_a_card_can_have_are_refused(card, todo, ed, monkeypatch):
    for module in (new_checklists, checklists):
        monkeypatch.setattr(module, "ITEMS", 2)
    create_checklist(actor=web(ed), card_id=card.pk, title="Steps", items=STEPS)
    with pytest.raises(LimitReached, match="2"):
        create_checklist(actor=web(ed), card_id=card.pk, title="More", items=STEPS[:1])
    with pytest.raises(LimitReached, match="2"):
        create_card(
            actor=web(ed), list_id=todo.pk, title="New", checklists=[draft_checklist("Steps", [*STEPS, *STEPS])]
        )
    assert (Card.objects.count(), ChecklistItem.objects.count()) == (1, 2)


def test_more_checklists_than_a_card_can_have_are_refused(todo, ed):
    with pytest.raises(LimitReached, match="100"):
        create_card(actor=web(ed), list_id=todo.pk, title="New", checklists=[draft_checklist("Steps", [])] * 101)
    assert not Card.objects.exists()
