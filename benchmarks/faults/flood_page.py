"""The page of a board with 20,000 cards: opened for the first time, again, and eight times at once.

.venv/bin/python -m benchmarks.faults.flood_page [cards]
"""

import contextlib
import http.client
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from benchmarks.faults import large_board
from benchmarks.faults.flood_world import Watch, World, flooded_world
from benchmarks.results import record

CHANGES = 100
AT_ONCE = 8


def page(world: World, cookie: str) -> tuple[int, float, int]:
    """Return the status, how long it took, and the bytes on the wire."""
    began = time.perf_counter()
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", world.port, timeout=120)) as line:
        line.request("GET", f"/board/{world.board}", headers={"Cookie": cookie, "Accept-Encoding": "gzip"})
        answer = line.getresponse()
        return answer.status, time.perf_counter() - began, len(answer.read())


def say(what: str, world: World, answers: list[tuple[int, float, int]]) -> None:
    statuses = dict(Counter(status for status, _seconds, _size in answers))
    slowest, size = max(seconds for _status, seconds, _size in answers), max(size for *_rest, size in answers)
    print(f"{what}: {statuses}, slowest {slowest:.2f} s, {size / 1000:.0f} kB; server {world.memory()} MB", flush=True)
    figures = {"Slowest": f"{slowest:.2f} s", "On the wire": f"{size / 1000:.0f} kB"}
    record("page", what, figures | {"Memory of the server": f"{world.memory()} MB"})


def main(cards: int) -> None:
    with flooded_world(lambda _user, board: large_board.main(str(board.pk), cards, CHANGES)) as world:
        print(f"at rest: server {world.memory()} MB")
        for what in ("first", "again"):
            say(what, world, [page(world, world.flooder)])
        with Watch(world, "/") as watch, ThreadPoolExecutor(AT_ONCE) as threads:
            for _repeat in range(3):
                asked = threads.map(lambda number: page(world, world.flooders[number % 3]), range(AT_ONCE))
                say(f"{AT_ONCE} at once", world, list(asked))
        print(f"meanwhile, by somebody else: {watch}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
