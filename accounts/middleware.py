"""What a person's account means for each request: language and time zone, and live pages that end with a session."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation
from django.utils.cache import patch_vary_headers

from core.groups import look_again


class Preferences:
    """A signed-in person's language and time zone hold for the request; others get the browser's language."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path.startswith(("/api/", "/healthz")):
            return self.get_response(request)  # the API speaks English and UTC
        user = request.user
        language = user.language if user.is_authenticated else translation.get_language_from_request(request)
        with translation.override(language), timezone.override(user.zone if user.is_authenticated else None):
            response = self.get_response(request)
        if not user.is_authenticated:
            patch_vary_headers(response, ["Accept-Language"])
        elif request.user != user:
            look_again(user.pk)  # signed out, by whichever door
        response.headers.setdefault("Content-Language", language)
        return response
