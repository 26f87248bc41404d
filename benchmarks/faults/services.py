"""Measure what 40 open pages see while Redis or PostgreSQL dies, freezes or restarts, as docs/running/growing.md runs it.

    .venv/bin/python -m benchmarks.faults.services [fault ...]

PostgreSQL and Redis are started for this alone; their server programs must be installed. For each fault: how many of
the changes made since its beginning are on every page, how soon after its end, how the sockets were closed, which
acknowledged cards the database lacks, and the slowest call, page and sign-in while it lasted.
"""

import asyncio
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import psycopg

from benchmarks import servers
from benchmarks.results import record
from taskboard.tests.own_services import OwnPostgreSQL, OwnRedis, own_postgresql, own_redis
from taskboard.tests.pages import OpenPage, open_pages
from taskboard.tests.people import Person
from taskboard.tests.settle import PASSWORD

PAGES = 40
BETWEEN = 0.5  # seconds between two changes
PATIENCE = 120  # seconds
WELL = 5  # good answers in a row


def redis_killed(_postgresql: OwnPostgreSQL, redis: OwnRedis) -> None:
    redis.kill()
    time.sleep(20)
    redis.start()


def redis_frozen(_postgresql: OwnPostgreSQL, redis: OwnRedis) -> None:
    with redis.frozen():
        time.sleep(20)


def postgresql_restarted(postgresql: OwnPostgreSQL, _redis: OwnRedis) -> None:
    postgresql.restart()


def postgresql_killed(postgresql: OwnPostgreSQL, _redis: OwnRedis) -> None:
    postgresql.kill()
    time.sleep(10)
    postgresql.start()


def postgresql_stopped(postgresql: OwnPostgreSQL, _redis: OwnRedis) -> None:
    postgresql.stop()
    time.sleep(10)
    postgresql.start()


def postgresql_frozen(postgresql: OwnPostgreSQL, _redis: OwnRedis) -> None:
    with postgresql.frozen():
        time.sleep(30)


FAULTS = {
    fault.__name__: fault
    for fault in (
        redis_killed,
        redis_frozen,
        postgresql_restarted,
        postgresql_stopped,
        postgresql_killed,
        postgresql_frozen,
    )
}


class Client:
    """Asks for one thing again and again, counts the answers and notes how long the slowest took."""

    def __init__(self, ask: Callable[[], httpx.Response]) -> None:
        self.ask = ask
        self.answers: Counter[object] = Counter()
        self.slowest = 0.0

    async def keep_asking(self) -> None:
        while True:
            await asyncio.to_thread(self.once)
            await asyncio.sleep(BETWEEN)

    def once(self) -> None:
        began = time.monotonic()
        try:
            self.answers[self.ask().status_code] += 1
        except httpx.TransportError as error:
            self.answers[type(error).__name__] += 1
        self.slowest = max(self.slowest, time.monotonic() - began)

    def __str__(self) -> str:
        return f"{dict(self.answers)}, slowest {self.slowest:.1f} s"

    def told(self) -> str:
        return f"{self.slowest:.1f} s, {', '.join(map(str, self.answers))}"


class Writer(Client):
    """Creates cards."""

    def __init__(self, person: Person, board: dict[str, Any]) -> None:
        super().__init__(self.make)
        self.person, self.board = person, board
        self.made: list[str] = []

    def make(self) -> httpx.Response:
        answer = self.person.script.post("/api/v1/cards", json={"boardId": self.board["id"], "title": "A card"})
        if answer.status_code == 201:
            self.made.append(answer.json()["card"]["id"])
        return answer

    def lost(self, postgresql: OwnPostgreSQL) -> int:
        """Return how many of the cards the database lacks."""
        with psycopg.connect(postgresql.url) as database:
            found = database.execute("SELECT count(*) FROM boards_card WHERE id = ANY(%s::uuid[])", [self.made])
            return len(self.made) - found.fetchone()[0]  # type: ignore[index]


def sign_in(person: Person) -> httpx.Response:
    with closing(replace(person, session="")) as other:
        headers = {"X-CSRFToken": other.browser.cookies["csrftoken"]}
        return other.browser.post("/sign-in", data={"login": person.email, "password": PASSWORD}, headers=headers)


