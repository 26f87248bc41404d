"""Cards of several boards, selected in the table of *My work* and changed at once: all or none, and one Undo for all."""

import pytest

from boards.actions.boards.board import create_board
from boards.actions.cards import together
from boards.actions.cards.card import create_card
from boards.actions.cards.moves import move_card
from boards.actions.lists.list import create_list
from boards.models import Board, Card
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
        ({"list": "x"}, "Name one thing to do with the cards: done, archived, due."),
        ({"done": "1", "due": ""}, "Name one thing to do with the cards: done, archived, due."),
        ({"due": "soon"}, "date"),
    ],
)
def test_what_cannot_be_done_across_boards_is_refused_in_a_sentence(ed, of_two_boards, fields, sentence):
    assert sentence in text_of(send(ed, of_two_boards, 422, **fields))


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
