"""Ordering: moves halve gaps, and the rows are renumbered when a gap is used up."""

from itertools import pairwise

import pytest
from django.db.models import F

from boards.actions.cards.archive import archive_card
from boards.actions.cards.card import create_card
from boards.actions.cards.checklists import add_item, create_checklist, move_item
from boards.actions.cards.moves import move_card
from boards.actions.lists.list import create_list, move_list
from boards.actions.ordering import GAP, TOP, Place, renumber
from boards.errors import Invalid
from boards.models import Card, List
from boards.models.renumbering import present
from boards.tests.world import last
from conftest import web


@pytest.fixture
def cards(todo, olga):
    return {title: create_card(actor=web(olga), list_id=todo.pk, title=title) for title in "ABCD"}


def order(todo):
    return "".join(card.title for card in todo.cards.all())


def squeeze(**positions):
    """Give the cards with these titles these positions; make them negative first, because positions are unique."""
    Card.objects.filter(title__in=positions).update(position=-F("position"))
    for title, position in positions.items():
        Card.objects.filter(title=title).update(position=position)


@pytest.mark.parametrize("where", ["", "left", None, ["top"]])
def test_a_place_must_be_one_of_four(where):
    with pytest.raises(Invalid, match="top, bottom, before or after"):
        Place(where)


def test_new_cards_stand_a_gap_apart(todo, cards):
    assert [card.position for card in todo.cards.all()] == [GAP, 2 * GAP, 3 * GAP, 4 * GAP]


def test_a_move_halves_the_gap_and_touches_nothing_else(todo, cards, ed):
    moved = move_card(actor=web(ed), card_id=cards["D"].pk, place=Place("after", cards["A"].pk))
    assert moved.position == GAP + GAP // 2
    assert [card.version for card in todo.cards.all()] == [
        cards["A"].version,
        moved.version,
        cards["B"].version,
        cards["C"].version,
    ]


def test_there_is_always_room_above_the_first_row(todo, cards, ed):
    for title in "ABCD" * 6:
        move_card(actor=web(ed), card_id=cards[title].pk, place=TOP)
    assert order(todo) == "DCBA"
    assert todo.cards.first().position < 0


@pytest.mark.parametrize("where, neighbour, expected", [("before", "B", "ADBC"), ("after", "A", "ADBC")])
def test_without_a_gap_the_list_is_renumbered(todo, cards, ed, where, neighbour, expected):
    squeeze(A=10, B=11, C=12, D=13)
    move_card(actor=web(ed), card_id=cards["D"].pk, place=Place(where, cards[neighbour].pk))
    assert order(todo) == expected
    positions = [card.position for card in todo.cards.all()]
    assert min(b - a for a, b in pairwise(positions)) >= GAP // 2


def test_renumbered_cards_keep_their_version(todo, cards, ed):
    squeeze(A=10, B=11, C=12, D=13)
    moved = move_card(actor=web(ed), card_id=cards["D"].pk, place=Place("after", cards["A"].pk))
    kept = {card.title: (card.version, card.renumbered) for card in todo.cards.all()}
    assert kept == {
        "A": (cards["A"].version, moved.version),
        "B": (cards["B"].version, moved.version),
        "C": (cards["C"].version, moved.version),
        "D": (moved.version, moved.version),
    }


def test_a_position_can_be_told_however_often_the_list_was_renumbered_since(todo, cards, olga, ed):
    squeeze(A=10, B=11, C=12, D=13)
    old, since = {card.title: card.position for card in todo.cards.all()}, last(todo.board).version
    for number in range(1, 4):
        renumber(Card.objects.filter(list=todo), since + number)
        create_card(actor=web(olga), list_id=todo.pk, title=f"New {number}", place=TOP)
    now = {title: Card.objects.get(title=title).position for title in old}
    assert {title: present(todo.pk, position, since) for title, position in old.items()} == now


