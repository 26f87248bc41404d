"""A reader that is limited to some boards is limited in every read: here to one of Olga's two boards."""

import pytest

from boards.access import role_on
from boards.actions.boards.board import create_board
from boards.actions.cards.card import create_card
from boards.actions.cards.comments import add_comment
from boards.actions.cards.labels import create_label
from boards.actions.lists.list import create_list
from boards.errors import NotFound
from boards.models import Board, Card, Comment, List
from boards.reader import Reader
from boards.reading.boards import boards_with_counts, boards_with_lists
from boards.reading.cards import card_in_full
from boards.reading.reach import card_of, visible_board, visible_card, visible_label, visible_list
from boards.reading.search import search_cards
from boards.reading.search_filters import Filters
from conftest import web


class Other:
    """A second board of Olga's, with one row of each kind that is read by its id."""

    def __init__(self, olga):
        self.board = create_board(actor=web(olga), title="Private")
        self.list = create_list(actor=web(olga), board_id=self.board.pk, title="Ideas")
        self.card = create_card(actor=web(olga), list_id=self.list.pk, title="Secret announcement")
        self.label = create_label(actor=web(olga), board_id=self.board.pk, name="Bug")
        self.comment = add_comment(actor=web(olga), card_id=self.card.pk, text="Not yet")


@pytest.fixture
def other(olga):
    return Other(olga)


@pytest.fixture
def narrowed(olga, board):
    return Reader(olga, boards=frozenset({board.pk}))


def test_lists_of_boards_hold_only_those_of_the_reader(narrowed, board, card, other):
    assert [entry.id for entry in boards_with_lists(narrowed)] == [board.pk]
    assert [found.pk for found in boards_with_counts(narrowed)] == [board.pk]
    assert list(Board.objects.visible_to(narrowed)) == [board]
    assert list(List.objects.visible_to(narrowed)) == [card.list]
    assert list(Card.objects.visible_to(narrowed)) == [card]


def test_search_finds_only_cards_of_the_reader(narrowed, card, other):
    assert search_cards(narrowed, Filters("announcement"), limit=10).cards == [card]


def test_other_boards_do_not_exist_for_the_reader(narrowed, other):
    assert role_on(other.board.pk, narrowed) is None
    for read in (
        lambda: visible_board(other.board.pk, narrowed),
        lambda: visible_list(other.list.pk, narrowed),
        lambda: visible_card(other.card.pk, narrowed),
        lambda: visible_label(other.label.pk, narrowed),
        lambda: card_of(Comment, other.comment.pk, narrowed),
        lambda: card_in_full(other.card.pk, narrowed),
    ):
        with pytest.raises(NotFound):
            read()


def test_a_narrowed_reader_reads_its_own_board(narrowed, board, card):
    assert visible_board(board.pk, narrowed)[0] == board
    assert visible_card(card.pk, narrowed)[0] == card
    assert card_in_full(card.pk, narrowed) == card


def test_an_update_of_a_live_page_is_for_readers_of_its_board_only(narrowed, olga, ed, board, other):
    assert narrowed.is_among(frozenset({olga.pk}), board.pk)
    assert not narrowed.is_among(frozenset({olga.pk}), other.board.pk)
    assert not narrowed.is_among(frozenset({ed.pk}), board.pk)
    assert Reader(olga).is_among(frozenset({olga.pk}), other.board.pk)


def test_a_reader_of_no_board_reads_nothing(olga, board, card):
    nothing = Reader(olga, boards=frozenset())
    assert boards_with_lists(nothing) == []
    assert not Card.objects.visible_to(nothing).exists()
