"""The table of permissions: the roles that may call each action, and the rows that it accepts."""

import inspect
import pkgutil
from importlib import import_module
from uuid import UUID, uuid4

import pytest

import boards.actions
from boards.access import not_found
from boards.actions.boards.board import archive_board, create_board
from boards.actions.cards.card import create_card
from boards.actions.cards.checklists import add_item, create_checklist
from boards.actions.cards.labels import create_label
from boards.actions.files.attachments import attach_file
from boards.actions.lists.list import create_list
from boards.actions.ordering import Place
from boards.errors import NotAllowed, NotFound
from boards.models import Activity
from boards.tests.world import BY_NAME, CASES, PEOPLE, RANK, World, a_picture, taken_back
from conftest import web

ON_BOARDS = [case for case in CASES if case.needs]
SENTENCE = f"^{not_found()}$"


def public_actions() -> set:
    found = pkgutil.walk_packages(boards.actions.__path__, "boards.actions.")
    modules = [import_module(module.name) for module in found]
    return {
        function
        for module in modules
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__ and not name.startswith("_") and takes_actor_by_keyword(function)
    }


def takes_actor_by_keyword(function) -> bool:
    actor = inspect.signature(function).parameters.get("actor")
    return actor is not None and actor.kind is inspect.Parameter.KEYWORD_ONLY


def test_the_table_names_every_action_once():
    assert sorted(case.name for case in CASES) == sorted(action.__name__ for action in public_actions())


@pytest.mark.parametrize("role", PEOPLE)
def test_each_role_may_do_what_the_table_says(world, subtests, role):
    actor = web(getattr(world, PEOPLE[role]))
    for case in CASES:
        with subtests.test(action=case.name), taken_back():
            if case.may_be_called_by(role):
                case.call(world, actor)
            elif RANK[role] == 0 or RANK[case.needs] <= RANK[role]:
                with pytest.raises(NotFound, match=SENTENCE):
                    case.call(world, actor)
            else:
                with pytest.raises(NotAllowed):
                    case.call(world, actor)


@pytest.mark.parametrize("missing", [None, uuid4(), UUID(int=0)], ids=["none", "random", "zero"])
def test_a_missing_row_is_answered_like_one_that_the_user_cannot_see(world, subtests, missing):
    for case in ON_BOARDS:
        with subtests.test(action=case.name), pytest.raises(NotFound, match=SENTENCE):
            case.call(world, case.actor(world), **{case.main_id: missing})


def test_everything_on_an_archived_board_is_not_found(world, subtests):
    archive_board(actor=world.by_olga, board_id=world.board.pk)
    for case in ON_BOARDS:
        if case.name not in ("archive_board", "restore_board", "delete_board", "create_public_link"):
            with subtests.test(action=case.name), pytest.raises(NotFound, match=SENTENCE):
                case.call(world, case.actor(world))


class Elsewhere:
    """Another board of the same owner, whose rows do not belong to the world's board."""

    def __init__(self, world: World) -> None:
        actor = world.by_olga
        board = create_board(actor=actor, title="Elsewhere")
        self.list = create_list(actor=actor, board_id=board.pk, title="Other list")
        self.card = create_card(actor=actor, list_id=self.list.pk, title="Other card")
        self.label = create_label(actor=actor, board_id=board.pk, name="Other label")
        self.checklist = create_checklist(actor=actor, card_id=self.card.pk, title="Other checklist")
        self.item = add_item(actor=actor, checklist_id=self.checklist.pk, text="Other item")
        self.person = world.stan
        self.picture = attach_file(actor=actor, card_id=self.card.pk, stored=a_picture(), file_name="Other.png")


FOREIGN = {
    ("add_label", "label_id"): lambda e: e.label.pk,
    ("remove_label", "label_id"): lambda e: e.label.pk,
    ("assign", "user_id"): lambda e: e.person.pk,
    ("change_role", "user_id"): lambda e: e.person.pk,
    ("invite_person", "user_id"): lambda e: e.person.pk,
    ("offer_board", "user_id"): lambda e: e.person.pk,
    ("set_cover_picture", "attachment_id"): lambda e: e.picture.pk,
    ("create_card", "place"): lambda e: Place("after", e.card.pk),
    ("move_card", "place"): lambda e: Place("after", e.card.pk),
    ("copy_card", "place"): lambda e: Place("after", e.card.pk),
    ("create_list", "place"): lambda e: Place("before", e.list.pk),
    ("move_list", "place"): lambda e: Place("before", e.list.pk),
    ("create_checklist", "place"): lambda e: Place("before", e.checklist.pk),
    ("move_checklist", "place"): lambda e: Place("after", e.checklist.pk),
    ("add_item", "place"): lambda e: Place("after", e.item.pk),
    ("move_item", "place"): lambda e: Place("before", e.item.pk),
    ("move_item", "checklist_id"): lambda e: e.checklist.pk,
    ("move_all_cards", "into_id"): lambda e: e.list.pk,
}
# Removing a user who is not there is a repeated call. A card may be moved to another board's list (test_moves.py). It
# is created in a list or in the first list of a board, and either is the main id of such a call; the place of many
# cards is the top or the bottom.
FITTING = {
    ("unassign", "user_id"),
    ("remove_member", "user_id"),
    ("move_card", "list_id"),
    ("create_card", "board_id"),
    ("create_cards", "place"),
    ("copy_card", "list_id"),
}


def test_the_tables_of_foreign_ids_name_every_id_but_the_main_one():
    further = {
        (case.name, name)
        for case in ON_BOARDS
        for name in inspect.signature(case.action).parameters
        if (name.endswith("_id") or name == "place") and name != case.main_id
    }
    assert further == FOREIGN.keys() | FITTING


def test_an_id_from_another_board_is_not_found(world, subtests):
    elsewhere, before = Elsewhere(world), Activity.objects.count()
    for (action, argument), foreign in FOREIGN.items():
        with subtests.test(action=action, argument=argument):
            with pytest.raises(NotFound, match=SENTENCE):
                BY_NAME[action].call(world, world.by_olga, **{argument: foreign(elsewhere)})
            assert Activity.objects.count() == before


def test_a_neighbour_under_another_parent_is_not_found(world, subtests):
    other_item = add_item(actor=world.by_olga, checklist_id=world.checks.pk, text="Other")
    for action, neighbour in {"move_card": world.second, "move_item": other_item, "add_item": other_item}.items():
        for where in ("before", "after"):
            with subtests.test(action=action, where=where), pytest.raises(NotFound, match=SENTENCE):
                BY_NAME[action].call(world, world.by_olga, place=Place(where, neighbour.pk))


@pytest.mark.parametrize("action", ["unassign", "remove_member"])
def test_removing_a_user_who_is_not_there_changes_nothing(world, action):
    before = Activity.objects.count()
    BY_NAME[action].call(world, world.by_olga, user_id=world.stan.pk)
    assert Activity.objects.count() == before


def test_a_card_is_not_created_on_a_board_or_in_a_list_that_the_user_cannot_see(world, subtests):
    for target in ({"list_id": world.todo.pk}, {"board_id": world.board.pk}):
        with subtests.test(target=target):
            with pytest.raises(NotFound, match=SENTENCE):
                create_card(actor=web(world.stan), title="Sneaked in", **target)
            with pytest.raises(NotAllowed):
                create_card(actor=web(world.vera), title="Sneaked in", **target)
