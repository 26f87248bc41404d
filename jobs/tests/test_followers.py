"""The history is handed to its followers: all of it, in order, after commit, whatever goes wrong."""

from datetime import timedelta
from uuid import UUID

import time_machine
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from boards.actions.boards.board import create_board, delete_board, update_board
from boards.actions.cards.card import create_card
from boards.actions.cards.moves import move_card
from boards.actions.lists.list import create_list
from boards.models import Board
from conftest import run_jobs, web
from jobs import delivery
from jobs.followers import FOLLOWERS, follow, meet_followers, note_what_followers_lack
from jobs.housekeeping import tidy_jobs
from jobs.models import Cursor, Follower, News
from jobs.tests.conftest import Follow


def later(seconds: float) -> time_machine.travel:
    return time_machine.travel(timezone.now() + timedelta(seconds=seconds), tick=False)


def rename(board: Board, user, *titles: str) -> None:
    for title in titles:
        update_board(actor=web(user), board_id=board.pk, title=title)


def test_each_change_is_handed_on_once_and_in_order(following: Follow, board, olga):
    recorder = following()
    rename(board, olga, "One", "Two", "Three")
    run_jobs()
    rename(board, olga, "Four")
    run_jobs()
    assert recorder.batches == [(board.pk, [4, 5, 6]), (board.pk, [7])]


def test_a_new_board_is_handed_on_from_its_first_change(following: Follow, olga):
    recorder = following()
    made = create_board(actor=web(olga), title="New")
    run_jobs()
    assert recorder.versions(made.pk) == [1]


def test_a_move_between_boards_is_handed_on_as_a_change_of_both(following: Follow, card, olga):
    other = create_board(actor=web(olga), title="Other")
    inbox = create_list(actor=web(olga), board_id=other.pk, title="Inbox")
    recorder = following()
    move_card(actor=web(olga), card_id=card.pk, list_id=inbox.pk)
    run_jobs()
    assert (len(recorder.versions(card.board_id)), len(recorder.versions(other.pk))) == (1, 1)


def test_many_changes_come_in_batches(following: Follow, board, olga, monkeypatch):
    monkeypatch.setattr(delivery, "CHANGES_AT_ONCE", 3)
    recorder = following()
    rename(board, olga, *"abcdefg")
    run_jobs()
    assert [versions for _board, versions in recorder.batches] == [[4, 5, 6], [7, 8, 9], [10]]


def test_more_boards_than_are_served_at_once_are_all_served(following: Follow, olga, monkeypatch):
    monkeypatch.setattr(delivery, "BOARDS_AT_ONCE", 2)
    recorder = following()
    boards = [create_board(actor=web(olga), title=f"Board {number}") for number in range(3)]
    run_jobs()
    assert {board for board, _versions in recorder.batches} == {board.pk for board in boards}
    assert not News.objects.exists()


def test_nothing_is_handed_on_of_a_change_that_is_rolled_back(following: Follow, board, olga):
    recorder = following()
    with transaction.atomic():
        rename(board, olga, "Never")
        transaction.set_rollback(True)
    run_jobs()
    assert recorder.batches == []


def test_a_new_follower_begins_with_what_happens_from_then_on(following: Follow, board, olga):
    early = following("early")
    rename(board, olga, "Before")
    late = following("late")
    rename(board, olga, "After")
    run_jobs()
    assert early.versions(board.pk) == [4, 5]
    assert late.versions(board.pk) == [5]


def test_a_follower_of_the_whole_history_begins_with_the_first_change(following: Follow, board, olga):
    recorder = following(whole_history=True)
    note_what_followers_lack()  # as a worker does when it starts
    run_jobs()
    assert recorder.versions(board.pk) == [1, 2, 3]


def test_a_follower_keeps_its_beginning(following: Follow, board):
    following()
    began = Follower.objects.get(name="recorder").began_at
    with later(60):
        meet_followers()
    assert Follower.objects.get(name="recorder").began_at == began


def test_changes_that_nobody_noted_are_found(following: Follow, board, olga, monkeypatch):
    """A process without followers made them: another version of the service."""
    recorder = following()
    rename(board, olga, "Noted")
    run_jobs()
    monkeypatch.setattr("boards.actions.change.ON_CHANGE", [])
    rename(board, olga, "Not noted")
    run_jobs()
    assert recorder.versions(board.pk) == [4]
    note_what_followers_lack()
    note_what_followers_lack()
    run_jobs()
    assert recorder.versions(board.pk) == [4, 5]


def test_boards_of_which_followers_lack_nothing_are_not_noted_again(following: Follow, board, olga):
    following()
    rename(board, olga, "One")
    run_jobs()
    note_what_followers_lack()
    assert not News.objects.exists()


# Failures


def cursor_of(board: Board, name: str = "recorder") -> Cursor:
    return Cursor.objects.get(follower=name, board_id=board.pk)


def test_a_follower_that_fails_is_handed_the_same_again_and_then_the_rest(following: Follow, board, olga):
    recorder = following()
    recorder.fails = True
    rename(board, olga, "One")
    run_jobs()
    rename(board, olga, "Two")
    recorder.fails = False
    run_jobs()
    assert recorder.batches == []  # not yet
    with later(2):
        run_jobs()
    assert recorder.batches == [(board.pk, [4, 5])]
    assert (cursor_of(board).attempts, cursor_of(board).next_try_at, cursor_of(board).error) == (0, None, "")
    assert not News.objects.exists()


