import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from boards.actions.boards.board import archive_board, create_board
from boards.actions.cards.archive import archive_card
from boards.actions.cards.assignments import assign
from boards.actions.cards.boxes import tick_box
from boards.actions.cards.card import create_card, update_card
from boards.actions.cards.checklists import add_item, create_checklist
from boards.actions.cards.comments import add_comment
from boards.actions.cards.labels import add_label, create_label
from boards.actions.cards.moves import move_card
from boards.actions.lists.list import archive_list, create_list
from boards.actions.ordering import BOTTOM, TOP, Place
from boards.errors import Conflict, NotAllowed, NotFound
from boards.hints import board_group
from boards.models import Assignment, Board, Card, CardLabel, Label
from boards.tests.world import history, last, rows_of, taken_back
from conftest import join, web


def titles(row):
    return "".join(card.title for card in row.cards.open())


@pytest.fixture
def cards(todo, olga):
    """A, B, C and D in the list To do."""
    return {title: create_card(actor=web(olga), list_id=todo.pk, title=title) for title in "ABCD"}


@pytest.mark.parametrize(
    "moved, where, neighbour, order",
    [
        ("C", "top", None, "CABD"),
        ("B", "bottom", None, "ACDB"),
        ("D", "before", "B", "ADBC"),
        ("A", "after", "C", "BCAD"),
        ("D", "before", "A", "DABC"),
        ("A", "after", "D", "BCDA"),
        ("A", "before", "B", "ABCD"),
        ("D", "after", "C", "ABCD"),
        ("B", "after", "B", "ABCD"),
        ("A", "top", None, "ABCD"),
        ("D", "bottom", None, "ABCD"),
    ],
)
def test_a_card_goes_where_it_is_sent(todo, cards, ed, moved, where, neighbour, order):
    place = Place(where, cards[neighbour].pk if neighbour else None)
    move_card(actor=web(ed), card_id=cards[moved].pk, place=place)
    assert titles(todo) == order
    assert len(history(todo.board)) == cards["D"].version + (order != "ABCD")


@pytest.mark.parametrize(
    "where, neighbour, order",
    [
        ("top", None, "AXY"),
        ("bottom", None, "XYA"),
        ("before", "Y", "XAY"),
        ("after", "X", "XAY"),
        ("after", "Y", "XYA"),
    ],
)
def test_a_card_goes_to_a_place_in_another_list(todo, doing, cards, ed, where, neighbour, order):
    there = {title: create_card(actor=web(ed), list_id=doing.pk, title=title) for title in "XY"}
    move_card(
        actor=web(ed),
        card_id=cards["A"].pk,
        list_id=doing.pk,
        place=Place(where, there[neighbour].pk if neighbour else None),
    )
    assert (titles(todo), titles(doing)) == ("BCD", order)
    assert last(todo.board).data["list"] == ["To do", "Doing"]


def test_a_card_is_moved_into_an_empty_list_and_back(todo, doing, cards, ed):
    move_card(actor=web(ed), card_id=cards["A"].pk, list_id=doing.pk, place=TOP)
    move_card(actor=web(ed), card_id=cards["A"].pk, list_id=todo.pk, place=BOTTOM)
    assert (titles(todo), titles(doing)) == ("BCDA", "")


@pytest.mark.parametrize("where", ["before", "after"])
def test_a_place_beside_the_card_itself_is_not_a_place_in_another_list(doing, cards, ed, where):
    with pytest.raises(NotFound):
        move_card(actor=web(ed), card_id=cards["A"].pk, list_id=doing.pk, place=Place(where, cards["A"].pk))


@pytest.mark.parametrize("where", ["before", "after"])
@pytest.mark.parametrize("moved", "AD")
def test_a_place_without_its_neighbour_is_not_found(cards, ed, where, moved):
    with pytest.raises(NotFound):
        move_card(actor=web(ed), card_id=cards[moved].pk, place=Place(where))


def test_archived_cards_in_between_are_skipped(todo, cards, ed):
    archive_card(actor=web(ed), card_id=cards["B"].pk)
    move_card(actor=web(ed), card_id=cards["D"].pk, place=Place("after", cards["A"].pk))
    assert titles(todo) == "ADC"
    version = last(todo.board).version
    move_card(actor=web(ed), card_id=cards["D"].pk, place=Place("before", cards["C"].pk))
    assert last(todo.board).version == version


