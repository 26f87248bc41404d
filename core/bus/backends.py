"""The two backends of the bus: inside one process, or between processes over Redis."""

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any, Protocol

from core.bus.publisher import Publisher
from core.bus.subscriber import Subscriber

Heard = Callable[[str, dict[str, Any] | None], None]  # called on the event loop that called `listen`


class Bus(Protocol):
    def publish(self, group: str, message: dict[str, Any]) -> None: ...

    def listen(self, heard: Heard) -> None: ...

    def join(self, group: str) -> None: ...

    def leave(self, group: str) -> None: ...


class MemoryBus:
    """Delivers messages inside one process, to the event loop that called `listen`.

    It delivers the messages of every group, joined or not; the listener ignores those that it has no use for.
    """

    def __init__(self) -> None:
        self._listener: tuple[asyncio.AbstractEventLoop, Heard] | None = None

    def publish(self, group: str, message: dict[str, Any]) -> None:
        if self._listener is not None:
            loop, heard = self._listener
            with contextlib.suppress(RuntimeError):  # the loop is closed: the process is ending
                loop.call_soon_threadsafe(heard, group, message)

    def listen(self, heard: Heard) -> None:
        """From now on, call `heard` on the running event loop for each message."""
        self._listener = asyncio.get_running_loop(), heard

    def join(self, group: str) -> None:
        """Do nothing: every message is delivered."""

    def leave(self, group: str) -> None:
        pass


class RedisBus:
    """Delivers messages between any number of processes, with Redis' publish and subscribe.

    Publishing and subscribing are apart because they run in different places: `publish` is called from synchronous code
    in any thread and process, `listen` on the event loop of a process that serves websockets.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self._publisher = Publisher(url)
        self._subscriber: Subscriber | None = None

    def publish(self, group: str, message: dict[str, Any]) -> None:
        self._publisher.publish(group, message)

    def listen(self, heard: Heard) -> None:
        self._subscriber = Subscriber(self._url, heard)

    def join(self, group: str) -> None:
        """Ask for the subscription and return at once. `heard(group, None)` is called when Redis has confirmed it.

        A message published in between is lost, so a subscriber must catch up when it gets that call.
        """
        if self._subscriber is not None:
            self._subscriber.join(group)

    def leave(self, group: str) -> None:
        if self._subscriber is not None:
            self._subscriber.leave(group)
