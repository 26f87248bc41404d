"""Boards, cards and lists that are found by a few letters."""

import pytest

from boards.actions.boards.board import archive_board, create_board
from boards.actions.cards.archive import archive_card
from boards.actions.cards.card import complete_card, create_card
from boards.actions.lists.list import archive_list, create_list
from boards.reader import Reader
from boards.reading.boards import open_boards
from boards.reading.jump import boards_like, cards_like, lists_like, rank
from conftest import join, web


@pytest.mark.parametrize(
    "letters, name, expected",
    [
        ("lau", "launch", 0),
        ("", "launch", 0),
        ("pla", "launch plan", 1),
        ("unch", "launch", 2),
        ("plan lau", "launch plan", 3),
        ("lnch", "launch", 4),
        ("lnp", "launch plan", 4),
        ("hcnual", "launch", None),
        ("launches", "launch", None),
    ],
)
def test_the_rank_tells_how_well_letters_match(letters, name, expected):
    assert rank(letters, name) == expected


def test_boards_are_found_by_letters_best_match_first(olga, board):
    for title in ("Lunch", "Plan of the launch", "Garden"):
        create_board(actor=web(olga), title=title)
    assert [found.title for found in boards_like(open_boards(Reader(olga)), "launch", limit=9)] == [
        "Launch",
        "Plan of the launch",
    ]
    assert [found.title for found in boards_like(open_boards(Reader(olga)), "LNCH", limit=9)] == [
        "Plan of the launch",
        "Lunch",
        "Launch",
    ]
    assert [found.title for found in boards_like(open_boards(Reader(olga)), "", limit=2)] == [
        "Garden",
        "Plan of the launch",
    ]


def test_neither_archived_boards_nor_those_of_others_are_found(olga, stan, board):
    create_board(actor=web(stan), title="Launch of Stan")
    gone = create_board(actor=web(olga), title="Launch of old")
    archive_board(actor=web(olga), board_id=gone.pk)
    assert boards_like(open_boards(Reader(olga)), "launch", limit=9) == [board]


def test_cards_come_as_on_the_search_page_whatever_their_board(olga, board, todo):
    def card(title, list_id=todo.pk, **also):
        return create_card(actor=web(olga), list_id=list_id, title=title, **also)

    other = create_board(actor=web(olga), title="Other")
    there = card("Print flyers", create_list(actor=web(olga), board_id=other.pk, title="List").pk)
    within = card("Order paper", description="for the flyers")
    done = complete_card(actor=web(olga), card_id=card("Draw flyers").pk)
    fresh = card("Write flyers")
    for here in (board.pk, other.pk, None):
        assert cards_like(Reader(olga), "flyers", here=here, limit=9) == [fresh, there, done, within]
    assert cards_like(Reader(olga), "flyers", here=None, limit=1) == [fresh]


def test_a_card_is_found_by_its_number_that_of_this_board_first(olga, board, todo):
    other = create_board(actor=web(olga), title="Other")
    row = create_list(actor=web(olga), board_id=other.pk, title="List")
    mine, theirs = (create_card(actor=web(olga), list_id=one.pk, title="Same") for one in (todo, row))
    assert mine.number == theirs.number
    assert cards_like(Reader(olga), f"#{mine.number}", here=board.pk, limit=9) == [mine, theirs]
    assert cards_like(Reader(olga), f"#{mine.number}", here=other.pk, limit=9) == [theirs, mine]


def test_letters_in_order_find_a_card_of_this_board_if_no_card_has_the_words(olga, board, todo, card):
    assert cards_like(Reader(olga), "wrtann", here=board.pk, limit=9) == [card]
    assert cards_like(Reader(olga), "wrtann", here=None, limit=9) == []
    assert cards_like(Reader(olga), "[w", here=board.pk, limit=9) == []


def test_neither_archived_cards_nor_those_of_others_are_found(olga, stan, board, card):
    own = create_board(actor=web(stan), title="Own")
    row = create_list(actor=web(stan), board_id=own.pk, title="List")
    theirs = create_card(actor=web(stan), list_id=row.pk, title="Write the announcement")
    assert cards_like(Reader(stan), "write", here=board.pk, limit=9) == [theirs]
    assert cards_like(Reader(stan), "wrtthe", here=board.pk, limit=9) == []
    archive_card(actor=web(olga), card_id=card.pk)
    assert cards_like(Reader(olga), "write", here=board.pk, limit=9) == []


def test_a_list_of_this_board_comes_before_a_better_match_elsewhere(olga, board):
    progress = create_list(actor=web(olga), board_id=board.pk, title="In progress")
    other = create_board(actor=web(olga), title="Other")
    programme = create_list(actor=web(olga), board_id=other.pk, title="Programme")
    found = lists_like(Reader(olga), "prog", here=board.pk, limit=9)
    assert [one.list_id for one in found] == [progress.pk, programme.pk]
    assert [one.list_id for one in lists_like(Reader(olga), "programme", here=board.pk, limit=9)] == [programme.pk]


def test_lists_are_those_of_boards_that_one_may_change_this_board_first(olga, ed, vera, board, todo, doing, card):
    other = create_board(actor=web(olga), title="Other")
    there = create_list(actor=web(olga), board_id=other.pk, title="Doing")
    join(vera, other, "editor")
    found = lists_like(Reader(olga), "", here=board.pk, limit=9)
    assert [(one.board_title, one.title, one.cards) for one in found] == [
        ("Launch", "To do", 1),
        ("Launch", "Doing", 0),
        ("Other", "Doing", 0),
    ]
    assert [one.list_id for one in lists_like(Reader(olga), "doing", here=board.pk, limit=9)] == [doing.pk, there.pk]
    assert [one.list_id for one in lists_like(Reader(olga), "other do", here=board.pk, limit=9)] == [there.pk]
    assert [one.list_id for one in lists_like(Reader(vera), "", here=board.pk, limit=9)] == [there.pk]
    assert [one.board_title for one in lists_like(Reader(ed), "", here=None, limit=9)] == ["Launch", "Launch"]


def test_neither_archived_lists_nor_those_of_archived_boards_are_offered(olga, stan, board, todo, doing):
    archive_list(actor=web(olga), list_id=doing.pk)
    assert [one.list_id for one in lists_like(Reader(olga), "", here=None, limit=9)] == [todo.pk]
    assert lists_like(Reader(stan), "", here=board.pk, limit=9) == []
    archive_board(actor=web(olga), board_id=board.pk)
    assert lists_like(Reader(olga), "", here=None, limit=9) == []


def test_the_number_of_statements_does_not_grow_with_what_is_found(
    django_assert_num_queries, olga, board, todo, doing, card
):
    for number in range(3):
        create_card(actor=web(olga), list_id=todo.pk, title=f"Write more {number}")
        made = create_board(actor=web(olga), title=f"Launch {number}")
        create_list(actor=web(olga), board_id=made.pk, title="Doing")
    with django_assert_num_queries(1):
        assert len(boards_like(open_boards(Reader(olga)), "launch", limit=9)) == 4
    with django_assert_num_queries(4):  # three for the search, and the rows
        found = cards_like(Reader(olga), "write", here=board.pk, limit=9)
        assert {(one.board.title, one.list.title) for one in found} == {("Launch", "To do")}
    with django_assert_num_queries(2):
        assert len(lists_like(Reader(olga), "", here=board.pk, limit=9)) == 5
