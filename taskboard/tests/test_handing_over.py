"""A request of the embedded server gets into a thread, and its answer out of it."""

import asyncio
import io
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import a2wsgi.wsgi
import pytest
from daphne.server import Server
from twisted.internet.address import IPv4Address
from twisted.internet.error import ConnectionDone
from twisted.internet.testing import StringTransport
from twisted.python.failure import Failure

from taskboard.serving import pouring
from taskboard.serving.pouring import AT_ONCE, Pouring
from taskboard.serving.requests import Factory, Request
from taskboard.tests.servers import ROOT, bare_environment
from taskboard.tests.waiting import PATIENCE

SCOPE = {"type": "http", "method": "POST", "path": "/", "query_string": b"", "http_version": "1.1", "headers": []}

CONNECTED = """
import django
django.setup()
from django.core.cache import close_caches
from django.core.signals import request_finished, request_started
from django.db import reset_queries
print(request_started.disconnect(reset_queries), request_finished.disconnect(close_caches))
"""


def answered(
    application: Callable[..., Iterable[bytes]],
    *parts: bytes,
    hear: Any = None,
    request: Request | None = None,
    **asked: str,
) -> list[dict[str, Any]]:
    """Return what the server is told to send, for a request whose body comes in these parts, or in the file of `request`."""
    last = len(parts) - 1
    messages = [{"type": "http.request", "body": part, "more_body": at < last} for at, part in enumerate(parts)]
    sent: list[dict[str, Any]] = []

    async def receive() -> Any:
        return messages.pop(0)

    async def send(_request: Request | None, message: dict[str, Any]) -> None:
        sent.append(message)
        if hear is not None:
            hear(message)

    served = Pouring(application, workers=1, beside=["/livez"])
    asyncio.run(served(SCOPE | asked, receive, partial(send, request)))
    return sent


def request_of(body: bytes) -> Request:
    """Return a request of the embedded server, whose client has left by now."""
    request = Request.__new__(Request)
    request.body, request.channel = io.BytesIO(body), None  # type: ignore[assignment]
    return request


def body_of(sent: Iterable[dict[str, Any]]) -> bytes:
    return b"".join(message.get("body", b"") for message in sent)


def echo(environ: dict[str, Any], start_response: Any) -> list[bytes]:
    body = environ["wsgi.input"].read()
    start_response("200 OK", [("Content-Length", str(len(body)))])
    return [body]


@pytest.mark.parametrize("body", [b"a card", b"x" * AT_ONCE], ids=["small", "large"])
def test_a_request_and_its_answer_are_handed_over_whole(monkeypatch, body):
    """Nothing else passes between the thread and the loop, as each hand-over takes as long as a statement."""
    monkeypatch.setattr(a2wsgi.wsgi.asyncio, "run_coroutine_threadsafe", None)
    request = request_of(body)
    sent = answered(echo, b"", request=request)
    assert [message["type"] for message in sent] == ["http.response.start", *["http.response.body"] * (len(sent) - 1)]
    assert body_of(sent) == body
    assert not sent[-1].get("more_body")
    assert request.body.closed


class Asked(Server):
    """Notes the request for which Daphne makes an application, and what it puts into its queue."""

    def __init__(self) -> None:
        super().__init__(None, endpoints=["none"])
        self.connections: dict[Any, Any] = {}
        self.queue: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

    def create_application(self, protocol: Request, scope: Any) -> Any:
        self.request = protocol
        return self.queue


@pytest.mark.parametrize("size", [10, 2 * AT_ONCE], ids=["in memory", "in a file"])
def test_a_body_is_not_read_into_the_queue_of_its_application(size):
    server = Asked()
    channel = Factory(server).buildProtocol(IPv4Address("TCP", "127.0.0.1", 4000))
    channel.makeConnection(StringTransport())
    head = f"POST /settings/profile/picture HTTP/1.1\r\nHost: x\r\nContent-Length: {size}\r\n\r\n"
    channel.dataReceived(head.encode() + b"x" * size)
    assert server.queue.get_nowait() == {"type": "http.request", "body": b"", "more_body": False}
    assert server.queue.empty()
    with server.request.body as body:
        assert body.read() == b"x" * size
    channel.connectionLost(Failure(ConnectionDone()))


