"""Open pages without a browser: each keeps a cursor and comes back whenever its socket is closed, as static/js/live/line.js does."""

import asyncio
import contextlib
import json
import random
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from taskboard.tests.people import LIKE_A_BROWSER, Person

ENDS = (4401, 4403, 4404)
OPEN_AT_ONCE = 50  # connections that this process has under way; more would only time each other


class OpenPage:
    def __init__(self, person: Person, board_id: str, at_once: asyncio.Semaphore, **headers: str) -> None:
        self.person, self.board_id, self.at_once, self.headers = person, board_id, at_once, headers
        self.url = person.socket_url or person.url
        self.version, self.change, self.spread = -1, "", 0.0
        self.cards: set[str] = set()
        self.codes: Counter[int] = Counter()  # how its sockets were closed
        self.losses: list[str] = []  # why they ended, of those that ended without a close frame of the service
        self.is_back = asyncio.Event()  # set while it is connected and up to date
        self.changed = asyncio.Condition()

    async def live(self) -> None:
        """Stay connected until access ends or the task is cancelled."""
        lost = None
        while not self.codes.keys() & set(ENDS):
            with contextlib.suppress(OSError, InvalidHandshake, TimeoutError):
                async with self.at_once:
                    socket = await self.connected()
                if await self.stay(socket):
                    lost = None
            passed = 0.0 if lost is None else time.monotonic() - lost
            await asyncio.sleep(self.wait(lost, passed))
            lost = time.monotonic() - passed if lost is None else lost

    def wait(self, lost: float | None, passed: float) -> float:
        if lost is None:
            return random.random() * max(1, self.spread)
        return max((0.9 + random.random() / 5) * self.spread, (0.5 + random.random()) * max(0.5, min(passed / 4, 30)))

    async def connected(self) -> ClientConnection:
        query = f"since={self.version}&change={self.change}&beats"
        return await connect(
            f"{self.url.replace('http:', 'ws:')}/ws/board/{self.board_id}?{query}",
            origin=self.url,
            additional_headers={"Cookie": f"sessionid={self.person.session}", **self.headers},
            open_timeout=30,
            **LIKE_A_BROWSER,
            compression=None,
        )

    async def stay(self, socket: ClientConnection) -> bool:
        """Apply what comes. Return whether the page was up to date at some moment."""
        was_back = False
        try:
            async for text in socket:
                await self.take(json.loads(text))
                was_back = was_back or self.is_back.is_set()
        except ConnectionClosed as closed:
            if closed.rcvd is None:
                self.losses.append(f"{closed}: {closed.__cause__!r}")
        finally:
            self.is_back.clear()
            await socket.close()
        self.codes[socket.close_code or 1006] += 1
        await self.tell()
        return was_back

    async def take(self, message: dict[str, Any]) -> None:
        if "beat" in message:
            self.spread = message["spread"]
            self.is_back.set()
            await self.tell()
            return
        assert "reload" not in message, "this page cannot"
        self.cards |= {thing["id"] for thing in message["changed"] if thing["kind"] == "card"}
        self.version, self.change = message["version"], message["change"]
        await self.tell()

    async def tell(self) -> None:
        async with self.changed:
            self.changed.notify_all()

    async def becomes(self, so: "Callable[[OpenPage], object]") -> None:
        """Wait until this page is so."""
        async with self.changed:
            await self.changed.wait_for(lambda: so(self))


@asynccontextmanager
async def coming_pages(person: Person, board: dict[str, Any], number: int) -> AsyncIterator[list[OpenPage]]:
    """Yield pages of this board that are just being opened."""
    at_once = asyncio.Semaphore(OPEN_AT_ONCE)
    pages = [OpenPage(person, board["id"], at_once) for _number in range(number)]
    async with living(pages):
        yield pages


@asynccontextmanager
async def living(pages: list[OpenPage]) -> AsyncIterator[None]:
    """Let these pages live."""
    tasks = [asyncio.create_task(page.live()) for page in pages]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@asynccontextmanager
async def open_pages(person: Person, board: dict[str, Any], number: int) -> AsyncIterator[list[OpenPage]]:
    """Yield pages of this board that are up to date."""
    async with coming_pages(person, board, number) as pages:
        await asyncio.gather(*(page.is_back.wait() for page in pages))
        yield pages
