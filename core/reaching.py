"""Connections to addresses that people name: to public ones alone, with an end in time and size.

Anybody could name an address inside our network. So it is the number itself that is checked, and then called: a name cannot
lead elsewhere in between.
"""

import io
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Any
from urllib.parse import SplitResult

MOST_ADDRESSES = 4  # of a name, that are tried
LISTEN = 1.0  # seconds between two questions whether what is fetched is still wanted
NAT64 = [
    IPv6Network("64:ff9b::/96"),
    IPv6Network("64:ff9b:1::/48"),
]  # the first holds an IPv4 address, the second is private


def is_public(address: str) -> bool:
    """Tell whether this IP address is one of the internet, and no way back into a network of ours."""
    found = ip_address(address.partition("%")[0])
    if isinstance(found, IPv6Address):
        if found in NAT64[1] or found.teredo or found.is_site_local:
            return False
        found = _inner(found) or found
    return found.is_global and not (found.is_multicast or found.is_reserved or found.is_unspecified)


def is_private_literal(host: str) -> bool:
    try:
        return not is_public(host)
    except ValueError:
        return False  # a name


def connected(
    parts: SplitResult, until: float, *, anywhere: bool, still_wanted: Callable[[], None] = lambda: None
) -> socket.socket:
    """Return a connection to one of the name's addresses, by TLS for https. `until` is of time.monotonic(). Raises OSError.

    `still_wanted` is asked before each of them, and raises to stop.
    """
    host, port = str(parts.hostname), parts.port or (443 if parts.scheme == "https" else 80)
    failure = OSError("no public address")
    for address in _addresses(host, port, until, anywhere=anywhere):
        still_wanted()
        try:
            line = socket.create_connection((address, port), timeout=left(until))
        except OSError as error:
            failure = error
            continue
        try:
            return _secured(line, host, until) if parts.scheme == "https" else line
        except BaseException:
            line.close()
            raise
    raise failure


def left(until: float) -> float:
    """Return the seconds that are left; raise TimeoutError where none are."""
    left = until - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left


class Bounded(io.RawIOBase):
    """A connection that ends in time, and gives no more than `most` bytes. It is what http.client uses of a socket.

    `still_wanted` is asked every LISTEN seconds, and raises to stop.
    """

    def __init__(
        self, line: socket.socket, until: float, most: int, still_wanted: Callable[[], None] = lambda: None
    ) -> None:
        self.line, self.until, self.most, self.size = line, until, most, 0
        self.still_wanted = still_wanted

    def sendall(self, data: bytes) -> None:
        self.line.settimeout(left(self.until))
        self.line.sendall(data)

    def close(self) -> None:
        """Do nothing: http.client closes it before the answer is read. Whoever opened the connection closes that."""

    def makefile(self, *mode: Any) -> io.BufferedReader:
        return io.BufferedReader(self)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        number = self._received(buffer)
        self.size += number
        if self.size > self.most:
            raise ValueError("too much")
        return number

    def _received(self, buffer: Any) -> int:
        while True:
            self.still_wanted()
            self.line.settimeout(min(LISTEN, left(self.until)))
            with suppress(TimeoutError):
                return self.line.recv_into(buffer)


def _addresses(host: str, port: int, until: float, *, anywhere: bool) -> Iterator[str]:
    found = dict.fromkeys(_looked_up(host, port, until))
    yield from [one for one in found if anywhere or is_public(one)][:MOST_ADDRESSES]


def _looked_up(host: str, port: int, until: float) -> list[str]:
    """Return the addresses of a name. The system's resolver knows no deadline, so it is waited for from another thread."""
    found: list[str] = []
    failures: list[Exception] = []

    def look_up() -> None:
        try:
            found.extend(str(one[4][0]) for one in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
        except Exception as error:  # names that no encoding takes raise others than OSError
            failures.append(error)

    resolver = threading.Thread(target=look_up, name="resolver", daemon=True)
    resolver.start()
    resolver.join(left(until))
    if resolver.is_alive():
        raise TimeoutError
    for failure in failures:
        raise failure
    return found


def _secured(line: socket.socket, host: str, until: float) -> socket.socket:
    import ssl

    line.settimeout(left(until))
    return ssl.create_default_context().wrap_socket(line, server_hostname=host)


def _inner(address: IPv6Address) -> IPv4Address | None:
    """Return the IPv4 address that this one stands for."""
    if address in NAT64[0]:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour
