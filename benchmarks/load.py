"""Load from a few threads, each of which keeps one connection. Figures are in requests/s and milliseconds."""

import socket
import statistics
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Figures:
    rate: float  # a second
    p50: float  # ms
    p99: float  # ms

    def __str__(self) -> str:
        return f"{self.rate:8.1f}/s  p50 {self.p50:7.2f} ms  p99 {self.p99:7.2f} ms"

    def percentiles(self) -> dict[str, str]:
        return {"p50": f"{self.p50:.1f} ms", "p99": f"{self.p99:.1f} ms"}


def run(
    make_call: Callable[[], Callable[[], None]], *, concurrency: int, seconds: float, warmup: float = 0.5
) -> Figures:
    """Call as fast as possible from `concurrency` threads. `make_call` makes a call of its own for each thread."""
    times: list[float] = []
    begin = time.perf_counter() + warmup
    end = begin + seconds
    failures: list[BaseException] = []

    def work() -> None:
        try:
            call = make_call()
            while (start := time.perf_counter()) < end:
                call()
                if start >= begin:
                    times.append(time.perf_counter() - start)
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=work) for _ in range(concurrency)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]
    cuts = statistics.quantiles(times, n=100)
    return Figures(len(times) / seconds, cuts[49] * 1000, cuts[98] * 1000)


class Http:
    """A keep-alive connection that sends prepared bytes and reads one answer with a Content-Length."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.connect()

    def connect(self) -> None:
        self.socket = socket.create_connection(("127.0.0.1", self.port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.file = self.socket.makefile("rb")

    def send(self, request: bytes, expect: int) -> bytes:
        self.socket.sendall(request)
        status = self.file.readline()
        length, closing = 0, False
        while (line := self.file.readline()) not in (b"\r\n", b""):
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
            closing = closing or (name.lower() == b"connection" and value.strip().lower() == b"close")
        body = self.file.read(length)
        if f" {expect} ".encode() not in status:
            raise RuntimeError(f"expected {expect}, got {status!r} {body[:300]!r}")
        if closing:
            self.socket.close()
            self.connect()
        return body


def request(method: str, path: str, token: str, body: bytes = b"") -> bytes:
    head = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", f"Authorization: Bearer {token}"]
    if body:
        head += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    return "\r\n".join(head).encode() + b"\r\n\r\n" + body
