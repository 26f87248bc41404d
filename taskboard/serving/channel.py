"""One connection of the embedded server, from which nobody can take more than an ordinary client needs.

A body that is too large, or of unknown length, is refused by its head, before it is read. Heads and bodies that come
drop by drop have a deadline. Requests that cannot be read as HTTP are answered in JSON, like every error of the API
(docs/decisions/api.md).
"""

import json
from http import HTTPStatus
from typing import Any, ClassVar

from django.conf import settings
from twisted.web.http import HTTPChannel

from core.http.calls import is_call
from taskboard.bodies import large_body_of
from taskboard.serving.targets import path_of

HEAD_WITHIN, BODY_WITHIN = 15.0, 60.0  # seconds for all of it
LARGE_WITHIN = 180.0  # a body with a file in it, also from a slow line
LARGE_AT_ONCE = 8  # such bodies in this process, from their heads until they are answered
LINGER = 2.0  # seconds to read on after a refusal: closing at once would make the system throw the answer away


class Channel(HTTPChannel):
    """Twisted's channel, which reads the requests of one connection one after the other."""

    with_large_body: ClassVar[set["Channel"]] = set()
    is_ending = has_unread_body = False
    transport: Any
    _deadline: Any = None

    def dataReceived(self, data: bytes) -> None:
        if self.is_ending:
            return
        if self._deadline is None and not self.requests:
            self._set_deadline(HEAD_WITHIN)
        super().dataReceived(data)

    def allHeadersReceived(self) -> None:
        """Refuse a body that is too large or has no length.

        For calls the service does so, which checks other things first, for forms with files by a page, and for scripts
        in a sentence.
        """
        self._set_deadline(BODY_WITHIN)
        target: Any = self._path
        try:
            path, length = path_of(target).partition(b"?")[0].decode("latin-1"), self.length
        except ValueError:  # a whole URL that cannot be read as one
            self._respondToBadRequestAndDisconnect()
            return
        with_file = 0 if self._asks_for_a_socket() else large_body_of(path)
        too_large = length is not None and length > settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        if length is not None and not too_large:
            super().allHeadersReceived()
        elif length is not None and length <= with_file:
            self._take_large_body()
        elif is_call(path) or (too_large and (with_file or self._is_of_a_script())):
            self._pass_without_body()
        elif too_large:
            self.refuse(413, "The body is larger than 1 MiB.")
        else:
            self.refuse(411, "Send the body with a Content-Length header.")

    def _asks_for_a_socket(self) -> bool:
        """Such a request has no body, and is never done: Daphne takes the connection away from this channel."""
        upgrade = self.requests[-1].requestHeaders.getRawHeaders(b"Upgrade", [b""])
        return bool(upgrade[0].lower() == b"websocket")

    def _is_of_a_script(self) -> bool:
        return bool(self.requests[-1].requestHeaders.hasHeader(b"HX-Request"))

    def _take_large_body(self) -> None:
        if len(self.with_large_body) >= LARGE_AT_ONCE:
            self.refuse(503, "The service is busy right now. Wait a few seconds, then try again.")
            return
        self.with_large_body.add(self)
        self._set_deadline(LARGE_WITHIN)
        super().allHeadersReceived()

    def requestDone(self, request: Any) -> None:
        self.with_large_body.discard(self)
        super().requestDone(request)

    def _pass_without_body(self) -> None:
        """Let the service answer by the head alone, then close, as the body is still to come."""
        headers = self.requests[-1].requestHeaders
        headers.removeHeader(b"Expect")
        headers.setRawHeaders(b"Connection", [b"close"])
        self.length, self.has_unread_body = 0, True
        super().allHeadersReceived()

    def allContentReceived(self) -> None:
        if not self.is_ending:
            self._set_deadline(None)
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
        self.clearLineBuffer()
        self._set_deadline(LINGER)
        self.transport.unregisterProducer()
        self.transport.resumeProducing()
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
        self.with_large_body.discard(self)
        super().connectionLost(reason)
