"""One connection of the embedded server, from which nobody can take more than an ordinary client needs.

A body that is too large, or of unknown length, is refused by its head, before it is read. Heads and bodies that come drop by
drop have a deadline. What cannot be read as HTTP is answered in JSON, as every error of the API is (docs/decisions/api.md).
"""

import json
from http import HTTPStatus
from typing import Any

from django.conf import settings
from twisted.web.http import HTTPChannel

from taskboard.serving.targets import path_of

HEAD_WITHIN, BODY_WITHIN = 15.0, 60.0  # seconds for all of it
LINGER = 2.0  # seconds to read on after a refusal: closing at once would make the system throw the answer away


class Channel(HTTPChannel):
    """Twisted's channel, which reads the requests of one connection one after the other."""

    is_ending = False
    has_unread_body = False
    transport: Any
    _networkProducer: Any
    _deadline: Any = None

    def dataReceived(self, data: bytes) -> None:
        if self.is_ending:
            return
        if self._deadline is None and not self._handlingRequest:
            self._set_deadline(HEAD_WITHIN)
        super().dataReceived(data)

    def allHeadersReceived(self) -> None:
        """Refuse a body that is too large or has no length. Under /api/ the service does, which checks other things first."""
        self._set_deadline(BODY_WITHIN)
        too_large = (self.length or 0) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        target: Any = self._path
        if (too_large or self.length is None) and not path_of(target).startswith(b"/api/"):
            self.refuse(413, "The body is larger than 1 MiB.") if too_large else self.refuse(
                411, "Send the body with a Content-Length header."
            )
        elif too_large or self.length is None:
            self._pass_without_body()
        else:
            super().allHeadersReceived()

    def _pass_without_body(self) -> None:
        """Let the service answer by the head alone, then close, as the body is still to come."""
        request = self.requests[-1]
        request.requestHeaders.removeHeader(b"Expect")
        self.length, self.has_unread_body = 0, True
        super().allHeadersReceived()
        self.persistent = False
        request.responseHeaders.setRawHeaders(b"Connection", [b"close"])

    def allContentReceived(self) -> None:
        self._set_deadline(None)
        if not self.is_ending:
            super().allContentReceived()

    def lineLengthExceeded(self, line: bytes) -> None:
        self.refuse(431, "The head of the request is too large.")

    def _respondToBadRequestAndDisconnect(self) -> None:
        if self._receivedHeaderSize > self.totalHeadersSize or self._receivedHeaderCount > self.maxHeaders:
            self.refuse(431, "The head of the request is too large.")
        else:
            self.refuse(400, "This is not a valid HTTP request.")

    def refuse(self, status: int, sentence: str) -> None:
        """Answer without the service, and close."""
        if self.is_ending:
            return
        body = json.dumps({"error": sentence})
        self.transport.write(
            f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\nConnection: close\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode()
        )
        self._end()

    def loseConnection(self) -> None:
        if self.has_unread_body and not self.is_ending:
            self._end()
        else:
            super().loseConnection()

    def _end(self) -> None:
        """Say that nothing more is sent, and drop what still comes until the client closes too, but for LINGER at most."""
        self.is_ending = True
        self.lineReceived = self.rawDataReceived = lambda data: None  # type: ignore[method-assign]
        self._set_deadline(LINGER)
        self.setTimeout(None)
        self._networkProducer.unregisterProducer()
        self._networkProducer.resumeProducing()
        self.transport.loseWriteConnection()

    def _set_deadline(self, seconds: float | None) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = None if seconds is None else self.callLater(seconds, self._too_late)

    def _too_late(self) -> None:
        self._deadline = None
        if self.is_ending:
            self.transport.abortConnection()
        else:
            self.refuse(408, "The request took too long to arrive.")

    def connectionLost(self, reason: Any = None) -> None:
        self._set_deadline(None)
        super().connectionLost(reason)
