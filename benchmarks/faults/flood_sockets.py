"""One signed-in person floods the sockets of live pages, while another asks for a page.

    .venv/bin/python -m benchmarks.faults.flood_sockets [seconds]

`frames`: four connections send frames of 10 bytes as fast as they can. `churn`: eight open and close sockets. `open`: one opens
3,000 sockets and keeps them.
"""

import base64
import contextlib
import os
import socket
import sys
import threading
import time
from collections.abc import Callable

from benchmarks.faults.flood_world import Watch, World, flooded_world

FRAME = b"\x81\x8a" + b"\x00" * 4 + b"0123456789"  # text of 10 bytes, masked with zeros


def shaken_hands(world: World, flooder: str) -> socket.socket:
    """Return a connection that has become a socket of the board's page. Each session comes from an address of its own."""
    address = f"127.0.0.{3 + world.flooders.index(flooder)}"
    connection = socket.create_connection(("127.0.0.1", world.port), 60, source_address=(address, 0))
    key = base64.b64encode(os.urandom(16)).decode()
    lines = [
        f"GET /ws/board/{world.board}?since=1 HTTP/1.1",
        f"Host: 127.0.0.1:{world.port}",
        f"Origin: http://127.0.0.1:{world.port}",
        f"Cookie: {flooder}",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        f"Sec-WebSocket-Key: {key}",
    ]
    connection.sendall("\r\n".join([*lines, "", ""]).encode())
    answer = connection.recv(4096)
    if b" 101 " not in answer:
        connection.close()
        raise ConnectionRefusedError(answer[:60])
    return connection


class Flood:
    """Runs `attack` in threads until the block ends, over and over, and counts what it did."""

    def __init__(self, world: World, session: str, threads: int, attack: "Callable[[Flood], None]") -> None:
        self.world, self.session, self.attack = world, session, attack
        self.done = self.refused = 0
        self.ended = threading.Event()
        self._threads = [threading.Thread(target=self._run, daemon=True) for _number in range(threads)]

    def __enter__(self) -> "Flood":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_exception: object) -> None:
        self.ended.set()
        for thread in self._threads:
            thread.join(10)

    def _run(self) -> None:
        while not self.ended.is_set():
            try:
                self.attack(self)
            except OSError:
                self.refused += 1


def frames(flood: Flood) -> None:
    with contextlib.closing(shaken_hands(flood.world, flood.session)) as connection:
        while not flood.ended.is_set():
            connection.sendall(FRAME * 500)
            flood.done += 500


def churn(flood: Flood) -> None:
    shaken_hands(flood.world, flood.session).close()
    flood.done += 1


def many(world: World, session: str, number: int) -> int:
    """Open sockets and return how many are still open a little later."""
    held = []
    for _number in range(number):
        with contextlib.suppress(OSError):
            held.append(shaken_hands(world, session))
    time.sleep(3)
    alive = 0
    for connection in held:
        connection.setblocking(False)
        with contextlib.suppress(OSError):
            try:
                data = connection.recv(65536)
                alive += bool(data) and b"\x88" not in data
            except BlockingIOError:
                alive += 1
        connection.close()
    return alive


def main(seconds: float) -> None:
    with flooded_world() as world:
        with Watch(world) as watch:
            time.sleep(seconds / 2)
        print(f"rest:   {watch}")
        for session, attack, threads in zip(world.flooders, (frames, churn), (4, 8), strict=False):
            with Watch(world) as watch, Flood(world, session, threads, attack) as flood:
                time.sleep(seconds)
            print(f"{attack.__name__}: {flood.done} in {seconds:.0f} s, {flood.refused} cut; {watch}", flush=True)
            time.sleep(5)
        with Watch(world) as watch:
            alive = many(world, world.flooders[2], 3000)
        print(f"open:   {alive} of 3000 sockets were kept; {watch}")


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 15)
