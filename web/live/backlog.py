"""Whether a socket's reader keeps up. ASGI does not tell, so Twisted's transport beneath Daphne is asked."""

from collections.abc import Awaitable, Callable
from typing import Any

from daphne.ws_protocol import WebSocketProtocol

Send = Callable[[dict[str, Any]], Awaitable[None]]


class Backlog:
    """A push producer as Twisted wants it: `full` from the moment that the reader lags until it has read everything."""

    full = False

    def __init__(self, send: Send, emptied: Callable[[], None]) -> None:
        """`send` is the one that the server gave to the application."""
        self._emptied = emptied
        protocol = getattr(send, "args", (None,))[0]
        if isinstance(protocol, WebSocketProtocol) and protocol.transport is not None:
            protocol.transport.unregisterProducer()  # the http side's, which the upgrade has left behind
            protocol.transport.registerProducer(self, True)

    def pauseProducing(self) -> None:
        self.full = True

    def resumeProducing(self) -> None:
        self.full = False
        self._emptied()

    def stopProducing(self) -> None:
        self.full = True
