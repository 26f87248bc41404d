"""The socket of a live page. It keeps a cursor (a version) for each board that the page shows.

A hint only wakes the socket, which then reads everything after its cursor. So hints may be lost, repeated or late, and
connecting, reconnecting and catching up are the same code. Broadcasting the change itself would be simpler, but a page
would have to notice that it missed one, and the sender would have to know what each reader may see
(docs/decisions/live.md).
"""

import asyncio
import contextlib
import time
from functools import partial
from typing import Any
from urllib.parse import parse_qs
from uuid import UUID

from autobahn.exception import Disconnected
from django.conf import settings

from boards.hints import board_group
from core.bus.access_check import user_group
from core.http.compact_json import dumps
from core.ids import parse_id
from notifications.inbox.entries import unread_count
from notifications.inbox.ringing import RING, bell_group
from web.live.backlog import Backlog
from web.live.catchup import Update
from web.live.cursor import Cursor
from web.live.gate import TOO_MANY, has_room_for_person
from web.live.hub import hub
from web.live.lag import count_update
from web.live.socket import ServedSocket
from web.live.threads import CHECKING, READING
from web.live.visitors import NO_SUCH_BOARD, NOT_SIGNED_IN, Visitor, check_access, user_of

CHECKS_EVERY = 30  # seconds; catches a lost last hint, and access that ended without a request to check it
RINGS_EVERY = 1.0  # seconds
BEATS_EVERY = 12  # seconds; a page that hears nothing for two beats takes its connection for dead
ARRIVALS = 200  # sockets a second that a process can accept and bring up to date; pages that lost it spread themselves


