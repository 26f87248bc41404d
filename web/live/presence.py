"""Presence: who has a board open, which card, and where they type. It is kept in the memory of the processes that serve sockets.

Each process tells the others, over the bus, about the pages that it serves: all of them in one message, when something
has changed and again every few seconds. So a lost message is soon made good, and what a dead process said expires.
Nothing is stored, and a board nobody else looks at costs nothing.
"""

import asyncio
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol
from uuid import UUID, uuid4

from django.db import DatabaseError

from boards.statements import read_member_ids
from core.bus import Bus, bus
from core.http.compact_json import dumps
from web.live.hub import hub
from web.live.threads import READING
from web.open_pages import presence_group

RENEWED_EVERY = 15.0  # seconds
EXPIRES_AFTER = 40.0  # seconds without a word from a process
TYPING_FOR = 12.0  # seconds; a page that is typed on says so again before
SOON = 0.15  # seconds for which changes are collected; more where many pages are told
PAGES_A_SECOND = 150  # that are told who is there, of one board
AT_ONCE, BREATH = 20, 0.01  # pages; seconds after them, in which a hint can overtake
AT_MOST = 100  # places that a page is told of; more faces say nothing

Whereabouts = tuple[str, str, str]  # user, card or "", what is typed in or ""


class Page(Protocol):
    """An open page, as its socket knows it."""

    board_id: UUID

    @property
    def user_id(self) -> UUID: ...

    def may_see(self, members: frozenset[UUID]) -> bool: ...

    def show_presence(self, text: str) -> None: ...

    def check_soon(self) -> None: ...


@dataclass(slots=True)
class Doing:
    """An open page of this process."""

    card: str = ""
    typing: str = ""
    until: float = 0.0  # when the typing ends, on the monotonic clock


class Room:
    """The pages of one board that this process serves, and what other processes said of theirs."""

    def __init__(self, board_id: UUID, rooms: "Rooms") -> None:
        self.board_id, self.rooms, self.group = board_id, rooms, presence_group(board_id)
        self.pages: dict[Page, Doing] = {}
        self.others: dict[str, tuple[float, list[Whereabouts]]] = {}  # by process: until when it holds, and its places
        self.told: dict[Page, str] = {}
        self.telling: asyncio.Task[None] | None = None
        self.is_stale = False
        self.renewal = asyncio.get_running_loop().call_later(RENEWED_EVERY, self.renew)

    def hear(self, _group: str, message: dict[str, Any] | None) -> None:
        """Note what another process says. None: only now are the others heard, so they are asked."""
        if message is None:
            self.announce(asks=True)
        elif message["process"] != self.rooms.process:
            places = [(user, card, typing) for user, card, typing in message["places"]]
            self.others[message["process"]] = (time.monotonic() + EXPIRES_AFTER, places)
            self.tell_soon()
            if message["asks"]:
                self.announce()

    def renew(self) -> None:
        self.renewal = asyncio.get_running_loop().call_later(RENEWED_EVERY, self.renew)
        now = time.monotonic()
        self.others = {process: said for process, said in self.others.items() if said[0] > now}
        self.announce()
        self.tell_soon()

    def changed(self) -> None:
        self.announce()
        self.tell_soon()

    def announce(self, *, asks: bool = False) -> None:
        """Tell the other processes about the pages of this one, and with `asks` ask them about theirs."""
        process, places = self.rooms.process, self.own_places()
        self.rooms.bus.publish(self.group, {"process": process, "places": places, "asks": asks})

    def own_places(self) -> list[Whereabouts]:
        now = time.monotonic()
        return sorted(
            {
                (str(page.user_id), doing.card, doing.typing if doing.until > now else "")
                for page, doing in self.pages.items()
            }
        )

    def places(self, members: frozenset[UUID]) -> list[Whereabouts]:
        """Return who is where, without former members; those with a card first."""
        known = set(map(str, members))
        every = {*self.own_places(), *(place for _until, places in self.others.values() for place in places)}
        seen = sorted((place for place in every if place[0] in known), key=lambda place: (not place[1], place))
        return seen[:AT_MOST]

    def tell_soon(self) -> None:
        self.is_stale = True
        if self.telling is None:
            self.telling = asyncio.ensure_future(self.tell())

    async def tell(self) -> None:
        """Tell each page who is there, as soon as something has changed, but no more than so often."""
        try:
            while self.is_stale and self.pages:
                await asyncio.sleep(SOON + len(self.pages) / PAGES_A_SECOND)
                self.is_stale = False
                with suppress(DatabaseError):  # the next renewal tells
                    members = await READING.run(read_member_ids, self.board_id)
                    for few in batched(list(self.pages), AT_ONCE):
                        self.show(members, few)
                        await asyncio.sleep(BREATH)
        finally:
            self.telling = None

    def show(self, members: frozenset[UUID], pages: Iterable[Page]) -> None:
        text = dumps({"board": str(self.board_id), "here": self.places(members)})
        for page in pages:
            if page not in self.pages:
                continue  # it has left meanwhile
            if not page.may_see(members):
                page.check_soon()
            elif self.told.get(page) != text:
                self.told[page] = text
                page.show_presence(text)

    def close(self) -> None:
        self.renewal.cancel()
        if self.telling is not None:
            self.telling.cancel()


