"""Copies of cards, lists and boards."""

from datetime import date

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import Plan
from boards.actions import caps
from boards.actions.boards import copies
from boards.actions.boards.board import create_board
from boards.actions.boards.copies import copy_board, copy_card, copy_list
from boards.actions.cards.archive import archive_card
from boards.actions.cards.assignments import assign
from boards.actions.cards.card import complete_card, create_card, update_card
from boards.actions.cards.checklists import add_item, create_checklist, update_item
from boards.actions.cards.comments import add_comment
from boards.actions.cards.labels import add_label, create_label
from boards.actions.cards.moves import move_card
from boards.actions.lists.list import archive_list, create_list, limit_list
from boards.actions.undo import undo_change
from boards.errors import Conflict, LimitReached, NotAllowed, NotFound
from boards.models import Activity, Board, Card, CardLabel, Checklist, Label, List, Membership, Verb
from boards.tests.world import last
from conftest import join, web


@pytest.fixture
def full(board, card, ed, vera):
    """The card with one of everything: it is done, and its second item is ticked."""
    actor = web(ed)
    values = {"due_day": date(2030, 1, 31), "recurrence": "monthly", "cover_hue": 3}
    update_card(actor=actor, card_id=card.pk, description="**How**", **values)
    label = create_label(actor=actor, board_id=board.pk, name="Bug", hue=3)
    add_label(actor=actor, card_id=card.pk, label_id=label.pk)
    for user in (ed, vera):
        assign(actor=actor, card_id=card.pk, user_id=user.pk)
    steps = create_checklist(actor=actor, card_id=card.pk, title="Steps")
    add_item(actor=actor, checklist_id=steps.pk, text="One")
    item = add_item(actor=actor, checklist_id=steps.pk, text="Two")
    update_item(actor=actor, item_id=item.pk, done=True)
    add_comment(actor=actor, card_id=card.pk, text="Look")
    return complete_card(actor=actor, card_id=card.pk)


def shown(card) -> tuple:
    """Return what people see of a card, without its number and place."""
    found = Card.objects.get(pk=card.pk)
    return (
        found.title,
        found.description,
        found.search_text,
        found.due_at,
        found.due_day,
        found.recurrence,
        found.recurrence_anchor,
        found.cover_hue,
        sorted(found.labels.values_list("name", "hue")),
        sorted(found.assignees.values_list("email", flat=True)),
        list(found.checklists.values_list("title", "items__text", "items__done").order_by("items__position")),
    )


def titles(row) -> list[str]:
    return list(Card.objects.filter(list=row, archived_at=None).order_by("position").values_list("title", flat=True))


def test_a_copied_card_has_everything_but_comments_and_lies_below_its_original(ed, todo, full):
    create_card(actor=web(ed), list_id=todo.pk, title="Behind")
    copy = copy_card(actor=web(ed), card_id=full.pk)
    assert shown(copy) == shown(full)
    assert titles(todo) == [full.title, full.title, "Behind"]
    copy.refresh_from_db()
    assert (copy.number, copy.completed_at, copy.created_by) == (3, None, ed)
    assert not copy.comments.exists()
    assert last(full.board).verb == Verb.CARD_CREATED


def test_a_copy_can_have_another_title_and_go_to_another_list(ed, doing, full):
    copy = copy_card(actor=web(ed), card_id=full.pk, list_id=doing.pk, title="Again")
    assert titles(doing) == ["Again"]
    assert copy.search_text == "again\nhow"


def test_on_another_board_a_copy_gets_its_labels_by_name_and_keeps_members_assigned(ed, olga, full):
    other = create_board(actor=web(olga), title="Other")
    join(ed, other)
    row = create_list(actor=web(ed), board_id=other.pk, title="There")
    copy = copy_card(actor=web(ed), card_id=full.pk, list_id=row.pk)
    assert shown(copy)[:9] == shown(full)[:9]
    assert [*copy.assignees.all()] == [ed]
    assert Label.objects.filter(board=other, name="Bug").count() == 1
    copy_card(actor=web(ed), card_id=full.pk, list_id=row.pk)
    assert Label.objects.filter(board=other, name="Bug").count() == 1


def test_a_card_of_a_board_that_one_may_only_view_can_be_copied_to_ones_own(vera, todo, full):
    with pytest.raises(NotAllowed):
        copy_card(actor=web(vera), card_id=full.pk)
    own = create_board(actor=web(vera), title="Mine")
    row = create_list(actor=web(vera), board_id=own.pk, title="Here")
    assert copy_card(actor=web(vera), card_id=full.pk, list_id=row.pk).board == own


