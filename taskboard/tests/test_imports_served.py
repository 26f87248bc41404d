"""Uploads of imports through a real server and a real socket: too large, cut off, or with the server killed in the middle."""

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from taskboard.tests.people import CSRF, Person, settle
from taskboard.tests.prepared import prepared_data
from taskboard.tests.servers import Running, serving
from taskboard.tests.waiting import wait_until

ADDRESS = "/settings/data/import"
LENGTH = 20 * 1024 * 1024
TOO_LARGE = 201 * 1024 * 1024
CONTENT = b'{"format": "taskboard-export", "version": 1, "boards": ['


@pytest.fixture
def environment(processes: None, tmp_path: Path) -> dict[str, str]:
    (tmp_path / "temporary").mkdir()
    data = str(prepared_data(tmp_path / "data"))
    return {"TASKBOARD_DATA": data, "TASKBOARD_LIMITS": "off", "TMPDIR": str(tmp_path / "temporary")}


@pytest.fixture
def served(environment: dict[str, str]) -> Iterator[tuple[Running, Person]]:
    with serving(environment) as running, settle(environment, running.url, "olga") as people:
        yield running, people["olga"]


@contextmanager
def begun(running: Running, olga: Person, length: int) -> Iterator[socket.socket]:
    """Yield a connection on which the head of an upload was sent, and the first bytes of its form."""
    host, port = running.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=60) as line:
        head = (
            f"POST {ADDRESS} HTTP/1.1\r\nHost: {host}:{port}\r\n"
            f"Cookie: sessionid={olga.session}; csrftoken={CSRF}\r\nX-CSRFToken: {CSRF}\r\n"
            f"Content-Type: multipart/form-data; boundary=cut\r\nContent-Length: {length}\r\n\r\n"
            '--cut\r\nContent-Disposition: form-data; name="file"; filename="Cut.json"\r\n\r\n'
        )
        line.sendall(head.encode())
        yield line


def left(tmp_path: Path) -> list[str]:
    """Return the names of files in the storage and among the temporary ones."""
    folders = (tmp_path / "data" / "files", tmp_path / "temporary")
    return [path.name for folder in folders for path in folder.rglob("*") if path.is_file()]


def test_a_file_above_the_cap_is_refused_by_its_length_before_it_is_read(served, tmp_path):
    running, olga = served
    with begun(running, olga, TOO_LARGE) as line:
        assert line.recv(100).startswith(b"HTTP/1.1 413")
    assert left(tmp_path) == []
    assert "Cut.json" not in olga.browser.get(ADDRESS).text


def test_nothing_is_left_of_an_upload_that_is_cut_off(served, tmp_path):
    running, olga = served
    with begun(running, olga, LENGTH) as line:
        line.sendall(CONTENT + os.urandom(5 * 1024 * 1024))
        wait_until(lambda: running.unnamed_files(tmp_path / "temporary"))
    wait_until(lambda: not running.unnamed_files(tmp_path / "temporary"))
    assert left(tmp_path) == []
    assert "Cut.json" not in olga.browser.get(ADDRESS).text


def test_nothing_is_left_of_an_upload_whose_server_is_killed_and_the_next_one_is_taken(environment, tmp_path):
    with serving(environment) as running, settle(environment, running.url, "olga") as people:
        with begun(running, people["olga"], LENGTH) as line:
            line.sendall(CONTENT + os.urandom(5 * 1024 * 1024))
            wait_until(lambda: running.unnamed_files(tmp_path / "temporary"))
            running.process.kill()
            running.process.communicate()
        session = people["olga"].session
    assert left(tmp_path) == []
    with serving(environment) as running:
        olga = people["olga"]
        olga = Person(running.url, olga.id, olga.email, olga.tokens, session)
        assert "Cut.json" not in olga.browser.get(ADDRESS).text
        whole = {"file": ("Whole.csv", b"Title,List\nPaint the fence,To do\n")}
        answer = olga.browser.post(ADDRESS, files=whole, data={"format": ""}, headers={"X-CSRFToken": CSRF})
        assert answer.status_code == 302, answer.text[:500]
        assert "Whole.csv" in olga.browser.get(ADDRESS).text
        olga.close()
