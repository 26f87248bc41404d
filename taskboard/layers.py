"""Channel layers that synchronous code may publish through: `get_channel_layer().publish(group, message)`.

Actions run in worker threads; building an event loop and a connection for every hint is what this avoids. A hint that
cannot be delivered is logged and let go: every socket also looks for itself (boards/live/).
"""

import asyncio
import logging
import os
import threading
from typing import Any

from channels.layers import InMemoryChannelLayer
from channels_redis.pubsub import RedisPubSubChannelLayer

log = logging.getLogger(__name__)


class MemoryLayer(InMemoryChannelLayer):
    """One process: the layer is not thread-safe, so a hint is handed to the loop that the sockets live on."""

    loop: asyncio.AbstractEventLoop | None = None

    async def group_add(self, group: str, channel: str) -> None:
        self.loop = asyncio.get_running_loop()
        await super().group_add(group, channel)

    def publish(self, group: str, message: dict[str, Any]) -> None:
        loop = self.loop
        if loop is None or loop.is_closed():
            return  # nobody has ever listened
        loop.call_soon_threadsafe(lambda: loop.create_task(self.group_send(group, message)))


class RedisLayer(RedisPubSubChannelLayer):
    """Any number of processes: one loop thread a process holds the connection that publishes."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._starting = threading.Lock()
        self._publisher: tuple[int, asyncio.AbstractEventLoop] | None = None

    def publish(self, group: str, message: dict[str, Any]) -> None:
        sent = asyncio.run_coroutine_threadsafe(self._send(group, message), self._loop())
        sent.add_done_callback(_report)

    async def _send(self, group: str, message: dict[str, Any]) -> None:
        await self.group_send(group, message)  # looked up here, on the publisher's loop: the layer keeps one connection a loop

    def _loop(self) -> asyncio.AbstractEventLoop:
        with self._starting:
            if self._publisher is None or self._publisher[0] != os.getpid():  # a forked worker starts its own
                loop = asyncio.new_event_loop()
                threading.Thread(target=loop.run_forever, name="publisher", daemon=True).start()
                self._publisher = (os.getpid(), loop)
            return self._publisher[1]


def _report(sent: Any) -> None:
    if not sent.cancelled() and sent.exception() is not None:
        log.warning("a live hint was not delivered: %s", sent.exception())
