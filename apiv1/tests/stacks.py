"""The two production servers as processes, and connections that send raw bytes to them."""

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from taskboard.tests.servers import PATIENCE, ROOT, Running, bare_environment, free_port, serving, wait_for


@contextmanager
def gunicorn(environment: dict[str, str], *arguments: str) -> Iterator[Running]:
    port = free_port()
    command = [
        sys.executable,
        "-m",
        "gunicorn",
        "--bind",
        f"127.0.0.1:{port}",
        *arguments,
        "taskboard.wsgi:application",
    ]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    process = subprocess.Popen(command, cwd=ROOT, env=bare_environment() | environment, **pipes)
    try:
        running = Running(process, f"http://127.0.0.1:{port}")
        wait_for(running)
        yield running
    finally:
        process.terminate()
        process.communicate(timeout=PATIENCE)


@contextmanager
def embedded(environment: dict[str, str]) -> Iterator[Running]:
    with serving(environment) as running:
        yield running


@dataclass
class Answer:
    status: int
    reason: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""

    @property
    def error(self) -> str:
        """The sentence of an error in the common shape."""
        assert self.status >= 400
        assert self.headers["content-type"] == "application/json"
        [(name, sentence)] = json.loads(self.body).items()
        assert name == "error"
        return sentence


class Line:
    """A connection that sends bytes as they are and reads one answer after the other."""

    def __init__(self, running: Running) -> None:
        self.socket = socket.create_connection(("127.0.0.1", int(running.url.rpartition(":")[2])), timeout=20)
        self.file = self.socket.makefile("rb")

    def __enter__(self) -> "Line":
        return self

    def __exit__(self, *_exception: object) -> None:
        self.file.close()
        self.socket.close()

    def send(self, *requests: bytes) -> None:
        self.socket.sendall(b"".join(requests))

    def read(self, method: str = "GET") -> Answer | None:
        """Return the next answer, or None when the server has closed the connection."""
        try:
            status_line = self.file.readline()
        except ConnectionResetError:
            return None
        if not status_line:
            return None
        _version, status, *reason = status_line.decode("latin-1").split()
        answer = Answer(int(status), " ".join(reason))
        while line := self.file.readline().strip():
            name, _colon, value = line.decode("latin-1").partition(":")
            answer.headers[name.lower()] = value.strip()
        if answer.status >= 200 and answer.status != 204 and method != "HEAD":
            answer.body = self._body(answer.headers)
        return answer

    def _body(self, headers: dict[str, str]) -> bytes:
        if "content-length" in headers:
            return self.file.read(int(headers["content-length"]))
        if headers.get("transfer-encoding") == "chunked":
            return b"".join(self._chunks())
        return self.file.read()

    def _chunks(self) -> Iterator[bytes]:
        while size := int(self.file.readline(), 16):
            yield self.file.read(size)
            self.file.readline()
        self.file.readline()
