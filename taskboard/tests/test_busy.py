"""While another process holds SQLite's write lock, reads go on, and writers are told to try again."""

import contextlib
import os
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from django.db import OperationalError, connection, transaction

from core.impatience import not_waiting
from taskboard.sqlite import turns
from taskboard.tests.people import Person, settle
from taskboard.tests.prepared import prepared_data
from taskboard.tests.servers import PLAIN_HTTP, serving

WRITERS = 24  # three times as many as there are threads
SOON = 6  # seconds; less than three where nothing else runs


@pytest.mark.skipif("DATABASE_URL" in os.environ, reason="is about SQLite's one write lock")
def test_reads_do_not_wait_for_writers(tmp_path: Path) -> None:
    environment = {"TASKBOARD_DATA": str(prepared_data(tmp_path)), "TASKBOARD_LIMITS": "off"}
    with serving(environment) as running, settle(environment, running.url, "olga") as people:
        olga = people["olga"]
        board = olga.new_board()
        with ThreadPoolExecutor(WRITERS) as threads, locked(tmp_path / "taskboard.sqlite3"):
            writers = [threads.submit(write, olga, board) for _writer in range(WRITERS)]
            time.sleep(0.5)  # they all wait by now
            for path in ("/api/v1/me", "/settings/profile"):
                assert read(olga, path) < SOON
            statuses = [writer.result() for writer in writers]
    assert set(statuses) == {503}


@pytest.mark.skipif("DATABASE_URL" in os.environ, reason="is about SQLite's one write lock")
def test_health_is_told_while_every_thread_is_taken_and_nobody_can_write(tmp_path: Path) -> None:
    data = prepared_data(tmp_path)
    script, plain = own_script(data), {"headers": {"Accept-Encoding": "identity"}}
    with ThreadPoolExecutor(WRITERS) as threads, serving({"TASKBOARD_DATA": str(data)}) as running:
        assert running.get(f"/static/{script}", **plain).status_code == 200
        (data / "static" / script).unlink()
        os.mkfifo(data / "static" / script)  # whose reader waits in its thread, as nobody writes
        with locked(data / "taskboard.sqlite3"):
            others = [threads.submit(running.get, f"/static/{script}", **plain) for _request in range(WRITERS)]
            time.sleep(0.5)  # all threads are taken by now
            for path in ("/healthz", "/livez"):
                assert running.get(path).status_code == 200
                assert running.get(path, headers={"Host": "scanner.example"}).status_code == 400
            assert not any(other.done() for other in others)


def own_script(data: Path) -> str:
    """Give the data folder static files of its own; return the name of one of them."""
    shared = (data / "static").resolve()
    (data / "static").unlink()
    shutil.copytree(shared, data / "static", copy_function=os.symlink)
    return next(str(file.relative_to(shared)) for file in sorted(shared.glob("js/*.*.js")))


@pytest.mark.skipif("DATABASE_URL" in os.environ, reason="is about SQLite's one write lock")
def test_the_first_page_of_a_day_and_the_first_call_of_a_minute_note_their_use_another_time(tmp_path: Path) -> None:
    environment = {"TASKBOARD_DATA": str(prepared_data(tmp_path))}
    file = tmp_path / "taskboard.sqlite3"
    with serving(environment) as running, settle(environment, running.url, "olga") as people:
        olga = people["olga"]
        with locked(file):
            for path in ("/settings/profile", "/api/v1/me"):
                assert read(olga, path) < 4  # SQLite waits five seconds for the lock
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


def read(olga: Person, path: str) -> float:
    began = time.monotonic()
    answer = (olga.script if path.startswith("/api/") else olga.browser).get(path)
    assert answer.status_code == 200, answer.text
    return time.monotonic() - began


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


def test_a_writer_behind_five_others_is_refused_before_them_where_nobody_writes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(turns, "PATIENCE", 0.05)
    line = Line()
    with line.of_five() as others:
        with pytest.raises(OperationalError, match="is locked"):
            line.take()
        assert not any(writer.done() for writer in others)


def test_a_writer_that_comes_behind_five_others_where_nobody_could_write_for_long_is_refused_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(turns, "PATIENCE", 0.5)
    line = Line()
    with line.of_five():
        time.sleep(0.6)
        began = time.monotonic()
        with pytest.raises(OperationalError, match="is locked"):
            line.take()
        assert time.monotonic() - began < 0.4


def test_a_writer_that_is_impatient_is_refused_at_once() -> None:
    line = Line()
    began = time.monotonic()
    with pytest.raises(OperationalError, match="is locked"):
        line.turns.take(object(), impatient=True)
    assert time.monotonic() - began < turns.PATIENCE


def test_a_writer_waits_where_others_write_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "PATIENCE", 1.0)
    monkeypatch.setattr(turns, "TIMEOUT", 1.0)
    line = Line(lasting=0.2)
    with ThreadPoolExecutor(12) as threads:
        writers = [threads.submit(line.take) for _writer in range(12)]  # the last one waits for more than two seconds
        line.turns.give_back()
        for writer in writers:
            writer.result()


def test_a_writer_that_waited_for_long_does_not_wait_as_long_again_for_another_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    line = Line()
    monkeypatch.setattr(turns, "LOOK_EVERY", 0.01)
    with ThreadPoolExecutor(1) as threads:
        writer = threads.submit(line.take)
        wait_until(lambda: bool(line.turns._waiting))
        time.sleep(0.2)
        line.turns.give_back(written=False)
        assert writer.result() < turns.TIMEOUT - 0.2


class Line:
    """Turns, the first of which is taken."""

    def __init__(self, lasting: float = 0) -> None:
        self.lasting = lasting
        self.turns = turns.Turns()
        self.turns.take(self)

    @contextlib.contextmanager
    def of_five(self) -> Iterator[list[Future[float]]]:
        """Have as many as may wait at once: the one that has the turn, and others behind it. All get theirs in the end."""
        with ThreadPoolExecutor(6) as threads:
            others = [threads.submit(self.take) for _writer in range(turns.WAITING_AT_ONCE - 1)]
            wait_until(lambda: len(self.turns._waiting) == len(others))
            yield others
            self.turns.give_back()
            for writer in others:
                writer.result()

    def take(self) -> float:
        """Take a turn, and give it back; return how long another process would be waited for."""
        left = self.turns.take(self)
        time.sleep(self.lasting)
        self.turns.give_back()
        return left


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.001)
