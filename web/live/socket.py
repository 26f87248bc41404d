"""A socket that is served by one task. However that task ends, the socket is closed, so that the page comes back.

A socket that nobody serves any more would be the worst of all: pings go on, so neither side would ever notice.
"""

import asyncio
import logging
from typing import Any

from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer

from web.live.silence import SENDS
from web.live.threads import LOST

# The close code for a fault of ours: the page reconnects. Of the standard codes, autobahn sends 1000 alone.
TRY_AGAIN = 4500

log = logging.getLogger(__name__)


class ServedSocket(AsyncWebsocketConsumer):
    serving: asyncio.Task[None] | None = None
    application: asyncio.Task[Any] | None = None  # the one that Daphne runs for this socket

    async def serve(self) -> int:
        """Serve the page until it must end. Return the code to close the socket with."""
        raise NotImplementedError

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.application = asyncio.current_task()
        try:
            await super().__call__(scope, receive, send)
        except BaseException:  # cancelled, too: the server ends
            await self.close(TRY_AGAIN)
            raise
        finally:
            self.application = None  # it ends already: another cancellation would cut what the gate does last
            if self.serving is not None:
                self.serving.cancel()

    async def dispatch(self, message: dict[str, Any]) -> None:
        """Handle a message of the browser, without what Channels does before each: close old database connections.

        It does that in one thread for all sockets, where thousands that come back at once wait for each other. The
        threads that work for sockets do it themselves (threads.py).
        """
        if message["type"] == "websocket.disconnect":
            raise StopConsumer
        await (self.websocket_connect if message["type"] == "websocket.connect" else self.websocket_receive)(message)

    async def connect(self) -> None:
        await self.accept()
        self.serving = asyncio.create_task(self.serve_and_close())
        self.serving.add_done_callback(self.served)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Close the socket of a client that sends something, which a page never does. With Daphne web/live/silence.py did."""
        await self.close(SENDS)

    async def serve_and_close(self) -> None:
        code = TRY_AGAIN
        try:
            code = await self.serve()
        except LOST:  # web/live/threads.py tells the outage
            pass
        except Exception:  # a bug must not leave a socket that nobody serves
            log.exception("a live page was closed, and will come back")
        await self.close(code)

    def served(self, task: asyncio.Task[None]) -> None:
        """End the application if `task` could not close the socket.

        The application then closes it. If that fails too, it raises, and Daphne closes the sockets of such applications.
        """
        if self.application is not None and (task.cancelled() or task.exception() is not None):
            self.application.cancel()
