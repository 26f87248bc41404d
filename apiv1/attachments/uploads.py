"""Read the form of an upload: one file, kept in memory or, if it is large, in a temporary file.

Django takes a form that breaks off for a whole one, so its length and its end are checked here.
"""

import errno
import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from django.conf import settings
from django.core.exceptions import SuspiciousOperation
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, UnreadablePostError
from django.http.multipartparser import MultiPartParser, MultiPartParserError

from apiv1.bodies import cut_off, require_form, require_length
from apiv1.errors import Refused
from boards.errors import Invalid

FIELD = "file"
END = 300  # bytes: the longest boundary that Django takes, and what is around it
NOT_A_FORM = "The body is not valid multipart/form-data, or it has more than a file."
NO_FILE = f"{FIELD} is missing. Send one file in this field, with its name."
WHAT_NAME = f"{FIELD} has a name that is too long. Give it a shorter one."


class Form(NamedTuple):
    names: list[str]  # of all fields
    files: list[UploadedFile]  # of the field `file`

    @property
    def file(self) -> UploadedFile:
        """Return the one file. Raises Invalid."""
        if not self.files:
            raise Invalid(NO_FILE, FIELD)
        if len(self.files) > 1:
            raise Invalid(f"{FIELD} has {len(self.files)} files. Send each in a request of its own.", FIELD)
        return self.files[0]


class _Body:
    """The body of a request, of which it notes how long it is and how it ends."""

    def __init__(self, request: HttpRequest) -> None:
        self._source = request
        self._length, self._end = 0, b""

    def read(self, size: int) -> bytes:
        piece = self._source.read(size)
        self._length += len(piece)
        self._end = (self._end + piece)[-END:]
        return piece

    def require_whole(self) -> None:
        """Raise Refused if less came than was said, or if the form does not end."""
        if self._length < int(self._source.META["CONTENT_LENGTH"]):
            raise cut_off()
        boundary = (self._source.content_params or {}).get("boundary", "")
        if not self._end.rstrip().endswith(f"--{boundary}--".encode()):
            raise Refused(400, NOT_A_FORM)


@contextmanager
def sent_form(request: HttpRequest) -> Iterator[Form]:
    """Read the form, and drop its files at the end. Raises Refused: 411, 413, 415 or 400, checked in this order."""
    require_length(request, settings.LARGEST_UPLOAD_FORM)
    require_form(request)
    body = _Body(request)
    fields, files = _parsed(request, body)
    try:
        body.require_whole()
        yield Form([*fields, *files], [] if FIELD in fields else files.getlist(FIELD))
    finally:
        for each in [file for name in files for file in files.getlist(name)]:
            each.close()


def _parsed(request: HttpRequest, body: Any) -> tuple[Any, Any]:
    """Return fields and files by their names. What a charset of the form says does not count: names are UTF-8."""
    parameters = request.META["CONTENT_TYPE"].partition(";")[2]
    head = {
        "CONTENT_TYPE": f"multipart/form-data;{parameters}",  # in small letters, as Django wants it
        "CONTENT_LENGTH": request.META["CONTENT_LENGTH"],
    }
    try:
        return MultiPartParser(head, body, request.upload_handlers, "utf-8").parse()
    except UnreadablePostError:
        raise cut_off() from None
    except OSError as error:
        if error.errno != errno.ENAMETOOLONG:  # of the temporary file, whose name ends as that of the file
            raise
        raise Invalid(WHAT_NAME, FIELD) from None
    except (MultiPartParserError, SuspiciousOperation, ValueError, LookupError):  # whatever a hostile form leads to
        raise Refused(400, NOT_A_FORM) from None


def identity_of(file: UploadedFile) -> bytes:
    """Return what is the same where a file is sent again: its hash and its name, in place of a form with a new boundary."""
    digest = hashlib.sha256()
    for chunk in file.chunks():
        digest.update(chunk)
    return f"{digest.hexdigest()} {file.name}".encode("utf-8", "surrogatepass")
