"""The rights of an actor's token bind every action: their check is beside that of the role."""

from dataclasses import replace

import pytest

from boards.access import not_found
from boards.actions.boards.board import create_board
from boards.actions.cards.card import create_card
from boards.actions.cards.labels import create_label, delete_label
from boards.actions.cards.moves import move_card
from boards.actions.lists.list import create_list
from boards.actions.undo import undo_change
from boards.errors import NotAllowed, NotFound
from boards.models import Activity, Board, Card, OwnerActivity, Verb
from boards.tests.world import BY_NAME, CASES, number_of, taken_back
from conftest import web

DELETING = [
    case for case in CASES if case.name.startswith("delete_") or case.name in ("remove_member", "make_item_a_card")
]
CREATING = ("create_board", "create_board_from", "copy_board", "import_board")
OF_NO_BOARD = ("rename_template", "delete_template")
SENTENCE = f"^{not_found()}$"


def lines() -> int:
    return Activity.objects.count() + OwnerActivity.objects.count()


def test_no_action_does_anything_for_a_token_that_may_only_read(world, subtests):
    before = lines()
    for case in CASES:
        with subtests.test(action=case.name), taken_back():
            with pytest.raises(NotAllowed, match="may only read"):
                case.call(world, replace(case.actor(world), writes=False))
            assert lines() == before


def test_no_action_deletes_for_a_token_that_may_not(world, subtests):
    before = lines()
    assert len(DELETING) == 12
    for case in DELETING:
        with subtests.test(action=case.name), taken_back():
            with pytest.raises(NotAllowed, match="may not delete"):
                case.call(world, replace(case.actor(world), deletes=False))
            assert lines() == before


def test_every_other_action_works_for_a_token_that_may_not_delete(world, subtests):
    for case in CASES:
        if case not in DELETING and case.name != "undo_change":  # of a new comment, which deletes it
            with subtests.test(action=case.name), taken_back():
                case.call(world, replace(case.actor(world), deletes=False))


def test_a_board_outside_of_the_chosen_ones_does_not_exist_for_any_action(world, subtests):
    before = lines()
    for case in CASES:
        if case.name not in ("create_board", "create_board_from", "import_board", *OF_NO_BOARD):
            with subtests.test(action=case.name), taken_back():
                with pytest.raises(NotFound, match=SENTENCE):
                    case.call(world, replace(case.actor(world), boards=frozenset({world.garden.pk})))
                assert lines() == before


def test_every_action_works_on_a_chosen_board(world, subtests):
    for case in CASES:
        if case.name not in (*CREATING, "invite_person"):  # of somebody from another board
            with subtests.test(action=case.name), taken_back():
                case.call(world, replace(case.actor(world), boards=frozenset({case.board(world).pk})))


def test_a_token_of_chosen_boards_creates_none(world, subtests):
    boards = Board.objects.count()
    for name in CREATING:
        with subtests.test(action=name), taken_back():
            with pytest.raises(NotAllowed, match="limited to some boards"):
                BY_NAME[name].call(world, replace(world.by_olga, boards=frozenset({world.board.pk})))
            assert Board.objects.count() == boards


def test_a_board_that_does_not_exist_for_a_token_is_not_found_even_if_it_may_only_read(world):
    actor = replace(world.by_olga, boards=frozenset({world.garden.pk}), writes=False)
    with pytest.raises(NotFound):
        BY_NAME["update_card"].call(world, actor)


def test_a_card_cannot_be_moved_to_a_board_outside_of_the_chosen_ones(world):
    there = create_list(actor=world.by_olga, board_id=world.garden.pk, title="There")
    actor = replace(world.by_olga, boards=frozenset({world.board.pk}))
    with pytest.raises(NotFound, match=SENTENCE):
        move_card(actor=actor, card_id=world.card.pk, list_id=there.pk)
    assert Card.objects.get(pk=world.card.pk).board_id == world.board.pk


def test_a_card_cannot_be_copied_from_a_board_outside_of_the_chosen_ones(world):
    there = create_list(actor=world.by_olga, board_id=world.garden.pk, title="There")
    with pytest.raises(NotFound, match=SENTENCE):
        BY_NAME["copy_card"].call(world, replace(world.by_olga, boards=frozenset({world.garden.pk})), list_id=there.pk)


def test_an_undo_that_would_delete_needs_the_right_to_delete(world):
    label = create_label(actor=world.by_olga, board_id=world.board.pk, name="New")
    number = number_of(label, Verb.LABEL_CREATED)
    with pytest.raises(NotAllowed, match="may not delete"):
        undo_change(actor=replace(world.by_olga, deletes=False), board_id=world.board.pk, number=number)
    undo_change(actor=world.by_olga, board_id=world.board.pk, number=number)


def test_an_undo_that_archives_does_not_need_it(world):
    card = create_card(actor=world.by_olga, list_id=world.todo.pk, title="New")
    number = number_of(card, Verb.CARD_CREATED)
    undo_change(actor=replace(world.by_olga, deletes=False), board_id=world.board.pk, number=number)
    card.refresh_from_db()
    assert card.archived_at is not None


def test_people_who_share_only_other_boards_cannot_be_invited(world):
    with pytest.raises(NotFound):
        BY_NAME["invite_person"].call(world, replace(world.by_olga, boards=frozenset({world.board.pk})))


def test_pages_are_not_limited_by_any_token(olga):
    board = create_board(actor=web(olga), title="Free")
    label = create_label(actor=web(olga), board_id=board.pk, name="Bug")
    delete_label(actor=web(olga), label_id=label.pk)