def test_an_archived_neighbour_still_names_its_place_and_repeating_changes_nothing(todo, cards, ed):
    """Somebody archived it after the page was drawn."""
    archive_card(actor=web(ed), card_id=cards["B"].pk)
    for _time in range(2):
        move_card(actor=web(ed), card_id=cards["D"].pk, place=Place("before", cards["B"].pk))
    assert titles(todo) == "ADC"
    assert last(todo.board).version == cards["D"].version + 2


def expected_order(order, moved, where, neighbour):
    """Return the titles of a list, archived ones in lower case, after a card has moved; None where it is there already."""
    rest = [title for title in order if title != moved]
    at = {"top": 0, "bottom": len(rest)}.get(where)
    if at is None:
        if neighbour == moved:
            return None
        at = rest.index(neighbour) + (where == "after")
    first, last = sorted((at, order.index(moved)))
    if not any(title.isupper() or title == neighbour for title in rest[first:last]):
        return None
    return "".join([*rest[:at], moved, *rest[at:]])


@pytest.mark.parametrize("moved", "ADF")
def test_each_place_is_found_between_archived_cards(todo, ed, moved, subtests):
    by_ed, order = web(ed), "AbcDeF"
    cards = {title: create_card(actor=by_ed, list_id=todo.pk, title=title).pk for title in order}
    for title in "bce":
        archive_card(actor=by_ed, card_id=cards[title])
    places = [("top", None), ("bottom", None), *((where, title) for where in ("before", "after") for title in order)]
    for where, neighbour in places:
        with subtests.test(where=where, neighbour=neighbour), taken_back():
            version = last(todo.board).version
            move_card(actor=by_ed, card_id=cards[moved], place=Place(where, cards[neighbour] if neighbour else None))
            wanted = expected_order(order, moved, where, neighbour)
            assert "".join(card.title for card in todo.cards.all()) == (wanted or order)
            assert last(todo.board).version == version + (wanted is not None)


def test_a_repeated_move_changes_nothing(todo, doing, cards, ed):
    for place in (TOP, BOTTOM):
        first = move_card(actor=web(ed), card_id=cards["A"].pk, list_id=doing.pk, place=place)
        assert move_card(actor=web(ed), card_id=cards["A"].pk, list_id=doing.pk, place=place).version == first.version


def test_no_card_is_moved_into_an_archived_list(doing, cards, ed):
    archive_list(actor=web(ed), list_id=doing.pk)
    with pytest.raises(Conflict):
        move_card(actor=web(ed), card_id=cards["A"].pk, list_id=doing.pk)


class Crossing:
    """A second board of Olga's, where Ed may edit too and Vera is not a member; a card here with all of its parts."""

    def __init__(self, card, board, olga, ed, vera):
        self.card, self.home, by_olga = card, board, web(olga)
        self.there = create_board(actor=by_olga, title="Secret")
        join(ed, self.there, "editor")
        self.list = create_list(actor=by_olga, board_id=self.there.pk, title="Inbox")
        self.resident = create_card(actor=by_olga, list_id=self.list.pk, title="Resident")
        self.bug_there = create_label(actor=by_olga, board_id=self.there.pk, name="Bug", hue=1)
        for name, hue in (("Bug", 2), ("Chore", 3)):
            label = create_label(actor=by_olga, board_id=board.pk, name=name, hue=hue)
            add_label(actor=by_olga, card_id=card.pk, label_id=label.pk)
        for user in (ed, vera):
            assign(actor=by_olga, card_id=card.pk, user_id=user.pk)
        checklist = create_checklist(actor=by_olga, card_id=card.pk, title="Steps")
        add_item(actor=by_olga, checklist_id=checklist.pk, text="One")
        add_comment(actor=by_olga, card_id=card.pk, text="Look")
        self.versions = [Board.objects.get(pk=row.pk).version for row in (self.home, self.there)]


@pytest.fixture
def crossing(card, board, olga, ed, vera):
    return Crossing(card, board, olga, ed, vera)


@pytest.fixture
def moved(crossing, ed):
    return move_card(actor=web(ed), card_id=crossing.card.pk, list_id=crossing.list.pk, place=TOP)


