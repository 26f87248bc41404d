from uuid import uuid4

import pytest

from boards.access import role_on
from boards.actions.boards.board import archive_board
from boards.actions.cards.archive import archive_card
from boards.errors import NotFound
from boards.models import Role
from boards.reader import Reader
from boards.reading.reach import visible_board, visible_card
from conftest import web


@pytest.mark.parametrize("who, role", [("olga", Role.OWNER), ("ed", Role.EDITOR), ("vera", Role.VIEWER)])
def test_members_get_board_and_card_with_their_role(board, card, request, who, role):
    user = request.getfixturevalue(who)
    assert visible_board(board.pk, Reader(user)) == (board, role)
    assert visible_card(card.pk, Reader(user)) == (card, role)
    assert role_on(board.pk, Reader(user)) is role


def test_strangers_get_neither_board_nor_card(board, card, stan):
    assert role_on(board.pk, Reader(stan)) is None
    with pytest.raises(NotFound):
        visible_board(board.pk, Reader(stan))
    with pytest.raises(NotFound):
        visible_card(card.pk, Reader(stan))


@pytest.mark.parametrize("missing", [None, uuid4()], ids=["none", "random"])
def test_what_is_not_there_is_not_found(board, olga, missing):
    with pytest.raises(NotFound):
        visible_board(missing, Reader(olga))
    with pytest.raises(NotFound):
        visible_card(missing, Reader(olga))


def test_archived_cards_are_found_but_not_those_of_an_archived_board(card, board, olga):
    archive_card(actor=web(olga), card_id=card.pk)
    assert visible_card(card.pk, Reader(olga))[0] == card
    archive_board(actor=web(olga), board_id=board.pk)
    assert visible_board(board.pk, Reader(olga))[0] == board
    with pytest.raises(NotFound):
        visible_card(card.pk, Reader(olga))


def test_board_and_list_come_with_the_card(card, olga, django_assert_num_queries):
    found, _role = visible_card(card.pk, Reader(olga))
    with django_assert_num_queries(0):
        assert (found.board.title, found.list.title, found.created_by) == ("Launch", "To do", olga)
