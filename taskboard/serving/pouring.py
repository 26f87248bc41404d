"""The way of a request into a thread and of the answer out of it. Large files are sent as fast as their client reads, by the
event loop.

Each hand-over between thread and loop takes as long as a statement of the database, so there are two: a small body goes
into the thread with the request, and an answer of known length comes out of it whole.

For a large file a worker thread only opens it. Otherwise a client that reads slowly would keep a thread, or, as Daphne buffers
whatever it is given, the whole file in memory. docs/decisions/serving.md has figures.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Container, Iterator
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from typing import IO, Any, ClassVar

from a2wsgi import WSGIMiddleware
from a2wsgi.wsgi import WSGIResponder
from daphne.http_protocol import WebRequest
from django.db import close_old_connections

from core.limits.open_files import file_limit
from taskboard.serving.channel import Channel

BLOCK = 128 * 1024  # bytes read and sent at a time
AT_ONCE = 1024 * 1024  # bytes: an answer up to this size is handed to Daphne whole
STALLED = 60.0  # seconds in which a client must take a block
READERS = 4  # threads that read from the storage, a block at a time

log = logging.getLogger(__name__)
_readers = ThreadPoolExecutor(READERS, thread_name_prefix="files")


class Pouring(WSGIMiddleware):
    """Runs a WSGI application in threads. The file of a FileResponse is sent when its thread is free again.

    Reading one of the addresses `beside` has a thread of its own, and never waits for the others.
    """

    def __init__(self, app: Any, workers: int, beside: Container[str] = ()) -> None:
        super().__init__(app, workers)
        self.beside, self.thread_beside = beside, ThreadPoolExecutor(1, thread_name_prefix="beside")

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        is_beside = scope["path"] in self.beside and scope["method"] in ("GET", "HEAD")
        executor = self.thread_beside if is_beside else self.executor
        await Responder(self.app, executor, self.send_queue_size)(scope, receive, send)


class OpenFile:
    """The application's `wsgi.file_wrapper`."""

    def __init__(self, file: IO[bytes], _block_size: int) -> None:
        self.file = file
        self.close = file.close

    def __iter__(self) -> Iterator[bytes]:
        while block := self.file.read(BLOCK):
            yield block


class Responder(WSGIResponder):
    """Answers one request, with few hand-overs, and leaves a large file to the event loop."""

    pouring: ClassVar[int] = 0  # files that this process is sending now
    length: int | None = None  # bytes of the body, as the head says
    large_file: OpenFile | None = None

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.body: bytes | None = None  # of the request, unless it comes in parts
        self.whole: list[Any] = []  # the answer, unless it is large or of unknown length

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        first = await receive()  # Daphne calls an application when it has all of a request
        if not first.get("more_body"):
            self.body = first.get("body", b"")
        await super().__call__(scope, _beginning_with(first, receive), send)
        for message in self.whole:
            await send(message)
        if self.large_file is not None:
            await pour(self.large_file.file, self.length, receive, send)

    def start_response(self, status: str, response_headers: Any, exc_info: Any = None) -> Any:
        lengths = [value for name, value in response_headers if name.lower() == "content-length"]
        self.length = int(lengths[0]) if lengths else None
        return super().start_response(status, response_headers, exc_info)

    def send(self, message: Any) -> None:
        """Called in the thread."""
        if self._is_large():
            super().send(message)
        else:
            self.whole.append(message)

    def wsgi(self, environ: Any, start_response: Any) -> None:
        """Run the application, in a thread."""
        environ["wsgi.file_wrapper"] = OpenFile
        if self.body is not None:
            environ["wsgi.input"] = BytesIO(self.body)
        answer = self.app(environ, start_response)
        if isinstance(answer, OpenFile):
            if environ["REQUEST_METHOD"] == "HEAD":  # Daphne would throw away what is read from the file
                answer.close()
                answer = ()
            elif self._is_large() and Responder.pouring < file_limit() // 8:
                self.large_file = answer
                close_old_connections()  # in this thread, as the end of the request will be in another
                return
        try:
            for block in answer:
                self.send({"type": "http.response.body", "body": block, "more_body": True})
            self.send({"type": "http.response.body", "body": b""})
        finally:
            getattr(answer, "close", lambda: None)()

    def _is_large(self) -> bool:
        return self.length is None or self.length > AT_ONCE


def _beginning_with(first: Any, receive: Any) -> Callable[[], Awaitable[Any]]:
    """Return a `receive` that gives the first message once more."""
    again = [first]

    async def next_message() -> Any:
        return again.pop() if again else await receive()

    return next_message


async def pour(file: IO[bytes], length: int | None, receive: Any, send: Any) -> None:
    """Send the file, whose head is sent, up to `length` bytes. Cut the connection if that is not possible, so that the
    client does not take a part for the whole."""
    channel, gone = channel_below(send), asyncio.ensure_future(disconnected(receive))
    Responder.pouring += 1
    try:
        if await _pour(file, length, send, channel, gone):
            await send({"type": "http.response.body", "body": b""})
        elif channel is not None:
            channel.transport.abortConnection()
    finally:
        Responder.pouring -= 1
        gone.cancel()
        _readers.submit(file.close)


async def _pour(
    file: IO[bytes], length: int | None, send: Any, channel: Channel | None, gone: "asyncio.Future[None]"
) -> bool:
    """Return whether everything was sent."""
    loop, sent = asyncio.get_running_loop(), 0
    while length is None or sent < length:
        if gone.done():
            return False
        try:
            block = await loop.run_in_executor(
                _readers, file.read, BLOCK if length is None else min(BLOCK, length - sent)
            )
        except Exception:  # storages fail with whatever their code raises
            log.exception("a file could not be read to its end")
            return False
        if not block:
            return length is None
        await send({"type": "http.response.body", "body": block, "more_body": True})
        sent += len(block)
        if channel is not None and not await channel.has_room(STALLED):
            return False
    return True


async def disconnected(receive: Callable[[], Any]) -> None:
    """Return when the client is gone."""
    while (await receive())["type"] != "http.disconnect":
        pass


def channel_below(send: Any) -> Channel | None:
    """Return the connection of the request, with whose protocol `send` begins (see web/live/backlog.py); else None."""
    request = getattr(send, "args", (None,))[0]
    channel = request.channel if isinstance(request, WebRequest) else None
    return channel if isinstance(channel, Channel) else None
