"""Counts requests. Settings install it only where metrics are on."""

import time
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from core.http.routes import route_of
from core.measures import REQUEST_SECONDS, REQUESTS

METHODS = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))


class CountRequests:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        began = time.perf_counter()
        response = self.get_response(request)
        route = route_of(request)
        REQUEST_SECONDS.observe(time.perf_counter() - began, route)
        REQUESTS.add(named(request.method, response.status_code), route, str(response.status_code))
        return response


def named(method: str | None, status: int) -> str:
    """Return the method, or `other` for what a client made up or the address does not take."""
    return method if method and method in METHODS and status != 405 else "other"
