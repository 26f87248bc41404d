"""Files through real servers: large uploads and downloads, in parts, cut off, many at once; sent by the real nginx."""

import hashlib
import os
import resource
import select
import signal
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest

from taskboard.tests.people import CSRF, Person, settle
from taskboard.tests.prepared import prepared_data, prepared_services
from taskboard.tests.processes import GUNICORN, Process, processes
from taskboard.tests.servers import Running, free_port, serving
from taskboard.tests.test_proxies import NGINX, deployed, run
from taskboard.tests.waiting import wait_until

LARGE = 20 * 1024 * 1024
SLOW_UPLOADS = 12  # more than there are threads for requests


@pytest.fixture
def served(processes: None, tmp_path: Path) -> Iterator[tuple[Running, Person, Path]]:
    (temporary := tmp_path / "temporary").mkdir()
    data = str(prepared_data(tmp_path / "data"))
    environment = {"TASKBOARD_DATA": data, "TASKBOARD_LIMITS": "off", "TMPDIR": str(temporary)}
    with serving(environment) as running, settle(environment, running.url, "olga") as people:
        yield running, people["olga"], tmp_path / "data" / "files"


def attach(olga: Person, card: dict[str, Any], name: str, content: bytes) -> httpx.Response:
    return olga.browser.post(
        f"/card/{card['id']}/attachments",
        files={"file": (name, content)},
        headers={"X-CSRFToken": CSRF, "HX-Request": "true"},
    )


def addresses(answer: httpx.Response) -> list[str]:
    """Return the addresses of the files that it links to, each once."""
    found = ["/attachments/" + part.partition('"')[0] for part in answer.text.split('href="/attachments/')[1:]]
    return list(dict.fromkeys(found))


def files_in(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_a_large_file_arrives_and_comes_back_whole_and_in_parts(served):
    _running, olga, folder = served
    card = olga.new_card(olga.new_board())
    content = os.urandom(LARGE)
    answer = attach(olga, card, "Large.bin", content)
    assert answer.status_code == 200
    [address] = addresses(answer)
    whole = olga.browser.get(address)
    assert hashlib.sha256(whole.content).digest() == hashlib.sha256(content).digest()
    part = olga.browser.get(address, headers={"Range": f"bytes={LARGE - 1500000}-{LARGE - 2}"})
    assert (part.status_code, part.content) == (206, content[-1500000:-1])
    assert len(files_in(folder)) == 1


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="needs Linux to bound the files of another process")
@pytest.mark.parametrize("size", [LARGE, 4 * 1024 * 1024 + 1])
def test_without_room_for_a_body_the_answer_says_so_and_the_service_goes_on(served, size):
    running, olga, folder = served
    card = olga.new_card(olga.new_board())
    before = resource.prlimit(running.process.pid, resource.RLIMIT_FSIZE, (4 * 1024 * 1024, resource.RLIM_INFINITY))
    answer = attach(olga, card, "Large.bin", os.urandom(size))
    assert (answer.status_code, "no space left" in answer.text) == (507, True)
    assert files_in(folder) == []
    resource.prlimit(running.process.pid, resource.RLIMIT_FSIZE, before)
    assert attach(olga, card, "Large.bin", os.urandom(size)).status_code == 200
    _code, _out, log = running.stop(signal.SIGTERM)
    assert "A body could not be kept" in log


def test_a_body_above_the_cap_is_refused_by_its_head(served):
    running, olga, folder = served
    card = olga.new_card(olga.new_board())
    with begun(running, olga, card, length=200 * 1024 * 1024) as line:
        assert line.recv(100).startswith(b"HTTP/1.1 413")
    assert files_in(folder) == []


def begun(running: Running, olga: Person, card: dict[str, Any], length: int) -> socket.socket:
    """Return a connection on which the head of an upload was sent, and the first bytes of its form."""
    host, port = running.url.removeprefix("http://").split(":")
    line = socket.create_connection((host, int(port)), timeout=60)
    head = (
        f"POST /card/{card['id']}/attachments HTTP/1.1\r\nHost: {host}:{port}\r\n"
        f"Cookie: sessionid={olga.session}; csrftoken={CSRF}\r\nX-CSRFToken: {CSRF}\r\n"
        f"Content-Type: multipart/form-data; boundary=cut\r\nContent-Length: {length}\r\n\r\n"
        '--cut\r\nContent-Disposition: form-data; name="file"; filename="Cut.bin"\r\n\r\n'
    )
    line.sendall(head.encode())
    return line


