"""A board and a card have only so many rows of a kind. What is at its cap, or beyond it from earlier, still works."""

from datetime import timedelta

import pytest
from django.utils import timezone

from boards.actions.boards.board import create_board
from boards.actions.cards.archive import archive_card
from boards.actions.cards.card import create_card
from boards.actions.cards.checklists import add_item, create_checklist, delete_checklist, delete_item, update_item
from boards.actions.cards.labels import add_label, create_label, delete_label, update_label
from boards.actions.cards.moves import move_card
from boards.actions.lists.list import archive_list, create_list, rename_list, restore_list
from boards.errors import LimitReached
from boards.models import Card, CardLabel, Checklist, ChecklistItem, Label, List
from boards.tests.at_once import at_once, outcome
from conftest import web


def fill_labels(board, number: int) -> list[Label]:
    return Label.objects.bulk_create(Label(board=board, name=f"Label {n}", hue=1, version=1) for n in range(number))


def fill_lists(board, number: int) -> list[List]:
    return List.objects.bulk_create(
        List(board=board, title=f"List {n}", position=-1 - n, version=1) for n in range(number)
    )


def fill_checklists(card, number: int) -> list[Checklist]:
    of_card = {"board_id": card.board_id, "card": card, "version": 1}
    return Checklist.objects.bulk_create(Checklist(title=f"Steps {n}", position=n, **of_card) for n in range(number))


def fill_items(checklist, number: int) -> list[ChecklistItem]:
    of_list = {"board_id": checklist.board_id, "card_id": checklist.card_id, "checklist": checklist, "version": 1}
    return ChecklistItem.objects.bulk_create(ChecklistItem(text="One", position=n, **of_list) for n in range(number))


def test_a_board_has_500_labels_at_most(board, ed):
    first, *_others = fill_labels(board, 499)
    create_label(actor=web(ed), board_id=board.pk, name="The last")
    with pytest.raises(LimitReached, match=r"its limit of 500 labels\. Delete one to create another\."):
        create_label(actor=web(ed), board_id=board.pk, name="One more")
    delete_label(actor=web(ed), label_id=first.pk)
    create_label(actor=web(ed), board_id=board.pk, name="In its place")
    assert Label.objects.filter(board=board).count() == 500


def test_a_board_has_500_open_lists_at_most_and_archived_ones_come_back_only_where_there_is_room(board, ed):
    first, *_others = fill_lists(board, 499)
    create_list(actor=web(ed), board_id=board.pk, title="The last")
    with pytest.raises(LimitReached, match=r"its limit of 500 lists\. Archive one to make room\."):
        create_list(actor=web(ed), board_id=board.pk, title="One more")
    archive_list(actor=web(ed), list_id=first.pk)
    made = create_list(actor=web(ed), board_id=board.pk, title="In its place")
    with pytest.raises(LimitReached):
        restore_list(actor=web(ed), list_id=first.pk)
    archive_list(actor=web(ed), list_id=made.pk)
    assert restore_list(actor=web(ed), list_id=first.pk).archived_at is None
    assert List.objects.filter(board=board).open().count() == 500


def test_a_card_has_100_checklists_at_most(card, ed):
    first, *_others = fill_checklists(card, 99)
    create_checklist(actor=web(ed), card_id=card.pk, title="The last")
    with pytest.raises(LimitReached, match=r"its limit of 100 checklists\. Delete one"):
        create_checklist(actor=web(ed), card_id=card.pk, title="One more")
    delete_checklist(actor=web(ed), checklist_id=first.pk)
    create_checklist(actor=web(ed), card_id=card.pk, title="In its place")
    assert card.checklists.count() == 100


def test_a_card_has_2000_items_at_most_in_all_of_its_checklists(card, ed):
    one, other = fill_checklists(card, 2)
    first, *_others = fill_items(one, 1999)
    add_item(actor=web(ed), checklist_id=other.pk, text="The last")
    with pytest.raises(LimitReached, match=r"its limit of 2000 checklist items\. Delete some"):
        add_item(actor=web(ed), checklist_id=other.pk, text="One more")
    delete_item(actor=web(ed), item_id=first.pk)
    add_item(actor=web(ed), checklist_id=other.pk, text="In its place")
    assert card.checklist_items.count() == 2000


