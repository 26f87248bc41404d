"""Large files of the embedded server are sent as fast as their client reads, and hold neither memory nor a thread."""

import asyncio
import io
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from exporter.tests.test_endpoint import MANY, run
from taskboard.serving import pouring
from taskboard.serving.pouring import pour
from taskboard.tests.people import Person, settle
from taskboard.tests.prepared import prepared_data
from taskboard.tests.servers import Running, serving

SLOW_READERS = 12  # more than there are threads for requests


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[Running, Person]]:
    environment = {"TASKBOARD_DATA": str(prepared_data(tmp_path / "data")), "TASKBOARD_LIMITS": "off"}
    environment["MALLOC_ARENA_MAX"] = "1"  # else each thread keeps for itself what it has freed
    with serving(environment) as running, settle(environment, running.url, "olga") as people:
        assert run(environment, "shell", "-v0", "-c", MANY).returncode == 0
        yield running, people["olga"]


def begun(running: Running, olga: Person) -> socket.socket:
    """Return a connection on which a download has begun that nobody reads."""
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8192)
    line.settimeout(60)
    host, port = running.url.removeprefix("http://").split(":")
    line.connect((host, int(port)))
    line.sendall(f"GET /api/export HTTP/1.1\r\nHost: {host}\r\nCookie: sessionid={olga.session}\r\n\r\n".encode())
    assert line.recv(100).startswith(b"HTTP/1.1 200")
    return line


def resident(pid: int) -> int:
    """Return the resident memory in bytes, without what is mapped from files: SQLite maps its database once a connection."""
    lines = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    return int(lines["RssAnon"].split()[0]) * 1024


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc to see a process's memory")
def test_clients_that_do_not_read_their_download_take_neither_memory_nor_threads(served):
    running, olga = served
    size = len(olga.browser.get("/api/export").content)
    rest = resident(running.process.pid)
    with ExitStack() as lines:
        for _reader in range(SLOW_READERS):
            lines.enter_context(begun(running, olga))
        start = time.monotonic()
        assert olga.browser.get("/settings/data").status_code == 200
        assert time.monotonic() - start < 10
        held_whole = SLOW_READERS * size
        assert resident(running.process.pid) - rest < held_whole / 4, (rest, resident(running.process.pid), size)
    whole = olga.browser.get("/api/export").content
    assert len(whole) == size
    assert whole.endswith(b"]}")


def test_a_connection_goes_on_after_a_large_file(served):
    _running, olga = served
    for _time in range(2):
        answer = olga.browser.get("/api/export")
        assert len(answer.content) == int(answer.headers["Content-Length"]) > pouring.AT_ONCE
        assert olga.browser.get("/healthz").text


class Sent(list):
    """What an application sent, whose client leaves after so many messages."""

    def __init__(self, leaves_after: int = 1000) -> None:
        self.leaves_after, self.gone = leaves_after, asyncio.Event()

    async def send(self, message: dict[str, object]) -> None:
        self.append(message)
        if len(self) == self.leaves_after:
            self.gone.set()
        await asyncio.sleep(0.01)

    async def receive(self) -> dict[str, object]:
        await self.gone.wait()
        return {"type": "http.disconnect"}


class Watched(io.BytesIO):
    """A file that fails when it is read beyond `readable`."""

    readable = 1 << 40

    def read(self, size: int | None = -1) -> bytes:
        if self.tell() >= self.readable:
            raise OSError("the storage is away")
        return super().read(size)


def poured(file: io.BytesIO, length: int | None, leaves_after: int = 1000) -> Sent:
    async def both() -> Sent:
        sent = Sent(leaves_after)
        await pour(file, length, sent.receive, sent.send)
        return sent

    sent = asyncio.run(both())
    deadline = time.monotonic() + 10
    while not file.closed and time.monotonic() < deadline:
        time.sleep(0.01)
    assert file.closed
    return sent


def test_no_more_is_sent_than_the_head_says():
    sent = poured(Watched(bytes(500_000)), 300_000)
    assert sum(len(message["body"]) for message in sent) == 300_000
    assert "more_body" not in sent[-1]


def test_an_answer_without_a_length_is_sent_to_the_end_of_its_file():
    sent = poured(Watched(bytes(500_000)), None)
    assert sum(len(message["body"]) for message in sent) == 500_000
    assert "more_body" not in sent[-1]


@pytest.mark.parametrize("size, readable", [(100_000, 1 << 40), (500_000, 200_000)], ids=["short", "unreadable"])
def test_an_answer_that_is_cut_short_is_never_ended_as_if_it_were_whole(size, readable):
    file = Watched(bytes(size))
    file.readable = readable
    assert all(message["more_body"] for message in poured(file, 500_000))


def test_a_file_is_not_read_on_when_the_client_has_left():
    sent = poured(Watched(bytes(20 * pouring.BLOCK)), 20 * pouring.BLOCK, leaves_after=3)
    assert len(sent) == 3
