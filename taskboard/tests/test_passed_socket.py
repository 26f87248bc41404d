"""`bin/serve` on a listening socket that systemd passes and keeps, as operating/deploy/systemd/taskboard.socket has it do."""

import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from taskboard.tests.prepared import prepared_data
from taskboard.tests.servers import PATIENCE, Running, start_with_socket, wait_for


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener


@contextmanager
def started(listener: socket.socket, data: Path) -> Iterator[Running]:
    process = start_with_socket(listener, {"TASKBOARD_DATA": str(data)})
    try:
        yield Running(process, f"http://127.0.0.1:{listener.getsockname()[1]}")
    finally:
        process.kill()
        process.communicate()


def test_a_call_between_the_end_of_a_service_and_the_start_of_the_next_one_is_answered(
    processes: None, listener: socket.socket, tmp_path: Path
) -> None:
    data = prepared_data(tmp_path / "data")
    with started(listener, data) as before:
        wait_for(before)
        before.stop(signal.SIGTERM)
    with socket.create_connection(listener.getsockname(), PATIENCE) as waiting:
        waiting.sendall(b"GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        with started(listener, data):
            assert waiting.recv(100).startswith(b"HTTP/1.1 200 ")


def test_the_base_url_is_that_of_the_socket(processes: None, listener: socket.socket, tmp_path: Path) -> None:
    with started(listener, prepared_data(tmp_path / "data")) as running:
        wait_for(running)
        _code, out, _err = running.stop(signal.SIGTERM)
    assert f"Taskboard is ready at {running.url}\n" in out


def test_a_socket_that_is_not_for_tcp_is_refused_in_a_sentence(processes: None, tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "socket"))
        listener.listen()
        process = start_with_socket(listener, {"TASKBOARD_DATA": str(tmp_path / "data")})
        _out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (
        1,
        "The socket unit must pass one listening TCP socket, as by ListenStream=127.0.0.1:8000, and no other.\n",
    )
