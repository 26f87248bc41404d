import pytest

from boards.actions.cards.archive import archive_card
from boards.actions.cards.card import create_card
from boards.actions.lists.list import (
    archive_list,
    create_list,
    delete_list,
    limit_list,
    move_list,
    rename_list,
    restore_list,
)
from boards.actions.ordering import BOTTOM, TOP, Place
from boards.errors import Conflict, Invalid
from boards.models import Activity, Card, List, Verb
from boards.reading import history
from boards.tests.world import last
from conftest import web


@pytest.fixture
def done(board, doing, olga):
    return create_list(actor=web(olga), board_id=board.pk, title="Done")


def titles(board):
    return [row.title for row in List.objects.filter(board=board).open()]


def test_a_new_list_is_the_last(board, todo, doing, ed):
    row = create_list(actor=web(ed), board_id=board.pk, title=" Done ")
    assert titles(board) == ["To do", "Doing", "Done"]
    assert (last(board).verb, last(board).subject["title"]) == ("list.created", "Done")
    assert row.version == last(board).version


@pytest.mark.parametrize("title", ["", "  ", "x" * 201, "two\nlines", None, 3])
def test_a_list_needs_a_title_of_one_line(board, todo, ed, title):
    with pytest.raises(Invalid):
        create_list(actor=web(ed), board_id=board.pk, title=title)
    with pytest.raises(Invalid):
        rename_list(actor=web(ed), list_id=todo.pk, title=title)
    assert titles(board) == ["To do"]


def test_renaming_records_both_titles(board, todo, ed):
    rename_list(actor=web(ed), list_id=todo.pk, title="Next")
    assert last(board).data == {"title": ["To do", "Next"]}


def test_a_limit_is_recorded_with_the_old_and_the_new_one(board, todo, ed):
    for limit in (3, 999, None):
        limit_list(actor=web(ed), list_id=todo.pk, card_limit=limit)
    lines = Activity.objects.filter(board=board, verb=Verb.LIST_LIMITED).order_by("version")
    assert [line.data["card_limit"] for line in lines] == [[None, 3], [3, 999], [999, None]]
    assert [line.text.split(" ", 1)[1] for line in history.lines(lines)] == [
        "set the card limit of the list To do to 3",
        "set the card limit of the list To do to 999",
        "removed the card limit of the list To do",
    ]
    assert [line.details for line in history.lines(lines)] == [[], ["Before: 3"], ["Before: 999"]]


@pytest.mark.parametrize("limit", [0, -1, 1000])
def test_a_limit_is_a_number_of_at_most_three_digits(todo, ed, limit):
    with pytest.raises(Invalid, match="whole number from 1 to 999"):
        limit_list(actor=web(ed), list_id=todo.pk, card_limit=limit)


def test_a_list_at_its_limit_takes_further_cards(todo, ed):
    limit_list(actor=web(ed), list_id=todo.pk, card_limit=1)
    for title in ("One", "Two"):
        create_card(actor=web(ed), list_id=todo.pk, title=title)
    assert Card.objects.filter(list=todo).count() == 2


def test_an_archived_list_gets_no_limit(todo, ed):
    archive_list(actor=web(ed), list_id=todo.pk)
    with pytest.raises(Conflict):
        limit_list(actor=web(ed), list_id=todo.pk, card_limit=1)


@pytest.mark.parametrize(
    "moved, place, order",
    [
        ("done", lambda w: TOP, "Done To Doing"),
        ("todo", lambda w: BOTTOM, "Doing Done To"),
        ("done", lambda w: Place("before", w["doing"].pk), "To Done Doing"),
        ("todo", lambda w: Place("after", w["doing"].pk), "Doing To Done"),
        ("doing", lambda w: Place("after", w["todo"].pk), "To Doing Done"),
        ("doing", lambda w: Place("before", w["doing"].pk), "To Doing Done"),
    ],
)
def test_a_list_goes_where_it_is_sent(board, todo, doing, done, ed, moved, place, order):
    lists = {"todo": todo, "doing": doing, "done": done}
    move_list(actor=web(ed), list_id=lists[moved].pk, place=place(lists))
    assert [title.split()[0] for title in titles(board)] == order.split()


def test_archived_lists_do_not_count_as_neighbours(board, todo, doing, done, ed):
    archive_list(actor=web(ed), list_id=doing.pk)
    before = last(board).version
    move_list(actor=web(ed), list_id=done.pk, place=Place("after", todo.pk))
    assert last(board).version == before


def test_an_archived_list_is_neither_renamed_nor_moved(board, todo, doing, ed):
    archive_list(actor=web(ed), list_id=doing.pk)
    with pytest.raises(Conflict):
        rename_list(actor=web(ed), list_id=doing.pk, title="Hidden")
    with pytest.raises(Conflict):
        move_list(actor=web(ed), list_id=doing.pk, place=TOP)
    assert last(board).verb == "list.archived"


def test_archiving_a_list_hides_its_cards(card, ed):
    archive_list(actor=web(ed), list_id=card.list_id)
    assert not Card.objects.open().exists()
    assert Card.objects.get().archived_at is None


def test_a_restored_list_is_back_in_its_place_and_its_cards_are_sent_again(board, todo, doing, card, ed):
    archive_list(actor=web(ed), list_id=todo.pk)
    restore_list(actor=web(ed), list_id=todo.pk)
    assert titles(board) == ["To do", "Doing"]
    assert Card.objects.open().get().version == last(board).version


def test_a_card_that_was_archived_stays_so_when_its_list_is_restored(card, ed):
    archive_card(actor=web(ed), card_id=card.pk)
    archive_list(actor=web(ed), list_id=card.list_id)
    restore_list(actor=web(ed), list_id=card.list_id)
    assert not Card.objects.open().exists()


def test_only_an_archived_list_is_deleted_permanently(board, todo, olga):
    with pytest.raises(Conflict):
        delete_list(actor=web(olga), list_id=todo.pk)
    assert titles(board) == ["To do"]


def test_deleting_a_list_deletes_its_cards_and_names_them(board, todo, card, olga):
    second = create_card(actor=web(olga), list_id=todo.pk, title="Second")
    archive_list(actor=web(olga), list_id=todo.pk)
    delete_list(actor=web(olga), list_id=todo.pk)
    assert not Card.objects.exists()
    assert {(thing["kind"], thing["id"]) for thing in last(board).removed} == {
        ("list", str(todo.pk)),
        ("card", str(card.pk)),
        ("card", str(second.pk)),
    }
    assert last(board).subject["title"] == "To do"
