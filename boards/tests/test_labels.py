import pytest
from django.db import IntegrityError, transaction

from boards.actions.cards.card import create_card
from boards.actions.cards.labels import add_label, create_label, delete_label, remove_label, update_label
from boards.colours import Hue, next_hue
from boards.errors import Conflict, Invalid
from boards.models import Card, CardLabel, Label
from boards.tests.world import last
from conftest import web


@pytest.fixture
def bug(board, olga):
    return create_label(actor=web(olga), board_id=board.pk, name=" Bug ", hue=1)


@pytest.fixture
def labelled(card, bug, olga):
    return add_label(actor=web(olga), card_id=card.pk, label_id=bug.pk)


def test_twelve_new_things_get_twelve_colors_and_the_next_the_first_again():
    used: list[int] = []
    for _thing in range(12):
        used.append(next_hue(used))
    assert sorted(used) == sorted(Hue)
    assert next_hue(used) == used[0]


def test_a_new_label_has_name_and_hue(board, bug):
    assert (bug.name, bug.hue, bug.version) == ("Bug", 1, last(board).version)
    assert (last(board).verb, last(board).subject["title"]) == ("label.created", "Bug")


@pytest.mark.parametrize("wrong", [{"name": ""}, {"name": "x" * 51}, {"name": "a\nb"}, {"hue": 13}, {"hue": "blue"}])
def test_an_invalid_label_is_neither_created_nor_changed(board, bug, ed, wrong):
    with pytest.raises(Invalid):
        create_label(actor=web(ed), board_id=board.pk, **{"name": "New", "hue": 1} | wrong)
    with pytest.raises(Invalid):
        update_label(actor=web(ed), label_id=bug.pk, **wrong)
    assert list(board.labels.values_list("name", "hue")) == [("Bug", 1)]


def test_label_names_are_unique_on_a_board(board, bug, ed):
    chore = create_label(actor=web(ed), board_id=board.pk, name="Chore")
    with pytest.raises(Conflict):
        create_label(actor=web(ed), board_id=board.pk, name="Bug")
    with pytest.raises(Conflict):
        update_label(actor=web(ed), label_id=chore.pk, name="Bug")
    assert {label.name for label in board.labels.all()} == {"Bug", "Chore"}


def test_the_database_keeps_label_names_unique_too(board, bug):
    with pytest.raises(IntegrityError), transaction.atomic():
        Label.objects.create(board=board, name="Bug", hue=1)


def test_a_label_may_be_renamed_to_its_own_name(bug, ed):
    assert update_label(actor=web(ed), label_id=bug.pk, name="Bug", hue=2).hue == 2
    assert last(bug.board).data == {"hue": [1, 2]}


def test_cards_with_a_label_change_with_it(todo, labelled, bug, ed):
    other = create_card(actor=web(ed), list_id=todo.pk, title="Other")
    label = update_label(actor=web(ed), label_id=bug.pk, name="Fault")
    assert Card.objects.get(pk=labelled.pk).version == label.version
    assert Card.objects.get(pk=other.pk).version == other.version
    assert last(todo.board).data == {"name": ["Bug", "Fault"]}


def test_a_label_is_added_to_a_card_only_once(labelled, bug, ed):
    assert list(labelled.labels.all()) == [bug]
    assert last(labelled.board).data == {"label": [None, "Bug"], "label_id": [None, str(bug.pk)]}
    assert add_label(actor=web(ed), card_id=labelled.pk, label_id=bug.pk).version == labelled.version
    assert CardLabel.objects.count() == 1


def test_a_label_is_removed_from_a_card(labelled, bug, ed):
    card = remove_label(actor=web(ed), card_id=labelled.pk, label_id=bug.pk)
    assert not card.labels.exists()
    assert last(card.board).data == {"label": ["Bug", None], "label_id": [str(bug.pk), None]}
    assert card.version == last(card.board).version


def test_a_deleted_label_is_removed_from_every_card(labelled, bug, ed):
    delete_label(actor=web(ed), label_id=bug.pk)
    assert not CardLabel.objects.exists()
    assert Card.objects.get().version == last(labelled.board).version
    assert last(labelled.board).removed == [{"kind": "label", "id": str(bug.pk)}]


def test_deleting_an_unused_label_touches_no_card(card, bug, ed):
    delete_label(actor=web(ed), label_id=bug.pk)
    assert Card.objects.get().version == card.version
