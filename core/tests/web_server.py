"""A stand-in for servers of other services: answers by path, and remembers what it was asked."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class WebServer:
    def __init__(self) -> None:
        self.answers: dict[str, tuple[int, dict[str, str], bytes]] = {}
        self.asked: list[tuple[str, str | None]] = []  # path, Authorization
        self.address = ""

    def give(self, path: str, value: Any, status: int = 200, **headers: str) -> None:
        body = value if isinstance(value, bytes) else json.dumps(value).encode()
        self.answers[path] = (status, headers, body)


@contextmanager
def web_server() -> Iterator[WebServer]:
    known = WebServer()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            known.asked.append((self.path, self.headers.get("Authorization")))
            status, headers, body = known.answers.get(self.path, (404, {}, b"{}"))
            self.send_response(status)
            for name, value in {"Content-Type": "application/json", **headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *rest: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    known.address = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield known
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
