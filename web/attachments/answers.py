"""The answer that sends a file: its head, and what sends the bytes."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from csp.constants import NONE
from csp.decorators import csp
from django.conf import settings
from django.core.files.storage import default_storage
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.cache import get_conditional_response
from django.utils.http import content_disposition_header

from boards.access import not_found
from boards.models import Attachment, Preview
from core.files.storage import open_file, path_of
from core.files.types import PICTURES
from core.http.ranges import sent

View = Callable[..., HttpResponseBase]
# A board may have hundreds of covers, which never change under their addresses. With `Vary: Cookie`, which every page has,
# nobody else who signs in in the same browser is shown them.
KEPT = "private, max-age=86400, immutable"


def guarded(view: View) -> View:
    """Let nothing run in the file that the view answers, whatever a browser takes it for. Refusals are pages as all others."""

    @wraps(view)
    def checked(*args: Any, **named: Any) -> HttpResponseBase:
        answer = view(*args, **named)
        if answer.status_code >= 400:
            return answer
        return csp({"default-src": [NONE], "sandbox": True, "frame-ancestors": [NONE]})(lambda _request: answer)(
            args[0]
        )

    return checked


def answered(request: HttpRequest, attachment: Attachment, *, inline: bool, kind: str = "") -> Any:
    """Return the file, or the picture `kind` made of it. Raise NotFound if the bytes are gone."""
    file = attachment.file
    content_type = "image/webp" if kind else file.content_type
    etag = f'"{file.sha256}{kind and "-"}{kind}"'
    inline = inline and content_type in PICTURES
    if settings.S3_BUCKET and settings.S3_REDIRECT and not inline and not kind and request.method == "GET":
        return _elsewhere(attachment)
    send = _by_nginx if settings.ACCEL_REDIRECT and not settings.S3_BUCKET else _sent
    response = get_conditional_response(request, etag=etag) or send(request, attachment, kind, etag)
    if response.status_code in (200, 206):
        response["Content-Type"] = content_type
        name = attachment.file_name if not kind else f"{attachment.file_name}.webp"
        response["Content-Disposition"] = content_disposition_header(not inline, name) or "attachment"
        response["Accept-Ranges"] = "bytes"
    response["ETag"] = etag
    response["Cache-Control"] = KEPT if kind == "thumbnail" else "private, no-cache"
    response["X-Content-Type-Options"] = "nosniff"
    response["Cross-Origin-Resource-Policy"] = "same-origin"
    return response


def picture(request: HttpRequest, attachment: Attachment, kind: str) -> Any:
    """Return the picture `kind` made of the file. Raise NotFound if there is none, or none yet."""
    if attachment.file.preview != Preview.MADE:
        raise not_found()
    return answered(request, attachment, inline=True, kind=kind)


def _sent(request: HttpRequest, attachment: Attachment, kind: str, etag: str) -> HttpResponseBase:
    try:
        opened = open_file(attachment.file.name, kind)
    except FileNotFoundError:
        raise not_found() from None
    return sent(request, opened, etag)


def _by_nginx(request: HttpRequest, attachment: Attachment, kind: str, etag: str) -> HttpResponseBase:
    """Let nginx send the file, or the part that was asked for. Of our head it takes the type, the name and Cache-Control."""
    path = path_of(attachment.file.name, kind)
    if not default_storage.exists(path):
        raise not_found()
    return HttpResponse(headers={"X-Accel-Redirect": settings.ACCEL_REDIRECT.rstrip("/") + "/" + path})


def _elsewhere(attachment: Attachment) -> HttpResponse:
    """Send the browser to the bucket, by an address that works for a minute. Pictures on pages may not come from there."""
    head = {
        "ResponseContentDisposition": content_disposition_header(as_attachment=True, filename=attachment.file_name),
        "ResponseContentType": attachment.file.content_type,
    }
    storage: Any = default_storage
    address = storage.url(path_of(attachment.file.name), parameters=head)
    return HttpResponse(status=302, headers={"Location": address, "Cache-Control": "no-store"})