def test_nothing_is_left_of_an_upload_that_is_cut_off(served, tmp_path):
    running, olga, folder = served
    card = olga.new_card(olga.new_board())
    with begun(running, olga, card, length=LARGE) as line:
        line.sendall(os.urandom(5 * 1024 * 1024))
        wait_until(lambda: running.unnamed_files(tmp_path / "temporary"))
    wait_until(lambda: not running.unnamed_files(tmp_path / "temporary"))
    assert files_in(folder) == []
    assert addresses(olga.browser.get(f"/card/{card['id']}", headers={"HX-Request": "true"})) == []


def test_slow_uploads_hold_no_thread_and_too_many_are_told_to_come_back(served):
    running, olga, _folder = served
    card = olga.new_card(olga.new_board())
    with ExitStack() as lines:
        sent = [lines.enter_context(begun(running, olga, card, length=LARGE)) for _upload in range(SLOW_UPLOADS)]
        assert b" 503 " in sent[-1].recv(100)
        assert olga.browser.get("/settings/data").status_code == 200
        assert not select.select([sent[0]], [], [], 0)[0]  # its upload goes on, without an answer


@pytest.fixture
def behind_nginx(
    services: None, any_database: None, nginx: str, tmp_path: Path
) -> Iterator[tuple[int, Process, dict[str, str]]]:
    """nginx with operating/deploy/nginx/files.conf before gunicorn."""
    with prepared_services() as given:
        data = {"TASKBOARD_DATA": str(prepared_data(tmp_path / "data"))}
        own = {
            "TASKBOARD_ACCEL_REDIRECT": "/files-of-cards/",
            "TASKBOARD_TRUSTED_PROXIES": "1",
            "TASKBOARD_LIMITS": "off",
        }
        environment = given | data | own
        gunicorn = Process(GUNICORN, environment, tmp_path / "log")
        with processes(gunicorn):
            port = free_port()
            lines = deployed("nginx/files.conf").replace("/var/lib/taskboard/files", f"{tmp_path}/data/files")
            server = (
                f"server {{ listen 127.0.0.1:{port}; client_max_body_size 101m; location / {{ proxy_set_header Host"
                f" $http_host; proxy_pass http://127.0.0.1:{gunicorn.port}; }}\n{lines}\n}}"
            )
            (tmp_path / "nginx.conf").write_text(NGINX.format(folder=tmp_path, deployed=server))
            with run([nginx, "-p", str(tmp_path), "-c", str(tmp_path / "nginx.conf")], port):
                yield port, gunicorn, environment


def test_nginx_sends_files_whose_reader_may_see_them_and_lets_nothing_run(behind_nginx):
    port, _gunicorn, environment = behind_nginx
    with settle(environment, f"http://127.0.0.1:{port}", "olga", "stan") as people:
        olga, stan = people["olga"], people["stan"]
        card = olga.new_card(olga.new_board())
        content = os.urandom(3_000_000)
        [address] = addresses(attach(olga, card, "Größe.bin", content))
        whole = olga.browser.get(address)
        assert whole.content == content
        assert whole.headers["Content-Disposition"].startswith("attachment; filename*=utf-8''Gr")
        assert whole.headers["Content-Type"] == "application/octet-stream"
        assert "sandbox" in whole.headers["Content-Security-Policy"]
        assert whole.headers["X-Content-Type-Options"] == "nosniff"
        assert "X-Accel-Redirect" not in whole.headers
        part = olga.browser.get(address, headers={"Range": "bytes=10-19"})
        assert (part.status_code, part.content) == (206, content[10:20])
        assert stan.browser.get(address).status_code == 404
        assert stan.browser.get("/files-of-cards/attachments/").status_code == 404
