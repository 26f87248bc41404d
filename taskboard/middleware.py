"""What stands before every view: the client's address, and how an answer without a body looks."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

View = Callable[[HttpRequest], HttpResponse]


class ClientAddress:
    """REMOTE_ADDR becomes the address that the outermost of the TASKBOARD_TRUSTED_PROXIES saw."""

    def __init__(self, get_response: View) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if settings.TRUSTED_PROXIES:
            hops = [hop.strip() for hop in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",") if hop.strip()]
            if len(hops) >= settings.TRUSTED_PROXIES:
                request.META["REMOTE_ADDR"] = hops[-settings.TRUSTED_PROXIES]
        return self.get_response(request)


class NoContent:
    """A 204 has no body, so it names neither a type nor a length of one (RFC 9110, 8.6)."""

    def __init__(self, get_response: View) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.status_code == 204:
            del response["Content-Type"]
            del response["Content-Length"]
        return response
