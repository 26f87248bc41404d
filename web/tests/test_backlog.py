"""Frames are sent past ASGI, with Daphne's own protocol."""

from functools import partial

import pytest
from autobahn.twisted.websocket import WebSocketServerFactory
from daphne.ws_protocol import WebSocketProtocol

from web.live.backlog import Backlog, framed


@pytest.fixture
def protocol():
    made = WebSocketProtocol()
    made.transport, made.factory, made.sent = None, WebSocketServerFactory(), []
    made.sendPreparedMessage = made.sent.append
    made.state = made.STATE_OPEN
    return made


def backlog_of(protocol) -> Backlog:
    return Backlog(partial(print, protocol), emptied=lambda: None)


def test_a_message_is_framed_once_for_all_sockets(protocol):
    others = WebSocketProtocol()
    others.transport, others.factory, others.sent, others.state = None, protocol.factory, [], protocol.STATE_OPEN
    others.sendPreparedMessage = others.sent.append
    assert backlog_of(protocol).send("für alle")
    assert backlog_of(others).send("für alle")
    [frame] = protocol.sent
    assert others.sent == [frame]
    assert frame.payloadHybi == b"\x81\x09" + "für alle".encode()


def test_another_message_is_another_frame(protocol):
    assert framed(protocol.factory, "one") is not framed(protocol.factory, "two")


@pytest.mark.parametrize("state", ["STATE_CONNECTING", "STATE_CLOSING", "STATE_CLOSED"])
def test_nothing_is_sent_to_a_socket_that_is_not_open(protocol, state):
    protocol.state = getattr(protocol, state)
    assert not backlog_of(protocol).send("late")
    assert protocol.sent == []


def test_nothing_is_sent_to_a_client_that_lags(protocol):
    backlog = backlog_of(protocol)
    backlog.pauseProducing()
    assert not backlog.send("too much")
    backlog.resumeProducing()
    assert backlog.send("again")
    assert len(protocol.sent) == 1


def test_without_daphne_the_task_of_the_socket_sends():
    assert not Backlog(print, emptied=lambda: None).send("by ASGI")
