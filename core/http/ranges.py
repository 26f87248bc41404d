"""Sends a file of the storage, or the part of it that `Range` asks for (RFC 9110, section 14)."""

import re
from typing import IO, NamedTuple

from django.db import connection
from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseBase

BLOCK = 256 * 1024  # bytes sent at a time
ONE_RANGE = re.compile(r"bytes=(\d{0,15})-(\d{0,15})")


class ByteRange(NamedTuple):
    first: int
    last: int  # the byte at this place belongs to it


class File(FileResponse):
    block_size = BLOCK


def sent(request: HttpRequest, opened: IO[bytes], etag: str) -> HttpResponseBase:
    """Return the answer (200, 206 or 416) with its lengths; type, name and ETag are the caller's. It closes the file.

    The database connection is given back before the bytes are sent.
    """
    size = opened.seek(0, 2)
    part = asked_part(request, size, etag)
    if part is None:
        opened.close()
        return HttpResponse(status=416, headers={"Content-Range": f"bytes */{size}"})
    if not connection.in_atomic_block:
        connection.close()
    opened.seek(part.first)
    is_end = part.last == size - 1
    response = File(opened if is_end else Limited(opened, part.last + 1 - part.first))
    response["Content-Length"] = str(part.last + 1 - part.first)
    response["Accept-Ranges"] = "bytes"
    if part != ByteRange(0, size - 1):
        response.status_code = 206
        response["Content-Range"] = f"bytes {part.first}-{part.last}/{size}"
    return response


def asked_part(request: HttpRequest, size: int, etag: str) -> ByteRange | None:
    """Return the part of the file that `Range` asks for; None for one that it does not have.

    The whole is sent for several ranges, for a malformed one, for a method other than GET, and if `If-Range` names
    another version.
    """
    whole = ByteRange(0, size - 1)
    if request.method != "GET":
        return whole
    found = ONE_RANGE.fullmatch(request.headers.get("Range", "").strip())
    if found is None or found[0] == "bytes=-" or request.headers.get("If-Range", etag) != etag:
        return whole
    first, last = found.groups()
    if not first:  # the last bytes
        return ByteRange(max(0, size - int(last)), size - 1) if int(last) and size else None
    if last and int(last) < int(first):  # no range at all: ignored
        return whole
    return ByteRange(int(first), min(int(last or size), size - 1)) if int(first) < size else None


class Limited:
    """A file of which only the next `length` bytes are there."""

    def __init__(self, file: IO[bytes], length: int) -> None:
        self._file, self._left = file, length
        self.close = file.close

    def read(self, size: int = -1) -> bytes:
        wanted = self._left if size < 0 else min(size, self._left)
        piece = self._file.read(wanted) if wanted else b""
        self._left -= len(piece)
        return piece