def batched(pages: list[Page], size: int) -> Iterator[list[Page]]:
    for start in range(0, len(pages), size):
        yield pages[start : start + size]


class Rooms:
    """The rooms of this process, one for each board that has a page open here."""

    def __init__(self, bus: Bus) -> None:
        self.bus = bus
        self.process = uuid4().hex
        self._rooms: dict[UUID, Room] = {}
        self._loop: asyncio.AbstractEventLoop | None = None

    def enter(self, page: Page) -> None:
        self._require_loop()
        room = self._rooms.get(page.board_id)
        if room is None:
            room = self._rooms[page.board_id] = Room(page.board_id, self)
            hub.join(room, room.group, is_page=False)
        room.pages[page] = Doing()
        room.changed()

    def room(self, board_id: UUID) -> Room | None:
        return self._rooms.get(board_id)

    def leave(self, page: Page) -> None:
        room = self._rooms.get(page.board_id)
        if room is None or page not in room.pages:
            return
        del room.pages[page]
        room.told.pop(page, None)
        room.changed()
        if not room.pages:
            room.close()
            hub.leave(room, room.group)
            del self._rooms[page.board_id]

    def note(self, page: Page, message: dict[str, Any]) -> None:
        """Note what a page says of itself. Another user's page cannot be spoken for."""
        room = self._rooms.get(page.board_id)
        if room is None or page not in room.pages or message.get("user") != str(page.user_id):
            return
        before = room.pages[page]
        until = time.monotonic() + TYPING_FOR if message["typing"] else 0.0
        room.pages[page] = Doing(message["card"], message["typing"], until)
        if (before.card, before.typing) != (message["card"], message["typing"]):
            room.changed()
        if until:
            asyncio.get_running_loop().call_later(TYPING_FOR + 0.1, self._typing_ended, page)

    def tell_again(self, page: Page) -> None:
        """Tell this page who is there even if it has been told."""
        room = self._rooms.get(page.board_id)
        if room is not None and room.told.pop(page, None) is not None:
            room.tell_soon()

    def _typing_ended(self, page: Page) -> None:
        room = self._rooms.get(page.board_id)
        if room and (doing := room.pages.get(page)) and doing.typing and doing.until <= time.monotonic():
            doing.typing = ""
            room.changed()

    def _require_loop(self) -> None:
        """Start afresh on a new event loop, as the hub does."""
        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            self._loop, self._rooms = loop, {}
            self.process = uuid4().hex


rooms = Rooms(bus)
