"""A first start makes the tables, or ends without a change."""

import contextlib
import signal
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from taskboard.serving.data_folder import LOCK
from taskboard.tests.servers import free_port, refusal, starting
from taskboard.tests.waiting import wait_until


@contextlib.contextmanager
def database(data: Path) -> Iterator[sqlite3.Connection]:
    with contextlib.closing(sqlite3.connect(data / "taskboard.sqlite3", isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        yield connection


def test_a_migration_that_fails_is_reported_in_one_sentence(processes: None, tmp_path: Path) -> None:
    with database(tmp_path) as connection:
        connection.execute("CREATE TABLE boards_board (id)")
    code, words = refusal({"TASKBOARD_DATA": str(tmp_path)}, "--port", str(free_port()))
    assert code == 1
    assert words == 'The database could not be brought up to date: table "boards_board" already exists\n'


@pytest.mark.parametrize("asked", [signal.SIGINT, signal.SIGTERM])
def test_a_start_ends_when_asked_also_while_its_migrations_wait(
    processes: None, tmp_path: Path, asked: signal.Signals
) -> None:
    with database(tmp_path) as connection:
        connection.execute("BEGIN IMMEDIATE")  # the migrations wait
        with starting({"TASKBOARD_DATA": str(tmp_path)}) as running:
            wait_until(lambda: (tmp_path / LOCK).exists() and (tmp_path / LOCK).read_text())
            code, _out, err = running.stop(asked)
            assert (code, err) == (130 if asked == signal.SIGINT else -asked, "")
        assert connection.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,)
