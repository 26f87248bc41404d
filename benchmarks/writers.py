"""Threads of one process that create cards in one SQLite file: by our queue, by a plain lock, and with neither.

    .venv/bin/python -m benchmarks.writers [seconds a figure] [rounds]

A thread reads a board beside them, and in the second half of the lines another process writes too. The three ways are
measured in turns. Compare ratios only: machines differ.
"""

import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from typing import Any, NamedTuple
from uuid import UUID

from benchmarks.boards import make_board, make_user, prepare
from benchmarks.servers import ROOT

TIMEOUT = 5.0  # seconds that a writer waits for others
THREADS = (8, 24)
WAYS = ("queue", "lock", "none")


class Lock:
    """A plain lock in place of `taskboard.databases.sqlite.turns.Turns`."""

    def __init__(self) -> None:
        self._lock = threading.Lock()

    def take(self, _holder: object, *, impatient: bool = False) -> float:
        from taskboard.databases.sqlite.turns import locked

        if not self._lock.acquire(timeout=0 if impatient else TIMEOUT):
            raise locked()
        return 0 if impatient else TIMEOUT

    def give_back(self, *, written: bool = True) -> None:
        self._lock.release()

    def must_pause(self) -> bool:
        return False


LOCK = Lock()


def connect(way: str) -> None:
    """Give this thread a connection that writes in this way."""
    from django.db import connections
    from django.db.backends.sqlite3 import base

    from taskboard.databases.sqlite.base import DatabaseWrapper

    kind: Any = base.DatabaseWrapper if way == "none" else DatabaseWrapper
    connections["default"] = kind(connections.settings["default"], "default")
    connections["default"].ensure_connection()
    if way == "lock":
        connections["default"].turns = LOCK


class Run(NamedTuple):
    cards: int
    slowest: float  # seconds that a card took
    slow: float  # of a hundred cards the slowest took this long
    refused: int
    fewest: float  # cards of the thread that created fewest, as a share of the mean
    processor: float  # seconds a card
    read: float  # seconds that the slowest of the reads took
    elsewhere: tuple[int, float, int]  # transactions of the other process, the slowest in seconds, refused ones


def create(way: str, board: Any, until: float, times: list[float], refused: list[float]) -> None:
    from django.db import OperationalError, connection

    from boards.actions.cards.card import create_card
    from boards.actor import Actor
    from boards.models import List

    connect(way)
    actor, into = Actor(board.user), List.objects.filter(board=board).first()
    while (began := time.monotonic()) < until:
        try:
            create_card(actor=actor, list_id=into.pk, title="A card")
            times.append(time.monotonic() - began)
        except OperationalError:
            refused.append(time.monotonic() - began)
        actor.changes.clear()
    connection.close()


def read(way: str, board: Any, until: float, times: list[float]) -> None:
    from django.db import connection

    from boards.models import Card
    from boards.reading.tiles import tiles

    connect(way)
    while (began := time.monotonic()) < until:
        tiles(Card.objects.filter(board=board))
        times.append(time.monotonic() - began)
    connection.close()


def measure(way: str, boards: list[Any], threads: int, seconds: float, folder: str, *, elsewhere: bool) -> Run:
    made: list[list[float]] = [[] for _ in range(threads)]
    refused, reads, until = list[float](), list[float](), time.monotonic() + seconds
    other = None
    if elsewhere:
        command = [sys.executable, "-m", "benchmarks.writers", folder, way, str(boards[-2].pk), str(seconds)]
        other = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        other.stdout.readline()  # type: ignore[union-attr]  # it is about to begin
        until = time.monotonic() + seconds
    began = time.process_time()
    work = [
        threading.Thread(target=create, args=(way, board, until, times, refused))
        for board, times in zip(boards, made, strict=False)
    ]
    work.append(threading.Thread(target=read, args=(way, boards[-1], until, reads)))
    for thread in work:
        thread.start()
    for thread in work:
        thread.join()
    processor = time.process_time() - began
    all_times = sorted(one for times in made for one in times)
    said = other.communicate()[0].split() if other else ["0", "0", "0"]
    return Run(
        cards=len(all_times),
        slowest=max([*all_times, *refused]),
        slow=all_times[len(all_times) * 99 // 100],
        refused=len(refused),
        fewest=min(map(len, made)) * threads / len(all_times),
        processor=processor / len(all_times),
        read=max(reads),
        elsewhere=(int(said[0]), float(said[1]), int(said[2])),
    )


def write_elsewhere(folder: str, way: str, board_id: str, seconds: float) -> None:
    """Write as a command does, alone in its process, and say how often, how slowly at worst, and how often in vain."""
    prepare(folder)
    from boards.models import Board

    board, times, refused = Board.objects.get(pk=UUID(board_id)), list[float](), list[float]()
    board.user = make_user()  # type: ignore[attr-defined]
    print("begins", flush=True)
    create(way, board, time.monotonic() + seconds, times, refused)
    print(len(times), max([*times, *refused]), len(refused), flush=True)


def main(seconds: float, rounds: int) -> None:
    folder = tempfile.mkdtemp(prefix="taskboard-benchmark-")
    prepare(folder)
    user = make_user()
    boards = [make_board(user, 5, 3) for _ in range(max(THREADS) + 1)] + [make_board(user, 2000, 10)]
    for board in boards:
        board.user = user
    for threads, elsewhere in [(number, other) for other in (False, True) for number in THREADS]:
        runs = defaultdict[str, list[Run]](list)
        for _round in range(rounds):
            for way in WAYS:
                runs[way].append(measure(way, boards[-2 - threads :], threads, seconds, folder, elsewhere=elsewhere))
        for way, found in runs.items():
            rate = statistics.median(run.cards for run in found) / seconds
            print(
                f"{threads:2} threads{', another process' if elsewhere else '':17} {way:6} {rate:6.1f} cards a second,"
                f" {statistics.median(run.processor for run in found) * 1000:5.2f} ms of processor each,"
                f" p99 {statistics.median(run.slow for run in found):5.2f} s,"
                f" slowest {max(run.slowest for run in found):5.2f} s, refused {sum(run.refused for run in found)},"
                f" fewest {min(run.fewest for run in found):4.0%}, slowest read {max(run.read for run in found):5.2f} s,"
                f" elsewhere {sum(run.elsewhere[0] for run in found)}, slowest {max(run.elsewhere[1] for run in found):.2f} s,"
                f" refused {sum(run.elsewhere[2] for run in found)}",
                flush=True,
            )


if __name__ == "__main__":
    if len(sys.argv) > 4:
        write_elsewhere(sys.argv[1], sys.argv[2], sys.argv[3], float(sys.argv[4]))
    else:
        main(float(sys.argv[1]) if len(sys.argv) > 1 else 10, int(sys.argv[2]) if len(sys.argv) > 2 else 3)