def test_a_worker_that_read_the_news_before_another_failed_waits_too(following: Follow, board, olga):
    recorder = following()
    recorder.fails = True
    rename(board, olga, "One")
    run_jobs()
    recorder.fails = False
    assert delivery.deliver(FOLLOWERS["recorder"], board.pk, 4) == 0
    assert recorder.batches == []


def test_what_went_wrong_is_noted(following: Follow, board, olga):
    following().fails = True
    rename(board, olga, "One")
    run_jobs()
    found = cursor_of(board)
    assert (found.version, found.attempts, found.error) == (3, 1, "RuntimeError: the follower is broken")


def test_a_follower_that_fails_stops_no_other(following: Follow, board, olga):
    first, second, third = following("first"), following("second"), following("third")
    second.fails = True
    rename(board, olga, "One")
    run_jobs()
    assert first.versions(board.pk) == third.versions(board.pk) == [4]


def test_a_follower_that_fails_on_one_board_goes_on_with_the_others(following: Follow, board, olga):
    other = create_board(actor=web(olga), title="Other")
    handed: list[UUID] = []

    def handle(board_id, changes):
        if board_id == board.pk:
            raise RuntimeError("not this one")
        handed.append(board_id)

    following()
    follow("recorder", handle)
    for each in (board, other):
        rename(each, olga, "One")
    run_jobs()
    assert handed == [other.pk]


def test_what_a_follower_wrote_before_it_failed_is_taken_back(following: Follow, board, olga):
    def handle(board_id, changes):
        Board.objects.filter(pk=board_id).update(title="Written by the follower")
        raise RuntimeError

    following()
    follow("recorder", handle)
    rename(board, olga, "One")
    run_jobs()
    board.refresh_from_db()
    assert board.title == "One"


def test_the_pauses_grow_up_to_an_hour(following: Follow, board, olga, monkeypatch):
    monkeypatch.setattr("random.uniform", lambda low, high: 1.0)
    following().fails = True
    rename(board, olga, "One")
    pauses = []
    with time_machine.travel(timezone.now(), tick=False) as clock:
        for _attempt in range(14):
            run_jobs()
            run_jobs()  # too early
            pause = cursor_of(board).next_try_at - timezone.now()
            pauses.append(pause.total_seconds())
            clock.shift(pause)
    assert pauses == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 3600, 3600]


def test_failures_in_a_row_are_logged_once(following: Follow, board, olga, caplog):
    recorder = following()
    recorder.fails = True
    rename(board, olga, "One")
    for seconds in (0, 5, 20, 60):
        with later(seconds):
            run_jobs()
    assert cursor_of(board).attempts == 4
    assert [record.levelname for record in caplog.records] == ["ERROR"]
    assert "the follower is broken" in caplog.text
    recorder.fails = False
    with later(600):
        run_jobs()
    assert caplog.records[-1].getMessage() == f"recorder goes on with board {board.pk}"


# News


def test_what_comes_while_a_follower_works_is_handed_on_too(following: Follow, board, olga):
    handed: list[int] = []

    def handle(board_id, changes):
        handed.extend(change.version for change in changes)
        if len(handed) < 3:
            rename(board, olga, f"Again {len(handed)}")

    following()
    follow("recorder", handle)
    rename(board, olga, "One")
    run_jobs()
    assert handed == [4, 5, 6]
    assert not News.objects.exists()


def test_news_that_come_while_old_ones_are_forgotten_stay(following: Follow, board, olga, monkeypatch):
    following()
    rename(board, olga, "One")
    delivery.deliver(FOLLOWERS["recorder"], board.pk, 4)
    atomic = transaction.atomic

    def rename_first():
        monkeypatch.undo()
        rename(board, olga, "Two")
        return atomic()

    monkeypatch.setattr(delivery.transaction, "atomic", rename_first)
    assert delivery._forget_old_news() == 0
    assert News.objects.get().version == 5


def test_news_stay_until_every_follower_has_had_them(following: Follow, board, olga):
    following("quick")
    slow = following("slow")
    slow.fails = True
    rename(board, olga, "One")
    run_jobs()
    assert News.objects.get().version == 4
    slow.fails = False
    with later(5):
        run_jobs()
    assert not News.objects.exists()


def test_a_deleted_board_leaves_nothing_to_do_and_in_the_end_no_row(following: Follow, board, olga):
    recorder = following()
    rename(board, olga, "One")
    run_jobs()
    rename(board, olga, "Two")
    delete_board(actor=web(olga), board_id=board.pk)
    run_jobs()
    assert recorder.versions(board.pk) == [4]
    assert not News.objects.exists()
    tidy_jobs.call()
    assert not Cursor.objects.exists()


# Costs


def statements_of_a_change(todo, olga) -> int:
    with CaptureQueriesContext(connection) as captured:
        create_card(actor=web(olga), list_id=todo.pk, title="Card")
    return len([query for query in captured if "SAVEPOINT" not in query["sql"]])


def test_a_change_pays_at_most_one_statement_for_all_followers_and_none_without(following: Follow, todo, olga):
    without = statements_of_a_change(todo, olga)
    more = 0 if connection.vendor == "postgresql" else 1  # PostgreSQL runs it together with those of the change
    following("first")
    assert statements_of_a_change(todo, olga) == without + more
    following("second")
    following("third")
    assert statements_of_a_change(todo, olga) == without + more
    assert News.objects.count() == 1


def test_nothing_new_takes_one_statement(following: Follow, board, django_assert_num_queries):
    following("first")
    following("second")
    with django_assert_num_queries(1):
        assert delivery.serve_followers() is False
