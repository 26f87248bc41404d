"""Middleware for every view: the client's address, and the headers of an answer without a body."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

View = Callable[[HttpRequest], HttpResponse]


class ClientAddress:
    """Sets REMOTE_ADDR to the address that the outermost of the TASKBOARD_TRUSTED_PROXIES saw.

    That one is counted from the end of X-Forwarded-For, because clients can write anything at its beginning.
    """

    def __init__(self, get_response: View) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if settings.TRUSTED_PROXIES:
            hops = [hop.strip() for hop in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",") if hop.strip()]
            if len(hops) >= settings.TRUSTED_PROXIES:
                request.META["REMOTE_ADDR"] = hops[-settings.TRUSTED_PROXIES]
        return self.get_response(request)


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
