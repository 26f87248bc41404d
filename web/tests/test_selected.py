"""Cards of several boards, selected in the table of *My work* and changed at once: all or none, and one Undo for all."""

import re

import pytest

from boards.actions.boards.board import archive_board, create_board
from boards.actions.cards import together
from boards.actions.cards.card import create_card
from boards.actions.cards.labels import create_label
from boards.actions.cards.moves import move_card
from boards.actions.lists.list import create_list
from boards.models import Assignment, Board, Card, CardLabel, Membership
from boards.statements import lock_boards
from conftest import join, web
from web.tests.browsing import SCRIPTED, browser, text_of


@pytest.fixture
def elsewhere(olga, ed) -> Card:
    """A card on another board, where Ed edits too."""
    other = create_board(actor=web(olga), title="Garden")
    join(ed, other)
    row = create_list(actor=web(olga), board_id=other.pk, title="Beds")
    return create_card(actor=web(olga), list_id=row.pk, title="Dig")


@pytest.fixture
def of_two_boards(card, elsewhere) -> list[Card]:
    return [card, elsewhere]


def send(user, cards: list[Card], status: int = 200, **fields: str):
    answer = browser(user).post("/my/cards", {"card": [card.pk for card in cards], **fields}, **SCRIPTED)
    assert answer.status_code == status, text_of(answer)
    return answer


def done(cards: list[Card]) -> list[bool]:
    return [Card.objects.get(pk=card.pk).completed_at is not None for card in cards]


@pytest.mark.parametrize(
    "fields, words",
    [
        ({"done": "1"}, "2 cards marked as done."),
        ({"archived": "1"}, "2 cards archived."),
        ({"due": "2027-03-01", "time": ""}, "Due date set on 2 cards."),
    ],
)
def test_cards_of_two_boards_are_changed_at_once_and_taken_back_by_one_undo(ed, of_two_boards, fields, words):
    rows = Card.objects.filter(pk__in=[card.pk for card in of_two_boards]).order_by("pk")
    before = rows.values("completed_at", "archived_at", "due_day")
    then = list(before)
    answer = send(ed, of_two_boards, **fields)
    assert words in text_of(answer)
    changes = answer.headers["X-Changes"]
    assert {part.partition(":")[0] for part in changes.split()} == {str(card.board_id) for card in of_two_boards}
    assert all(now != was for now, was in zip(before.all(), then, strict=True))
    undo = browser(ed).post(f"/board/{of_two_boards[0].board_id}/undo", {"change": changes}, **SCRIPTED)
    assert "Undone: 2 changes." in text_of(undo)
    assert list(before.all()) == then


def test_what_is_so_already_is_no_change_and_says_nothing(ed, of_two_boards):
    assert text_of(send(ed, of_two_boards, done="0")) == ""


def test_nothing_is_changed_where_one_of_the_boards_is_only_viewed(vera, ed, of_two_boards, elsewhere):
    join(vera, elsewhere.board)
    assert "You can view this board but not change it" in text_of(send(vera, of_two_boards, 403, done="1"))
    assert done(of_two_boards) == [False, False]


def test_nothing_is_changed_where_one_of_the_boards_is_out_of_sight(vera, ed, stan, of_two_boards, elsewhere):
    join(stan, elsewhere.board)
    send(stan, of_two_boards, 404, done="1")
    assert done(of_two_boards) == [False, False]


@pytest.mark.parametrize(
    "fields, sentence",
    [
        ({"list": "x"}, "Name one thing to do with the cards: done, archived, label, person, due."),
        ({"done": "1", "due": ""}, "Name one thing to do with the cards: done, archived, label, person, due."),
        ({"due": "soon"}, "date"),
        ({"label": " ", "on": "1"}, "label must not be empty."),
        ({"label": "a\0b", "on": "1"}, "label contains a character that cannot be stored"),
        ({"person": "me"}, "on must be 0 or 1."),
    ],
)
def test_what_cannot_be_done_across_boards_is_refused_in_a_sentence(ed, of_two_boards, fields, sentence):
    assert sentence in text_of(send(ed, of_two_boards, 422, **fields))


