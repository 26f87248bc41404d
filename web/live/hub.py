"""Connects the bus with the open pages of this process, and lets pages at the same cursor share one reading.

Channels would give each socket a queue, a task and a subscription of its own, so that one hint woke every one of them.
Here the process subscribes once for each group and calls its listeners directly (docs/decisions/live.md).
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Protocol
from uuid import UUID

from boards.reader import PublicView
from core.bus import Bus, bus
from web.live.catchup import Update, changes_since
from web.live.cursor import Cursor
from web.live.threads import READING

KEPT = 64  # updates; a page that handles the same hint a little later still finds its update here
KEPT_FOR = 10  # seconds; much less than it takes to restore a backup beneath a running process

# board, version to start from, language, change to start from, what a public link shows
Key = tuple[UUID, int, str, UUID | None, PublicView | None]


class Listener(Protocol):
    def hear(self, group: str, message: dict[str, Any] | None) -> None: ...


class Hub:
    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._loop: asyncio.AbstractEventLoop | None = None
        self._listeners: dict[str, set[Listener]] = {}
        self._pages: set[Listener] = set()
        self._updates: OrderedDict[Key, asyncio.Future[Update | None]] = OrderedDict()

    @property
    def groups(self) -> frozenset[str]:
        """Return the groups that have at least one listener."""
        return frozenset(self._listeners)

    @property
    def kept(self) -> int:
        """Return how many updates are kept."""
        return len(self._updates)

    @property
    def pages(self) -> int:
        """Return how many pages listen."""
        return len(self._pages)

    def join(self, listener: Listener, *groups: str, is_page: bool = True) -> None:
        """Call `listener.hear` with each message to these groups, and with None when messages may have been lost."""
        self._require_loop()
        if is_page:
            self._pages.add(listener)
        for group in groups:
            self._listeners.setdefault(group, set()).add(listener)
            self._bus.join(group)

    def leave(self, listener: Listener, *groups: str) -> None:
        """End all of this listener's listening; `groups` are those that it joined."""
        self._pages.discard(listener)
        for group in groups:
            listeners = self._listeners.get(group, set())
            listeners.discard(listener)
            if not listeners and self._listeners.pop(group, None) is not None:
                self._bus.leave(group)

    def _require_loop(self) -> None:
        """Start afresh on a new event loop. A process has one for all sockets; each test has its own."""
        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            self._loop = loop
            self._listeners.clear()
            self._pages.clear()
            self._updates.clear()
            self._bus.listen(self._heard)

    def _heard(self, group: str, message: dict[str, Any] | None) -> None:
        for listener in tuple(self._listeners.get(group, ())):
            listener.hear(group, message)

    async def changes(
        self, board_id: UUID, since: Cursor, language: str, wanted: int, view: PublicView | None
    ) -> Update | None:
        """Return the update from `since` to `wanted` or later, or None when the board is gone.

        A kept update is used again if it reaches `wanted`; one that was read too early is read once more, for all
        who want it. The reading is shielded: a page that goes away must not cancel what others wait for.
        """
        key = (board_id, since.version, language, since.change, view)
        earlier = self._updates.get(key)
        if earlier is not None:
            update = await asyncio.shield(earlier)
            if update is not None and update.version >= wanted:
                return update
            if self._updates.get(key) is earlier:
                del self._updates[key]
        return await asyncio.shield(self._updates.get(key) or self._read(key))

    def when_read(
        self,
        then: "Callable[[asyncio.Future[Update | None]], object]",
        board_id: UUID,
        since: Cursor,
        language: str,
        view: PublicView | None,
    ) -> None:
        """Call `then` with the reading of the update from `since`, once it is done."""
        key = (board_id, since.version, language, since.change, view)
        (self._updates.get(key) or self._read(key)).add_done_callback(then)

    def _read(self, key: Key) -> "asyncio.Future[Update | None]":
        reading = self._updates[key] = asyncio.ensure_future(READING.run(changes_since, *key))
        reading.add_done_callback(lambda done: self._read_is_done(key, done))
        while len(self._updates) > KEPT:
            self._updates.popitem(last=False)
        return reading

    def _read_is_done(self, key: Key, done: "asyncio.Future[Update | None]") -> None:
        if done.cancelled() or done.exception() is not None:
            self._forget(key, done)
        else:
            asyncio.get_running_loop().call_later(KEPT_FOR, self._forget, key, done)

    def _forget(self, key: Key, reading: "asyncio.Future[Update | None]") -> None:
        if self._updates.get(key) is reading:
            del self._updates[key]


hub = Hub(bus)