def test_a_card_moved_to_another_board_is_there(moved, crossing):
    moved.refresh_from_db()
    assert (moved.board, moved.list, moved.pk) == (crossing.there, crossing.list, crossing.card.pk)
    assert list(crossing.list.cards.all()) == [moved, crossing.resident]
    assert not crossing.home.cards.exists()


def test_a_moved_card_takes_the_next_number_there(moved, crossing, ed):
    assert moved.number == crossing.resident.number + 1
    assert create_card(actor=web(ed), list_id=crossing.list.pk, title="Next").number == moved.number + 1


def test_labels_of_a_moved_card_are_matched_by_name_or_created(moved, crossing):
    assert list(moved.labels.all()) == [crossing.bug_there, Label.objects.get(board=crossing.there, name="Chore")]
    assert [(row.name, row.hue) for row in crossing.there.labels.all()] == [("Bug", 1), ("Chore", 3)]
    assert [row.name for row in crossing.home.labels.all()] == ["Bug", "Chore"]


def test_assignees_who_are_not_members_there_are_unassigned(moved, ed):
    assert [row.user for row in Assignment.objects.filter(card=moved)] == [ed]


def test_all_parts_of_a_moved_card_come_along(moved, crossing):
    assert [item.text for item in moved.checklist_items.all()] == ["One"]
    assert [comment.body for comment in moved.comments.all()] == ["Look"]
    of_the_card = {row["board_id"] for row in rows_of(crossing.there).values() if row.get("card_id") == moved.pk}
    assert of_the_card == {crossing.there.pk}
    assert not any(row.get("card_id") == moved.pk for row in rows_of(crossing.home).values())


def test_all_parts_of_a_moved_card_get_the_number_of_the_change_there(moved, crossing):
    came = [row for row in rows_of(crossing.there).values() if moved.pk in (row["id"], row.get("card_id"))]
    assert len(came) == 7  # the card, two labels, one person, checklist, item, comment
    assert {row["version"] for row in came} == {Board.objects.get(pk=crossing.there.pk).version}


def test_a_move_between_boards_is_one_change_of_each(moved, crossing):
    assert [Board.objects.get(pk=row.pk).version for row in (crossing.home, crossing.there)] == [
        version + 1 for version in crossing.versions
    ]
    assert last(crossing.home).verb == "card.left"
    assert last(crossing.there).verb == "card.arrived"


def test_the_activity_of_the_old_board_says_that_the_card_is_gone(moved, crossing):
    assert last(crossing.home).removed == [{"kind": "card", "id": str(moved.pk)}]
    assert last(crossing.there).removed is None


def test_neither_boards_activity_has_titles_of_the_other(moved, crossing):
    ids = [str(crossing.home.pk), str(crossing.there.pk)]
    assert last(crossing.home).data == {
        "list": ["To do", None],
        "list_id": [str(crossing.card.list_id), None],
        "next_id": [None, None],
        "number": [1, None],
        "board_id": ids,
    }
    assert last(crossing.there).data == {
        "list": [None, "Inbox"],
        "list_id": [None, str(crossing.list.pk)],
        "number": [1, 2],
        "board_id": ids,
    }


def test_a_move_to_another_board_takes_a_known_number_of_statements(crossing, ed):
    with CaptureQueriesContext(connection) as queries:
        move_card(actor=web(ed), card_id=crossing.card.pk, list_id=crossing.list.pk)
    statements = [query["sql"] for query in queries]
    marks = [statement for statement in statements if "SAVEPOINT" in statement]
    assert len(marks) == 2  # one transaction
    assert len(statements) - len(marks) == (18 if connection.vendor == "postgresql" else 29), "\n".join(statements)


