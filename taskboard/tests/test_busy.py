"""While another process holds SQLite's write lock, reads go on, and writers are told to try again."""

import contextlib
import os
import sqlite3
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest
from django.db import OperationalError, connection, transaction

from accounts.sign_in.sessions.lifetime import USED_AT
from accounts.tokens import create_token
from boards.actions.cards.comments import add_comment
from conftest import run_jobs, web
from core.limits.not_waiting import not_waiting
from taskboard.databases.sqlite import turns
from taskboard.tests.held_script import PLAIN, HeldScript
from taskboard.tests.people import Person, settle
from taskboard.tests.prepared import prepared_data
from taskboard.tests.servers import PLAIN_HTTP, address_of_the_test_database, serving
from taskboard.tests.waiting import PATIENCE, wait_until

THREADS = 8  # that answer requests (taskboard/asgi.py)
WRITERS = 3 * THREADS


@pytest.mark.skipif("DATABASE_URL" in os.environ, reason="is about SQLite's one write lock")
def test_reads_do_not_wait_for_writers(processes: None, tmp_path: Path) -> None:
    environment = {"TASKBOARD_DATA": str(prepared_data(tmp_path)), "TASKBOARD_LIMITS": "off"}
    with serving(environment) as running, settle(environment, running.url, "olga") as people:
        olga = people["olga"]
        board = olga.new_board()
        with ThreadPoolExecutor(WRITERS) as threads, locked(tmp_path / "taskboard.sqlite3"):
            writers = [threads.submit(write, olga, board) for _writer in range(WRITERS)]
            wait_until(
                lambda: any(writer.done() for writer in writers)
            )  # as all threads were taken, and some are free again
            for path in ("/api/v1/me", "/settings/profile"):
                read(olga, path)
            statuses = [writer.result() for writer in writers]
    assert set(statuses) == {503}


@pytest.mark.skipif("DATABASE_URL" in os.environ, reason="is about SQLite's one write lock")
def test_health_is_told_while_every_thread_is_taken_and_nobody_can_write(processes: None, tmp_path: Path) -> None:
    data = prepared_data(tmp_path)
    script = HeldScript(data)
    with (
        ThreadPoolExecutor(WRITERS) as threads,
        serving({"TASKBOARD_DATA": str(data)}) as running,
        script.held(running),
        locked(data / "taskboard.sqlite3"),
    ):
        others = [threads.submit(running.get, script.path, **PLAIN) for _request in range(WRITERS)]
        script.wait_for_readers(running, THREADS)
        for path in ("/healthz", "/livez"):
            assert running.get(path).status_code == 200
            assert running.get(path, headers={"Host": "scanner.example"}).status_code == 400
        assert not any(other.done() for other in others)


@pytest.mark.skipif("DATABASE_URL" in os.environ, reason="is about SQLite's one write lock")
def test_the_first_page_of_a_day_and_the_first_call_of_a_minute_note_their_use_another_time(
    processes: None, tmp_path: Path
) -> None:
    environment = {"TASKBOARD_DATA": str(prepared_data(tmp_path))}
    file = tmp_path / "taskboard.sqlite3"
    with serving(environment) as running, settle(environment, running.url, "olga") as people:
        olga = people["olga"]
        with locked(file):
            for path in ("/settings/profile", "/api/v1/me"):
                read(olga, path)
        assert noted(file, olga) == (None, None)

        def note_both() -> bool:
            for path in ("/settings/profile", "/api/v1/me"):
                read(olga, path)
            return None not in noted(file, olga)

        wait_until(note_both)  # not always with the first ones: those who waited for the lock write first


def noted(file: Path, person: Person) -> tuple[str | None, str | None]:
    """Return when the person was last seen in a browser, and when their token was last used."""
    query = (
        "SELECT seen_at, last_used_at FROM accounts_user u JOIN accounts_apitoken t ON user_id = u.id WHERE email = ?"
    )
    with contextlib.closing(sqlite3.connect(file)) as reading:
        return reading.execute(query, [person.email]).fetchone()


@contextlib.contextmanager
def locked(file: Path):
    with contextlib.closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield


def write(olga: Person, board: dict) -> int:
    headers = {"Authorization": f"Bearer {olga.token}"}
    body = {"boardId": board["id"], "title": "Waits"}
    return httpx.post(f"{olga.url}/api/v1/cards", json=body, headers=headers, **PLAIN_HTTP).status_code


def read(olga: Person, path: str) -> None:
    answer = (olga.script if path.startswith("/api/") else olga.browser).get(path)
    assert answer.status_code == 200, answer.text


@pytest.mark.skipif("DATABASE_URL" in os.environ, reason="is about SQLite's one write lock")
@pytest.mark.django_db(transaction=True)
def test_a_page_and_a_call_do_not_wait_to_note_their_use(client, olga, monkeypatch: pytest.MonkeyPatch) -> None:
    def wait(_seconds: float) -> None:
        raise AssertionError("it waits for the lock")

    client.force_login(olga)
    (session := client.session)[USED_AT] = 0
    session.save()
    _token, words = create_token(olga, "script")
    monkeypatch.setattr("taskboard.databases.sqlite.base.time", SimpleNamespace(monotonic=time.monotonic, sleep=wait))
    with locked(Path(address_of_the_test_database().removeprefix("sqlite:///"))):
        assert client.get("/settings/profile").status_code == 200
        assert client.get("/api/v1/me", headers={"Authorization": f"Bearer {words}"}).status_code == 200


