"""Somebody who is not signed in takes connections and sends bodies, while Olga asks for a page from another address.

    .venv/bin/python -m benchmarks.faults.flood_connections

Heads that are never finished: 300 connections to a server that may open 256 files. Bodies: five of 150 MB at once.
"""

import contextlib
import resource
import socket
import threading
import time

from benchmarks.faults.flood_world import Watch, World, flooded_world

DRIPS, FILES = 300, 256
BODIES, SIZE = 5, 150_000_000


def drip(world: World, seconds: float) -> str:
    held: list[socket.socket] = []
    for _number in range(DRIPS):
        with contextlib.suppress(OSError):
            connection = socket.create_connection(("127.0.0.1", world.port), 5)
            connection.sendall(b"GET /sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: ")
            held.append(connection)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        held = [connection for connection in held if still_open(connection)]
        time.sleep(2)
    return f"{len(held)} of {DRIPS} unfinished heads are open after {seconds:.0f} s"


def still_open(connection: socket.socket) -> bool:
    try:
        connection.sendall(b"x")
        connection.setblocking(False)
        return bool(connection.recv(4096))
    except BlockingIOError:
        return True
    except OSError:
        return False


def send_body(world: World) -> None:
    head = f"POST /sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {SIZE}\r\n\r\n"
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", world.port), 60) as connection:
        connection.sendall(head.encode())
        for _megabyte in range(SIZE // 1_000_000):
            connection.sendall(b"x" * 1_000_000)
        connection.recv(4096)


def main() -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (FILES, 2000))
    with flooded_world() as world:  # it inherits the limit
        resource.setrlimit(resource.RLIMIT_NOFILE, (2000, 2000))
        with Watch(world) as watch:
            print(f"heads: {drip(world, 25)}; {watch}", flush=True)
        with Watch(world) as watch:
            threads = [threading.Thread(target=send_body, args=(world,)) for _number in range(BODIES)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        print(f"bodies: {BODIES} of {SIZE // 1_000_000} MB; {watch}")


if __name__ == "__main__":
    main()
