"""The address that the service listens on. It is read before the settings, whose defaults depend on it."""

import argparse
import errno
import os
import socket
from collections.abc import Sequence
from functools import cache

from taskboard import variables
from taskboard.serving.refusal import CannotStart

EVERY_ADDRESS = ("0.0.0.0", "::")  # noqa: S104
FIRST_FREE_PORT = 1024
FIRST_PASSED = 3  # the number of the first file that systemd passes


def add_arguments(parser: argparse.ArgumentParser) -> None:
    host = variables.text("TASKBOARD_HOST", "127.0.0.1")
    parser.add_argument("--host", default=host, help=f"the address to listen on (default: {host})")
    parser.add_argument("--port", type=port, default=8000, help="the port to listen on (default: 8000)")


def port(value: str) -> int:
    if not value.isdecimal() or not 1 <= int(value) <= 65535:
        raise argparse.ArgumentTypeError(f"{value!r} is not a port: write a number from 1 to 65535.")
    return int(value)


def assume_base_url(arguments: Sequence[str]) -> None:
    """Set TASKBOARD_BASE_URL, if it is not set, to the address that these arguments of `serve` name."""
    parser = argparse.ArgumentParser(prog="serve", add_help=False, allow_abbrev=False)
    variables.use_file()
    add_arguments(parser)
    given, _rest = parser.parse_known_args(arguments)
    passed = passed_socket()
    if not variables.text("TASKBOARD_BASE_URL"):
        host, port = passed.getsockname()[:2] if passed else (given.host, given.port)
        os.environ["TASKBOARD_BASE_URL"] = f"http://{shown(host)}:{port}"


def shown(host: str) -> str:
    """Return the host as people can type it in a browser."""
    if host in EVERY_ADDRESS:
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that accepts connections from now on; raise CannotStart if there can be none.

    One that was passed by systemd goes before host and port.
    """
    if passed := passed_socket():
        passed.setblocking(False)
        return passed
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        family, _type, _protocol, _name, address = min(found)  # IPv4 if a name stands for both
        with_ipv4 = address[0] == "::" and socket.has_dualstack_ipv6()  # `shown` names one
        listener = socket.create_server(address[:2], family=family, backlog=128, dualstack_ipv6=with_ipv4)
    except OSError as error:
        raise CannotStart(_reason(host, port, error)) from error
    listener.setblocking(False)
    return listener


@cache
def passed_socket() -> socket.socket | None:
    """Return the listening socket that systemd passed to this process; None if it passed none.

    It goes on listening while nobody accepts: connections wait in it from the end of one process until the next one is ready.
    https://www.freedesktop.org/software/systemd/man/latest/sd_listen_fds.html describes how it is passed.
    The first call comes before Twisted is loaded, which takes the variables away.
    """
    if os.environ.get("LISTEN_PID") != str(os.getpid()):
        return None
    passed = socket.socket(fileno=FIRST_PASSED)
    listens = passed.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN)
    if os.environ.get("LISTEN_FDS") == "1" and listens and passed.family in (socket.AF_INET, socket.AF_INET6):
        return passed
    raise CannotStart(
        "The socket unit must pass one listening TCP socket, as by ListenStream=127.0.0.1:8000, and no other."
    )


def _reason(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} is in use already, maybe by this very service. Choose another with --port."
    if error.errno == errno.EACCES:
        return f"Port {port} is for the system's administrator. Choose one from {FIRST_FREE_PORT} on with --port."
    return f"{host!r} is not an address of this machine. Leave --host out, or name one that is."
