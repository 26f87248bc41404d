"""How messages travel: inside one process, or between processes over Redis."""

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any, Protocol

from core.bus.publisher import Publisher
from core.bus.subscriber import Subscriber

Heard = Callable[[str, dict[str, Any] | None], None]  # called on the loop that listens


class Bus(Protocol):
    def publish(self, group: str, message: dict[str, Any]) -> None: ...

    def listen(self, heard: Heard) -> None: ...

    def join(self, group: str) -> None: ...

    def leave(self, group: str) -> None: ...


class MemoryBus:
    """One process: a message is handed to the loop that listens."""

    def __init__(self) -> None:
        self._listener: tuple[asyncio.AbstractEventLoop, Heard] | None = None

    def publish(self, group: str, message: dict[str, Any]) -> None:
        if self._listener is not None:
            loop, heard = self._listener
            with contextlib.suppress(RuntimeError):  # the loop is closed: the process ends
                loop.call_soon_threadsafe(heard, group, message)

    def listen(self, heard: Heard) -> None:
        """Call `heard`, from now on, on the running loop for each message to a joined group."""
        self._listener = asyncio.get_running_loop(), heard

    def join(self, group: str) -> None:
        """Nothing to do: in one process every message is handed over."""

    def leave(self, group: str) -> None:
        pass


class RedisBus:
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
        """Return at once; `heard(group, None)` follows when Redis has confirmed the subscription."""
        if self._subscriber is not None:
            self._subscriber.join(group)

    def leave(self, group: str) -> None:
        if self._subscriber is not None:
            self._subscriber.leave(group)