def test_a_card_is_not_copied_to_a_list_that_one_cannot_see(ed, stan, full):
    own = create_board(actor=web(stan), title="Stan's")
    foreign = create_list(actor=web(stan), board_id=own.pk, title="His")
    for actor in (web(ed), web(stan)):
        with pytest.raises(NotFound):
            copy_card(actor=actor, card_id=full.pk, list_id=foreign.pk)


def test_a_card_is_not_copied_to_an_archived_list(ed, doing, full):
    archive_list(actor=web(ed), list_id=doing.pk)
    with pytest.raises(Conflict):
        copy_card(actor=web(ed), card_id=full.pk, list_id=doing.pk)


def test_a_copied_list_lies_behind_its_original_and_has_its_open_cards_in_their_order(ed, todo, doing, full):
    actor = web(ed)
    create_card(actor=actor, list_id=todo.pk, title="Second")
    gone = create_card(actor=actor, list_id=todo.pk, title="Gone")
    archive_card(actor=actor, card_id=gone.pk)
    copy = copy_list(actor=actor, list_id=todo.pk, title="To do again")
    assert titles(copy) == [full.title, "Second"]
    assert [*List.objects.filter(board=todo.board).values_list("title", flat=True)] == ["To do", "To do again", "Doing"]
    first = Card.objects.filter(list=copy).first()
    assert shown(first) == shown(full)
    assert first.completed_at == full.completed_at
    assert [made.verb for made in actor.changes[-3:]] == [Verb.LIST_CREATED, Verb.CARD_CREATED, Verb.CARD_CREATED]
    numbers = Card.objects.filter(board=todo.board).values_list("number", flat=True)
    assert len({*numbers}) == len(numbers)


def test_copies_of_lists_and_boards_have_their_limits(ed, board, todo):
    limit_list(actor=web(ed), list_id=todo.pk, card_limit=4)
    assert copy_list(actor=web(ed), list_id=todo.pk).card_limit == 4
    copy = copy_board(actor=web(ed), board_id=board.pk, title="Again")
    assert [*List.objects.filter(board=copy).values_list("card_limit", flat=True)] == [4, 4]


def test_a_copied_list_is_taken_back_with_its_cards(ed, todo, full):
    actor = web(ed)
    copy = copy_list(actor=actor, list_id=todo.pk)
    made = next(made for made in actor.changes if made.verb == Verb.LIST_CREATED)
    undo_change(actor=actor, board_id=todo.board_id, number=made.number)
    copy.refresh_from_db()
    assert copy.archived_at


def test_an_archived_list_is_not_copied(ed, todo):
    archive_list(actor=web(ed), list_id=todo.pk)
    with pytest.raises(Conflict):
        copy_list(actor=web(ed), list_id=todo.pk)


def test_a_copied_board_has_the_lists_and_labels_and_belongs_to_who_copied_it(vera, todo, doing, full):
    copy = copy_board(actor=web(vera), board_id=todo.board_id, title="Launch again")
    assert [*List.objects.filter(board=copy).values_list("title", flat=True)] == ["To do", "Doing"]
    assert [*Label.objects.filter(board=copy).values_list("name", "hue")] == [("Bug", 3)]
    assert [*Membership.objects.filter(board=copy).values_list("user__name", "role")] == [("Vera", "owner")]
    assert not Card.objects.filter(board=copy).exists()
    assert last(copy).data["source"] == [None, "Launch"]


def test_a_board_is_copied_with_its_cards_on_request(vera, todo, full):
    copy = copy_board(actor=web(vera), board_id=todo.board_id, title="Launch again", with_cards=True)
    [card] = Card.objects.filter(board=copy)
    assert [part for part in shown(card) if part != ["vera@example.com"]] == [
        part for part in shown(full) if part != ["ed@example.com", "vera@example.com"]
    ]
    assert [*card.assignees.all()] == [vera]
    assert card.number == 1
    assert Board.objects.get(pk=copy.pk).version == Activity.objects.filter(board=copy).count() == 2
    assert create_card(actor=web(vera), board_id=copy.pk, title="Next").number == 2


def test_a_copy_counts_towards_the_plan(ed, board):
    Plan.objects.filter(pk=ed.plan_id).update(max_boards=1)
    create_board(actor=web(ed), title="Own")
    with pytest.raises(LimitReached):
        copy_board(actor=web(ed), board_id=board.pk, title="Copy")
    assert Board.objects.count() == 2


