"""Requests to the provider follow no redirects, use https, and read answers of bounded size."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from accounts.sign_in.provider import fetching
from accounts.sign_in.provider.fetching import Answered, ProviderAway, fetch, is_allowed


class Handler(BaseHTTPRequestHandler):
    seen: list[str] = []

    def do_GET(self) -> None:
        self.seen.append(self.path)
        status, headers, body = {
            "/good": (200, {}, b'{"a": 1}'),
            "/list": (200, {}, b"[1]"),
            "/html": (200, {}, b"<p>"),
            "/moved": (302, {"Location": "/good"}, b""),
            "/refused": (400, {}, json.dumps({"error": "invalid_grant"}).encode()),
            "/broken": (500, {}, b""),
            "/large": (200, {}, b'{"a": "' + b"x" * fetching.MOST_BYTES + b'"}'),
        }[self.path]
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *line: object) -> None:
        pass


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    served = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=served.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{served.server_port}"
    served.shutdown()
    served.server_close()
    thread.join()


def test_json_is_read(server):
    assert fetch(f"{server}/good") == {"a": 1}


@pytest.mark.parametrize("path", ["list", "html", "moved", "broken", "large"])
def test_anything_else_counts_as_away(server, path):
    Handler.seen.clear()
    with pytest.raises(ProviderAway):
        fetch(f"{server}/{path}")
    assert Handler.seen == [f"/{path}"]


def test_a_refusal_has_its_code(server):
    with pytest.raises(Answered, match="invalid_grant"):
        fetch(f"{server}/refused")


def test_nobody_there_counts_as_away():
    with pytest.raises(ProviderAway):
        fetch("http://127.0.0.1:9/")


@pytest.mark.parametrize(
    "url", ["http://login.example.com/", "file:///etc/passwd", "ftp://127.0.0.1/", "http://10.0.0.1/"]
)
def test_only_https_and_this_machine_are_asked(url):
    assert not is_allowed(url)
    with pytest.raises(ProviderAway):
        fetch(url)
