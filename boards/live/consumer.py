"""The socket of one open board page: a cursor, moved by hints (architecture: live)."""

import asyncio
import contextlib
from typing import Any
from urllib.parse import parse_qs
from uuid import UUID

from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings

from boards.live.hints import board_group, user_group
from boards.live.hub import hub, in_thread
from boards.live.visitors import NO_SUCH_BOARD, NOT_SIGNED_IN, Visitor, look
from boards.text import parse_id

LOOKS_EVERY = 30  # seconds; covers a last hint that was lost, and access that ended without one


class BoardConsumer(AsyncWebsocketConsumer):
    board_id: UUID
    visitor: Visitor
    cursor: int
    looking: asyncio.Task[None] | None = None

    async def connect(self) -> None:
        await self.accept()
        board_id = parse_id(self.scope["url_route"]["kwargs"]["board_id"])
        found = await in_thread(look, self.session_key, board_id)
        if board_id is None or isinstance(found, int):
            await self.close(found if found == NOT_SIGNED_IN or board_id else NO_SUCH_BOARD)
            return
        self.board_id, self.visitor, self.cursor = board_id, found, self.asked_version
        self.groups_joined = [board_group(board_id), user_group(found.user_id)]
        for group in self.groups_joined:
            await self.channel_layer.group_add(group, self.channel_name)
        await self.look_again()  # access may have ended between the look and joining
        self.looking = asyncio.create_task(self.keep_looking())

    async def disconnect(self, code: int) -> None:
        if self.looking is not None:
            self.looking.cancel()
        for group in getattr(self, "groups_joined", []):
            await self.channel_layer.group_discard(group, self.channel_name)

    async def board_changed(self, hint: dict[str, Any]) -> None:
        if hint["version"] > self.cursor:
            await self.catch_up(hint["version"])

    async def access_check(self, message: dict[str, Any]) -> None:
        await self.look_again()

    async def keep_looking(self) -> None:
        while True:
            await asyncio.sleep(LOOKS_EVERY)
            await self.look_again()

    async def look_again(self) -> None:
        """Close when access has ended, else catch up with whatever no hint told of."""
        found = await in_thread(look, self.session_key, self.board_id)
        if isinstance(found, int):
            await self.close(found)
            return
        self.visitor = found
        if found.version != self.cursor:
            await self.catch_up(found.version)

    async def catch_up(self, wanted: int) -> None:
        """Send what changed since the cursor, up to `wanted` at least, and move the cursor."""
        since = self.cursor
        update = await hub.changes(self.board_id, since, self.visitor.language, wanted)
        if update is None:
            await self.close(NO_SUCH_BOARD)
        elif update.text:
            self.cursor = update.version
            await self.send(update.text)

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
