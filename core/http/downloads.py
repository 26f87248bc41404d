"""The answer that sends a file that people uploaded: its head, and what sends the bytes."""

from typing import Any, Protocol

from django.conf import settings
from django.core.files.storage import default_storage
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.cache import get_conditional_response
from django.utils.http import content_disposition_header

from core.files.storage import open_file, path_of
from core.files.types import PICTURES
from core.http.ranges import sent

NOTHING_RUNS = "default-src 'none'; sandbox; frame-ancestors 'none'"
# A board may have hundreds of covers, which never change under their addresses. With `Vary: Cookie`, which every page has,
# nobody else who signs in in the same browser is shown them.
KEPT = "private, max-age=86400, immutable"


class Bytes(Protocol):
    """The known facts of a file in the storage."""

    @property
    def name(self) -> str: ...

    @property
    def content_type(self) -> str: ...

    @property
    def sha256(self) -> str: ...


class NamedFile(Protocol):
    """A file in the storage, with the name that people gave it."""

    @property
    def file_name(self) -> str: ...

    @property
    def file(self) -> Bytes: ...


def confined(answer: HttpResponseBase) -> HttpResponseBase:
    """Let nothing run in the file that is answered, whatever a browser takes it for. Refusals stay as they are."""
    if answer.status_code < 400:
        answer["Content-Security-Policy"] = NOTHING_RUNS
    return answer


def answered(request: HttpRequest, given: NamedFile, *, inline: bool, kind: str = "") -> HttpResponseBase:
    """Return the file, or the picture `kind` made of it. Raise FileNotFoundError if the bytes are gone."""
    file = given.file
    content_type = "image/webp" if kind else file.content_type
    etag = f'"{file.sha256}{kind and "-"}{kind}"'
    inline = inline and content_type in PICTURES
    if settings.S3_BUCKET and settings.S3_REDIRECT and not inline and not kind and request.method == "GET":
        return _elsewhere(given)
    send = _by_nginx if settings.ACCEL_REDIRECT and not settings.S3_BUCKET else _sent
    response: HttpResponseBase = get_conditional_response(request, etag=etag) or send(request, file, kind, etag)
    if response.status_code in (200, 206):
        response["Content-Type"] = content_type
        name = given.file_name if not kind else f"{given.file_name}.webp"
        response["Content-Disposition"] = content_disposition_header(not inline, name) or "attachment"
        response["Accept-Ranges"] = "bytes"
    response["ETag"] = etag
    response["Cache-Control"] = KEPT if kind == "thumbnail" else "private, no-cache"
    response["X-Content-Type-Options"] = "nosniff"
    response["Cross-Origin-Resource-Policy"] = "same-origin"
    return response


def _sent(request: HttpRequest, file: Bytes, kind: str, etag: str) -> HttpResponseBase:
    return sent(request, open_file(file.name, kind), etag)


def _by_nginx(request: HttpRequest, file: Bytes, kind: str, etag: str) -> HttpResponseBase:
    """Let nginx send the file, or the part that was asked for. Of our head it takes the type, the name and Cache-Control."""
    path = path_of(file.name, kind)
    if not default_storage.exists(path):
        raise FileNotFoundError(path)
    return HttpResponse(headers={"X-Accel-Redirect": settings.ACCEL_REDIRECT.rstrip("/") + "/" + path})


def _elsewhere(given: NamedFile) -> HttpResponse:
    """Send the caller to the bucket, by an address that works for a minute. Pictures on pages may not come from there."""
    head = {
        "ResponseContentDisposition": content_disposition_header(as_attachment=True, filename=given.file_name),
        "ResponseContentType": given.file.content_type,
    }
    storage: Any = default_storage
    address = storage.url(path_of(given.file.name), parameters=head)
    return HttpResponse(status=302, headers={"Location": address, "Cache-Control": "no-store"})
