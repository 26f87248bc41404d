"""Hosts of their own for one test: network namespaces on one switch, whose cables can be pulled out."""

import ctypes
import os
import signal
import subprocess
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from taskboard.tests.needs import asked_for, program

NETWORK = "198.18.0"  # kept for tests of networks (RFC 2544); only the namespaces know of it

T = TypeVar("T")


class Host:
    """A network namespace with an address of its own."""

    def __init__(self, namespace: str, switch: str, number: int) -> None:
        self.namespace, self.switch, self.port = namespace, switch, f"port{number}"
        self.address = f"{NETWORK}.{number}"

    def run(self, do: Callable[[], T]) -> T:
        """Call `do` in a thread whose sockets and processes belong to this host, wherever they are used afterwards."""
        with ThreadPoolExecutor(1) as inside:
            inside.submit(self._enter).result()
            return inside.submit(do).result()

    def _enter(self) -> None:
        with Path("/run/netns", self.namespace).open() as namespace:
            if ctypes.CDLL(None, use_errno=True).setns(namespace.fileno(), 0):
                raise OSError(ctypes.get_errno(), f"cannot enter {self.namespace}")

    def pull_out(self) -> None:
        """Pull out its cable: nobody is told that a connection has ended."""
        ip("-n", self.switch, "link", "set", self.port, "down")


@contextmanager
def hosts(number: int) -> Iterator[list[Host]]:
    """Yield so many hosts. Whatever still runs on them at the end is killed, and nothing of them stays."""
    asked_for("namespaces")
    beginning = f"taskboard-{uuid.uuid4().hex[:8]}"
    with ExitStack() as stack:
        switch = stack.enter_context(namespace(f"{beginning}-switch"))
        ip("-n", switch, "link", "add", "bridge", "type", "bridge")
        ip("-n", switch, "link", "set", "bridge", "up")
        made = []
        for place in range(1, number + 1):
            made.append(Host(stack.enter_context(namespace(f"{beginning}-{place}")), switch, place))
            connect(made[-1])
        yield made


@contextmanager
def namespace(name: str) -> Iterator[str]:
    ip("netns", "add", name)
    try:
        yield name
    finally:
        for process in ip("netns", "pids", name).split():
            with suppress(ProcessLookupError):
                os.kill(int(process), signal.SIGKILL)
        ip("netns", "del", name)


def connect(host: Host) -> None:
    """Lay the cable from the host to the switch."""
    inside = ("-n", host.namespace)
    ip(*inside, "link", "add", "cable", "type", "veth", "peer", "name", host.port, "netns", host.switch)
    ip("-n", host.switch, "link", "set", host.port, "master", "bridge", "up")
    ip(*inside, "address", "add", f"{host.address}/24", "dev", "cable")
    for link in ("lo", "cable"):
        ip(*inside, "link", "set", link, "up")


def ip(*words: str) -> str:
    done = subprocess.run([str(program("ip")), *words], capture_output=True, text=True)
    assert done.returncode == 0, f"ip {' '.join(words)}: {done.stderr}"
    return done.stdout
