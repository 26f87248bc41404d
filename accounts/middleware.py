"""Applies the user's language and time zone to each request, makes live pages notice a sign-out, marks known browsers."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation
from django.utils.cache import patch_vary_headers

from accounts.sign_in.sessions import known_browsers
from core.bus.access_check import check_access
from core.http.calls import is_call
from core.text.locale import locale_of

CLEARED = '"cache", "storage"'  # not "cookies", which would be those of the whole domain


class KnownBrowser:
    """Lets a browser in which somebody signed in, or changed the password, know their account (known_browsers.py)."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        known_browsers.write_to(response, request)
        return response


class Preferences:
    """Activates the language and time zone of the signed-in user, else the browser's language.

    A request that ends with another user than it began with was a sign-out, on the site's page or the admin's.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if (is_call(request.path) or request.path in ("/healthz", "/livez")) and request.path != "/api/docs":
            return self.get_response(request)  # the API speaks English and UTC; around its reference is a page
        user = request.user
        with self._locale(request):
            language = translation.get_language()
            response = self.get_response(request)
        if not user.is_authenticated:
            patch_vary_headers(response, ["Accept-Language"])
        elif request.user != user:
            check_access(user.pk)  # signed out, on whichever page
            response["Clear-Site-Data"] = CLEARED
        response.headers.setdefault("Content-Language", language)
        return response

    @contextmanager
    def _locale(self, request: HttpRequest) -> Iterator[None]:
        if request.user.is_authenticated:
            with locale_of(request.user):
                yield
        else:
            with translation.override(translation.get_language_from_request(request)), timezone.override(None):
                yield
