"""Measure how soon open pages are back after their service was killed, and when the last of them has the next change.

    .venv/bin/python -m benchmarks.faults.comeback [pages] [seconds down] [daphnes]

Without Daphnes `bin/serve` is killed. It runs on SQLite, or on what DATABASE_URL and REDIS_URL name. Daphnes need both;
gunicorn answers beside them and goes on.

Limits are on. The pages belong to many people, each with a few, and come from many addresses as behind a proxy that is
declared. The client that holds the pages needs a processor too: with two processors the figures are about half of what
the service alone could do.
"""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import django

from benchmarks.results import record
from core.limits.open_files import raise_file_limit
from taskboard.tests.pages import OPEN_AT_ONCE, OpenPage, living
from taskboard.tests.people import Person, settle
from taskboard.tests.prepared import begin_run, end_run, prepared_data, prepared_services
from taskboard.tests.processes import DAPHNE, GUNICORN, Process, processes
from taskboard.tests.servers import ROOT, Running, bare_environment, free_port, wait_for

PATIENCE = 600  # seconds
PAGES_EACH = 20  # of one person
PAGES_OF_AN_ADDRESS = 100
SERVE = ["manage.py", "serve", "--port"]


class Sockets:
    """The processes that hold the sockets of pages."""

    def __init__(self, environment: dict[str, str], daphnes: int) -> None:
        command = ["-m", *DAPHNE] if daphnes else SERVE
        self.environment = bare_environment() | environment
        self.ports = [free_port() for _number in range(daphnes or 1)]
        self.commands = [[sys.executable, *command, str(port)] for port in self.ports]
        self.running: list[Running] = []

    def start(self) -> None:
        """Start them. What they log is seen at once; a pipe that nobody reads would stop them."""
        for command, port in zip(self.commands, self.ports, strict=True):
            process = subprocess.Popen(command, cwd=ROOT, env=self.environment, stdout=subprocess.DEVNULL)
            self.running.append(Running(process, f"http://127.0.0.1:{port}"))
        for running in self.running:
            wait_for(running)

    def kill(self) -> None:
        while self.running:
            process = self.running.pop().process
            process.kill()
            process.wait()

    def processor(self) -> float:
        """Return the seconds of processor time that they have used."""
        return sum(processor(running.process.pid) for running in self.running)


def processor(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def served(environment: dict[str, str], daphnes: int, folder: Path) -> Iterator[tuple[Sockets, str]]:
    """Yield the processes that hold sockets, and the address of the one that answers calls."""
    sockets = Sockets(environment, daphnes)
    gunicorn = [Process(GUNICORN, environment, folder / "gunicorn")] if daphnes else []
    with processes(*gunicorn):
        try:
            sockets.start()
            yield sockets, gunicorn[0].url if gunicorn else sockets.running[0].url
        finally:
            sockets.kill()


def viewers(environment: dict[str, str], url: str, board: dict, number: int) -> list[Person]:
    """Return new viewers of this board, each with a signed-in browser."""
    command = [sys.executable, "-m", "benchmarks.faults.crowd", board["id"], str(number)]
    done = subprocess.run(command, cwd=ROOT, env=bare_environment() | environment, stdout=subprocess.PIPE, check=True)
    return [Person(url, **held) for held in json.loads(done.stdout)]


def pages_of(people: list[Person], board: dict, sockets: Sockets, number: int) -> list[OpenPage]:
    at_once = asyncio.Semaphore(OPEN_AT_ONCE)
    pages = []
    for place in range(number):
        person, address = people[place // PAGES_EACH], place // PAGES_OF_AN_ADDRESS
        page = OpenPage(person, board["id"], at_once, **{"X-Forwarded-For": f"10.1.{address // 200}.{address % 200}"})
        page.url = f"http://127.0.0.1:{sockets.ports[place % len(sockets.ports)]}"
        pages.append(page)
    return pages


async def story(environment: dict[str, str], folder: Path, number: int, down: float, daphnes: int) -> None:
    with served(environment, daphnes, folder) as (sockets, url), settle(environment, url, "olga") as people:
        olga = people["olga"]
        board = olga.new_board()
        pages = pages_of(viewers(environment, url, board, -(-number // PAGES_EACH)), board, sockets, number)
        began, spent = time.monotonic(), sockets.processor()
        async with asyncio.timeout(PATIENCE), living(pages):
            await asyncio.gather(*(page.is_back.wait() for page in pages))
            took = time.monotonic() - began
            say(f"{number} pages were opened in {took:.1f} s, {sockets.processor() - spent:.1f} s of processor")
            await pushed(olga, board, pages)
            for page in pages:
                page.codes.clear()
            sockets.kill()
            for page in pages:
                await page.becomes(lambda page: not page.is_back.is_set())
            await asyncio.sleep(down)
            await asyncio.to_thread(sockets.start)
            spent, own = sockets.processor(), processor(os.getpid())
            figures = await returned(pages)
            spent = sockets.processor() - spent
            say(f"the service took {spent:.1f} s of processor for them")
            say(f"the pages took {processor(os.getpid()) - own:.1f} s")
            figures["processor time of the service"] = f"{spent:.1f} s"
            figures["the next change is on the last page"] = f"{await pushed(olga, board, pages):.1f} s"
            place = f"{daphnes} Daphnes, {number:,} pages" if daphnes else f"`bin/serve`, {number:,} pages"
            for what, figure in figures.items():
                record("comeback", what, {place: figure})


def say(words: str) -> None:
    print(words, flush=True)


async def returned(pages: list[OpenPage]) -> dict[str, str]:
    """Wait for all pages; return when they were back, by row of the report."""
    answers, times = time.monotonic(), []

    async def one(page: OpenPage) -> None:
        await page.is_back.wait()
        times.append(time.monotonic() - answers)

    await asyncio.gather(*(one(page) for page in pages))
    half, most = times[len(times) // 2], times[len(times) * 99 // 100]
    say(f"back after the service answers: half {half:.1f} s, 99 % {most:.1f} s, all {times[-1]:.1f} s")
    say(f"they were asked to spread over {max(page.spread for page in pages):.0f} s")
    say(f"their sockets were closed {dict(sum((page.codes for page in pages), Counter()))}")
    return {"half are back and up to date": f"{half:.1f} s", "all are": f"{times[-1]:.1f} s"}


async def pushed(olga: Person, board: dict, pages: list[OpenPage]) -> float:
    version = max(page.version for page in pages) + 1
    await asyncio.to_thread(olga.new_card, board)
    answered = time.monotonic()
    await asyncio.gather(*(page.becomes(lambda page: page.version >= version) for page in pages))
    took = time.monotonic() - answered
    say(f"a change is on the last page {took:.2f} s after its answer")
    return took


def main(number: int, down: float, daphnes: int) -> None:
    raise_file_limit()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "taskboard.settings")
    django.setup()
    begin_run()
    try:
        with prepared_services() as services, tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            data = prepared_data(folder / "data")
            environment = {**services, "TASKBOARD_DATA": str(data), "TASKBOARD_TRUSTED_PROXIES": "1"}
            asyncio.run(story(environment, folder, number, down, daphnes))
    finally:
        end_run()


if __name__ == "__main__":
    given = sys.argv[1:]
    main(
        int(given[0]) if given else 2000,
        float(given[1]) if len(given) > 1 else 2,
        int(given[2]) if len(given) > 2 else 0,
    )
