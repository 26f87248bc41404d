"""The way of a request into a thread and of the answer out of it. Large files are sent as fast as their client reads, by the
event loop.

Each hand-over between thread and loop takes as long as a statement of the database, so there are two: the thread reads the
body from the file that Twisted has made of it, and an answer of known length comes out whole.

For a large file a worker thread only opens it. Otherwise a client that reads slowly would keep a thread, or, as Daphne buffers
whatever it is given, the whole file in memory. docs/decisions/serving.md has figures.
"""

import asyncio
import logging
from collections.abc import Container
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext, suppress
from typing import IO, Any, ClassVar
from wsgiref.util import FileWrapper

from a2wsgi import WSGIMiddleware
from a2wsgi.wsgi import WSGIResponder
from daphne.http_protocol import WebRequest
from django.db import close_old_connections

from core.limits.open_files import file_limit
from taskboard.serving.requests import Request

BLOCK = 128 * 1024  # bytes read and sent at a time
AT_ONCE = 1024 * 1024  # bytes: an answer up to this size is handed to Daphne whole
STALLED = 60.0  # seconds in which a client must take a block

log = logging.getLogger(__name__)


class Pouring(WSGIMiddleware):
    """Runs a WSGI application in threads. The file of a FileResponse is sent when its thread is free again.

    Reading one of the addresses `beside` has a thread of its own, and never waits for the others.
    """

    running: ClassVar[set[Any]] = set()  # the tasks of requests that are not answered yet

    def __init__(self, app: Any, workers: int, beside: Container[str] = ()) -> None:
        super().__init__(app, workers)
        self.beside, self.thread_beside = beside, ThreadPoolExecutor(1, thread_name_prefix="beside")

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        is_beside = scope["path"] in self.beside and scope["method"] in ("GET", "HEAD")
        executor = self.thread_beside if is_beside else self.executor
        task: Any = asyncio.current_task()
        self.running.add(task)
        task.add_done_callback(self.running.discard)
        await Responder(self.app, executor, self.send_queue_size)(scope, receive, send)


class Responder(WSGIResponder):
    """Answers one request, with few hand-overs, and leaves a large file to the event loop."""

    pouring: ClassVar[int] = 0  # files that this process is sending now
    length: int | None = None  # bytes of the body, as the head says
    large_file: FileWrapper | None = None

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.whole: list[Any] = []  # the answer, unless it is large or of unknown length

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.request: Any = request_below(send)
        await super().__call__(scope, receive, send)
        for message in self.whole:
            await send(message)
        if self.large_file is not None:
            await pour(self.large_file.filelike, self.length, self.request, send)

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
        environ["wsgi.file_wrapper"] = lambda file, _block_size: FileWrapper(file, BLOCK)
        has_file = isinstance(self.request, Request)
        with self.request.body if has_file else nullcontext(environ["wsgi.input"]) as environ["wsgi.input"]:
            self.answer(environ, start_response)

    def answer(self, environ: Any, start_response: Any) -> None:
        answer = self.app(environ, start_response)
        if isinstance(answer, FileWrapper):
            if environ["REQUEST_METHOD"] == "HEAD":  # Daphne would throw away what is read from the file
                answer.close()
                answer = ()
            elif self._is_large() and self.request is not None and Responder.pouring < file_limit() // 8:
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


class Client:
    """The receiver of a large file: a Twisted push producer, which is paused while what was sent is not taken."""

    is_gone = False

    def __init__(self) -> None:
        self._reads = asyncio.Event()
        self._reads.set()

    def pauseProducing(self) -> None:
        self._reads.clear()

    def resumeProducing(self) -> None:
        self._reads.set()

    def stopProducing(self) -> None:
        self.is_gone = True
        self._reads.set()

    async def wants_more(self) -> bool:
        """Return True when the client has taken what was sent so far, False if it is gone or takes nothing."""
        with suppress(TimeoutError):
            async with asyncio.timeout(STALLED):
                await self._reads.wait()
        return self._reads.is_set() and not self.is_gone


async def pour(file: IO[bytes], length: int | None, request: Any, send: Any) -> None:
    """Send the file, whose head is sent, up to `length` bytes. Cut the connection if that is not possible, so that the
    client does not take a part for the whole."""
    Responder.pouring += 1
    try:
        if request.channel is None:  # the client left while the file was opened
            return
        request.registerProducer(client := Client(), True)
        if await _pour(file, length, client, send):
            request.unregisterProducer()
            await send({"type": "http.response.body", "body": b""})
        else:
            request.transport.abortConnection()
    finally:
        Responder.pouring -= 1
        asyncio.get_running_loop().run_in_executor(None, file.close)


async def _pour(file: IO[bytes], length: int | None, client: Client, send: Any) -> bool:
    """Return whether everything was sent."""
    sent = 0
    while length is None or sent < length:
        try:
            block = await asyncio.to_thread(file.read, BLOCK if length is None else min(BLOCK, length - sent))
        except Exception:  # storages fail with whatever their code raises
            log.exception("a file could not be read to its end")
            return False
        if not block:
            return length is None and not client.is_gone
        await send({"type": "http.response.body", "body": block, "more_body": True})
        sent += len(block)
        if not await client.wants_more():
            return False
    return not client.is_gone


def request_below(send: Any) -> WebRequest | None:
    """Return Daphne's request, with which the `send` that it gave to the application begins; None without Daphne."""
    request = getattr(send, "args", (None,))[0]
    return request if isinstance(request, WebRequest) else None
