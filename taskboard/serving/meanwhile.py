"""Answer requests while `bin/serve` brings the tables up to date: it listens already, and that may take minutes."""

import socket
import threading
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.translation import gettext as _

from apiv1 import errors
from core.outage import RETRY_AFTER
from taskboard.health import livez

MOST = 1_000_000  # bytes of a body that are read: a connection that is closed on unread ones loses its answer
SLOWEST = 5  # seconds that a client may be silent within its request
AT_ONCE = 100  # connections; one more ends the oldest


class Meanwhile:
    """Within this block each request that comes to `listener` gets 503 and when to try again."""

    def __init__(self, listener: socket.socket) -> None:
        self.listener = listener

    def __enter__(self) -> None:
        self.server = Server(("", 0), Unavailable, bind_and_activate=False)
        self.server.socket.close()
        self.server.socket = self.listener.dup()
        threading.Thread(target=self.server.serve_forever, args=(0.1,), daemon=True).start()

    def __exit__(self, *error: object) -> None:
        self.server.shutdown()
        self.server.end_all()
        self.server.server_close()


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.open: dict[socket.socket, None] = {}  # connections, the oldest first

    def process_request(self, request: Any, client_address: Any) -> None:
        for oldest in list(self.open)[: max(0, len(self.open) + 1 - AT_ONCE)]:
            end(oldest)
        self.open[request] = None
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        self.open.pop(request, None)
        super().shutdown_request(request)

    def handle_error(self, *about: object) -> None:
        """Log nothing: clients go away."""

    def end_all(self) -> None:
        for connection in list(self.open):
            end(connection)


def end(connection: socket.socket) -> None:
    """Wake the thread that reads from this connection."""
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RD)  # an answer that is on its way arrives


class Unavailable(BaseHTTPRequestHandler):
    timeout = SLOWEST

    def answer(self) -> None:
        length = self.headers.get("Content-Length", "")
        self.rfile.read(min(int(length), MOST) if length.isdecimal() else 0)
        answer = answer_to(self.command, self.path.partition("?")[0], self.headers.get("Accept-Language", ""))
        self.send_response(answer.status_code)
        for name, value in {**answer.headers, "Content-Length": str(len(answer.content))}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(answer.content)

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = answer

    def log_message(self, *words: object) -> None:
        """Log nothing: the start says that it migrates."""


def answer_to(method: str, path: str, languages: str) -> HttpResponse:
    request = HttpRequest()
    request.method, request.path, request.path_info = "GET", path, path
    request.META["HTTP_ACCEPT_LANGUAGE"] = languages
    if path == "/livez":
        return livez(request)
    if errors.is_api(request):
        return errors.unavailable()
    with translation.override(translation.get_language_from_request(request)):
        words = _("The service can't reach its database right now. Try again in a moment.")
    again = {"Retry-After": str(RETRY_AFTER), "Cache-Control": "no-store"}
    if method in ("GET", "HEAD"):  # a form is sent again by its reader
        again["Refresh"] = "5"
    return HttpResponse(words, status=503, content_type="text/plain; charset=utf-8", headers=again)
