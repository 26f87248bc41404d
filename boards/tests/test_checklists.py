import pytest

from boards.actions.cards.card import create_card
from boards.actions.cards.checklists import (
    add_item,
    create_checklist,
    delete_checklist,
    delete_item,
    move_checklist,
    move_item,
    rename_checklist,
    update_item,
)
from boards.actions.ordering import BOTTOM, TOP, Place
from boards.errors import Invalid, NotFound
from boards.models import Activity, Card, Checklist, ChecklistItem
from boards.tests.world import last
from conftest import web


@pytest.fixture
def steps(card, olga):
    return create_checklist(actor=web(olga), card_id=card.pk, title=" Steps ")


@pytest.fixture
def items(steps, olga):
    return {text: add_item(actor=web(olga), checklist_id=steps.pk, text=text) for text in "ABC"}


def texts(checklist):
    return "".join(item.text for item in checklist.items.all())


def test_a_new_checklist_is_the_last_on_its_card(card, steps, ed):
    create_checklist(actor=web(ed), card_id=card.pk, title="More")
    assert [row.title for row in card.checklists.all()] == ["Steps", "More"]


def test_a_new_item_is_the_last_and_not_done(steps, items):
    assert texts(steps) == "ABC"
    assert not any(item.done for item in steps.items.all())
    assert {item.card_id for item in steps.items.all()} == {steps.card_id}


@pytest.mark.parametrize("text", ["", " ", "x" * 501, "two\nlines", None])
def test_titles_and_items_must_be_one_line(card, steps, items, ed, text):
    for action, fields in (
        (create_checklist, {"card_id": card.pk, "title": text}),
        (rename_checklist, {"checklist_id": steps.pk, "title": text}),
        (add_item, {"checklist_id": steps.pk, "text": text}),
    ):
        with pytest.raises(Invalid):
            action(actor=web(ed), **fields)
    assert (texts(steps), Checklist.objects.get().title) == ("ABC", "Steps")


def test_the_text_of_an_item_cannot_be_emptied(items, ed):
    with pytest.raises(Invalid):
        update_item(actor=web(ed), item_id=items["A"].pk, text=" ")


def test_the_card_changes_with_its_checklists(card, steps, items, ed):
    for action, fields in (
        (rename_checklist, {"checklist_id": steps.pk, "title": "Stages"}),
        (update_item, {"item_id": items["A"].pk, "done": True}),
        (move_item, {"item_id": items["A"].pk, "place": BOTTOM}),
        (delete_item, {"item_id": items["A"].pk}),
        (delete_checklist, {"checklist_id": steps.pk}),
    ):
        action(actor=web(ed), **fields)
        assert Card.objects.get().version == last(card.board).version
        assert last(card.board).card_id == card.pk


def test_ticking_unticking_and_rewording_are_recorded(card, items, ed):
    update_item(actor=web(ed), item_id=items["A"].pk, done=True)
    assert last(card.board).data == {"done": [False, True]}
    update_item(actor=web(ed), item_id=items["A"].pk, done=False, text="Z")
    assert last(card.board).data == {"done": [True, False], "text": ["A", "Z"]}


def test_fields_that_are_not_given_stay_as_they_are(items, ed):
    update_item(actor=web(ed), item_id=items["A"].pk, done=True)
    assert update_item(actor=web(ed), item_id=items["A"].pk, text="Z").done is True


@pytest.mark.parametrize(
    "moved, where, neighbour, order",
    [("C", "top", None, "CAB"), ("A", "bottom", None, "BCA"), ("C", "before", "B", "ACB"), ("A", "after", "B", "BAC")],
)
def test_an_item_goes_where_it_is_sent(steps, items, ed, moved, where, neighbour, order):
    place = Place(where, items[neighbour].pk if neighbour else None)
    move_item(actor=web(ed), item_id=items[moved].pk, place=place)
    assert texts(steps) == order