@pytest.mark.parametrize("a, b, c, d", [(GAP - 1, GAP, 2 * GAP, 3 * GAP), (2 * GAP, 2 * GAP + 1, 3 * GAP, 4 * GAP)])
def test_renumbering_collides_with_no_old_position(todo, cards, ed, a, b, c, d):
    squeeze(A=a, B=b, C=c, D=d)
    move_card(actor=web(ed), card_id=cards["D"].pk, place=Place("after", cards["A"].pk))
    assert order(todo) == "ADBC"


def test_renumbering_belongs_to_the_same_change(todo, cards, ed):
    squeeze(A=10, B=11, C=12, D=13)
    version = last(todo.board).version
    move_card(actor=web(ed), card_id=cards["D"].pk, place=Place("after", cards["A"].pk))
    assert last(todo.board).version == version + 1
    assert last(todo.board).subject["title"] == "D"


def test_renumbering_keeps_archived_cards_in_their_places(todo, cards, ed):
    archive_card(actor=web(ed), card_id=cards["B"].pk)
    squeeze(A=10, B=11, C=12, D=13)
    move_card(actor=web(ed), card_id=cards["D"].pk, place=Place("after", cards["A"].pk))
    assert order(todo) == "ADBC"


def test_renumbering_touches_no_other_list(todo, doing, cards, ed):
    other = create_card(actor=web(ed), list_id=doing.pk, title="X")
    squeeze(A=10, B=11, C=12, D=13)
    move_card(actor=web(ed), card_id=cards["D"].pk, place=Place("after", cards["A"].pk))
    other_now = Card.objects.get(pk=other.pk)
    assert (other_now.position, other_now.version) == (other.position, other.version)


def test_a_card_from_another_list_finds_room_where_there_was_no_gap(todo, doing, cards, ed):
    other = create_card(actor=web(ed), list_id=doing.pk, title="X")
    squeeze(A=10, B=11, C=12, D=13)
    move_card(actor=web(ed), card_id=other.pk, list_id=todo.pk, place=Place("before", cards["B"].pk))
    assert order(todo) == "AXBCD"


def test_the_order_is_kept_when_the_same_gap_is_halved_until_it_is_used_up(todo, cards, ed):
    for title in "BC" * 20:
        move_card(actor=web(ed), card_id=cards[title].pk, place=Place("after", cards["A"].pk))
    assert order(todo) == "ACBD"


def test_lists_are_renumbered_too(board, ed):
    rows = [create_list(actor=web(ed), board_id=board.pk, title=title) for title in "ABC"]
    for place, row in enumerate(rows, 7):
        List.objects.filter(pk=row.pk).update(position=place)
    move_list(actor=web(ed), list_id=rows[2].pk, place=Place("after", rows[0].pk))
    assert [row.title for row in board.lists.all()] == ["A", "C", "B"]


def test_items_are_renumbered_within_their_checklist(card, ed):
    checklist, other = (create_checklist(actor=web(ed), card_id=card.pk, title=title) for title in ("One", "Two"))
    items = [add_item(actor=web(ed), checklist_id=checklist.pk, text=text) for text in "ABC"]
    beside = add_item(actor=web(ed), checklist_id=other.pk, text="X")
    for place, item in enumerate(items, 7):
        type(item).objects.filter(pk=item.pk).update(position=place)
    move_item(actor=web(ed), item_id=items[2].pk, place=Place("before", items[1].pk))
    assert [item.text for item in checklist.items.all()] == ["A", "C", "B"]
    beside.refresh_from_db()
    assert beside.position == GAP


def test_items_that_are_renumbered_take_the_version_by_which_open_cards_ask_for_them(card, ed):
    checklist = create_checklist(actor=web(ed), card_id=card.pk, title="One")
    items = [add_item(actor=web(ed), checklist_id=checklist.pk, text=text) for text in "ABC"]
    for place, item in enumerate(items, 7):
        type(item).objects.filter(pk=item.pk).update(position=place)
    moved = move_item(actor=web(ed), item_id=items[2].pk, place=Place("before", items[1].pk))
    assert set(checklist.items.values_list("version", flat=True)) == {moved.version}
