"""The interface of a bus, and the bus of a single process."""

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any, Protocol

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
