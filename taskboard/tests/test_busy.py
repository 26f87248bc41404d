"""While another process holds SQLite's write lock, reads go on, and writers are told to try again."""

import contextlib
import os
import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from django.db import OperationalError, connection, transaction

from taskboard.sqlite import base
from taskboard.tests.people import Person, settle
from taskboard.tests.prepared import prepared_data
from taskboard.tests.servers import PLAIN_HTTP, serving

WRITERS = 12  # more than there are threads
SOON = 6  # seconds; less than two where nothing else runs


@pytest.mark.skipif("DATABASE_URL" in os.environ, reason="is about SQLite's one write lock")
def test_reads_do_not_wait_for_writers(tmp_path: Path) -> None:
    environment = {"TASKBOARD_DATA": str(prepared_data(tmp_path)), "TASKBOARD_LIMITS": "off"}
    with serving(environment) as running, settle(environment, running.url, "olga") as people:
        olga = people["olga"]
        board = olga.new_board()
        olga.script.get("/api/v1/me")  # the time of its last use is written now, and not again for a minute
        olga.browser.get("/settings/profile")  # that of the session, and not again for a day
        with ThreadPoolExecutor(WRITERS) as threads, locked(tmp_path / "taskboard.sqlite3"):
            writers = [threads.submit(write, olga, board) for _writer in range(WRITERS)]
            time.sleep(0.5)  # they all wait by now
            for path in ("/healthz", "/api/v1/me", "/settings/profile"):
                assert read(olga, path) < SOON
            statuses = [writer.result() for writer in writers]
    assert set(statuses) == {503}


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


def test_a_writer_without_a_place_is_refused_where_nobody_gets_the_lock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "PATIENCE", 0.02)
    places = base.Places(1)
    places.enter()
    with pytest.raises(OperationalError, match="is locked"):
        places.enter()
    places.leave()
    places.enter()


def test_a_writer_waits_where_others_get_the_lock_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "PATIENCE", 0.5)
    places = base.Places(1)
    places.enter()

    def go_on() -> None:
        for _writer in range(8):
            time.sleep(0.1)
            places._last_left = time.monotonic()
        places.leave()

    with ThreadPoolExecutor() as threads:
        threads.submit(go_on)
        places.enter()


@pytest.mark.skipif("DATABASE_URL" in os.environ, reason="is about SQLite's one write lock")
@pytest.mark.django_db(transaction=True)
def test_the_place_is_free_as_soon_as_the_transaction_has_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "places", places := base.Places(1))
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        places.enter()
