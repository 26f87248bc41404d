"""A first start migrates in a process of its own, which ends with it."""

import contextlib
import signal
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from taskboard.tests.servers import Running, free_port, refusal, starting
from taskboard.tests.waiting import wait_until


@contextlib.contextmanager
def database(data: Path) -> Iterator[sqlite3.Connection]:
    with contextlib.closing(sqlite3.connect(data / "taskboard.sqlite3", isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        yield connection


def child_of(running: Running) -> int:
    """Return the id of the process that migrates, as soon as there is one. `bin/serve` has other children before it."""
    children = Path(f"/proc/{running.process.pid}/task/{running.process.pid}/children")
    return wait_until(lambda: next(filter(migrates, map(int, children.read_text().split())), 0), "it did not migrate")


def migrates(pid: int) -> bool:
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        return b"taskboard.serving.migration" in Path(f"/proc/{pid}/cmdline").read_bytes()
    return False


def has_ended(pid: int) -> bool:
    with contextlib.suppress(FileNotFoundError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    return True


def test_a_migration_that_fails_is_reported_in_one_sentence(processes: None, tmp_path: Path) -> None:
    with database(tmp_path) as connection:
        connection.execute("CREATE TABLE boards_board (id)")
    code, words = refusal({"TASKBOARD_DATA": str(tmp_path)}, "--port", str(free_port()))
    assert code == 1
    assert words == 'The database could not be brought up to date: table "boards_board" already exists\n'


@pytest.mark.parametrize("asked", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_start_that_ends_while_it_migrates_leaves_no_process(
    processes: None, tmp_path: Path, asked: signal.Signals
) -> None:
    environment = {"TASKBOARD_DATA": str(tmp_path)}
    with database(tmp_path) as connection:
        connection.execute("BEGIN IMMEDIATE")  # the migrations wait
        with starting(environment) as running:
            child = child_of(running)
            code, _out, err = running.stop(asked)
            assert (code, err) == (130 if asked == signal.SIGINT else -asked, "")
        wait_until(lambda: has_ended(child), "the process that migrates goes on")
        assert connection.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,)