async def suffer(
    fault: Callable[[OwnPostgreSQL, OwnRedis], None], postgresql: OwnPostgreSQL, redis: OwnRedis, people: list[Person]
) -> None:
    olga = people[0]
    board = olga.new_board()
    writer = Writer(olga, board)
    clients = {
        "calls": writer,
        "pages": Client(lambda: olga.browser.get(f"/board/{board['id']}")),
        "sign-ins": Client(lambda: sign_in(olga)),
    }
    async with PagesOfBoth(people, board) as pages:
        asking = [asyncio.create_task(client.keep_asking()) for client in clients.values()]
        await asyncio.sleep(2)
        await asyncio.to_thread(fault, postgresql, redis)
        ended, made = time.monotonic(), len(writer.made)
        await asyncio.to_thread(writer.once)
        missed, late = await everything_on(pages, set(writer.made), ended)
        for task in asking:
            task.cancel()
        await asyncio.gather(*asking, return_exceptions=True)
    codes = sum((page.codes for page in pages), Counter())
    say(f"{fault.__name__}: {made} cards during it, {missed} updates missed, right {late:.1f} s after its end")
    say(f"    {writer.lost(postgresql)} acknowledged cards lost, sockets closed {dict(codes)}")
    for name, client in clients.items():
        say(f"    {name} {client}")
    figures = {name.capitalize(): client.told() for name, client in clients.items()}
    record("services", f"`{fault.__name__}`", figures | {"Pages right after its end": f"{late:.1f} s"})


def say(words: str) -> None:
    print(words, flush=True)


class PagesOfBoth:
    """Pages of both Daphnes together."""

    def __init__(self, people: list[Person], board: dict[str, Any]) -> None:
        self.halves = [open_pages(person, board, PAGES // len(people)) for person in people]

    async def __aenter__(self) -> list[OpenPage]:
        return [page for half in self.halves for page in await half.__aenter__()]

    async def __aexit__(self, *error: object) -> None:
        for half in self.halves:
            await half.__aexit__(*error)


async def everything_on(pages: list[OpenPage], cards: set[str], ended: float) -> tuple[int, float]:
    """Return how many of these cards are missing on pages, and after how many seconds none was."""
    try:
        async with asyncio.timeout(PATIENCE):
            for page in pages:
                await page.becomes(lambda page: cards <= page.cards)
    except TimeoutError:
        pass
    return sum(len(cards - page.cards) for page in pages), time.monotonic() - ended


def main(names: list[str]) -> None:
    with own_postgresql() as postgresql, own_redis() as redis, ExitStack() as stack:
        folder = Path(tempfile.mkdtemp(prefix="taskboard-faults-"))
        stack.callback(shutil.rmtree, folder)
        os.environ |= {
            "DATABASE_URL": postgresql.url,
            "REDIS_URL": redis.url,
            "TASKBOARD_DATA": str(folder),
            "TASKBOARD_LIMITS": ",".join(f"{name}=99999/m" for name in ("cards", "entrance", "live-session")),
            "DJANGO_SETTINGS_MODULE": "taskboard.settings",
        }
        done = subprocess.run(
            [sys.executable, "-m", "taskboard.tests.settle"], cwd=servers.ROOT, capture_output=True, check=True
        )
        http = stack.enter_context(servers.gunicorn(workers=2))
        sockets = [stack.enter_context(servers.daphne()) for _process in range(2)]
        olga = stack.enter_context(closing(signed_in(done.stdout, http)))
        people = [replace(olga, socket_url=f"http://127.0.0.1:{port}") for port in sockets]
        for name in names:
            wait_until_well(olga)
            asyncio.run(suffer(FAULTS[name], postgresql, redis, people))


def wait_until_well(olga: Person) -> None:
    """Wait until every worker has noticed that the fault before is over."""
    well = 0
    while well < WELL:
        well = well + 1 if sign_in(olga).status_code == 302 else 0


def signed_in(cast: bytes, http: int) -> Person:
    return Person(f"http://127.0.0.1:{http}", **json.loads(cast)["olga"], name="olga")


if __name__ == "__main__":
    main(sys.argv[1:] or list(FAULTS))
