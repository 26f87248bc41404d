"""The route of a request: what logs and metrics name instead of its path, which has ids and may have keys."""

from django.http import HttpRequest


def route_of(request: HttpRequest) -> str:
    """Return the pattern that took the request's path, such as `board/<uuid:board_id>`; `-` where none did."""
    return request.resolver_match.route or "/" if request.resolver_match else "-"
