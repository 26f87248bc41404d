"""The client for requests to other servers: over https, to public addresses alone, bounded in time and size.

Servers that the operator names (`servers`, as `http://planka.internal:1337`) may be anywhere, and may do without https.
"""

import socket
import ssl
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from concurrent.futures import Future, wait
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPException
from tempfile import SpooledTemporaryFile
from typing import IO, NamedTuple
from urllib.parse import SplitResult, urljoin, urlsplit

from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import ConnectTimeoutError, HTTPError

from core.http.public_addresses import is_private_literal, is_public

LONGEST = 4000  # characters of an address
MOST_HEADERS = 32 * 1024  # characters of an answer
IN_MEMORY = 1_000_000  # bytes of an answer; what is more lies in a temporary file
CHUNK = 64 * 1024  # bytes
MOST_ADDRESSES = 4  # of a name, that are tried
CONNECTING = 5.0  # seconds for each of them
LISTEN = 1.0  # seconds between two questions whether the answer is still wanted
REDIRECTS = (301, 302, 303, 307, 308)
PORTS = (None, 443)
FIRST_FREE_PORT = 1024


class Unreachable(OSError):
    """No answer came. The text names the host and the kind of error, never the address, which may hold a secret."""


class Answer(NamedTuple):
    status: int
    headers: Mapping[str, str]
    body: IO[bytes]


@contextmanager
def fetch(
    address: str,
    *,
    headers: Mapping[str, str],
    most: int,
    seconds: float,
    body: bytes | None = None,
    servers: Collection[str] = (),
    redirects: int | None = 0,
    still_wanted: Callable[[], None] = lambda: None,
) -> Iterator[Answer]:
    """GET the address, or POST the body to it. Raise Unreachable.

    The answer has at most `most` bytes (none are read for 0) and is there within `seconds`, the look-up of the name included.
    At most so many redirects are followed, each checked like the first address; for None a redirect is an answer. Headers go
    to the first server alone, for they may hold a token. `still_wanted` is asked before and every second, and raises to stop;
    that is passed on.
    """
    until = time.monotonic() + seconds
    for _time in range((redirects or 0) + 1):
        if not is_allowed(address, servers):
            raise Unreachable("the address is not one of the internet with https")
        still_wanted()
        with SpooledTemporaryFile(IN_MEMORY) as kept:
            exchange = _Exchange(urlsplit(address), headers, body, most, until, kept, is_named(address, servers))  # type: ignore[arg-type]  # a file all the same
            answer = exchange.result(still_wanted)
            onward = answer.headers.get("Location", "")
            if redirects is None or answer.status not in REDIRECTS or not onward:
                kept.seek(0)
                yield answer
                return
        try:
            following = urljoin(address, onward)
        except ValueError:
            raise Unreachable("redirected to no address") from None
        if origin(following) != origin(address):
            headers = {}
        address = following
    raise Unreachable("redirected too often")


def origin(address: str) -> str:
    """Return scheme, host and port as they are written; "" if this is not an address."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    return f"{parts.scheme}://{parts.netloc}".lower()


def is_named(address: str, servers: Collection[str]) -> bool:
    """Tell whether the address is one of a server that the operator names."""
    return origin(address) in map(str.lower, servers)


def is_allowed(address: str, servers: Collection[str] = ()) -> bool:
    """Tell whether the address may be called. Where its name leads is checked when it is called."""
    if (
        len(address) > LONGEST
        or not address.isascii()
        or not address.isprintable()
        or " " in address
        or "\\" in address
    ):
        return False
    try:
        parts = urlsplit(address)
        port, host = parts.port, parts.hostname
    except ValueError:
        return False
    if not host or "@" in parts.netloc or parts.scheme not in ("http", "https"):
        return False
    if is_named(address, servers):
        return True
    is_usual = port in PORTS or (port or 0) >= FIRST_FREE_PORT
    return parts.scheme == "https" and is_usual and not is_private_literal(host)


@dataclass(repr=False)  # the headers may hold a token
class _Exchange:
    """One request and its answer, in a thread that the caller can stop waiting for.

    The system's resolver has no deadline, and a socket's timeout begins anew with every byte.
    """

    parts: SplitResult
    headers: Mapping[str, str]
    body: bytes | None
    most: int
    until: float
    kept: IO[bytes]
    is_anywhere: bool
    is_over: bool = False
    line: socket.socket | None = None

    def result(self, still_wanted: Callable[[], None]) -> Answer:
        """Raise Unreachable, and what `still_wanted` raises."""
        answer: Future[Answer] = Future()
        threading.Thread(target=self._run, args=[answer], name="outgoing", daemon=True).start()
        try:
            while not wait([answer], min(LISTEN, self._left())).done:
                if not self._left():
                    raise Unreachable(f"{self.parts.hostname}: TimeoutError")
                still_wanted()
        finally:
            self.is_over = True
            if self.line:  # the thread may still read or write: that ends
                with suppress(OSError):
                    self.line.shutdown(socket.SHUT_RDWR)
        try:
            return answer.result()
        except (OSError, HTTPException, HTTPError, ValueError) as error:
            raise Unreachable(f"{self.parts.hostname}: {type(error.__cause__ or error).__name__}") from None

    def _left(self) -> float:
        return max(0.0, self.until - time.monotonic())

    def _run(self, answer: Future[Answer]) -> None:
        try:
            with closing(self._connected()) as connection:
                self.line, connection.timeout = connection.sock, self._left()
                if self.is_over:
                    raise TimeoutError
                answer.set_result(self._answer(connection))
        except Exception as error:
            answer.set_exception(error)

    def _connected(self) -> HTTPConnection:
        """Return a connection to one of the name's addresses: to the address that was checked, without a second look-up."""
        failure: Exception = OSError("no public address")
        found = socket.getaddrinfo(self.parts.hostname, None, type=socket.SOCK_STREAM)
        addresses = dict.fromkeys(str(one[4][0]) for one in found)
        for address in [one for one in addresses if self.is_anywhere or is_public(one)][:MOST_ADDRESSES]:
            connection = self._connection(address)
            try:
                connection.connect()
                return connection
            except ConnectTimeoutError as error:  # or refused: a NewConnectionError is one
                failure = error
        raise failure

    def _connection(self, address: str) -> HTTPConnection:
        if self.parts.scheme == "http":
            return HTTPConnection(address, self.parts.port or 80, timeout=CONNECTING)
        return HTTPSConnection(
            address,
            self.parts.port or 443,
            timeout=CONNECTING,
            ssl_context=ssl.create_default_context(),
            server_hostname=self.parts.hostname,  # whose certificate is asked for and checked
        )

    def _answer(self, connection: HTTPConnection) -> Answer:
        path = f"{self.parts.path or '/'}{'?' if self.parts.query else ''}{self.parts.query}"
        own = {
            "Host": self.parts.netloc,
            "User-Agent": "Taskboard",
            "Connection": "close",
            "Accept-Encoding": "identity",
        }
        method = "GET" if self.body is None else "POST"
        connection.request(
            method, path, self.body, {**self.headers, **own}, preload_content=False, decode_content=False
        )
        with closing(connection.getresponse()) as response:
            if sum(len(name) + len(value) for name, value in response.headers.items()) > MOST_HEADERS:
                raise ValueError("too much")
            while self.most and (chunk := response.read(CHUNK)):
                self.kept.write(chunk)
                if self.kept.tell() > self.most:
                    raise ValueError("too much")
            return Answer(response.status, response.headers, self.kept)