def give_label(olga, name: str, *boards: Board, hue: int = 1) -> None:
    for board in boards:
        create_label(actor=web(olga), board_id=board.pk, name=name, hue=hue)


def labels(cards: list[Card]) -> list[list[str]]:
    worn = CardLabel.objects.order_by("label__name")
    return [list(worn.filter(card=card).values_list("label__name", flat=True)) for card in cards]


def people(cards: list[Card]) -> list[list[str]]:
    assigned = Assignment.objects.order_by("user__name")
    return [list(assigned.filter(card=card).values_list("user__name", flat=True)) for card in cards]


def undo(user, cards: list[Card], answer) -> str:
    sent = {"change": answer.headers["X-Changes"]}
    return text_of(browser(user).post(f"/board/{cards[0].board_id}/undo", sent, **SCRIPTED))


def test_a_label_that_both_boards_have_is_added_and_removed_and_taken_back(ed, olga, of_two_boards):
    give_label(olga, "Bug & Co", *(card.board for card in of_two_boards))
    added = send(ed, of_two_boards, label="Bug & Co", on="1")
    assert "Label added to 2 cards." in text_of(added)
    assert labels(of_two_boards) == [["Bug & Co"], ["Bug & Co"]]
    removed = send(ed, of_two_boards, label="Bug & Co", on="0")
    assert "Label removed from 2 cards." in text_of(removed)
    assert labels(of_two_boards) == [[], []]
    assert "Undone: 2 changes." in undo(ed, of_two_boards, removed)
    assert labels(of_two_boards) == [["Bug & Co"], ["Bug & Co"]]


def test_a_member_of_both_boards_is_assigned_and_unassigned_and_that_is_taken_back(ed, olga, of_two_boards):
    assert "2 cards assigned." in text_of(send(ed, of_two_boards, person=str(olga.pk), on="1"))
    assert people(of_two_boards) == [["Olga"], ["Olga"]]
    unassigned = send(ed, of_two_boards, person=str(olga.pk), on="0")
    assert "2 cards unassigned." in text_of(unassigned)
    assert "Undone: 2 changes." in undo(ed, of_two_boards, unassigned)
    assert people(of_two_boards) == [["Olga"], ["Olga"]]


@pytest.mark.parametrize("name", ["Bug", "bug", "Nothing"])
def test_a_label_that_one_board_lacks_is_refused_before_anything_is_written(ed, olga, of_two_boards, name):
    card, elsewhere = of_two_boards
    give_label(olga, "Bug", card.board)
    give_label(olga, "bug", elsewhere.board)
    lacking = card if name == "bug" else elsewhere  # of both, the first by title
    version = [Board.objects.get(pk=one.board_id).version for one in of_two_boards]
    words = text_of(send(ed, of_two_boards, 409, label=name, on="1"))
    assert f"The board “{lacking.board.title}” has no label “{name}”. Create it there, then try again." in words
    assert labels(of_two_boards) == [[], []]
    assert [Board.objects.get(pk=one.board_id).version for one in of_two_boards] == version


def test_a_label_tells_nobody_of_a_board_that_they_cannot_see(stan, olga, of_two_boards, elsewhere):
    join(stan, elsewhere.board)
    give_label(olga, "Bug", elsewhere.board)
    for name in ("Bug", "Nothing"):
        words = text_of(send(stan, of_two_boards, 404, label=name, on="1"))
        assert of_two_boards[0].board.title not in words
    assert labels(of_two_boards) == [[], []]


def test_a_person_who_is_not_on_both_boards_is_assigned_on_none(ed, vera, of_two_boards):
    send(ed, of_two_boards, 404, person=str(vera.pk), on="1")
    assert people(of_two_boards) == [[], []]


