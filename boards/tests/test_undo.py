"""Undo: every verb is either taken back, so that the board is as it was before, or refused in words."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext

from boards.actions import undo
from boards.actions.boards.board import create_board
from boards.actions.cards.archive import archive_card, restore_card
from boards.actions.cards.assignments import assign
from boards.actions.cards.card import complete_card, create_card, delete_card, update_card
from boards.actions.cards.checklists import add_item, create_checklist, delete_checklist, move_item, update_item
from boards.actions.cards.comments import add_comment, delete_comment, edit_comment
from boards.actions.cards.labels import add_label, create_label, delete_label
from boards.actions.cards.moves import move_card
from boards.actions.inverses import cards as inverses_of_cards
from boards.actions.inverses import undoing
from boards.actions.inverses.fields import in_milliseconds
from boards.actions.inverses.undoing import taken_back_by
from boards.actions.lists.list import archive_list, create_list
from boards.actions.undo import can_be_undone, is_undone, undo_change
from boards.actor import Actor
from boards.errors import Conflict, Invalid, NotAllowed, NotFound
from boards.models import (
    Activity,
    Assignment,
    Board,
    Card,
    CardLabel,
    Checklist,
    ChecklistItem,
    Comment,
    Invitation,
    InvitationLink,
    List,
    Membership,
    Offer,
    PublicLink,
    Verb,
)
from boards.models.verbs import Door
from boards.tests.world import BY_NAME, CASES, MANY, ROWS, World, last, taken_back
from boards.text import CHECKLIST
from conftest import join, web

# What a change leaves in a row besides its values
TRACES = {"version", "updated_at"}
# What places are counted in, the nearest first
PARENTS = ("checklist_id", "list_id", "card_id", "board_id")
# Rows that only join two others, which nothing refers to
JOINING = (CardLabel, Assignment)
PEOPLE = (Membership, Invitation, InvitationLink, Offer, PublicLink)


def state_of(*boards: Board) -> dict[Any, Any]:
    """Return all values of all rows of the boards, with places in an order instead of positions."""
    state: dict[Any, Any] = {}
    ids = [board.pk for board in boards]
    for found in Board.objects.filter(pk__in=ids).values("id", "title", "hue", "background", "archived_at"):
        state[found["id"]] = {**found, "archived_at": found["archived_at"] is not None}
    for model in ROWS:
        if model not in PEOPLE:
            state |= dict(rows_in(model, ids))
    return state


def rows_in(model: Any, boards: list[UUID]) -> Iterator[tuple[Any, Any]]:
    places: dict[Any, int] = {}
    rows = model.objects.filter(board__in=boards)
    for row in (rows.order_by("position") if hasattr(model, "position") else rows).values():
        values = {name: in_milliseconds(value) for name, value in row.items() if name not in TRACES}
        if model in JOINING:
            values.pop("id")
            yield (model.__name__, *values.values()), True
            continue
        if "position" in values and values.get("archived_at") is None:
            parent = next(values[name] for name in PARENTS if values.get(name))
            places[parent] = places.get(parent, 0) + 1
        if "position" in values:
            values["position"] = 0 if values.get("archived_at") else places[parent]
        yield (model.__name__, row["id"]), values


@dataclass
class Made:
    """A change, and how the boards were before and after it."""

    boards: list[Board]
    board_id: UUID
    number: int
    actor: Actor
    before: dict[Any, Any]

    def undo(self) -> Activity:
        return undo_change(actor=self.actor, board_id=self.board_id, number=self.number)


def make(world: World, actor: Actor, act: Callable[[], Any], *boards: Board) -> Made:
    shown = list(boards or (world.board, world.attic, world.plain))
    before = state_of(*shown)
    act()
    change = actor.changes[-1]
    return Made(shown, change.board_id, change.number, actor, before)


AS_BEFORE, ARCHIVED, REFUSED = "as before", "archived", "refused"
BY_ACTIONS = {
    Verb.BOARD_CHANGED: ("update_board", AS_BEFORE),
    Verb.BOARD_ARCHIVED: ("archive_board", AS_BEFORE),
    Verb.BOARD_RESTORED: ("restore_board", AS_BEFORE),
    Verb.MEMBER_ADDED: ("accept_invitation", REFUSED),
    Verb.MEMBER_CHANGED: ("change_role", REFUSED),
    Verb.MEMBER_REMOVED: ("remove_member", REFUSED),
    Verb.OWNER_CHANGED: ("accept_offer", REFUSED),
    Verb.OFFER_CREATED: ("offer_board", REFUSED),
    Verb.OFFER_WITHDRAWN: ("withdraw_offer", REFUSED),
    Verb.OFFER_DECLINED: ("decline_offer", REFUSED),
    Verb.INVITATION_LINK_CREATED: ("create_invitation_link", REFUSED),
    Verb.INVITATION_LINK_WITHDRAWN: ("withdraw_invitation_link", REFUSED),
    Verb.GROUP_ADDED: ("give_group", REFUSED),
    Verb.GROUP_REMOVED: ("withdraw_group", REFUSED),
    Verb.LINK_CREATED: ("create_public_link", REFUSED),
    Verb.LINK_CHANGED: ("change_public_link", REFUSED),
    Verb.LINK_RENEWED: ("renew_public_link", REFUSED),
    Verb.LINK_WITHDRAWN: ("withdraw_public_link", REFUSED),
    Verb.LIST_CREATED: ("create_list", ARCHIVED),
    Verb.LIST_CHANGED: ("rename_list", AS_BEFORE),
    Verb.LIST_LIMITED: ("limit_list", AS_BEFORE),
    Verb.LIST_MOVED: ("move_list", AS_BEFORE),
    Verb.LIST_SORTED: ("sort_list", AS_BEFORE),
    Verb.LIST_ARCHIVED: ("archive_list", AS_BEFORE),
    Verb.LIST_RESTORED: ("restore_list", AS_BEFORE),
    Verb.LIST_DELETED: ("delete_list", REFUSED),
    Verb.CARD_CREATED: ("create_card", ARCHIVED),
    Verb.CARD_CHANGED: ("update_card", AS_BEFORE),
    Verb.CARD_MOVED: ("move_card", AS_BEFORE),
    Verb.CARD_COMPLETED: ("complete_card", AS_BEFORE),
    Verb.CARD_REOPENED: ("reopen_card", AS_BEFORE),
    Verb.CARD_ARCHIVED: ("archive_card", AS_BEFORE),
    Verb.CARD_RESTORED: ("restore_card", AS_BEFORE),
    Verb.CARD_DELETED: ("delete_card", REFUSED),
    Verb.CARD_LABELLED: ("add_label", AS_BEFORE),
    Verb.CARD_UNLABELLED: ("remove_label", AS_BEFORE),
    Verb.CARD_ASSIGNED: ("assign", AS_BEFORE),
    Verb.CARD_UNASSIGNED: ("unassign", AS_BEFORE),
    Verb.LABEL_CREATED: ("create_label", AS_BEFORE),
    Verb.LABEL_CHANGED: ("update_label", AS_BEFORE),
    Verb.LABEL_DELETED: ("delete_label", AS_BEFORE),
    Verb.CHECKLIST_CREATED: ("create_checklist", AS_BEFORE),
    Verb.CHECKLIST_CHANGED: ("rename_checklist", AS_BEFORE),
    Verb.CHECKLIST_MOVED: ("move_checklist", AS_BEFORE),
    Verb.CHECKLIST_DELETED: ("delete_checklist", AS_BEFORE),
    Verb.ITEM_CREATED: ("add_item", AS_BEFORE),
    Verb.ITEM_CHANGED: ("update_item", AS_BEFORE),
    Verb.ITEM_MOVED: ("move_item", AS_BEFORE),
    Verb.ITEM_DELETED: ("delete_item", AS_BEFORE),
    Verb.COMMENT_CREATED: ("add_comment", AS_BEFORE),
    Verb.COMMENT_CHANGED: ("edit_comment", AS_BEFORE),
    Verb.COMMENT_DELETED: ("delete_comment", AS_BEFORE),
    Verb.ATTACHMENT_CREATED: ("attach_file", AS_BEFORE),
    Verb.ATTACHMENT_RENAMED: ("rename_attachment", AS_BEFORE),
    Verb.ATTACHMENT_DELETED: ("delete_attachment", AS_BEFORE),
}
# Actions that use the verb of another one
ALSO = {
    "set_background_picture": (Verb.BOARD_CHANGED, AS_BEFORE),
    "join_by_link": (Verb.MEMBER_ADDED, REFUSED),
    "create_cards": (Verb.CARD_CREATED, ARCHIVED),
    "create_cards_on": (Verb.CARD_CREATED, ARCHIVED),
    "copy_card": (Verb.CARD_CREATED, ARCHIVED),
    "copy_list": (Verb.LIST_CREATED, ARCHIVED),
    "tick_box": (Verb.CARD_CHANGED, AS_BEFORE),
    "set_cover_picture": (Verb.CARD_CHANGED, AS_BEFORE),
    "archive_done_cards": (Verb.CARD_ARCHIVED, AS_BEFORE),
}
ROWS_OF_THE_TABLES = [
    *((verb, name, outcome) for verb, (name, outcome) in BY_ACTIONS.items()),
    *((verb, name, outcome) for name, (verb, outcome) in ALSO.items()),
]
# Verbs that take more than one action to happen; each has a test of its own below.
BY_TESTS = {
    Verb.BOARD_CREATED,
    Verb.MEMBER_LEFT,
    Verb.GROUP_CHANGED,
    Verb.CARD_LEFT,
    Verb.CARD_ARRIVED,
    Verb.LABEL_RESTORED,
    Verb.CHECKLIST_RESTORED,
    Verb.ITEM_RESTORED,
    Verb.COMMENT_RESTORED,
    Verb.ATTACHMENT_RESTORED,
}
NEW_BOARDS = {"create_board", "create_board_from", "copy_board", "import_board"}
NOT_ON_A_BOARD = {Verb.BOARD_DELETED}  # its history is deleted with it


def test_the_tables_name_every_verb_and_every_action_that_is_recorded():
    assert {*BY_ACTIONS} | BY_TESTS | NOT_ON_A_BOARD == {*Verb}
    tried = {name for name, _outcome in BY_ACTIONS.values()}
    recorded = {case.name for case in CASES if case.is_recorded}
    assert recorded - tried == {*ALSO, *NEW_BOARDS, "delete_board", "undo_change", *MANY}
    assert {verb for verb, (_name, outcome) in BY_ACTIONS.items() if outcome == REFUSED} == {
        verb for verb in BY_ACTIONS if not can_be_undone(verb)
    }


def test_a_change_is_taken_back_or_refused_in_words(world, subtests):
    for verb, name, outcome in ROWS_OF_THE_TABLES:
        with subtests.test(action=name), taken_back():
            case = BY_NAME[name]
            actor = case.actor(world)
            made = make(world, actor, lambda case=case, actor=actor: case.call(world, actor))
            assert last(Board(pk=made.board_id)).verb == verb
            if case.needs == "operator":  # who is no member: the owner tries
                made.actor = world.by_olga
            check(made, outcome)


def check(made: Made, outcome: str) -> None:
    after = state_of(*made.boards)
    if outcome == REFUSED:
        with pytest.raises((Conflict, NotAllowed)) as refusal:
            made.undo()
        assert refusal.value.message.endswith(".")
        assert state_of(*made.boards) == after
        return
    assert after != made.before
    made.undo()
    assert last(Board(pk=made.board_id)).undoes == made.number
    now = state_of(*made.boards)
    new = after.keys() - made.before.keys() if outcome == ARCHIVED else set()
    assert {key: row for key, row in now.items() if key not in new} == made.before
    assert all(row["archived_at"] for key, row in now.items() if key in new and key[0] in ("Card", "List"))


def test_what_was_taken_back_can_be_made_again_and_taken_back_again(world, subtests):
    """The change that takes back another one can be taken back in its turn."""
    for _verb, name, outcome in ROWS_OF_THE_TABLES:
        if outcome == AS_BEFORE:
            with subtests.test(action=name), taken_back():
                case = BY_NAME[name]
                actor = case.actor(world)
                made = make(world, actor, lambda case=case, actor=actor: case.call(world, actor))
                after = state_of(*made.boards)
                made.undo()
                redo(made)
                assert state_of(*made.boards) == after
                assert not is_undone(Activity.objects.get(board=made.board_id, version=made.number))
                made.undo()
                assert state_of(*made.boards) == made.before


@pytest.mark.parametrize("microsecond", [0, 1, 999, 1000, 999_999])
def test_a_change_is_undone_and_made_again_whatever_the_microsecond_of_its_moment_is(world, microsecond):
    """The history holds milliseconds, and writes a moment without them in two ways."""
    with time_machine.travel(datetime(2026, 11, 20, 12, 0, 0, microsecond, tzinfo=UTC), tick=False):
        actor = world.by_olga
        made = make(world, actor, lambda: complete_card(actor=actor, card_id=world.card.pk))
        after = state_of(*made.boards)
        made.undo()
        redo(made)
        assert state_of(*made.boards) == after
        made.undo()
        assert state_of(*made.boards) == made.before


def redo(made: Made) -> None:
    change = made.actor.changes[-1]
    undo_change(actor=made.actor, board_id=change.board_id, number=change.number)


def test_taking_back_twice_changes_nothing_the_second_time(world, subtests):
    for _verb, name, outcome in ROWS_OF_THE_TABLES:
        if outcome != REFUSED:
            with subtests.test(action=name), taken_back():
                case = BY_NAME[name]
                actor = case.actor(world)
                made = make(world, actor, lambda case=case, actor=actor: case.call(world, actor))
                made.undo()
                before = (last(Board(pk=made.board_id)).version, state_of(*made.boards))
                made.undo()
                assert (last(Board(pk=made.board_id)).version, state_of(*made.boards)) == before


def made_by(actor: Actor, act: Callable[[], Any], *boards: Board) -> Made:
    before = state_of(*boards)
    act()
    change = actor.changes[-1]
    return Made([*boards], change.board_id, change.number, actor, before)


@pytest.fixture
def by_olga(olga) -> Actor:
    return web(olga)


@pytest.fixture
def by_ed(ed) -> Actor:
    return web(ed)


def test_a_new_board_is_archived_unless_others_are_on_it(by_olga, ed):
    board = create_board(actor=by_olga, title="New")
    [made] = by_olga.changes
    with taken_back():
        undo_change(actor=by_olga, board_id=board.pk, number=made.number)
        assert Board.objects.get(pk=board.pk).archived_at
    join(ed, board)
    with pytest.raises(Conflict, match="Ed has changed “New” since then"):
        undo_change(actor=by_olga, board_id=board.pk, number=made.number)


def test_a_member_who_left_does_not_come_back_by_undo(world):
    actor = web(world.ed)
    BY_NAME["remove_member"].call(world, actor, user_id=world.ed.pk)
    with pytest.raises(NotFound):
        undo_change(actor=actor, board_id=world.board.pk, number=actor.changes[-1].number)


DELETIONS = ("delete_label", "delete_checklist", "delete_item", "delete_comment", "delete_attachment")


def test_what_came_back_goes_again_unless_somebody_else_uses_it(world, subtests):
    meanwhile = {
        "delete_label": lambda: add_label(actor=web(world.ed), card_id=world.second.pk, label_id=world.bug.pk),
        "delete_checklist": lambda: add_item(actor=web(world.ed), checklist_id=world.steps.pk, text="By Ed"),
        "delete_item": lambda: update_item(actor=web(world.ed), item_id=world.item.pk, text="By Ed"),
    }
    for name, use in meanwhile.items():
        with subtests.test(action=name), taken_back():
            actor = world.by_olga
            made = make(world, actor, lambda name=name, actor=actor: BY_NAME[name].call(world, actor))
            made.undo()
            use()
            with pytest.raises(Conflict, match=r"^Ed has changed"):
                redo(made)


def test_restored_rows_have_the_ids_that_they_had(world, subtests):
    """Links to a comment, and later lines of the history, then fit again. The table above compares by id."""
    for name in DELETIONS:
        with subtests.test(action=name), taken_back():
            actor = world.by_olga
            rows = {key for key in state_of(world.board) if isinstance(key, tuple)}
            make(world, actor, lambda name=name, actor=actor: BY_NAME[name].call(world, actor)).undo()
            assert {key for key in state_of(world.board) if isinstance(key, tuple)} == rows


def test_a_comment_comes_back_with_its_author_door_and_times(board, card, by_olga, ed):
    by_agent = Actor(ed, door=Door.AGENT, token_name="laptop")
    comment = add_comment(actor=by_agent, card_id=card.pk, text="**Done** by me")
    comment = edit_comment(actor=by_agent, comment_id=comment.pk, text="**Done** by you")
    made_by(by_olga, lambda: delete_comment(actor=by_olga, comment_id=comment.pk), board).undo()
    found = Comment.objects.get(pk=comment.pk)
    assert (found.author, found.door, found.token_name, found.body) == (ed, "agent", "laptop", "**Done** by you")
    assert (found.html, found.document) == (comment.html, comment.document)
    assert found.created_at == comment.created_at
    assert found.edited_at == comment.edited_at


def test_a_checklist_comes_back_whole_though_its_title_is_long(board, card, by_ed):
    title = "x" * CHECKLIST
    checklist = create_checklist(actor=by_ed, card_id=card.pk, title=title)
    made_by(by_ed, lambda: delete_checklist(actor=by_ed, checklist_id=checklist.pk), board).undo()
    assert Checklist.objects.get(pk=checklist.pk).title == title


def moved_to_checks(world: World) -> Made:
    actor = world.by_olga
    return make(world, actor, lambda: move_item(actor=actor, item_id=world.item.pk, checklist_id=world.checks.pk))


def test_an_item_returns_to_the_checklist_that_it_left_and_goes_there_again(world):
    made = moved_to_checks(world)
    after = state_of(*made.boards)
    made.undo()
    assert state_of(*made.boards) == made.before
    redo(made)
    assert state_of(*made.boards) == after
    made.undo()
    assert state_of(*made.boards) == made.before


def test_an_item_does_not_return_to_a_checklist_that_was_deleted(world):
    made = moved_to_checks(world)
    delete_checklist(actor=web(world.ed), checklist_id=world.steps.pk)
    with pytest.raises(Conflict, match="no longer exists"):
        made.undo()


def test_a_new_checklist_to_which_an_older_item_was_moved_is_not_deleted_before_that_is_taken_back(world):
    actor = web(world.ed)
    checklist = create_checklist(actor=actor, card_id=world.card.pk, title="New")
    number = actor.changes[-1].number
    move_item(actor=actor, item_id=world.item.pk, checklist_id=checklist.pk)
    moved = actor.changes[-1].number
    with pytest.raises(Conflict, match="Undo that first"):
        undo_change(actor=actor, board_id=world.board.pk, number=number)
    for one in (moved, number):
        undo_change(actor=actor, board_id=world.board.pk, number=one)
    assert not Checklist.objects.filter(pk=checklist.pk).exists()
    assert ChecklistItem.objects.get(pk=world.item.pk).checklist_id == world.steps.pk


def test_a_label_comes_back_on_the_cards_that_still_are_there(board, todo, card, by_ed, by_olga):
    label = create_label(actor=by_ed, board_id=board.pk, name="Bug")
    gone = create_card(actor=by_ed, list_id=todo.pk, title="Gone")
    for one in (card, gone):
        add_label(actor=by_ed, card_id=one.pk, label_id=label.pk)
    delete_label(actor=by_ed, label_id=label.pk)
    number = by_ed.changes[-1].number
    other = create_board(actor=by_olga, title="Other")
    move_card(actor=by_olga, card_id=gone.pk, list_id=create_list(actor=by_olga, board_id=other.pk, title="There").pk)
    undo_change(actor=by_ed, board_id=board.pk, number=number)
    assert [row.card_id for row in CardLabel.objects.filter(label_id=label.pk)] == [card.pk]


def test_a_label_does_not_come_back_beside_another_of_its_name(board, by_ed, by_olga):
    label = create_label(actor=by_ed, board_id=board.pk, name="Bug")
    made = made_by(by_ed, lambda: delete_label(actor=by_ed, label_id=label.pk), board)
    create_label(actor=by_olga, board_id=board.pk, name="Bug")
    with pytest.raises(Conflict, match="already has a label with this name"):
        made.undo()


def far(by_olga: Actor, ed: Any) -> List:
    """Return a list of another board, which Ed edits, and which has a label of the same name as one of the board."""
    other = create_board(actor=by_olga, title="Far")
    join(ed, other)
    create_label(actor=by_olga, board_id=other.pk, name="Bug")
    return create_list(actor=by_olga, board_id=other.pk, title="There")


@pytest.mark.parametrize("side", ["left", "arrived"])
def test_a_card_comes_back_from_another_board_as_it_was(board, todo, card, by_olga, by_ed, ed, vera, side):
    there = far(by_olga, ed)
    for name in ("Bug", "Chore"):
        label = create_label(actor=by_olga, board_id=board.pk, name=name)
        add_label(actor=by_olga, card_id=card.pk, label_id=label.pk)
    for user in (ed, vera):
        assign(actor=by_olga, card_id=card.pk, user_id=user.pk)
    create_card(actor=by_olga, list_id=todo.pk, title="Behind it")
    add_comment(actor=by_ed, card_id=card.pk, text="Look")
    made = made_by(by_ed, lambda: move_card(actor=by_ed, card_id=card.pk, list_id=there.pk), board, there.board)
    if side == "arrived":
        made.board_id, made.number = there.board_id, last(there.board).version
    made.undo()
    assert state_of(board, there.board) == made.before
    assert is_undone(Activity.objects.get(board=board, verb=Verb.CARD_LEFT, undoes=None))
    assert is_undone(Activity.objects.get(board=there.board, verb=Verb.CARD_ARRIVED, undoes=None))
    redo(made)
    moved = Card.objects.get(pk=card.pk)
    assert (moved.list_id, moved.number) == (there.pk, 1)


def test_a_card_that_was_moved_on_over_there_stays_there(board, todo, card, by_olga, by_ed, ed):
    there = far(by_olga, ed)
    made = made_by(by_ed, lambda: move_card(actor=by_ed, card_id=card.pk, list_id=there.pk), board)
    beside = create_list(actor=by_olga, board_id=there.board_id, title="Beside")
    move_card(actor=by_olga, card_id=card.pk, list_id=beside.pk)
    with pytest.raises(Conflict, match="Olga has changed"):
        made.undo()


def test_an_editor_takes_back_only_their_own_changes(board, card, by_olga, by_ed, vera, stan):
    made = made_by(by_olga, lambda: complete_card(actor=by_olga, card_id=card.pk), board)
    with pytest.raises(NotAllowed, match="only your own"):
        undo_change(actor=by_ed, board_id=board.pk, number=made.number)
    with pytest.raises(NotAllowed, match="Only the owner"):
        undo_change(actor=by_ed, board_id=board.pk, number=made.number, anybodys=True)
    with pytest.raises(NotAllowed, match="view this board"):
        undo_change(actor=web(vera), board_id=board.pk, number=made.number)
    with pytest.raises(NotFound):
        undo_change(actor=web(stan), board_id=board.pk, number=made.number)


def test_a_change_of_somebody_else_is_refused_without_a_lock(board, card, by_olga, by_ed, monkeypatch):
    """It may name another board, which the reader is not on, and others wait for a board that is locked."""
    number = made_by(by_olga, lambda: complete_card(actor=by_olga, card_id=card.pk), board).number
    monkeypatch.setattr(undo, "lock_boards", None)
    with pytest.raises(NotAllowed, match="only your own"):
        undo_change(actor=by_ed, board_id=board.pk, number=number)


def test_an_owner_may_be_allowed_to_take_back_anybodys_changes(board, card, by_olga, by_ed):
    complete_card(actor=by_ed, card_id=card.pk)
    number = by_ed.changes[-1].number
    with pytest.raises(NotAllowed):
        undo_change(actor=by_olga, board_id=board.pk, number=number)
    undo_change(actor=by_olga, board_id=board.pk, number=number, anybodys=True)
    assert Card.objects.get(pk=card.pk).completed_at is None
    assert (last(board).user, last(board).verb) == (by_olga.user, Verb.CARD_REOPENED)


def test_what_somebody_else_changed_since_is_left_alone_and_named(board, card, doing, by_ed, by_olga, subtests):
    steps = {
        "a field": (
            lambda: update_card(actor=by_ed, card_id=card.pk, title="By Ed"),
            lambda: update_card(actor=by_olga, card_id=card.pk, title="By Olga"),
        ),
        "a long text": (
            lambda: update_card(actor=by_ed, card_id=card.pk, description="By Ed"),
            lambda: update_card(actor=by_olga, card_id=card.pk, description="By Olga"),
        ),
        "a place": (
            lambda: move_card(actor=by_ed, card_id=card.pk, list_id=doing.pk),
            lambda: move_card(actor=by_olga, card_id=card.pk, list_id=card.list_id),
        ),
        "the time it was archived": (
            lambda: archive_card(actor=by_ed, card_id=card.pk),
            lambda: restore_card(actor=by_olga, card_id=card.pk),
        ),
    }
    for name, (mine, theirs) in steps.items():
        with subtests.test(changed=name), taken_back():
            made = made_by(by_ed, mine, board)
            theirs()
            before = state_of(board)
            with pytest.raises(Conflict, match=r"^Olga has changed"):
                made.undo()
            assert state_of(board) == before


def test_another_field_that_somebody_else_changed_since_does_not_matter(board, card, by_ed, by_olga):
    made = made_by(by_ed, lambda: update_card(actor=by_ed, card_id=card.pk, title="By Ed"), board)
    update_card(actor=by_olga, card_id=card.pk, description="By Olga")
    made.undo()
    found = Card.objects.get(pk=card.pk)
    assert found.title == card.title
    assert "by olga" in found.search_text
    assert found.description


def test_ones_own_later_change_has_to_be_taken_back_first(board, card, by_ed):
    made = [
        made_by(by_ed, lambda text=text: update_card(actor=by_ed, card_id=card.pk, description=text), board)
        for text in ("One", "Two", "Three")
    ]
    with pytest.raises(Conflict, match=r"^You have changed"):
        made[0].undo()
    for one in reversed(made):
        one.undo()
        assert state_of(board) == one.before


def test_a_new_card_that_somebody_else_works_on_stays(board, todo, by_ed, by_olga):
    card = create_card(actor=by_ed, list_id=todo.pk, title="New")
    number = by_ed.changes[-1].number
    add_comment(actor=by_olga, card_id=card.pk, text="On it")
    with pytest.raises(Conflict, match="Olga has changed “New” since then"):
        undo_change(actor=by_ed, board_id=board.pk, number=number)


def test_a_new_list_is_archived_with_its_new_cards(board, by_ed):
    row = create_list(actor=by_ed, board_id=board.pk, title="Later")
    number = by_ed.changes[-1].number
    create_card(actor=by_ed, list_id=row.pk, title="In it")
    undo_change(actor=by_ed, board_id=board.pk, number=number)
    assert List.objects.get(pk=row.pk).archived_at


def test_a_new_list_that_others_use_stays(board, card, by_ed, by_olga, subtests):
    row = create_list(actor=by_ed, board_id=board.pk, title="Later")
    number = by_ed.changes[-1].number
    mine = create_card(actor=by_ed, list_id=row.pk, title="Mine")
    uses = {
        "a card of somebody else": lambda: create_card(actor=by_olga, list_id=row.pk, title="Hers"),
        "an older card": lambda: move_card(actor=by_ed, card_id=card.pk, list_id=row.pk),
        "a comment on a card": lambda: add_comment(actor=by_olga, card_id=mine.pk, text="Look"),
    }
    for name, use in uses.items():
        with subtests.test(use=name), taken_back():
            use()
            with pytest.raises(Conflict):
                undo_change(actor=by_ed, board_id=board.pk, number=number)


def test_a_recurring_card_comes_back_and_its_untouched_next_occurrence_goes(board, card, by_ed):
    update_card(
        actor=by_ed, card_id=card.pk, due_at=datetime.fromisoformat("2030-01-31T12:00:00Z"), recurrence="monthly"
    )
    made = made_by(by_ed, lambda: archive_card(actor=by_ed, card_id=card.pk), board)
    assert Card.objects.filter(repeats=card).exists()
    made.undo()
    assert state_of(board) == made.before


def test_the_series_of_a_recurring_card_goes_on_as_before(board, card, by_ed):
    """The first date of a series is nowhere to be seen, and its due date may be another one."""
    update_card(
        actor=by_ed, card_id=card.pk, due_at=datetime.fromisoformat("2030-01-31T12:00:00Z"), recurrence="monthly"
    )
    following = archive_card(actor=by_ed, card_id=card.pk).next
    for fields in ({"due_at": datetime.fromisoformat("2030-03-05T12:00:00Z")}, {"recurrence": None}, {"due_at": None}):
        made = made_by(by_ed, lambda fields=fields: update_card(actor=by_ed, card_id=following.pk, **fields), board)
        made.undo()
        assert state_of(board) == made.before


def test_a_move_back_goes_before_the_same_card_or_to_the_end_once_that_is_gone(board, todo, doing, card, by_ed):
    behind = create_card(actor=by_ed, list_id=todo.pk, title="Behind")
    last_one = create_card(actor=by_ed, list_id=todo.pk, title="Last")
    made = made_by(by_ed, lambda: move_card(actor=by_ed, card_id=card.pk, list_id=doing.pk), board)
    with taken_back():
        made.undo()
        assert state_of(board) == made.before
    move_card(actor=by_ed, card_id=behind.pk, list_id=doing.pk)
    made.undo()
    assert [*Card.objects.filter(list=todo).values_list("pk", flat=True)] == [last_one.pk, card.pk]


def test_many_moves_go_back_one_after_the_other(board, todo, doing, by_ed):
    cards = [create_card(actor=by_ed, list_id=todo.pk, title=str(number)) for number in range(4)]
    before, made = state_of(board), []
    for card in cards[:3]:
        made.append(made_by(by_ed, lambda card=card: move_card(actor=by_ed, card_id=card.pk, list_id=doing.pk), board))
    for one in reversed(made):
        one.undo()
    assert state_of(board) == before


def test_a_card_that_was_deleted_for_good_is_told(board, card, by_ed, by_olga):
    made = made_by(by_ed, lambda: archive_card(actor=by_ed, card_id=card.pk), board)
    delete_card(actor=by_olga, card_id=card.pk)
    with pytest.raises(Conflict, match=f"“{card.title}” is no longer on this board"):
        made.undo()


def test_what_cannot_return_to_an_archived_list_is_told(board, todo, doing, card, by_ed, by_olga):
    made = made_by(by_ed, lambda: move_card(actor=by_ed, card_id=card.pk, list_id=doing.pk), board)
    archive_list(actor=by_olga, list_id=todo.pk)
    with pytest.raises(Conflict, match="archived"):
        made.undo()


def test_a_line_that_does_not_hold_what_was_before_is_refused(board, card, doing, by_ed):
    made = made_by(by_ed, lambda: move_card(actor=by_ed, card_id=card.pk, list_id=doing.pk), board)
    Activity.objects.filter(board=board, version=made.number).update(data={})
    with pytest.raises(Conflict, match="too old to be undone"):
        made.undo()


def test_a_refused_undo_leaves_no_trace_with_the_actor(board, card, by_ed, by_olga):
    made = made_by(by_ed, lambda: update_card(actor=by_ed, card_id=card.pk, title="By Ed"), board)
    update_card(actor=by_olga, card_id=card.pk, title="By Olga")
    before = [*by_ed.changes]
    with pytest.raises(Conflict):
        made.undo()
    assert by_ed.changes == before


def test_undoing_and_redoing_very_often_costs_no_more_each_time(ed, board, card):
    complete_card(actor=web(ed), card_id=card.pk)
    first = Activity.objects.latest("version")
    version = first.version
    lines = [
        Activity(
            board=board, card_id=card.pk, version=version + n, undoes=version + n - 1, user=ed, door=first.door,
            verb="card.reopened" if n % 2 else "card.completed", subject=first.subject, data={}, created_at=first.created_at,
        )
        for n in range(1, 1201)
    ]  # fmt: skip
    Activity.objects.bulk_create(lines)
    with CaptureQueriesContext(connection) as made:
        assert not is_undone(first)
        last = Activity.objects.get(board=board, version=version + 1199)
        assert is_undone(last)
        assert taken_back_by(last)[-1] == first.version
    assert len(made) == 4


def test_what_is_on_another_board_now_is_refused_without_a_lock_of_that_board(ed, olga, board, card, monkeypatch):
    """Boards are locked in the order of their ids, and this one is locked already."""
    other = create_board(actor=web(olga), title="Other")
    row = create_list(actor=web(olga), board_id=other.pk, title="There")
    update_card(actor=web(ed), card_id=card.pk, title="Better")
    number = Board.objects.get(pk=board.pk).version
    move_card(actor=web(olga), card_id=card.pk, list_id=row.pk)
    monkeypatch.setattr(undoing, "change", None)
    with pytest.raises(Conflict, match="is no longer on this board"):
        undo_change(actor=web(ed), board_id=board.pk, number=number)


def test_a_move_to_a_board_from_which_the_card_went_on_is_refused_without_a_lock_of_a_third(
    olga, board, card, monkeypatch
):
    for title in ("Second", "Third"):
        there = create_board(actor=web(olga), title=title)
        row = create_list(actor=web(olga), board_id=there.pk, title="There")
        move_card(actor=web(olga), card_id=card.pk, list_id=row.pk)
    monkeypatch.setattr(inverses_of_cards, "change", None)
    left = Activity.objects.get(board=board, verb=Verb.CARD_LEFT)
    with pytest.raises(Conflict, match="has been changed since then"):
        undo_change(actor=web(olga), board_id=board.pk, number=left.version)


def test_people_of_another_board_on_which_a_card_was_meanwhile_are_not_named(ed, olga, stan, board, card, todo):
    other = create_board(actor=web(olga), title="Other")
    row = create_list(actor=web(olga), board_id=other.pk, title="There")
    join(stan, other)
    update_card(actor=web(ed), card_id=card.pk, title="Better")
    number = Board.objects.get(pk=board.pk).version
    move_card(actor=web(olga), card_id=card.pk, list_id=row.pk)
    update_card(actor=web(stan), card_id=card.pk, title="By Stan")
    move_card(actor=web(olga), card_id=card.pk, list_id=todo.pk)
    with pytest.raises(Conflict, match="“Better” has been changed since then"):
        undo_change(actor=web(ed), board_id=board.pk, number=number)


def test_a_due_date_does_not_come_back_before_the_start_that_was_set_since(ed, board, card):
    for day in (5, 10):
        update_card(actor=web(ed), card_id=card.pk, due_day=date(2030, 1, day))
    number = Board.objects.get(pk=board.pk).version
    update_card(actor=web(ed), card_id=card.pk, start_day=date(2030, 1, 8))
    with pytest.raises(Invalid, match="after the due date"):
        undo_change(actor=web(ed), board_id=board.pk, number=number)
    assert Card.objects.get(pk=card.pk).due_day == date(2030, 1, 10)
