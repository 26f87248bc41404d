"""The socket of a live page. It keeps a cursor (a version) for each board that the page shows.

A hint only wakes the socket, which then reads everything after its cursor. So hints may be lost, repeated or late, and
connecting, reconnecting and catching up are the same code. Broadcasting the change itself would be simpler, but a page
would have to notice that it missed one, and the sender would have to know what each reader may see
(docs/decisions/live.md).
"""

import asyncio
import contextlib
from typing import Any
from urllib.parse import parse_qs
from uuid import UUID

from autobahn.exception import Disconnected
from django.conf import settings

from boards.hints import board_group
from core.compact_json import dumps
from core.groups import user_group
from core.ids import parse_id
from web.live.backlog import Backlog
from web.live.cursor import Cursor
from web.live.gate import TOO_MANY, has_room_for_person
from web.live.hub import hub
from web.live.socket import ServedSocket
from web.live.threads import CHECKING
from web.live.visitors import NO_SUCH_BOARD, NOT_SIGNED_IN, Visitor, check_access, user_of

CHECKS_EVERY = 30  # seconds; catches a lost last hint, and access that ended without a request to check it
BEATS_EVERY = 12  # seconds; a page that hears nothing for two beats takes its connection for dead
ARRIVALS = 200  # sockets a second that a process can accept and bring up to date; pages that lost it spread themselves


class LiveConsumer(ServedSocket):
    """A socket that follows the boards returned by `asked`. Each message to the page is about one of them.

    One task (`serve`) does all checking, reading and sending; hints only record what is wanted and set `wake`. So a
    page never has two updates under way, and a burst of hints during one costs one more reading.
    """

    next_check: asyncio.TimerHandle | None = None
    next_beat: asyncio.TimerHandle | None = None
    must_check = must_beat = False
    cursors: dict[UUID, Cursor]  # what the page shows, by board
    board_of: dict[str, UUID]  # the board, by the name of the group that carries its hints
    wanted: dict[UUID, int]  # the version to catch up to, by board; only boards on which the page is behind
    visitor: Visitor

    def asked(self) -> dict[UUID, Cursor]:
        """Return the boards that the page shows, each with what it shows of it."""
        raise NotImplementedError

    async def serve(self) -> int:
        """Subscribe and keep up until access ends. Return the code to close with."""
        self.cursors, self.wanted = self.asked(), {}
        self.wake = asyncio.Event()
        self.backlog = Backlog(self.base_send, emptied=self.wake.set)
        self.must_beat = "beats" in self.query
        user_id = await CHECKING.run(user_of, self.session_key)
        if user_id is None or not self.cursors:
            return NOT_SIGNED_IN if user_id is None else NO_SUCH_BOARD
        if not await has_room_for_person(self.scope, user_id):
            return TOO_MANY
        self.board_of = {board_group(board_id): board_id for board_id in self.cursors}
        groups = *self.board_of, user_group(user_id)
        hub.join(self, *groups)  # before the first check, so that no change between the two is missed
        try:
            return await self.keep_up()
        finally:
            hub.leave(self, *groups)
            for timer in (self.next_check, self.next_beat):
                if timer is not None:
                    timer.cancel()

    async def keep_up(self) -> int:
        self.check_soon()
        code = None
        while code is None:
            await self.wake.wait()
            self.wake.clear()
            if self.must_check:
                code = await self.check()
            for board_id in list(self.wanted):
                if code is None and not self.backlog.full:
                    code = await self.catch_up(board_id)
            if code is None and self.must_beat and not self.backlog.full:
                await self.beat()
        return code

    def hear(self, group: str, message: dict[str, Any] | None) -> None:
        """Note what to do, and wake `keep_up`. Called by the hub, on the event loop.

        `message` is a board's hint, a request to check access, or None when messages may have been lost.
        """
        if message is None or "version" not in message:
            self.check_soon()
        elif (board_id := self.board_of[group]) in self.cursors and message["version"] > self.cursors[board_id].version:
            self.want(board_id, message["version"])
            self.wake.set()

    def want(self, board_id: UUID, version: int) -> None:
        self.wanted[board_id] = max(version, self.wanted.get(board_id, 0))

    def check_soon(self) -> None:
        self.must_check = True
        self.wake.set()

    async def check(self) -> int | None:
        """Check access, and note the boards on which the page is behind. Return the code to close with, or None."""
        self.must_check = False
        found = await CHECKING.run(check_access, self.session_key, list(self.cursors))
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
        self.next_check = asyncio.get_running_loop().call_later(CHECKS_EVERY, self.check_soon)
        return None

    async def catch_up(self, board_id: UUID) -> int | None:
        """Send what changed since the cursor, up to the wanted version or later, and move the cursor.

        An update is shared by all readers of a board and lists their ids. A user who is not among them is sent nothing,
        and their access is checked again: so nothing leaks even when the request to check it comes late.
        """
        wanted, reader = self.wanted.pop(board_id), self.visitor.reader
        update = await hub.changes(board_id, self.cursors[board_id], reader.user.language, wanted)
        if update is None:
            return NO_SUCH_BOARD if await self.leave_board(board_id) else None
        if not reader.is_among(update.members, board_id):
            self.want(board_id, wanted)
            self.check_soon()
        elif update.text:
            self.cursors[board_id] = Cursor(update.version, update.change)
            if self.wanted.get(board_id, 0) <= update.version:
                self.wanted.pop(board_id, None)
            await self.tell(update.text)
        return None

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
        await self.tell(dumps({"beat": BEATS_EVERY, "spread": spread, "user": str(self.visitor.reader.user.pk)}))
        self.next_beat = asyncio.get_running_loop().call_later(BEATS_EVERY, self.beat_soon)

    def beat_soon(self) -> None:
        self.must_beat = True
        self.wake.set()

    async def tell(self, text: str) -> None:
        with contextlib.suppress(Disconnected):
            await self.send(text)

    @property
    def query(self) -> dict[str, list[str]]:
        return parse_qs(self.scope["query_string"].decode("latin-1"), keep_blank_values=True)

    @property
    def session_key(self) -> str:
        return self.scope["cookies"].get(settings.SESSION_COOKIE_NAME, "")


class BoardConsumer(LiveConsumer):
    """The page of one board: `/ws/board/<id>?since=<version>&change=<id>&beats`."""

    def asked(self) -> dict[UUID, Cursor]:
        board_id = parse_id(self.scope["url_route"]["kwargs"]["board_id"])
        change = parse_id(self.query.get("change", [""])[0])
        return {board_id: Cursor(self.asked_version, change)} if board_id else {}

    @property
    def asked_version(self) -> int:
        """Return the version in `?since=`, or -1, which is older than any version, if it is missing or not a number."""
        value = self.query.get("since", [""])[0]
        with contextlib.suppress(ValueError):
            if value.isascii() and len(value) < 19:
                return max(-1, int(value))
        return -1
