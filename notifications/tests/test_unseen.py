"""Boards count what others changed since one last opened them."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from boards.actions.boards.board import create_board, delete_board, update_board
from boards.actions.people.members import remove_member
from boards.models import Board
from boards.reader import Reader
from conftest import join, run_jobs, web
from notifications.inbox.unseen import mark_seen, unseen_counts
from notifications.models import Unseen


@pytest.fixture
def board(board):
    """Everybody has opened it."""
    run_jobs()
    Unseen.objects.update(count=0, seen=board.version)
    return board


def rename(board: Board, user, *titles: str) -> None:
    for title in titles:
        update_board(actor=web(user), board_id=board.pk, title=title)


def counts(board: Board, *users) -> list[int]:
    return [unseen_counts(Reader(user)).get(board.pk, 0) for user in users]


def opens(user, board: Board) -> None:
    mark_seen(Reader(user), Board.objects.get(pk=board.pk))


def test_changes_of_others_are_counted_and_ones_own_are_not(board, olga, ed, vera):
    rename(board, olga, "One", "Two")
    rename(board, ed, "Three")
    run_jobs()
    assert counts(board, olga, ed, vera) == [1, 2, 3]


def test_counts_grow_from_batch_to_batch(board, olga, ed):
    for title in ("One", "Two"):
        rename(board, olga, title)
        run_jobs()
    assert counts(board, olga, ed) == [0, 2]


def test_opening_the_board_begins_anew_for_oneself_alone(board, olga, ed, vera):
    rename(board, olga, "One")
    run_jobs()
    opens(ed, board)
    assert counts(board, ed, vera) == [0, 1]
    rename(board, olga, "Two")
    run_jobs()
    assert counts(board, ed, vera) == [1, 2]


def test_what_was_shown_before_it_was_counted_is_not_counted_later(board, olga, ed, vera):
    rename(board, olga, "One", "Two")
    opens(ed, board)
    rename(board, olga, "Three")
    run_jobs()
    assert counts(board, ed, vera) == [1, 3]


def test_the_same_for_somebody_who_has_no_count_yet(olga, stan, board):
    join(stan, board, "viewer")
    opens(stan, board)
    rename(board, olga, "One")
    run_jobs()
    assert counts(board, stan) == [1]


def test_for_a_new_member_only_what_comes_after_joining_is_counted(olga, stan, board):
    rename(board, olga, "One", "Two")
    join(stan, board, "viewer")
    rename(board, olga, "Three")
    run_jobs()
    assert counts(board, stan) == [1]


@pytest.mark.usefixtures("each_makes_statements")
@pytest.mark.parametrize("how", ["removed", "left"])
def test_with_the_membership_the_count_goes(board, olga, ed, vera, how):
    rename(board, olga, "One")
    run_jobs()
    remove_member(actor=web(olga if how == "removed" else ed), board_id=board.pk, user_id=ed.pk)
    assert counts(board, ed) == [0]  # at once
    run_jobs()
    assert not Unseen.objects.filter(user=ed).exists()
    assert counts(board, vera) == [2]
    join(ed, board)
    rename(board, olga, "Two")
    run_jobs()
    assert counts(board, ed) == [1]


def test_with_the_board_the_counts_go(board, olga):
    rename(board, olga, "One")
    run_jobs()
    delete_board(actor=web(olga), board_id=board.pk)
    run_jobs()
    assert not Unseen.objects.exists()


def test_a_board_of_ones_own_has_no_counts(olga):
    board = create_board(actor=web(olga), title="Private")
    rename(board, olga, "One")
    run_jobs()
    assert not Unseen.objects.exists()


def test_a_reader_sees_the_counts_of_the_boards_that_the_reader_may_see(board, olga, ed):
    rename(board, olga, "One")
    run_jobs()
    assert unseen_counts(Reader(ed, boards=frozenset({board.pk}))) == {board.pk: 1}
    assert unseen_counts(Reader(ed, boards=frozenset())) == {}


def writes_of_opening(user, board: Board) -> tuple[int, int]:
    """Statements, and those of them that write."""
    shown = Board.objects.get(pk=board.pk)
    with CaptureQueriesContext(connection) as captured:
        mark_seen(Reader(user), shown)
    return len(captured), sum(not query["sql"].startswith("SELECT") for query in captured)


def test_opening_writes_only_when_there_is_something_to_forget(board, olga, ed):
    assert writes_of_opening(ed, board) == (1, 0)
    rename(board, olga, "One")
    assert writes_of_opening(ed, board) == (2, 1)  # shown, and still to be counted
    assert writes_of_opening(ed, board) == (1, 0)
    rename(board, olga, "Two")
    run_jobs()
    assert writes_of_opening(ed, board) == (2, 1)
    assert writes_of_opening(ed, board) == (1, 0)
    assert writes_of_opening(olga, board) == (1, 0)


def statements_of_counting(board, olga, *titles) -> int:
    rename(board, olga, *titles)
    with CaptureQueriesContext(connection) as captured:
        run_jobs()
    return len(captured)


def test_counting_takes_as_many_statements_for_few_as_for_many(board, olga, stan, otto):
    few = statements_of_counting(board, olga, "One")
    for user in (stan, otto):
        join(user, board)
    run_jobs()
    assert statements_of_counting(board, olga, *"abcdefgh") == few
