"""A page only listens. The first frame that a client sends closes its socket, before Daphne reads what is in the frame.

Why not in the consumer: Daphne puts every message into a queue without a bound, also while the socket is being closed.
Pings and pongs are part of every connection; a client that sends far more of them than those is cut too.
"""

import time
from typing import Any

from web.live.backlog import Send, protocol_below

SENDS = 4400  # the close code for a client that sends something
AT_ONCE, EVERY = 60, 1.0  # control frames: so many, and one more each so many seconds


def keep_silent(send: Send) -> None:
    """Watch the socket to which the server gave `send`. Without Daphne, as in tests, the consumer does it alone."""
    protocol = protocol_below(send)
    if protocol is not None:
        Silence(protocol)


class Silence:
    def __init__(self, protocol: Any) -> None:
        self._protocol = protocol
        self._began, self._controls = time.monotonic(), 0
        self._begin, self._ping, self._pong = protocol.onMessageBegin, protocol.onPing, protocol.onPong
        protocol.onMessageBegin, protocol.onPing, protocol.onPong = self.begin, self.ping, self.pong

    def begin(self, is_binary: bool) -> None:
        self._begin(is_binary)
        self._cut()

    def ping(self, payload: bytes) -> None:
        if self._is_moderate():
            self._ping(payload)

    def pong(self, payload: bytes) -> None:
        if self._is_moderate():
            self._pong(payload)

    def _is_moderate(self) -> bool:
        self._controls += 1
        if self._controls <= AT_ONCE + (time.monotonic() - self._began) / EVERY:
            return True
        self._cut()
        return False

    def _cut(self) -> None:
        self._protocol.sendCloseFrame(code=SENDS)
        self._protocol.dropConnection()
