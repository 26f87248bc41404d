"""Back-pressure: tells whether the client of a socket keeps up with reading, and sends to it past ASGI.

ASGI has no such signal: `send` returns at once, and Daphne buffers without limit. So this registers with Twisted's
transport below Daphne, and a lagging page is sent the sum of the changes once it reads on.
"""

from collections.abc import Awaitable, Callable
from functools import lru_cache
from typing import Any

from daphne.ws_protocol import WebSocketProtocol

Send = Callable[[dict[str, Any]], Awaitable[None]]


def protocol_below(send: Send) -> WebSocketProtocol | None:
    """Return Daphne's protocol object, with which the `send` that it gave to the application begins; None without Daphne."""
    protocol = getattr(send, "args", (None,))[0]
    return protocol if isinstance(protocol, WebSocketProtocol) else None


@lru_cache(maxsize=4)
def framed(factory: Any, text: str) -> Any:
    """Return a message as the frame that is the same for all sockets of Daphne's `factory`."""
    return factory.prepareMessage(text.encode())


class Backlog:
    """A Twisted push producer. `full` is true from when the transport's buffer is full until it has been emptied.

    Without Daphne, as in tests, `full` stays false.
    """

    full = False

    def __init__(self, send: Send, emptied: Callable[[], None]) -> None:
        """`send` is the one that the server gave to the application; `emptied` is called when the buffer is empty."""
        self._emptied = emptied
        self._protocol = protocol = protocol_below(send)
        if protocol is not None and protocol.transport is not None:
            protocol.transport.unregisterProducer()  # the HTTP protocol's, left over from before the upgrade
            protocol.transport.registerProducer(self, True)

    def send(self, text: str) -> bool:
        """Send a message at once. Return False if it cannot be: the client lags, the socket closes, or there is no Daphne."""
        protocol = self._protocol
        if protocol is None or self.full or protocol.state != protocol.STATE_OPEN:
            return False
        protocol.sendPreparedMessage(framed(protocol.factory, text))
        return True

    def pauseProducing(self) -> None:
        self.full = True

    def resumeProducing(self) -> None:
        self.full = False
        self._emptied()

    def stopProducing(self) -> None:
        self.full = True
