"""Large files of the embedded server are sent as fast as their client reads, and hold neither memory nor a thread."""

import asyncio
import io
import signal
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from exporter.tests.test_endpoint import MANY, run
from taskboard.serving import pouring
from taskboard.serving.pouring import pour
from taskboard.tests.people import Person, settle
from taskboard.tests.prepared import prepared_data
from taskboard.tests.servers import Running, serving
from taskboard.tests.waiting import wait_until

SLOW_READERS = 12  # more than there are threads for requests


@pytest.fixture
def served(processes: None, tmp_path: Path) -> Iterator[tuple[Running, Person]]:
    (temporary := tmp_path / "temporary").mkdir()
    data = str(prepared_data(tmp_path / "data"))
    environment = {"TASKBOARD_DATA": data, "TASKBOARD_LIMITS": "off", "TMPDIR": str(temporary)}
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


@pytest.mark.skipif(not Path("/proc/self/fdinfo").exists(), reason="needs /proc to see how far a process has read")
def test_of_a_download_that_its_client_does_not_read_little_is_read_and_no_thread_is_kept(served, tmp_path):
    running, olga = served
    with ExitStack() as lines:
        for _reader in range(SLOW_READERS):
            lines.enter_context(begun(running, olga))
        whole = olga.browser.get("/api/export").content  # what others take is sent meanwhile
        assert whole.endswith(b"]}")
        wait_until(lambda: 0 < max(running.unnamed_files(tmp_path / "temporary"), default=0) < len(whole) / 4)


def test_a_connection_goes_on_after_a_large_file(served):
    _running, olga = served
    for _time in range(2):
        answer = olga.browser.get("/api/export")
        assert len(answer.content) == int(answer.headers["Content-Length"]) > pouring.AT_ONCE
        assert olga.browser.get("/healthz").text


def test_a_stop_waits_for_no_download_and_leaves_no_task(served):
    running, olga = served
    with begun(running, olga):
        code, _out, err = running.stop(signal.SIGTERM)
    assert (code, "asyncio" in err) == (0, False), err


class Sent(list):
    """A client that reads the first messages of an application only, or leaves after them."""

    is_cut = False
    producer: Any = None

    def __init__(self, reads: int = 1000, leaves: bool = False, channel: Any = "a connection") -> None:
        self.reads, self.leaves, self.channel, self.transport = reads, leaves, channel, self

    def registerProducer(self, producer: Any, streaming: bool) -> None:
        self.producer = producer

    def unregisterProducer(self) -> None:
        self.producer = None

    def abortConnection(self) -> None:
        self.is_cut = True

    async def send(self, message: dict[str, object]) -> None:
        self.append(message)
        if len(self) == self.reads:
            self.producer.stopProducing() if self.leaves else self.producer.pauseProducing()


class Watched(io.BytesIO):
    """A file that fails when it is read beyond `readable`."""

    readable = 1 << 40

    def read(self, size: int | None = -1) -> bytes:
        if self.tell() >= self.readable:
            raise OSError("the storage is away")
        return super().read(size)


def poured(file: io.BytesIO, length: int | None, **client: Any) -> Sent:
    sent = Sent(**client)
    asyncio.run(pour(file, length, sent, sent.send))
    wait_until(lambda: file.closed)
    return sent


def test_no_more_is_sent_than_the_head_says():
    sent = poured(Watched(bytes(500_000)), 300_000)
    assert sum(len(message["body"]) for message in sent) == 300_000
    assert ("more_body" in sent[-1], sent.producer, sent.is_cut) == (False, None, False)


def test_an_answer_without_a_length_is_sent_to_the_end_of_its_file():
    sent = poured(Watched(bytes(500_000)), None)
    assert sum(len(message["body"]) for message in sent) == 500_000
    assert "more_body" not in sent[-1]


@pytest.mark.parametrize("size, readable", [(100_000, 1 << 40), (500_000, 200_000)], ids=["short", "unreadable"])
def test_an_answer_that_is_cut_short_is_never_ended_as_if_it_were_whole(size, readable):
    file = Watched(bytes(size))
    file.readable = readable
    sent = poured(file, 500_000)
    assert all(message["more_body"] for message in sent)
    assert sent.is_cut


@pytest.mark.parametrize("leaves", [True, False], ids=["leaves", "stops to read"])
def test_a_file_is_not_read_on_when_the_client_leaves_or_reads_no_more(monkeypatch, leaves):
    monkeypatch.setattr(pouring, "STALLED", 0.01)
    sent = poured(Watched(bytes(20 * pouring.BLOCK)), 20 * pouring.BLOCK, reads=3, leaves=leaves)
    assert (len(sent), sent.is_cut) == (3, True)


def test_the_file_of_a_client_who_left_before_is_closed():
    assert poured(Watched(b"a file"), 6, channel=None) == []