@pytest.mark.skipif("DATABASE_URL" in os.environ, reason="is about SQLite's one write lock")
@pytest.mark.django_db(transaction=True)
def test_a_page_that_says_a_card_is_read_waits_until_that_is_written(client, olga, ed, card, monkeypatch) -> None:
    add_comment(actor=web(olga), card_id=card.pk, text=f"Look, [@Ed](mention:{ed.pk})")
    run_jobs()
    client.force_login(ed)
    lock = contextlib.ExitStack()
    freed = SimpleNamespace(monotonic=time.monotonic, sleep=lambda _seconds: lock.close())
    monkeypatch.setattr("taskboard.databases.sqlite.base.time", freed)
    with lock:
        lock.enter_context(locked(Path(address_of_the_test_database().removeprefix("sqlite:///"))))
        assert client.post(f"/card/{card.pk}/notifications").json() == {"unread": 0}


@pytest.mark.skipif("DATABASE_URL" in os.environ, reason="is about SQLite's one write lock")
@pytest.mark.django_db(transaction=True)
def test_those_who_wait_for_the_lock_do_so_as_before_after_one_who_does_not() -> None:
    def timeout() -> int:
        with connection.cursor() as cursor:
            return cursor.execute("PRAGMA busy_timeout").fetchone()[0]

    before = timeout()
    with not_waiting(), transaction.atomic():
        assert timeout() == before
    assert timeout() == before > 0


class Clock:
    """Stands in for the module `time`: it goes on when a test says so."""

    now = 0.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    monkeypatch.setattr(turns, "time", clock := Clock())
    return clock


def test_a_writer_behind_five_others_is_refused_before_them_where_nobody_writes(clock: Clock) -> None:
    line = Line(clock)
    with line.of_five() as others, ThreadPoolExecutor(1) as threads:
        sixth = threads.submit(line.take)
        wait_until(lambda: len(line.turns._waiting) == len(others) + 1)
        clock.now += turns.PATIENCE + 1
        with pytest.raises(OperationalError, match="is locked"):
            sixth.result(PATIENCE)
        assert not any(writer.done() for writer in others)


def test_a_writer_that_comes_behind_five_others_where_nobody_could_write_for_long_is_refused_at_once(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = Line(clock)
    with line.of_five():
        clock.now += turns.PATIENCE + 1
        monkeypatch.setattr(turns, "Waiting", Hasty)
        with pytest.raises(OperationalError, match="is locked"):
            line.take()


def test_a_writer_that_is_impatient_is_refused_at_once(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    line = Line(clock)
    monkeypatch.setattr(turns, "Waiting", Hasty)
    with pytest.raises(OperationalError, match="is locked"):
        line.turns.take(object(), impatient=True)


class Hasty(turns.Waiting):
    """Fails before it waits."""

    def __init__(self, holder: object) -> None:
        super().__init__(holder)
        self.call = None  # type: ignore[assignment]


def test_of_eight_threads_some_are_left_for_reads_where_all_others_write(clock: Clock) -> None:
    line = Line(clock)
    with ThreadPoolExecutor(THREADS) as threads:
        for _writer in range(WRITERS):
            threads.submit(line.take)
        wait_until(lambda: len(line.turns._waiting) == THREADS)
        read = threads.submit(str)
        clock.now += turns.PATIENCE + 1
        try:
            read.result(PATIENCE)
            assert len(line.turns._waiting) >= turns.WAITING_AT_ONCE - 1
        finally:
            line.turns.give_back()


def test_a_writer_waits_where_others_write_one_after_the_other(clock: Clock) -> None:
    line = Line(clock, lasting=1.5)
    with ThreadPoolExecutor(12) as threads:
        writers = [threads.submit(line.take) for _writer in range(12)]
        wait_until(lambda: len(line.turns._waiting) == 12)
        line.turns.give_back()
        for writer in writers:
            writer.result()
    assert clock.now > turns.TIMEOUT + turns.PATIENCE  # the last one waited for longer than it would for one writer


def test_a_writer_that_waited_for_long_does_not_wait_as_long_again_for_another_process(clock: Clock) -> None:
    line = Line(clock)
    with ThreadPoolExecutor(1) as threads:
        writer = threads.submit(line.take)
        wait_until(lambda: bool(line.turns._waiting))
        clock.now += 2
        line.turns.give_back(written=False)
        assert writer.result() == turns.TIMEOUT - 2


class Line:
    """Turns, the first of which is taken."""

    def __init__(self, clock: Clock, lasting: float = 0) -> None:
        self.clock, self.lasting = clock, lasting
        self.turns = turns.Turns()
        self.turns.take(self)

    @contextlib.contextmanager
    def of_five(self) -> Iterator[list[Future[float]]]:
        """Have as many as may wait at once: the one that has the turn, and others behind it. All get theirs in the end."""
        with ThreadPoolExecutor(6) as threads:
            others = [threads.submit(self.take) for _writer in range(turns.WAITING_AT_ONCE - 1)]
            wait_until(lambda: len(self.turns._waiting) == len(others))
            try:
                yield others
            finally:
                self.turns.give_back()
            for writer in others:
                writer.result()

    def take(self) -> float:
        """Take a turn, and give it back; return how long another process would be waited for."""
        left = self.turns.take(self)
        self.clock.now += self.lasting
        for waiting in list(self.turns._waiting):
            self.turns._is_called(waiting)  # it looks whether waiting makes sense, as it does again and again
        self.turns.give_back()
        return left