def test_a_board_and_a_card_beside_a_full_one_have_room(board, todo, card, olga):
    fill_labels(board, 500)
    fill_items(*fill_checklists(card, 1), 2000)
    other = create_board(actor=web(olga), title="Other")
    create_label(actor=web(olga), board_id=other.pk, name="Bug")
    beside = create_card(actor=web(olga), list_id=todo.pk, title="Beside")
    steps = create_checklist(actor=web(olga), card_id=beside.pk, title="Steps")
    add_item(actor=web(olga), checklist_id=steps.pk, text="One")


def test_what_has_more_than_its_cap_from_earlier_can_still_be_used(board, todo, card, ed):
    label, *_labels = fill_labels(board, 502)
    row, *_lists = fill_lists(board, 502)
    item, *_items = fill_items(fill_checklists(card, 102)[0], 2002)
    add_label(actor=web(ed), card_id=card.pk, label_id=label.pk)
    assert update_label(actor=web(ed), label_id=label.pk, name="Bug").name == "Bug"
    assert rename_list(actor=web(ed), list_id=row.pk, title="Later").title == "Later"
    assert update_item(actor=web(ed), item_id=item.pk, done=True).done
    assert create_card(actor=web(ed), list_id=row.pk, title="Another").number == 2


def test_a_card_beyond_its_caps_repeats_with_everything_on_it(board, todo, ed):
    due = timezone.now() + timedelta(hours=1)
    card = create_card(actor=web(ed), list_id=todo.pk, title="Water", due_at=due, recurrence="daily")
    fill_items(fill_checklists(card, 102)[0], 2002)
    CardLabel.objects.bulk_create(
        CardLabel(board=board, card=card, label=row, version=1) for row in fill_labels(board, 502)
    )
    following = archive_card(actor=web(ed), card_id=card.pk).next
    assert following.checklists.count() == 102
    assert following.checklist_items.count() == 2002
    assert following.labels.count() == 502


@pytest.fixture
def there(olga):
    return create_board(actor=web(olga), title="Other")


@pytest.fixture
def inbox(there, olga):
    return create_list(actor=web(olga), board_id=there.pk, title="Inbox")


def label_card(user, card, *names: str) -> None:
    for name in names:
        label = create_label(actor=web(user), board_id=card.board_id, name=name)
        add_label(actor=web(user), card_id=card.pk, label_id=label.pk)


def test_a_card_brings_no_labels_to_a_board_that_has_no_room_for_them(board, card, there, inbox, olga):
    fill_labels(there, 499)
    label_card(olga, card, "Bug", "Chore")
    with pytest.raises(LimitReached, match=r"The other board has reached its limit of 500 labels\."):
        move_card(actor=web(olga), card_id=card.pk, list_id=inbox.pk)
    assert Card.objects.get(pk=card.pk).board == board
    assert (Label.objects.filter(board=there).count(), card.labels.count()) == (499, 2)


def test_a_card_whose_labels_a_full_board_has_or_that_has_a_checklist_too_many_moves_there(card, there, inbox, olga):
    fill_labels(there, 502)
    label_card(olga, card, "Label 7")
    fill_items(fill_checklists(card, 102)[0], 2002)
    moved = move_card(actor=web(olga), card_id=card.pk, list_id=inbox.pk)
    assert moved.board == there
    assert [row.name for row in moved.labels.all()] == ["Label 7"]
    assert (moved.checklists.count(), moved.checklist_items.count()) == (102, 2002)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("kind", ["labels", "lists", "checklists", "items"])
def test_rows_made_at_once_do_not_exceed_their_cap(board, card, olga, ed, kind):
    if kind == "labels":
        fill_labels(board, 498)
    elif kind == "lists":
        fill_lists(board, 498 - board.lists.count())
    else:
        steps, *_others = fill_checklists(card, 98 if kind == "checklists" else 1)
        fill_items(steps, 1998)
    makers = {
        "labels": lambda user, n: create_label(actor=web(user), board_id=board.pk, name=f"New {n}"),
        "lists": lambda user, n: create_list(actor=web(user), board_id=board.pk, title=f"New {n}"),
        "checklists": lambda user, n: create_checklist(actor=web(user), card_id=card.pk, title=f"New {n}"),
        "items": lambda user, n: add_item(actor=web(user), checklist_id=steps.pk, text=f"New {n}"),
    }
    results = at_once(lambda n=n, user=user: makers[kind](user, n) for n, user in enumerate([olga, ed] * 4))
    assert outcome(results) == {None: 2, LimitReached: 6}
