"""Fetches what people name an address of: over https from the internet alone, bounded in time and size.

Servers that the operator names (`servers`, as `http://planka.internal:1337`) may be anywhere, and may do without https.
"""

import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import closing, contextmanager
from tempfile import SpooledTemporaryFile
from typing import IO, NamedTuple
from urllib.parse import SplitResult, urljoin, urlsplit

from core.reaching import Bounded, connected, is_private_literal

LONGEST = 4000  # characters of an address
MOST_HEADERS = 64 * 1024  # bytes
IN_MEMORY = 1_000_000  # bytes of an answer; what is more lies in a temporary file
REDIRECTS = (301, 302, 303, 307, 308)
PORTS = (None, 443)
FIRST_FREE_PORT = 1024


class Unreachable(OSError):
    """Nothing came. The text names the host and the kind of error, never the address: that may hold a secret."""


class Answer(NamedTuple):
    status: int
    content_type: str
    body: IO[bytes]


@contextmanager
def fetch(
    address: str,
    *,
    headers: Mapping[str, str],
    most: int,
    seconds: float,
    servers: Collection[str] = (),
    redirects: int = 0,
    still_wanted: Callable[[], None] = lambda: None,
) -> Iterator[Answer]:
    """GET the address; its answer has at most `most` bytes and is there within `seconds`, its name included. Raises Unreachable.

    At most so many redirects are followed, each checked like the first address. Headers go to the first server alone, for
    they may hold a token. `still_wanted` is asked before and every second, and raises to stop; that is passed on.
    """
    until = time.monotonic() + seconds
    with SpooledTemporaryFile(IN_MEMORY) as body:
        for _time in range(redirects + 1):
            status, content_type, onward = _get(address, headers, most, until, servers, body, still_wanted)
            if status not in REDIRECTS or not onward:
                body.seek(0)
                yield Answer(status, content_type, body)  # type: ignore[arg-type]  # a file all the same
                return
            following = urljoin(address, onward)
            if origin(following) != origin(address):
                headers = {}
            address = following
    raise Unreachable("redirected too often")


def origin(address: str) -> str:
    """Return scheme, host and port as they are written; "" for what is no address."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    return f"{parts.scheme}://{parts.netloc}".lower()


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
    if origin(address) in servers:
        return True
    is_usual = port in PORTS or (port or 0) >= FIRST_FREE_PORT
    return parts.scheme == "https" and is_usual and not is_private_literal(host)


def _get(
    address: str,
    headers: Mapping[str, str],
    most: int,
    until: float,
    servers: Collection[str],
    body: IO[bytes],
    still_wanted: Callable[[], None],
) -> tuple[int, str, str]:
    """Write the body of the answer, and return its status, its type and where it sends us."""
    from http.client import HTTPConnection, HTTPException

    if not is_allowed(address, servers):
        raise Unreachable("the address is not one of the internet with https")
    parts = urlsplit(address)
    still_wanted()
    try:
        with closing(connected(parts, until, anywhere=origin(address) in servers, still_wanted=still_wanted)) as line:
            connection = HTTPConnection(parts.netloc)
            connection.sock = Bounded(line, until, most + MOST_HEADERS, still_wanted)  # type: ignore[assignment]  # all that it uses
            connection.request(
                "GET", _path(parts), headers={**headers, "Connection": "close", "Accept-Encoding": "identity"}
            )
            answer = connection.getresponse()
            body.seek(0)
            body.truncate()
            while chunk := answer.read(64 * 1024):
                body.write(chunk)
                if body.tell() > most:
                    raise ValueError("too much")
            return answer.status, answer.headers.get_content_type(), answer.headers.get("Location", "")
    except (OSError, HTTPException, ValueError) as error:
        raise Unreachable(f"{parts.hostname}: {type(error).__name__}") from None


def _path(parts: SplitResult) -> str:
    return f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}"
