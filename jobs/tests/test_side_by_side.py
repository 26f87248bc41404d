"""Several workers on one database share the work, and none waits for another."""

import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
import time_machine
from django.db import OperationalError, connection, connections, transaction
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from boards.actions.boards.board import create_board, update_board
from boards.actions.cards.card import create_card
from boards.actions.lists.list import create_list
from boards.models import Board
from boards.reader import Reader
from boards.tests.at_once import somebody_waits_for_a_lock
from conftest import run_jobs, web
from core.limits.queues import own_queue
from jobs import running
from jobs.clock import set_clock, take_turns
from jobs.delivery import serve_followers
from jobs.followers import follow
from jobs.heartbeat import Pulse
from jobs.models import Cursor, News
from jobs.running import run_one, take_back_from_the_dead
from jobs.tests import chores
from jobs.tests.conftest import Follow, in_threads
from notifications.inbox.unseen import mark_seen, unseen_counts
from notifications.models import Unseen
from taskboard.tests.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.django_db(transaction=True)
POSTGRESQL = pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer at a time")


@pytest.fixture(autouse=True)
def _nothing_done():
    chores.done.clear()


def rename(board: Board, user, *titles: str) -> None:
    for title in titles:
        update_board(actor=web(user), board_id=board.pk, title=title)


def work(name: str) -> None:
    pulse = Pulse(name)
    while run_one(pulse, threading.Event()):
        pass
    pulse.end()


def test_each_task_runs_in_one_worker():
    for number in range(60):
        chores.write.enqueue(str(number))
    in_threads(*[lambda number=number: work(f"worker {number}") for number in range(4)])
    work("the last")
    assert Counter(chores.done) == Counter(str(number) for number in range(60))
    assert DBTaskResult.objects.successful().count() == 60


@POSTGRESQL
def test_while_a_worker_takes_a_task_another_one_takes_none_of_the_same_owner(olga):
    for word in ("first", "second"):
        chores.write.using(queue_name=own_queue(olga.pk)).enqueue(word)
    with ThreadPoolExecutor(1) as threads:
        with transaction.atomic():
            taken = running._take("worker")
            taking = threads.submit(in_threads, lambda: Pulse("another").hold(lambda: running._take("another")))
            wait_until(lambda: taking.done() or somebody_waits_for_a_lock())
        assert taking.result(PATIENCE) == [None]
    assert DBTaskResult.objects.running().get() == taken


def test_followers_are_handed_each_change_once_and_in_order_while_changes_are_made(following: Follow, olga):
    boards = [create_board(actor=web(olga), title=f"Board {number}") for number in range(3)]
    recorder, finished = following(), threading.Event()

    def serve() -> None:
        while not finished.is_set():
            serve_followers()

    def change() -> None:
        for number in range(10):
            for board in boards:
                rename(board, olga, f"{threading.get_ident()} {number}")

    def change_all() -> None:
        in_threads(change, change, change)
        finished.set()

    in_threads(change_all, serve, serve, serve)
    run_jobs()
    for board in boards:
        assert recorder.versions(board.pk) == list(range(2, 32))
    assert not News.objects.exists()


def test_counts_are_exact_while_boards_are_changed_opened_and_counted(board, olga, ed, vera):
    run_jobs()
    Unseen.objects.update(count=0)
    finished = threading.Event()

    def serve() -> None:
        while not finished.is_set():
            serve_followers()

    def change() -> None:
        rename(board, olga, *map(str, range(30)))
        finished.set()

    def look() -> None:
        while not finished.is_set():
            mark_seen(Reader(ed), Board.objects.get(pk=board.pk))

    in_threads(change, serve, serve, look)
    mark_seen(Reader(ed), Board.objects.get(pk=board.pk))
    run_jobs()
    assert unseen_counts(Reader(ed)) == {}
    assert unseen_counts(Reader(vera)) == {board.pk: 30}


def test_of_many_workers_one_takes_a_turn_of_the_clock():
    set_clock()
    with time_machine.travel(timezone.now() + timedelta(hours=2)):
        in_threads(*[take_turns] * 5)
    paths = DBTaskResult.objects.values_list("task_path", flat=True)
    assert max(Counter(paths).values()) == 1


def test_the_task_of_a_dead_worker_is_taken_back_once():
    chores.write.enqueue("hello")
    Pulse("dead").hold(lambda: running._take("dead"))
    with time_machine.travel(timezone.now() + timedelta(minutes=1)):
        in_threads(*[take_back_from_the_dead] * 4)
    with time_machine.travel(timezone.now() + timedelta(minutes=5)):
        in_threads(*[lambda number=number: work(f"worker {number}") for number in range(3)])
    assert chores.done == ["hello"]
    assert len(DBTaskResult.objects.get().worker_ids) == 2


@POSTGRESQL
def test_a_task_is_taken_back_whose_taking_was_committed_before_the_connection_broke(monkeypatch):
    def commit_and_break() -> None:
        with connection.wrap_database_errors:
            connection.connection.commit()
            in_threads(end_session)
            connection.connection.execute("SELECT")

    def end_session() -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(%s, 10000)", [session])

    chores.write.enqueue("hello")
    pulse = Pulse("worker")
    pulse.hold(lambda: None)  # its row is there, and is written anew only after a while
    session = connection.connection.info.backend_pid
    with monkeypatch.context() as patch:
        patch.setattr(connections["default"], "_commit", commit_and_break)
        with pytest.raises(OperationalError):
            run_one(pulse, threading.Event())
    connection.close()
    assert DBTaskResult.objects.running().exists()
    pulse.beat()
    take_back_from_the_dead()
    work("another")
    assert chores.done == ["hello"]


@POSTGRESQL
def test_no_worker_waits_for_another_that_is_busy_with_a_board(following: Follow, olga):
    boards = [create_board(actor=web(olga), title=f"Board {number}") for number in range(3)]
    recorder = following()
    for board in boards:
        rename(board, olga, "Renamed")
    run_jobs()
    for board in boards:
        rename(board, olga, "Renamed again")
    with transaction.atomic():
        Cursor.objects.select_for_update().get(board_id=boards[0].pk)  # as the other worker does
        with ThreadPoolExecutor(1) as threads:
            threads.submit(in_threads, serve_followers).result(PATIENCE)
        assert [recorder.versions(board.pk) for board in boards] == [[2], [2, 3], [2, 3]]
    run_jobs()
    assert recorder.versions(boards[0].pk) == [2, 3]


@POSTGRESQL
def test_no_change_waits_for_a_follower(following: Follow, board, olga):
    busy, go_on = threading.Event(), threading.Event()

    def handle(board_id, changes):
        busy.set()
        assert go_on.wait(PATIENCE)

    following()
    follow("recorder", handle)
    rename(board, olga, "One")
    with ThreadPoolExecutor(1) as threads:
        serving = threads.submit(in_threads, serve_followers)
        assert busy.wait(PATIENCE)
        rename(board, olga, "Two")
        todo = create_list(actor=web(olga), board_id=board.pk, title="List")
        create_card(actor=web(olga), list_id=todo.pk, title="Card")
        go_on.set()
        serving.result(PATIENCE)
    assert News.objects.get().version == 7


@POSTGRESQL
def test_no_worker_waits_for_a_change(following: Follow, board, olga):
    recorder = following()
    rename(board, olga, "One")
    with transaction.atomic():
        rename(board, olga, "Two")
        with ThreadPoolExecutor(1) as threads:
            threads.submit(in_threads, serve_followers).result(PATIENCE)
    assert recorder.versions(board.pk) == [4]
    run_jobs()
    assert recorder.versions(board.pk) == [4, 5]
