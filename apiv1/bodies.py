"""Read a JSON body. A bad one is refused with 411, 413, 415 or 400, checked in this order, each with a sentence."""

from collections.abc import Container
from typing import Any

from django.conf import settings
from django.http import HttpRequest, UnreadablePostError

from apiv1.errors import Refused
from core.http.compact_json import NotJson, loads

JSON = ("application/json",)
PATCHES = (*JSON, "application/merge-patch+json")


def read_json_object(request: HttpRequest) -> dict[str, Any]:
    """Return the body without the keys whose value is null, because null for an optional field means absent.

    Raises Refused.
    """
    return {name: part for name, part in _read(request, JSON).items() if part is not None}


def read_patch(request: HttpRequest) -> dict[str, Any]:
    """Return the body of a PATCH, in which null clears a field. Raises Refused."""
    return _read(request, PATCHES)


def _read(request: HttpRequest, types: Container[str]) -> dict[str, Any]:
    require_length(request)
    require_json(request, types)
    try:
        value = loads(request.body)
    except UnreadablePostError:
        raise cut_off() from None
    except NotJson as error:
        raise Refused(400, str(error)) from None
    if not isinstance(value, dict):
        raise Refused(400, 'The body must be a JSON object, as in {"title": "…"}.')
    return value


def cut_off() -> Refused:
    return Refused(400, "The body ended before its Content-Length.")


def require_length(request: HttpRequest, most: int | None = None) -> None:
    most = most or settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    length = str(request.META.get("CONTENT_LENGTH") or "")
    if not length.isdecimal():
        raise Refused(411, "Send the body with a Content-Length header.")
    if int(length) > most:
        raise Refused(413, f"The body is larger than {most // 1024**2} MiB.")


def require_json(request: HttpRequest, types: Container[str] = JSON) -> None:
    charset = (request.content_params or {}).get("charset", "utf-8")
    if (request.content_type or "").lower() not in types or charset.lower() not in ("utf-8", "utf8"):
        raise Refused(415, "Send the body as JSON, with 'Content-Type: application/json'.")
    require_plain(request)


def require_form(request: HttpRequest) -> None:
    if (request.content_type or "").lower() != "multipart/form-data":
        raise Refused(415, "Send the file in a form, with 'Content-Type: multipart/form-data'.")
    require_plain(request)


def require_plain(request: HttpRequest) -> None:
    if request.META.get("HTTP_CONTENT_ENCODING"):
        sentence = "Send the body without a Content-Encoding: a compressed body is not read."
        raise Refused(415, sentence, Accept_Encoding="identity")


def has_body(request: HttpRequest) -> bool:
    """Return whether there is a body to read. A chunked one counts: reading refuses it, as on all other endpoints."""
    return request.META.get("CONTENT_LENGTH") not in (None, "", "0") or "HTTP_TRANSFER_ENCODING" in request.META
