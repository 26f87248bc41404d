"""The sign-in guard of every page: `@signed_in("GET", "POST")`."""

from collections.abc import Callable
from functools import wraps
from uuid import UUID

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from boards.errors import DomainError
from boards.reader import Reader
from core.http.requests import SignedInRequest, back
from web.http.answers import is_partial
from web.http.made import actor, changes_made
from web.http.refusals import refusal, refusal_fragment

__all__ = ["actor", "reader", "signed_in"]

View = Callable[..., HttpResponse]


def signed_in(*methods: str) -> Callable[[View], View]:
    """Allow only these methods and signed-in users, and turn a DomainError of the view into an answer.

    Answers to scripts name the changes that were made, so that undo.js can take them back.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        @require_http_methods([*methods, "HEAD"] if "GET" in methods else methods)
        def answer(request: SignedInRequest, **ids: UUID) -> HttpResponse:
            if not request.user.is_authenticated:
                return sign_in_first(request)
            try:
                response = view(request, **ids)
            except DomainError as error:
                return refusal(request, error)
            if is_partial(request) and (made := changes_made(request)):
                response["X-Changes"] = made
            return response

        return answer

    return decorate


def reader(request: SignedInRequest) -> Reader:
    return Reader(request.user)


def sign_in_first(request: HttpRequest) -> HttpResponse:
    """Answer somebody who is signed out, or no longer signed in."""
    if is_partial(request):
        return refusal_fragment(_("You are signed out. Sign in from another tab, then try again."), status=401)
    return redirect_to_login(request.get_full_path() if request.method == "GET" else back(request))