@pytest.mark.parametrize(
    "where, neighbour, order", [("top", None, "XABC"), ("before", "B", "AXBC"), ("after", "B", "ABXC")]
)
def test_a_new_item_is_put_where_it_is_sent(steps, items, ed, where, neighbour, order):
    place = Place(where, items[neighbour].pk if neighbour else None)
    add_item(actor=web(ed), checklist_id=steps.pk, text="X", place=place)
    assert texts(steps) == order


def test_a_new_checklist_is_put_where_it_is_sent(card, steps, ed):
    create_checklist(actor=web(ed), card_id=card.pk, title="First", place=TOP)
    create_checklist(actor=web(ed), card_id=card.pk, title="Second", place=Place("before", steps.pk))
    assert [row.title for row in card.checklists.all()] == ["First", "Second", "Steps"]


@pytest.fixture
def more(card, olga):
    """Another checklist of the card, with the items X and Y."""
    made = create_checklist(actor=web(olga), card_id=card.pk, title="More")
    for text in "XY":
        add_item(actor=web(olga), checklist_id=made.pk, text=text)
    return made


@pytest.mark.parametrize("place, order", [(None, "XYB"), (BOTTOM, "XYB"), (TOP, "BXY")])
def test_an_item_moves_to_another_checklist_of_its_card(steps, items, more, ed, place, order):
    move_item(actor=web(ed), item_id=items["B"].pk, checklist_id=more.pk, place=place)
    assert (texts(steps), texts(more)) == ("AC", order)


def test_an_item_moves_beside_one_of_another_checklist(steps, items, more, ed):
    place = Place("after", more.items.get(text="X").pk)
    move_item(actor=web(ed), item_id=items["A"].pk, checklist_id=more.pk, place=place)
    assert (texts(steps), texts(more)) == ("BC", "XAY")


def test_a_move_to_another_checklist_is_recorded_with_both_of_them(steps, items, more, ed):
    move_item(actor=web(ed), item_id=items["A"].pk, checklist_id=more.pk, place=TOP)
    assert last(steps.board).data == {
        "checklist_id": [str(steps.pk), str(more.pk)],
        "checklist": ["Steps", "More"],
        "next_id": [str(items["B"].pk), str(more.items.get(text="X").pk)],
    }


def test_an_item_that_is_moved_to_its_own_checklist_without_a_place_stays(steps, items, ed):
    before = Activity.objects.count()
    move_item(actor=web(ed), item_id=items["A"].pk, checklist_id=steps.pk)
    assert (texts(steps), Activity.objects.count()) == ("ABC", before)


def test_an_item_does_not_move_to_a_checklist_of_another_card(todo, steps, items, ed):
    other = create_card(actor=web(ed), list_id=todo.pk, title="Other")
    there = create_checklist(actor=web(ed), card_id=other.pk, title="There")
    with pytest.raises(NotFound):
        move_item(actor=web(ed), item_id=items["A"].pk, checklist_id=there.pk)
    assert texts(steps) == "ABC"


def test_a_checklist_goes_where_it_is_sent(card, steps, ed):
    more = create_checklist(actor=web(ed), card_id=card.pk, title="More")
    move_checklist(actor=web(ed), checklist_id=more.pk, place=TOP)
    assert [row.title for row in card.checklists.all()] == ["More", "Steps"]


def test_the_items_of_a_deleted_checklist_are_deleted(card, steps, items, ed):
    delete_checklist(actor=web(ed), checklist_id=steps.pk)
    assert not ChecklistItem.objects.exists()
    assert last(card.board).removed == [{"kind": "checklist", "id": str(steps.pk)}]


def test_deleting_an_item_leaves_the_others(steps, items, ed):
    delete_item(actor=web(ed), item_id=items["B"].pk)
    assert texts(steps) == "AC"
    assert last(steps.board).removed == [{"kind": "item", "id": str(items["B"].pk)}]
    assert last(steps.board).subject["kind"] == "item"