class LiveConsumer(ServedSocket):
    """A socket that follows the boards returned by `asked`. Each message to the page is about one of them.

    One task (`serve`) does all checking, reading and sending; hints only record what is wanted and set `wake`. So a
    page never has two updates under way, and a burst of hints during one costs one more reading. While that task waits,
    an update is sent past it (`tell_at_once`).
    """

    next_check: asyncio.TimerHandle | None = None
    next_beat: asyncio.TimerHandle | None = None
    next_ring: asyncio.TimerHandle | None = None
    must_check = must_beat = must_ring = waits = False
    needs_board = has_bell = True
    rings = rang_meanwhile = False
    failure: BaseException | None = None  # of the reading of an update, which closes the page
    cursors: dict[UUID, Cursor]  # what the page shows, by board
    board_of: dict[str, UUID]  # the board, by the name of the group that carries its hints
    wanted: dict[UUID, int]  # the version to catch up to, by board; only boards on which the page is behind
    visitor: Visitor
    who_is_here = ""  # a message about that which is not sent yet

    def asked(self) -> dict[UUID, Cursor]:
        """Return the boards that the page shows, each with what it shows of it."""
        raise NotImplementedError

    async def serve(self) -> int:
        """Subscribe and keep up until access ends. Return the code to close with."""
        self.cursors, self.wanted, self.opened_at = self.asked(), {}, time.time()
        self.wake = asyncio.Event()
        self.backlog = Backlog(self.base_send, emptied=self.wake.set)
        self.must_beat = "beats" in self.query
        self.must_ring = self.rings = self.has_bell and "bell" in self.query
        user_id = await self.identify()
        if isinstance(user_id, int):
            return user_id
        self.board_of = {board_group(board_id): board_id for board_id in self.cursors}
        groups = *self.board_of, user_group(user_id), *([bell_group(user_id)] if self.rings else [])
        hub.join(self, *groups)  # before the first check, so that no change between the two is missed
        try:
            return await self.keep_up()
        finally:
            hub.leave(self, *groups)
            for timer in (self.next_check, self.next_beat, self.next_ring):
                if timer is not None:
                    timer.cancel()

    async def identify(self) -> UUID | int:
        """Return the user on whom access depends, or the code to close with."""
        user_id = await CHECKING.run(user_of, self.session_key)
        if user_id is None or (self.needs_board and not self.cursors):
            return NOT_SIGNED_IN if user_id is None else NO_SUCH_BOARD
        return user_id if await has_room_for_person(self.scope, user_id) else TOO_MANY

    async def look(self) -> Visitor | int:
        """Return who may see which of the boards now, or the code to close with."""
        return await CHECKING.run(check_access, self.session_key, list(self.cursors))

    async def keep_up(self) -> int:
        self.check_soon()
        code = None
        while code is None:
            self.waits = True
            await self.wake.wait()
            self.waits = False
            self.wake.clear()
            if self.failure is not None:
                raise self.failure
            if self.must_check:
                code = await self.check()
            for board_id in list(self.wanted):
                if code is None and not self.backlog.full:
                    code = await self.catch_up(board_id)
            if code is None and self.who_is_here and not self.backlog.full:
                text, self.who_is_here = self.who_is_here, ""
                await self.tell(text)
            if code is None and self.must_ring and not self.backlog.full:
                await self.ring()
            if code is None and not self.backlog.full:
                await self.tell_more()
            if code is None and self.must_beat and not self.backlog.full:
                await self.beat()
        return code

    def hear(self, group: str, message: dict[str, Any] | None) -> None:
        """Note what to do, and wake `keep_up`. Called by the hub, on the event loop.

        `message` is a board's hint, a request to check access, or None when messages may have been lost.
        """
        if message == RING:
            self.ring_soon()
        elif message is None or "version" not in message:
            self.must_ring = self.rings
            self.check_soon()
        elif (board_id := self.board_of[group]) in self.cursors and message["version"] > self.cursors[board_id].version:
            asked = board_id in self.wanted
            self.want(board_id, message["version"])
            if not self.is_at_rest:
                self.wake.set()
            elif not asked:
                since, reader = self.cursors[board_id], self.visitor.reader
                then = partial(self.tell_at_once, board_id, since)
                hub.when_read(then, board_id, since, reader.user.language, reader.view)

    def want(self, board_id: UUID, version: int) -> None:
        self.wanted[board_id] = max(version, self.wanted.get(board_id, 0))

    def check_soon(self) -> None:
        self.must_check = True
        self.wake.set()

    async def check(self) -> int | None:
        """Check access, and note the boards on which the page is behind. Return the code to close with, or None."""
        self.must_check = False
        found = await self.look()
        if isinstance(found, int):
            return found
        self.visitor = found
        for board_id, code in found.refused.items():
            if await self.leave_board(board_id):
                return code
        for board_id, present in found.present.items():
            if not present.is_at(self.cursors[board_id]):
                self.want(board_id, present.version)
        if self.next_check is not None:
            self.next_check.cancel()
        self.next_check = asyncio.get_running_loop().call_later(self.next_check_in(), self.check_soon)
        self.may_go_on()
        return None

    def may_go_on(self) -> None:
        """Called after each check that has found access."""

    async def tell_more(self) -> None:
        """Tell what this kind of page asks for besides. Called whenever `keep_up` wakes."""

    def next_check_in(self) -> float:
        return CHECKS_EVERY

    async def catch_up(self, board_id: UUID) -> int | None:
        """Send what changed since the cursor, up to the wanted version or later, and move the cursor.

        An update is shared by all readers of a board and lists their ids. A user who is not among them is sent nothing,
        and their access is checked again: so nothing leaks even when the request to check it comes late.
        """
        wanted, reader = self.wanted.pop(board_id), self.visitor.reader
        update = await hub.changes(board_id, self.cursors[board_id], reader.user.language, wanted, reader.view)
        if update is None:
            return NO_SUCH_BOARD if await self.leave_board(board_id) else None
        if not reader.is_among(update.members, board_id):
            self.want(board_id, wanted)
            self.check_soon()
        elif update.text:
            self.move_cursor(board_id, update)
            await self.tell(update.text)
        return None

    @property
    def is_at_rest(self) -> bool:
        """Tell whether `keep_up` waits for a hint, and nothing else."""
        return self.waits and not self.wake.is_set() and not self.backlog.full

    def tell_at_once(self, board_id: UUID, since: Cursor, reading: "asyncio.Future[Update | None]") -> None:
        """Send the update that was read from `since`, or leave that to `keep_up` if anything is unusual.

        Called by the hub for one page after another. Why not always through `keep_up`: 200 tasks that are woken twice, for
        the hint and for the update, and each frame its text anew, took a third longer until the last page had it.
        """
        update = None
        if not reading.cancelled():
            self.failure = reading.exception()
            update = None if self.failure else reading.result()
        if (
            update is not None
            and update.text
            and self.is_at_rest
            and self.cursors.get(board_id) == since
            and self.visitor.reader.is_among(update.members, board_id)
            and self.backlog.send(self.worded(update.text))
        ):
            self.move_cursor(board_id, update)
        if self.failure is not None or board_id in self.wanted:
            self.wake.set()

    def move_cursor(self, board_id: UUID, update: Update) -> None:
        self.cursors[board_id] = Cursor(update.version, update.change)
        if self.wanted.get(board_id, 0) <= update.version:
            self.wanted.pop(board_id, None)
        count_update(update.change, opened_at=self.opened_at)

    async def leave_board(self, board_id: UUID) -> bool:
        """Stop following a board that the page may no longer show.

        Return True if it was the page's last board: the caller then closes the socket. Otherwise tell the page that the
        board is gone.
        """
        version = self.cursors.pop(board_id).version
        self.wanted.pop(board_id, None)
        if not self.cursors:
            return True
        gone = {"kind": "board", "id": str(board_id)}
        await self.tell(
            dumps({"board": str(board_id), "since": version, "version": version, "changed": [], "removed": [gone]})
        )
        return False

    async def beat(self) -> None:
        """Tell the page that its connection works. The first beat also says that the page is up to date.

        Without beats a page cannot notice that its packets vanish: browsers answer the pings of the server themselves.
        """
        self.must_beat = False
        spread = hub.pages // ARRIVALS  # seconds
        await self.tell(dumps({"beat": BEATS_EVERY, "spread": spread, "user": self.reader_name}))
        self.next_beat = asyncio.get_running_loop().call_later(BEATS_EVERY, self.beat_soon)

    async def ring(self) -> None:
        """Tell the page how many notifications are unread, also if that is the same number as before: one may have changed
        in the inbox that it shows. At most once in RINGS_EVERY.
        """
        self.must_ring = False
        self.next_ring = asyncio.get_running_loop().call_later(RINGS_EVERY, self.rang)
        number = await READING.run(unread_count, self.visitor.reader)
        await self.tell(dumps({"unread": number}))

    def ring_soon(self) -> None:
        """A burst of rings costs one more reading, a little later."""
        if self.next_ring is None:
            self.must_ring = True
            self.wake.set()
        else:
            self.rang_meanwhile = True

    def rang(self) -> None:
        self.next_ring = None
        if self.rang_meanwhile:
            self.rang_meanwhile = False
            self.ring_soon()

    def beat_soon(self) -> None:
        self.must_beat = True
        self.wake.set()

    async def tell(self, text: str) -> None:
        with contextlib.suppress(Disconnected):
            await self.send(self.worded(text))

    def worded(self, text: str) -> str:
        """Return a message as this page needs it."""
        return text

    @property
    def reader_name(self) -> str:
        """Return what the page compares with its own reader: another one has signed in meanwhile."""
        return str(self.visitor.reader.user.pk)

    @property
    def asked_cursor(self) -> Cursor:
        """Return the cursor in `?since=` and `?change=`. A value that is not a number gives version -1, older than any."""
        change = parse_id(self.query.get("change", [""])[0])
        value = self.query.get("since", [""])[0]
        with contextlib.suppress(ValueError):
            if value.isascii() and len(value) < 19:
                return Cursor(max(-1, int(value)), change)
        return Cursor(-1, change)

    @property
    def query(self) -> dict[str, list[str]]:
        return parse_qs(self.scope["query_string"].decode("latin-1"), keep_blank_values=True)

    @property
    def session_key(self) -> str:
        return self.scope["cookies"].get(settings.SESSION_COOKIE_NAME, "")
