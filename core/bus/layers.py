"""How hints travel: `get_channel_layer().publish(group, message)` from any thread to every process that joined the group.

They stand in the place of Channels' own layers, which give each socket a queue of its own: here a process listens once
for all of its sockets (web/live/hub.py), and synchronous code publishes without an event loop. A hint may be lost or
doubled; `heard(group, None)` says that some may have been lost.
"""

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any

from core.bus.publisher import Publisher
from core.bus.subscriber import Subscriber

Heard = Callable[[str, dict[str, Any] | None], None]  # called on the loop that listens


class MemoryLayer:
    """One process: what is published is handed to the loop that its sockets live on."""

    def __init__(self) -> None:
        self._listener: tuple[asyncio.AbstractEventLoop, Heard] | None = None

    def publish(self, group: str, message: dict[str, Any]) -> None:
        if self._listener is not None:
            loop, heard = self._listener
            with contextlib.suppress(RuntimeError):  # the loop is closed: the process ends
                loop.call_soon_threadsafe(heard, group, message)

    def listen(self, heard: Heard) -> None:
        """From now on `heard` is called on this loop for what is published to joined groups."""
        self._listener = asyncio.get_running_loop(), heard

    def join(self, group: str) -> None:
        """In one process everything is heard."""

    def leave(self, group: str) -> None:
        pass


class RedisLayer:
    """Any number of processes, over Redis' publish and subscribe."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._publisher = Publisher(url)
        self._subscriber: Subscriber | None = None

    def publish(self, group: str, message: dict[str, Any]) -> None:
        self._publisher.publish(group, message)

    def listen(self, heard: Heard) -> None:
        self._subscriber = Subscriber(self._url, heard)

    def join(self, group: str) -> None:
        """Returns at once; `heard(group, None)` follows when the group is really joined."""
        if self._subscriber is not None:
            self._subscriber.join(group)

    def leave(self, group: str) -> None:
        if self._subscriber is not None:
            self._subscriber.leave(group)