@pytest.mark.parametrize("fields", [{"label": "Bug", "on": "1"}, {"person": "me", "on": "1"}])
def test_labels_and_people_are_refused_where_one_of_the_boards_is_only_viewed(vera, olga, of_two_boards, fields):
    join(vera, of_two_boards[1].board)
    give_label(olga, "Bug", *(card.board for card in of_two_boards))
    assert "You can view this board but not change it" in text_of(send(vera, of_two_boards, 403, **fields))
    assert labels(of_two_boards) == people(of_two_boards) == [[], []]


def menus(user, *boards: Board, status: int = 200):
    path = f"/my/cards?boards={'.'.join(str(board.pk) for board in boards)}"
    answer = browser(user).get(path, **SCRIPTED)
    assert answer.status_code == status
    return answer


def test_the_bar_offers_labels_and_people_that_all_boards_have(ed, olga, vera, of_two_boards):
    first, second = (card.board for card in of_two_boards)
    give_label(olga, "Only one", first)
    give_label(olga, "Writing", second, hue=4)
    give_label(olga, "Bug & Co", first, second)
    give_label(olga, "Writing", first, hue=3)
    html = menus(ed, first, second).content.decode()
    assert re.findall(r'data-change="label=([^"]*)&amp;on=1">\s*<span class="label hue-(\d*)"', html) == [
        ("Writing", "3"),
        ("Bug%20%26%20Co", "1"),
    ]
    assert re.findall(r'data-change="person=([^"]*)&amp;on=0"', html) == [str(ed.pk), str(olga.pk)]
    assert "Vera" not in html
    assert "Move" not in html


def test_boards_without_a_label_in_common_say_so(ed, of_two_boards):
    assert "These boards have no label of the same name." in text_of(menus(ed, *(card.board for card in of_two_boards)))


def test_the_bar_offers_nothing_of_boards_that_one_cannot_see_or_that_are_archived(ed, olga, stan, of_two_boards):
    boards = [card.board for card in of_two_boards]
    Membership.objects.filter(user=ed, board=boards[1]).delete()
    menus(ed, *boards, status=404)
    menus(stan, *boards, status=404)
    archive_board(actor=web(olga), board_id=boards[1].pk)
    menus(olga, *boards, status=404)
    for query in ("", "?boards=", "?boards=x", f"?boards={boards[0].pk}.x"):
        assert browser(olga).get(f"/my/cards{query}", **SCRIPTED).status_code == 404


@pytest.mark.parametrize("number", [2, 9])
def test_the_menus_cost_as_many_statements_for_two_boards_as_for_many(
    ed, olga, vera, number, django_assert_num_queries
):
    boards = [create_board(actor=web(olga), title=f"{one}") for one in range(number)]
    for board in boards:
        join(ed, board)
        join(vera, board)
    for name in ("Bug", "Writing"):
        give_label(olga, name, *boards)
    client = browser(ed)
    path = f"/my/cards?boards={'.'.join(str(board.pk) for board in boards)}"
    with django_assert_num_queries(5):  # session, user, boards, labels, people
        html = client.get(path, **SCRIPTED).content.decode()
    assert (html.count("Remove label"), html.count("Unassign")) == (2, 3)


def test_without_scripts_the_menus_lead_to_the_table(ed):
    assert browser(ed).get("/my/cards?boards=x").headers["Location"] == "/my/table"


def test_a_card_that_moves_to_another_board_meanwhile_is_told(ed, olga, of_two_boards, elsewhere, todo, monkeypatch):
    def moved_first(boards: set) -> dict[object, Board]:
        monkeypatch.undo()
        move_card(actor=web(olga), card_id=elsewhere.pk, list_id=todo.pk)
        return lock_boards(boards)

    monkeypatch.setattr(together, "lock_boards", moved_first)
    assert "A card has just moved to another board. Try again." in text_of(send(ed, of_two_boards, 409, done="1"))
    assert done(of_two_boards) == [False, False]


def test_without_scripts_the_answer_leads_back_to_the_table(ed, of_two_boards):
    answer = browser(ed).post("/my/cards", {"card": [card.pk for card in of_two_boards], "done": "1"}, follow=True)
    assert answer.redirect_chain == [("/my/table", 302)]
    assert "2 cards marked as done." in text_of(answer)
