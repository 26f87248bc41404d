"""Items of checklists that become cards."""

import pytest

from accounts.models import User
from boards.actions.cards.archive import archive_card, restore_card
from boards.actions.cards.card import create_card, delete_card
from boards.actions.cards.checklists import add_item, create_checklist, delete_checklist, delete_item
from boards.actions.cards.item_cards import make_item_a_card
from boards.actions.undo import undo_change
from boards.actor import Actor
from boards.errors import Conflict, Invalid, NotAllowed, NotFound
from boards.models import Activity, Board, Card, ChecklistItem, Verb
from conftest import web


@pytest.fixture
def item(card, todo, ed) -> ChecklistItem:
    create_card(actor=web(ed), list_id=todo.pk, title="Below")
    steps = create_checklist(actor=web(ed), card_id=card.pk, title="Steps")
    return add_item(actor=web(ed), checklist_id=steps.pk, text="Ask the printer")


def titles(todo) -> list[str]:
    return [*Card.objects.filter(list=todo, archived_at=None).order_by("position").values_list("title", flat=True)]


def test_an_item_becomes_a_card_right_below_its_card_and_each_card_has_a_line(card, todo, item, ed):
    made = make_item_a_card(actor=web(ed), item_id=item.pk)
    assert titles(todo) == ["Write the announcement", "Ask the printer", "Below"]
    assert not ChecklistItem.objects.exists()
    lines = Activity.objects.order_by("-version").values_list("verb", "card_id")[:2]
    assert [*lines] == [(Verb.ITEM_DELETED, card.pk), (Verb.CARD_CREATED, made.pk)]


def test_the_card_can_have_another_title_than_the_item(todo, item, ed):
    assert make_item_a_card(actor=web(ed), item_id=item.pk, title="Call the printer").title == "Call the printer"
    assert titles(todo)[1] == "Call the printer"


def take_back(actor: Actor, user: User) -> Actor:
    """Take back what the actor has done, the newest change first, and return who did that."""
    undoing = web(user)
    for made in reversed([*actor.changes]):
        undo_change(actor=undoing, board_id=made.board_id, number=made.number)
    return undoing


def test_both_changes_are_taken_back(todo, item, ed):
    actor = web(ed)
    make_item_a_card(actor=actor, item_id=item.pk)
    take_back(actor, ed)
    assert titles(todo) == ["Write the announcement", "Below"]
    assert ChecklistItem.objects.get().pk == item.pk


def test_the_card_stays_where_the_item_cannot_come_back(board, todo, item, ed):
    actor = web(ed)
    make_item_a_card(actor=actor, item_id=item.pk)
    delete_checklist(actor=web(ed), checklist_id=item.checklist_id)
    number = Board.objects.get().version
    creation, deletion = actor.changes
    with pytest.raises(Conflict, match="The checklist of “Ask the printer” no longer exists"):
        undo_change(actor=web(ed), board_id=board.pk, number=deletion.number)
    with pytest.raises(Conflict, match="“Ask the printer” was made from a checklist item"):
        undo_change(actor=web(ed), board_id=board.pk, number=creation.number)
    assert titles(todo)[1] == "Ask the printer"
    assert Board.objects.get().version == number


def test_what_was_done_again_is_not_taken_back_without_the_item_either(board, todo, item, ed):
    actor = web(ed)
    make_item_a_card(actor=actor, item_id=item.pk)
    again = take_back(take_back(actor, ed), ed)
    assert (titles(todo)[1], ChecklistItem.objects.count()) == ("Ask the printer", 0)
    delete_checklist(actor=web(ed), checklist_id=item.checklist_id)
    for made in again.changes:
        with pytest.raises(Conflict):
            undo_change(actor=web(ed), board_id=board.pk, number=made.number)
    assert titles(todo)[1] == "Ask the printer"


def test_the_item_stays_where_the_card_cannot_come_back(board, todo, item, olga, ed):
    actor = web(ed)
    made = make_item_a_card(actor=actor, item_id=item.pk)
    restoring, archiving = take_back(actor, ed).changes
    delete_card(actor=web(olga), card_id=made.pk)
    for change in (archiving, restoring):
        with pytest.raises((Conflict, NotFound)):
            undo_change(actor=web(ed), board_id=board.pk, number=change.number)
    assert ChecklistItem.objects.get().text == "Ask the printer"


def test_a_card_that_was_made_of_an_item_can_be_archived_and_restored_as_any(board, todo, item, ed):
    made = make_item_a_card(actor=web(ed), item_id=item.pk)
    delete_checklist(actor=web(ed), checklist_id=item.checklist_id)
    archive_card(actor=web(ed), card_id=made.pk)
    actor = web(ed)
    restore_card(actor=actor, card_id=made.pk)
    take_back(actor, ed)
    assert titles(todo) == ["Write the announcement", "Below"]


def test_neither_change_is_made_if_one_is_refused(card, todo, item, ed, vera, stan):
    for user, title, error in ((vera, None, NotAllowed), (stan, None, NotFound), (ed, " ", Invalid)):
        with pytest.raises(error):
            make_item_a_card(actor=web(user), item_id=item.pk, title=title)
    archive_card(actor=web(ed), card_id=card.pk)
    with pytest.raises(Conflict, match="Restore it"):
        make_item_a_card(actor=web(ed), item_id=item.pk)
    assert (titles(todo), ChecklistItem.objects.count()) == (["Below"], 1)


def test_an_item_that_was_deleted_meanwhile_makes_no_card(todo, item, olga, ed):
    delete_item(actor=web(olga), item_id=item.pk)
    with pytest.raises(NotFound):
        make_item_a_card(actor=web(ed), item_id=item.pk)
    assert titles(todo) == ["Write the announcement", "Below"]
