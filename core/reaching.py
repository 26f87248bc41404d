"""Connections to addresses that people name: to public ones alone, with an end in time and size.

Anybody could name an address inside our network. So it is the number itself that is checked, and then called: a name cannot
lead elsewhere in between.
"""

import io
import socket
import time
from collections.abc import Iterator
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Any
from urllib.parse import SplitResult

MOST_ADDRESSES = 4  # of a name, that are tried
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


def connected(parts: SplitResult, until: float, *, anywhere: bool) -> socket.socket:
    """Return a connection to one of the name's addresses, by TLS for https. `until` is of time.monotonic(). Raises OSError."""
    host, port = str(parts.hostname), parts.port or (443 if parts.scheme == "https" else 80)
    failure = OSError("no public address")
    for address in _addresses(host, port, anywhere=anywhere):
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
    """A connection that ends in time, and gives no more than `most` bytes. It is what http.client uses of a socket."""

    def __init__(self, line: socket.socket, until: float, most: int) -> None:
        self.line, self.until, self.most, self.size = line, until, most, 0

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
        self.line.settimeout(left(self.until))
        number = self.line.recv_into(buffer)
        self.size += number
        if self.size > self.most:
            raise ValueError("too much")
        return number


def _addresses(host: str, port: int, *, anywhere: bool) -> Iterator[str]:
    found = dict.fromkeys(str(one[4][0]) for one in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
    yield from [one for one in found if anywhere or is_public(one)][:MOST_ADDRESSES]


def _secured(line: socket.socket, host: str, until: float) -> socket.socket:
    import ssl

    line.settimeout(left(until))
    return ssl.create_default_context().wrap_socket(line, server_hostname=host)


def _inner(address: IPv6Address) -> IPv4Address | None:
    """Return the IPv4 address that this one stands for."""
    if address in NAT64[0]:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour
