"""Measure what another person waits for while a large board is deleted, and how long that takes.

    .venv/bin/python -m benchmarks.faults.deletion [cards] [changes]

`bin/serve` on SQLite, or on what DATABASE_URL and REDIS_URL name.
"""

import contextlib
import os
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import django
import httpx
import psycopg

from benchmarks.results import record
from taskboard.tests.people import Person, settle
from taskboard.tests.prepared import begin_run, end_run, prepared_data, prepared_services
from taskboard.tests.servers import PLAIN_HTTP, ROOT, bare_environment, serving

BETWEEN = 0.02  # seconds between two calls
AT_REST = 5  # seconds


class Calls:
    """Makes the same call again and again while the block runs, and notes how long each took."""

    def __init__(self, name: str, call: Callable[[], httpx.Response]) -> None:
        self.name, self.call = name, call
        self.times: list[float] = []
        self.answers: Counter[int] = Counter()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> "Calls":
        self._thread.start()
        return self

    def __exit__(self, *_exception: object) -> None:
        self._ended.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._ended.wait(BETWEEN):
            began = time.perf_counter()
            self.answers[self.call().status_code] += 1
            self.times.append((time.perf_counter() - began) * 1000)

    def told(self) -> str:
        """Return p50, p99 and the worst, as a figure of the report."""
        cuts = statistics.quantiles(self.times, n=100)
        return f"{cuts[49]:.0f}, {cuts[98]:.0f}, {max(self.times):,.0f} ms"

    def __str__(self) -> str:
        cuts = statistics.quantiles(self.times, n=100)
        return (
            f"{self.name} {dict(self.answers)}: p50 {cuts[49]:.0f}, p99 {cuts[98]:.0f}, worst {max(self.times):.0f} ms"
        )


@contextlib.contextmanager
def others(ed: Person, board: dict, when: str, column: str) -> Iterator[None]:
    writes = Calls(
        "POST cards", lambda: ed.script.post("/api/v1/cards", json={"boardId": board["id"], "title": "Mine"})
    )
    headers = ed.script.headers
    reads = Calls("GET me", lambda: httpx.get(f"{ed.url}/api/v1/me", headers=headers, **PLAIN_HTTP))
    with writes, reads:
        yield
    say(f"    {writes}\n    {reads}")
    for calls in (writes, reads):
        record("deletion", f"`{calls.name}`, p50, p99, worst{when}", {column: calls.told()})


def is_there(environment: dict[str, str], board: dict) -> bool:
    if "DATABASE_URL" in environment:
        with psycopg.connect(environment["DATABASE_URL"]) as database:
            return database.execute("SELECT 1 FROM boards_board WHERE id = %s", [board["id"]]).fetchone() is not None
    file = Path(environment["TASKBOARD_DATA"]) / "taskboard.sqlite3"
    with contextlib.closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as reading:
        key = board["id"].replace("-", "")
        return reading.execute("SELECT 1 FROM boards_board WHERE id = ?", [key]).fetchone() is not None


def story(environment: dict[str, str], cards: int, changes: int) -> None:
    with serving(environment) as running, settle(environment, running.url, "olga", "ed") as people:
        olga, ed = people["olga"], people["ed"]
        large, other = olga.new_board("Large"), ed.new_board()
        began = time.monotonic()
        command = [sys.executable, "-m", "benchmarks.faults.large_board", large["id"], str(cards), str(changes)]
        subprocess.run(command, cwd=ROOT, env=bare_environment() | environment, check=True)
        say(f"{cards} cards and {changes} changes were made in {time.monotonic() - began:.0f} s\nat rest")
        column = "PostgreSQL and Redis" if "DATABASE_URL" in environment else "SQLite"
        with others(ed, other, " at rest", column):
            time.sleep(AT_REST)
        say("while the board is deleted")
        with others(ed, other, "", column):
            began = time.monotonic()
            olga.post(f"/board/{large['id']}/deletion", title="Large")
            answered = time.monotonic()
            while is_there(environment, large):
                time.sleep(0.2)
            ended = time.monotonic()
        say(f"the request took {answered - began:.2f} s, all rows were gone {ended - began:.0f} s after it began")
        record("deletion", "the request", {column: f"{answered - began:.2f} s"})
        record("deletion", "until all rows are gone", {column: f"{ended - began:.0f} s"})


def say(words: str) -> None:
    print(words, flush=True)


def main(cards: int, changes: int) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "taskboard.settings")
    django.setup()
    begin_run()
    try:
        with prepared_services() as services, tempfile.TemporaryDirectory() as folder:
            data = prepared_data(Path(folder) / "data")
            story({**services, "TASKBOARD_DATA": str(data), "TASKBOARD_LIMITS": "off"}, cards, changes)
    finally:
        end_run()


if __name__ == "__main__":
    given = [int(value) for value in sys.argv[1:]]
    main(given[0] if given else 20_000, given[1] if len(given) > 1 else 500_000)
