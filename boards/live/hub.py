"""One reading and rendering for all sockets of this process that stand at the same cursor in the same language."""

import asyncio
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import UUID

from channels.db import database_sync_to_async

from boards.live.catchup import Update, changes_since

THREADS = ThreadPoolExecutor(4, thread_name_prefix="live")
KEPT = 256

Key = tuple[UUID, int, str]


async def in_thread(function: Any, *args: Any) -> Any:
    """Run database work beside the event loop."""
    return await database_sync_to_async(function, thread_sensitive=False, executor=THREADS)(*args)


class Hub:
    def __init__(self) -> None:
        self._latest: OrderedDict[Key, asyncio.Task[Update | None]] = OrderedDict()

    async def changes(self, board_id: UUID, since: int, language: str, wanted: int) -> Update | None:
        """What brings a page from `since` to `wanted` or later; None when the board is gone."""
        key = (board_id, since, language)
        task = self._latest.get(key)
        if task is not None:
            update = await asyncio.shield(task)
            if update is not None and update.version >= wanted:
                return update
            if self._latest.get(key) is task:
                del self._latest[key]
        return await asyncio.shield(self._start(key))

    def _start(self, key: Key) -> "asyncio.Task[Update | None]":
        task = self._latest.get(key)
        if task is None:
            task = asyncio.get_running_loop().create_task(in_thread(changes_since, *key))
            self._latest[key] = task
            while len(self._latest) > KEPT:
                self._latest.popitem(last=False)
        return task


hub = Hub()
