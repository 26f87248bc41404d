"""A close frame leaves before its connection is cut.

autobahn cuts the connection of a client that has not answered a close frame within a second. In a round of the event loop
that takes longer it did so before the frame had left, and the page was lost without a code (1006).
"""

import asyncio
from typing import Any

from web.live.backlog import Send, protocol_below


def let_close_frame_leave(send: Send) -> None:
    """Cut the socket to which the server gave `send` a round later: sockets that can be written to come before timers."""
    protocol: Any = protocol_below(send)
    if protocol is not None:
        cut = protocol.onCloseHandshakeTimeout
        protocol.onCloseHandshakeTimeout = lambda: asyncio.get_running_loop().call_later(0, cut)
