"""A close frame leaves before its connection is cut, also when the event loop is held up meanwhile."""

import asyncio
import socket
from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import Any

from autobahn.twisted.websocket import WebSocketServerFactory
from daphne.ws_protocol import WebSocketProtocol

from web.live.closing import let_close_frame_leave
from web.live.socket import TRY_AGAIN


class Transport:
    """Sends in the next round of the event loop, as Twisted's does, and throws away what it has when it is aborted."""

    def __init__(self, ours: socket.socket) -> None:
        self.ours, self.is_cut, self.loop = ours, asyncio.Event(), asyncio.get_running_loop()

    def write(self, data: bytes) -> None:
        self.loop.add_writer(self.ours, self.send, data)

    def send(self, data: bytes) -> None:
        self.ours.send(data)
        self.loop.remove_writer(self.ours)

    def getPeer(self) -> object:
        return self

    def unregisterProducer(self) -> None:
        pass

    def abortConnection(self) -> None:
        self.loop.remove_writer(self.ours)
        self.is_cut.set()


def at_once(_seconds: float, call: Callable[[], Any]) -> None:
    """Call a timer in the round that set it, which is what happens when that round takes longer than the timer."""
    call()


def test_a_connection_that_is_cut_in_the_round_of_its_close_frame_sends_it():
    ours, theirs = socket.socketpair()

    async def story() -> bytes:
        protocol = WebSocketProtocol()
        protocol.factory = WebSocketServerFactory()
        protocol.makeConnection(Transport(ours))
        protocol.factory._batched_timer = SimpleNamespace(call_later=at_once)
        protocol.state = protocol.STATE_OPEN
        let_close_frame_leave(partial(print, protocol))
        protocol.sendClose(code=TRY_AGAIN)
        await protocol.transport.is_cut.wait()
        ours.close()
        return theirs.recv(100)

    with ours, theirs:
        assert asyncio.run(story()) == b"\x88\x02" + TRY_AGAIN.to_bytes(2)