def test_both_boards_get_a_hint(crossing, ed, pushed, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        move_card(actor=web(ed), card_id=crossing.card.pk, list_id=crossing.list.pk)
    assert {group for group, _message in pushed} == {board_group(crossing.home.pk), board_group(crossing.there.pk)}
    assert len(pushed) == 2


def test_a_moved_card_can_move_back(moved, crossing, todo, olga):
    back = move_card(actor=web(olga), card_id=moved.pk, list_id=todo.pk)
    assert (back.board, back.number) == (crossing.home, 2)
    assert {row.label.board_id for row in CardLabel.objects.filter(card=back)} == {crossing.home.pk}
    assert crossing.home.labels.count() == 2


def test_a_repeated_move_between_boards_changes_nothing(moved, crossing, ed):
    again = move_card(actor=web(ed), card_id=moved.pk, list_id=crossing.list.pk, place=TOP)
    assert again.version == moved.version


def test_a_card_moves_beside_a_card_of_the_other_board(crossing, ed):
    place = Place("after", crossing.resident.pk)
    card = move_card(actor=web(ed), card_id=crossing.card.pk, list_id=crossing.list.pk, place=place)
    assert list(crossing.list.cards.all()) == [crossing.resident, card]


def test_a_neighbour_on_the_old_board_is_not_found_there(crossing, todo, ed):
    neighbour = create_card(actor=web(ed), list_id=todo.pk, title="Left behind")
    with pytest.raises(NotFound):
        move_card(actor=web(ed), card_id=crossing.card.pk, list_id=crossing.list.pk, place=Place("after", neighbour.pk))


@pytest.mark.parametrize("who", ["vera", "stan"])
def test_a_list_of_a_board_that_the_user_cannot_see_is_not_found(crossing, request, who):
    with pytest.raises(NotFound):
        move_card(actor=web(request.getfixturevalue(who)), card_id=crossing.card.pk, list_id=crossing.list.pk)
    assert [Board.objects.get(pk=row.pk).version for row in (crossing.home, crossing.there)] == crossing.versions


@pytest.mark.parametrize("viewer_of", ["home", "there"])
def test_a_move_between_boards_needs_the_editors_role_on_both(crossing, olga, stan, viewer_of):
    for name in ("home", "there"):
        role = "viewer" if name == viewer_of else "editor"
        join(stan, getattr(crossing, name), role)
    with pytest.raises(NotAllowed):
        move_card(actor=web(stan), card_id=crossing.card.pk, list_id=crossing.list.pk)
    assert Card.objects.get(pk=crossing.card.pk).board == crossing.home


def test_no_card_is_moved_to_an_archived_board_or_list(crossing, olga, ed):
    archive_list(actor=web(olga), list_id=crossing.list.pk)
    with pytest.raises(Conflict):
        move_card(actor=web(ed), card_id=crossing.card.pk, list_id=crossing.list.pk)
    archive_board(actor=web(olga), board_id=crossing.there.pk)
    with pytest.raises(NotFound):
        move_card(actor=web(ed), card_id=crossing.card.pk, list_id=crossing.list.pk)
    assert Card.objects.get(pk=crossing.card.pk).board == crossing.home


def test_an_edit_on_a_version_of_the_old_board_is_refused_when_it_is_ahead(crossing, ed):
    for place in range(20):
        update_card(actor=web(ed), card_id=crossing.card.pk, title=f"Title {place}")
    read = update_card(actor=web(ed), card_id=crossing.card.pk, title="As read").version
    move_card(actor=web(ed), card_id=crossing.card.pk, list_id=crossing.list.pk)
    with pytest.raises(Conflict):
        update_card(actor=web(ed), card_id=crossing.card.pk, title="Late", if_version=read)


@pytest.fixture
def busier(crossing, ed):
    """The same, with more changes on the other board."""
    for place in range(20):
        create_card(actor=web(ed), list_id=crossing.list.pk, title=f"Card {place}")
    return crossing


def test_an_edit_on_a_version_of_the_old_board_is_refused_when_it_is_behind_too(busier, ed, olga):
    read = busier.card.version
    update_card(actor=web(olga), card_id=busier.card.pk, description="An hour of work", if_version=read)
    move_card(actor=web(ed), card_id=busier.card.pk, list_id=busier.list.pk)
    with pytest.raises(Conflict):
        update_card(actor=web(ed), card_id=busier.card.pk, description="Late", if_version=read)


def test_a_box_of_the_text_that_the_old_board_had_is_not_ticked(busier, ed, olga):
    read = update_card(actor=web(ed), card_id=busier.card.pk, description="- [ ] Order flowers").version
    update_card(actor=web(olga), card_id=busier.card.pk, description="- [ ] Cancel the party")
    move_card(actor=web(ed), card_id=busier.card.pk, list_id=busier.list.pk)
    with pytest.raises(Conflict):
        tick_box(actor=web(ed), card_id=busier.card.pk, box=1, checked=True, if_version=read)
