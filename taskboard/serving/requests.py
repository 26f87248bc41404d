"""How the embedded server reads a request, and what it answers if it cannot."""

import json
from typing import Any
from urllib.parse import urlsplit

from daphne.http_protocol import HTTPFactory, WebRequest


class Request(WebRequest):
    """Daphne's request, hardened against what clients send, with errors in JSON under /api/: docs/decisions/api.md."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, parsePOSTFormSubmission=False, **kwargs)  # Django parses forms, with limits

    def process(self) -> Any:
        self.requestHeaders.removeHeader("daphne-root-path")  # meant for proxies; here any client could send it
        if self.uri.lower().startswith((b"http://", b"https://")):
            self.uri = path_of(self.uri)
            self.path = self.uri.partition(b"?")[0]
        return super().process()

    def basic_error(self, status: int, status_text: bytes, body: str) -> None:
        if not self.path.startswith(b"/api/"):
            super().basic_error(status, status_text, body)
            return
        headers = [(b"Content-Type", b"application/json")]
        answer = json.dumps({"error": body if body.endswith(".") else f"{body}."}).encode()
        self.handle_reply({"type": "http.response.start", "status": status, "headers": headers})
        self.handle_reply({"type": "http.response.body", "body": answer})


class Factory(HTTPFactory):
    def buildProtocol(self, addr: Any) -> Any:
        protocol = super().buildProtocol(addr)
        protocol.requestFactory = Request
        return protocol


def path_of(uri: bytes) -> bytes:
    """Return path and query of a whole URL, which a request may also have in place of the path (RFC 9112, 3.2.2)."""
    parts = urlsplit(uri)
    return (parts.path or b"/") + (b"?" + parts.query if parts.query else b"")
