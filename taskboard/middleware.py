"""Middleware for every view: the client's address, compression, caching, 503 when busy."""

import re
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _

from core.files.storage import StorageFails
from core.http.addresses import client_address
from core.http.calls import is_call
from core.http.kept_html import compress
from core.limits.turns import RETRY_AFTER, Busy
from taskboard.bodies import large_body_of
from taskboard.failures import no_storage
from web.http.answers import is_partial
from web.http.refusals import refusal_fragment

View = Callable[[HttpRequest], HttpResponse]
WORTH_COMPRESSING = 200  # bytes
ACCEPTS_GZIP = re.compile(r"\bgzip\b")


class ClientAddress:
    """Sets REMOTE_ADDR to the address that the outermost of the TASKBOARD_TRUSTED_PROXIES saw."""

    def __init__(self, get_response: View) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        peer = request.META.get("REMOTE_ADDR", "")
        request.META["REMOTE_ADDR"] = client_address(peer, request.META.get("HTTP_X_FORWARDED_FOR", ""))
        return self.get_response(request)


class LargeBodies:
    """Refuses a form that is too large by its head, in words, before anything reads it. The API does so itself."""

    def __init__(self, get_response: View) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *view: Any) -> HttpResponse | None:
        length = request.META.get("CONTENT_LENGTH") or ""
        if is_call(request.path_info) or not length.isdecimal():
            return None
        most = large_body_of(request.path_info) or settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        if int(length) <= most:
            return None
        names = {"megabytes": most // 1024**2}
        if is_partial(request):
            words = _("This is more than %(megabytes)s MB, so it was not accepted. Shorten it, then try again.")
            return refusal_fragment(words % names, status=413)
        return render(request, "too_large.html", names, status=413)


# What no page of ours asks a browser for, so that nothing that gets into one can, and what only our own pages may
NOBODY = (
    "accelerometer", "autoplay", "camera", "clipboard-read", "display-capture", "encrypted-media", "fullscreen", "geolocation",
    "gyroscope", "hid", "idle-detection", "magnetometer", "microphone", "midi", "payment", "picture-in-picture",
    "screen-wake-lock", "serial", "usb", "xr-spatial-tracking",
)  # fmt: skip
OURSELVES = ("clipboard-write", "publickey-credentials-create", "publickey-credentials-get")
PERMISSIONS = ", ".join([f"{name}=()" for name in NOBODY] + [f"{name}=(self)" for name in OURSELVES])


class Permissions:
    """Sets the Permissions-Policy of each page: the features of a browser that it may ask for."""

    def __init__(self, get_response: View) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response["Permissions-Policy"] = PERMISSIONS
        return response


class TooBusy:
    """Answers 503 when too many threads want to do expensive work (core/limits/turns.py)."""

    def __init__(self, get_response: View) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if not isinstance(exception, Busy):
            return None
        if isinstance(exception, StorageFails):
            response = no_storage(request)
        elif is_partial(request):
            words = _("The service is busy right now. Wait a few seconds, then try again.")
            response = refusal_fragment(words, status=503)
        else:
            response = render(request, "busy.html", status=503)
        response["Retry-After"] = str(RETRY_AFTER)
        return response


class CompressPages:
    """Compresses HTML, but for answers with `holds_secret`. Why that is safe here, and why not by Django's middleware:
    docs/decisions/operations.md."""

    def __init__(self, get_response: View) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        is_html = response.get("Content-Type", "").startswith("text/html")
        if not is_html or response.streaming or len(response.content) < WORTH_COMPRESSING:
            return response
        if getattr(response, "holds_secret", False):
            return response
        patch_vary_headers(response, ["Accept-Encoding"])
        if ACCEPTS_GZIP.search(request.headers.get("Accept-Encoding", "")):
            response.content = compress(response.content, getattr(response, "parts", ()))
            response["Content-Encoding"] = "gzip"
            response["Content-Length"] = str(len(response.content))  # CommonMiddleware has set that of the page
        return response


class NoStore:
    """Forbids caches to keep answers for one account: the pages of signed-in users, refusals too, and all of the API.

    It comes after the middleware that knows the user.
    """

    def __init__(self, get_response: View) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path in ("/healthz", "/livez"):  # they must not ask the database who is signed in
            return self.get_response(request)
        private = is_call(request.path) or request.user.is_authenticated
        response = self.get_response(request)
        if private or request.user.is_authenticated:
            response.headers.setdefault("Cache-Control", "no-store")
        return response


class NoContent:
    """Removes type and length of the body from a 204, which has no body (RFC 9110, 8.6)."""

    def __init__(self, get_response: View) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.status_code == 204:
            del response["Content-Type"]
            del response["Content-Length"]
        return response
