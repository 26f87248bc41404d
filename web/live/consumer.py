"""The socket of one open board page: a cursor, moved by hints (architecture: live)."""

import asyncio
import contextlib
import logging
from typing import Any
from urllib.parse import parse_qs
from uuid import UUID

from autobahn.exception import Disconnected
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.db import DatabaseError

from boards.hints import board_group
from core.groups import user_group
from core.ids import parse_id
from web.live.backlog import Backlog
from web.live.hub import hub
from web.live.threads import LOOKING, in_thread
from web.live.visitors import NO_SUCH_BOARD, NOT_SIGNED_IN, Visitor, look, user_of

LOOKS_EVERY = 30  # seconds; covers a last hint that was lost, and access that ended without one
TRY_AGAIN = 1011  # the close code for a failure of ours

log = logging.getLogger(__name__)


class BoardConsumer(AsyncWebsocketConsumer):
    """What it hears only wakes it: it then reads and sends what its page lacks, so hints may be lost, doubled or late."""

    following: asyncio.Task[None] | None = None
    next_look: asyncio.TimerHandle | None = None
    must_look = False
    heard_of: int | None = None  # a version to catch up with
    board_id: UUID
    visitor: Visitor

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            if self.following is not None:
                self.following.cancel()

    async def connect(self) -> None:
        await self.accept()
        self.cursor = self.asked_version
        self.wake = asyncio.Event()
        self.backlog = Backlog(self.base_send, emptied=self.wake.set)
        self.following = asyncio.create_task(self.follow())

    async def follow(self) -> None:
        """Keep the page up to date for as long as it may stay, then close it."""
        try:
            code = await self.stay()
        except DatabaseError as error:
            log.warning("a live page was closed, and will come back: %s", error)
            code = TRY_AGAIN
        except Exception:
            log.exception("a live page was closed, and will come back")
            code = TRY_AGAIN
        await self.close(code)

    async def stay(self) -> int:
        """Returns the code to close with."""
        user_id = await in_thread(LOOKING, user_of, self.session_key)
        board_id = parse_id(self.scope["url_route"]["kwargs"]["board_id"])
        if user_id is None or board_id is None:
            return NOT_SIGNED_IN if user_id is None else NO_SUCH_BOARD
        self.board_id = board_id
        groups = board_group(board_id), user_group(user_id)
        hub.join(self, *groups)  # before the first look, so that nothing falls between
        try:
            return await self.keep_up()
        finally:
            hub.leave(self, *groups)
            if self.next_look is not None:
                self.next_look.cancel()

    async def keep_up(self) -> int:
        self.look_soon()
        code = None
        while code is None:
            await self.wake.wait()
            self.wake.clear()
            if self.must_look:
                code = await self.look()
            if code is None and self.heard_of is not None and not self.backlog.full:
                code = await self.catch_up(self.heard_of)
        return code

    def hear(self, message: dict[str, Any] | None) -> None:
        """A hint of the board's, a word of the person's, or None: something may have been missed."""
        if message is None or "version" not in message:
            self.look_soon()
        elif message["version"] > self.cursor:
            self.heard_of = max(message["version"], self.heard_of or 0)
            self.wake.set()

    def look_soon(self) -> None:
        self.must_look = True
        self.wake.set()

    async def look(self) -> int | None:
        """Whether the page may stay, and whether it lacks anything. Returns the code to close with, if any."""
        self.must_look = False
        found = await in_thread(LOOKING, look, self.session_key, self.board_id)
        if isinstance(found, int):
            return found
        self.visitor = found
        if found.version != self.cursor:
            self.heard_of = max(found.version, self.heard_of or 0)
        if self.next_look is not None:
            self.next_look.cancel()
        self.next_look = asyncio.get_running_loop().call_later(LOOKS_EVERY, self.look_soon)
        return None

    async def catch_up(self, wanted: int) -> int | None:
        """Send what changed since the cursor, up to `wanted` at least, and move the cursor."""
        self.heard_of = None
        update = await hub.changes(self.board_id, self.cursor, self.visitor.reader.user.language, wanted)
        if update is None:
            return NO_SUCH_BOARD
        if not self.visitor.reader.is_among(update.members, self.board_id):
            self.heard_of = wanted
            self.look_soon()
        elif update.text:
            self.cursor = update.version
            if self.heard_of is not None and self.heard_of <= self.cursor:
                self.heard_of = None
            with contextlib.suppress(Disconnected):
                await self.send(update.text)
        return None

    @property
    def session_key(self) -> str:
        return self.scope["cookies"].get(settings.SESSION_COOKIE_NAME, "")

    @property
    def asked_version(self) -> int:
        """The version that the page shows; -1, older than anything, when it does not say."""
        value = parse_qs(self.scope["query_string"].decode("latin-1")).get("since", [""])[0]
        with contextlib.suppress(ValueError):
            if value.isascii() and len(value) < 19:
                return max(-1, int(value))
        return -1
