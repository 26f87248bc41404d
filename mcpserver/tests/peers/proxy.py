"""Add a token to every request, as the conformance runner cannot. Nothing else changes, not even a wrong Host header."""

import http.client
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import urlsplit

HOP_BY_HOP = {"connection", "content-length", "date", "keep-alive", "server", "transfer-encoding"}


@contextmanager
def adding_a_token(url: str, token: str) -> Iterator[str]:
    """Run a proxy in front of the service at `url`; yield its address."""
    target = urlsplit(url).netloc

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def forward(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            with closing(http.client.HTTPConnection(target, timeout=60)) as line, suppress(ConnectionError):
                self.pass_on(line, body)  # unless the caller has hung up

        def pass_on(self, line: http.client.HTTPConnection, body: bytes) -> None:
            line.putrequest(self.command, self.path, skip_host=True, skip_accept_encoding=True)
            for name, value in self.headers.items():
                if name.lower() not in ("connection", "authorization"):
                    line.putheader(name, own_host(name, value))
            line.putheader("Authorization", f"Bearer {token}")
            line.endheaders(body)
            answer = line.getresponse()
            content = answer.read()
            self.send_response_only(answer.status)
            for name, value in answer.getheaders():
                if name.lower() not in HOP_BY_HOP:
                    self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = do_DELETE = do_OPTIONS = do_PUT = forward

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    here = f"127.0.0.1:{server.server_port}"

    def own_host(name: str, value: str) -> str:
        """Replace the proxy's own name with the service's. Any other name is passed on as it is."""
        return value.replace(here, target) if name.lower() in ("host", "origin") else value

    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://{here}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