def test_no_more_cards_than_the_cap_are_copied(ed, board, todo, full, monkeypatch):
    monkeypatch.setattr("boards.actions.boards.copies.CARDS_COPIED", 1)
    assert caps.CARDS_COPIED > 1
    create_card(actor=web(ed), list_id=todo.pk, title="Second")
    before = (List.objects.count(), Board.objects.count())
    for copy in (
        lambda: copy_list(actor=web(ed), list_id=todo.pk),
        lambda: copy_board(actor=web(ed), board_id=board.pk, title="Copy", with_cards=True),
    ):
        with pytest.raises(LimitReached):
            copy()
    assert (List.objects.count(), Board.objects.count()) == before


def test_the_statements_of_a_copy_do_not_grow_with_its_cards(ed, todo, full):
    def statements():
        with CaptureQueriesContext(connection) as captured:
            copy_list(actor=web(ed), list_id=todo.pk)
        return len(captured)

    first = statements()
    for number in range(5):
        create_card(actor=web(ed), list_id=todo.pk, title=str(number))
    assert statements() == first


@pytest.mark.parametrize("cap", ["ITEMS_COPIED", "TEXTS_COPIED"])
def test_cards_that_hold_too_much_are_not_copied_together(ed, todo, full, monkeypatch, cap):
    monkeypatch.setattr(copies, cap, 1)
    before = Board.objects.get(pk=todo.board_id).version
    for attempt in (
        lambda: copy_list(actor=web(ed), list_id=todo.pk),
        lambda: copy_board(actor=web(ed), board_id=todo.board_id, title="Copy", with_cards=True),
    ):
        with pytest.raises(LimitReached, match="have too much content to copy at once"):
            attempt()
    assert not Board.objects.filter(title="Copy").exists()
    assert Board.objects.get(pk=todo.board_id).version == before
    assert copy_board(actor=web(ed), board_id=todo.board_id, title="Copy")


def test_a_list_and_a_label_that_come_while_a_board_is_copied_are_left_out(ed, board, todo, full, monkeypatch):
    """On PostgreSQL each statement sees what was committed before it."""
    real = copies.first_change

    def meanwhile(actor, new):
        late = create_list(actor=web(ed), board_id=board.pk, title="Late")
        create_card(actor=web(ed), list_id=late.pk, title="Late")
        label = create_label(actor=web(ed), board_id=board.pk, name="Late", hue=3)
        add_label(actor=web(ed), card_id=full.pk, label_id=label.pk)
        return real(actor, new)

    monkeypatch.setattr(copies, "first_change", meanwhile)
    made = copy_board(actor=web(ed), board_id=board.pk, title="Copy", with_cards=True)
    assert [*Card.objects.filter(board=made).values_list("title", flat=True)] == [full.title]
    assert {row.label.board_id for row in CardLabel.objects.filter(board=made).select_related("label")} == {made.pk}


def test_what_comes_to_a_card_while_it_is_copied_to_another_board_is_left_out(ed, olga, board, full, monkeypatch):
    """Only the other board is locked. A label of this one on a card of that one would fail when the label is deleted."""
    other = create_board(actor=web(olga), title="Other")
    join(ed, other)
    row = create_list(actor=web(ed), board_id=other.pk, title="There")
    real = copies.labels_named_like

    def meanwhile(labels, change):
        late = create_label(actor=web(olga), board_id=board.pk, name="Late")
        add_label(actor=web(olga), card_id=full.pk, label_id=late.pk)
        return real(labels, change)

    monkeypatch.setattr(copies, "labels_named_like", meanwhile)
    copy = copy_card(actor=web(ed), card_id=full.pk, list_id=row.pk)
    found = CardLabel.objects.filter(card=copy).values_list("label__name", "label__board")
    assert [*found] == [("Bug", other.pk)]


def test_a_card_that_leaves_for_a_board_of_others_meanwhile_is_not_copied(olga, ed, card, doing, monkeypatch):
    secret = create_board(actor=web(olga), title="Secret")
    into = create_list(actor=web(olga), board_id=secret.pk, title="In")
    titled = copies._titled

    def moved_meanwhile(source, title):
        move_card(actor=web(olga), card_id=card.pk, list_id=into.pk)
        create_checklist(actor=web(olga), card_id=card.pk, title="Secret steps")
        return titled(source, title)

    monkeypatch.setattr(copies, "_titled", moved_meanwhile)
    with pytest.raises(NotFound):
        copy_card(actor=web(ed), card_id=card.pk, list_id=doing.pk)
    assert Checklist.objects.count() == 1
