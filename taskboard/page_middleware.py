"""The middleware that only pages need. Calls of the API, which know no session and answer no HTML, go past it.

Two of Django's stay as they are, because its checks look for them by name, and cost next to nothing.
"""

from typing import Any

from csp.middleware import CSPMiddleware
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.messages.middleware import MessageMiddleware
from django.contrib.sessions.middleware import SessionMiddleware
from django.http import HttpRequest, HttpResponse
from whitenoise.middleware import WhiteNoiseMiddleware

from accounts.middleware import KnownBrowser, Preferences
from accounts.sign_in.sessions.lifetime import NoteUse
from core.http.calls import is_token_call
from taskboard.middleware import CompressPages, Permissions


def for_pages(middleware: Any) -> Any:
    """Return a subclass that hands calls on to the next middleware."""

    class ForPages(middleware):  # type: ignore[misc]
        def __call__(self, request: HttpRequest) -> HttpResponse:
            handle = self.get_response if is_token_call(request.path_info) else super().__call__
            return handle(request)

    return ForPages


Files = for_pages(WhiteNoiseMiddleware)
Compression = for_pages(CompressPages)
ContentPolicy = for_pages(CSPMiddleware)
BrowserPermissions = for_pages(Permissions)
Sessions = for_pages(SessionMiddleware)
Users = for_pages(AuthenticationMiddleware)
Use = for_pages(NoteUse)
Locale = for_pages(Preferences)
Browsers = for_pages(KnownBrowser)
Messages = for_pages(MessageMiddleware)