@pytest.mark.parametrize("parts", [(b"a", b"b", b"c"), (b"x" * AT_ONCE, b"y" * AT_ONCE)], ids=["small", "large"])
def test_a_body_that_comes_in_parts_arrives_whole(parts):
    sent = answered(echo, *parts)
    assert body_of(sent) == b"".join(parts)
    assert not sent[-1].get("more_body")


def sends(file: io.BytesIO, length: int) -> Any:
    def application(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        start_response("200 OK", [("Content-Length", str(length))])
        return environ["wsgi.file_wrapper"](file, 4096)

    return application


@pytest.mark.parametrize("length", [6, 2 * AT_ONCE])
def test_a_file_of_which_only_the_head_is_wanted_is_not_read(length):
    file = io.BytesIO(b"a file")
    assert body_of(answered(sends(file, length), b"", method="HEAD")) == b""
    assert file.closed


@pytest.mark.parametrize("others, by_thread", [(0, False), (1, True)])
def test_a_large_file_is_left_to_the_loop_while_few_others_are_open(monkeypatch, others, by_thread):
    """And its thread then lets go of the database. Open files are needed for connections too."""
    let_go: list[str] = []
    monkeypatch.setattr(pouring, "close_old_connections", lambda: let_go.append(threading.current_thread().name))
    monkeypatch.setattr(pouring, "file_limit", lambda: 8)
    monkeypatch.setattr(pouring.Responder, "pouring", others)
    sent = answered(sends(io.BytesIO(b"a file"), 2 * AT_ONCE), b"", request=request_of(b""))
    assert (body_of(sent) == b"a file") == by_thread
    assert [name.startswith("WSGI") for name in let_go] == ([] if by_thread else [True])


def test_an_answer_of_unknown_length_is_sent_while_it_is_made():
    first_arrived = threading.Event()

    def slow(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        start_response("200 OK", [])
        yield b"first"
        yield b"in time" if first_arrived.wait(PATIENCE) else b"too late"

    def hear(message: dict[str, Any]) -> None:
        if message.get("body") == b"first":
            first_arrived.set()

    assert body_of(answered(slow, b"", hear=hear)) == b"firstin time"


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_an_address_beside_is_answered_while_all_threads_are_taken(method):
    taken, free = threading.Semaphore(0), threading.Event()

    def application(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        if environ["PATH_INFO"] != "/livez":
            taken.release()
            assert free.wait(PATIENCE)
        return echo(environ, start_response)

    async def ask(pouring: Pouring, **asked: str) -> list[dict[str, Any]]:
        sent: list[dict[str, Any]] = []

        async def receive() -> Any:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)

        await pouring(SCOPE | asked, receive, send)
        return sent

    async def all_of_them() -> None:
        pouring = Pouring(application, workers=2, beside=["/livez"])
        others = [asyncio.ensure_future(ask(pouring)) for _thread in range(3)]
        try:
            for _thread in range(2):
                assert await asyncio.to_thread(taken.acquire, timeout=PATIENCE)
            answer = await asyncio.wait_for(ask(pouring, method=method, path="/livez"), PATIENCE / 2)
            assert answer[0]["status"] == 200
            assert not any(other.done() for other in others)
        finally:
            free.set()
        await asyncio.gather(*others)

    asyncio.run(all_of_them())


def test_what_writes_at_an_address_beside_waits_like_everything_else():
    """So that nobody keeps its thread busy with a large form."""
    names = []

    def application(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        names.append(threading.current_thread().name)
        return echo(environ, start_response)

    answered(application, b"a form", path="/livez")
    assert names[0].startswith("WSGI")


def test_what_an_application_raises_reaches_the_server():
    def broken(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        answered(broken, b"")


def test_a_request_does_not_pass_what_has_nothing_to_do_here(processes, tmp_path):
    """In a process of its own, as tests that count statements connect one of them again."""
    environment = bare_environment() | {"TASKBOARD_DATA": str(tmp_path), "DJANGO_SETTINGS_MODULE": "taskboard.settings"}
    done = subprocess.run([sys.executable, "-c", CONNECTED], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("False False\n", "")
