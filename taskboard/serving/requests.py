"""Requests of the embedded server: how it reads them, and its answer if it cannot."""

import json
import logging
from collections.abc import Callable
from http.client import responses
from io import BytesIO
from typing import Any

from daphne.http_protocol import HTTPFactory, WebRequest

from core.http.calls import is_call
from taskboard.serving.channel import Channel
from taskboard.serving.targets import authority_of, is_whole_url, path_of

log = logging.getLogger(__name__)


def refusing_without_room(receive: Callable[..., None]) -> Callable[..., None]:
    """Return this method so that it answers where the disk has no room for the temporary file of a large body."""

    def received(self: "Request", *args: Any) -> None:
        try:
            receive(self, *args)
        except OSError as error:
            log.error("A body could not be kept in the folder for temporary files (TMPDIR): %s", error.strerror)
            self.channel.refuse(507, "The service has no space left to take this. Tell its operator, then try again.")

    return received


class Request(WebRequest):
    """Daphne's request, hardened against what clients send, with errors in JSON under /api/: docs/decisions/api.md."""

    channel: Channel
    body: Any  # a file

    gotLength = refusing_without_room(WebRequest.gotLength)
    handleContentChunk = refusing_without_room(WebRequest.handleContentChunk)
    requestReceived = refusing_without_room(WebRequest.requestReceived)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, parsePOSTFormSubmission=False, **kwargs)  # Django parses forms, with limits

    def process(self) -> Any:
        self.requestHeaders.removeHeader("daphne-root-path")  # meant for proxies; here any client could send it
        hosts = self.requestHeaders.getRawHeaders(b"Host", [])
        if len(hosts) != 1 and (hosts or self.clientproto == b"HTTP/1.1"):
            return self.basic_error(400, b"Bad Request", "Send one Host header with the name of the service.")
        if is_whole_url(self.uri):
            self.requestHeaders.setRawHeaders(b"Host", [authority_of(self.uri)])  # what Host says does not count then
            self.uri = path_of(self.uri)
            self.path = self.uri.partition(b"?")[0]
        self.body, self.content = self.content, BytesIO()  # Daphne would read all of it into memory
        return super().process()

    def setResponseCode(self, code: int, message: bytes | None = None) -> None:
        """Name the status as the other server does: for 422, 429 and others Twisted has only "Unknown Status"."""
        super().setResponseCode(code, message or responses.get(code, "Unknown Status").encode())

    def basic_error(self, status: int, status_text: bytes, body: str) -> None:
        if not is_call(self.path.decode("latin-1")):
            super().basic_error(status, status_text, body)
            return
        headers = [(b"Content-Type", b"application/json")]
        answer = json.dumps({"error": body if body.endswith(".") else f"{body}."}).encode()
        self.handle_reply({"type": "http.response.start", "status": status, "headers": headers})
        self.handle_reply({"type": "http.response.body", "body": answer})


class Factory(HTTPFactory):
    protocol: Any = Channel

    def buildProtocol(self, addr: Any) -> Any:
        protocol = super().buildProtocol(addr)
        protocol.requestFactory = Request
        return protocol
