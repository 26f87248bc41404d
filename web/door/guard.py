"""The web door: who may come in, how ids are read, and what a refusal of the domain looks like in a browser."""

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from boards.access import not_found
from boards.actor import Actor
from boards.errors import DomainError
from boards.text import parse_id
from web.door.answers import is_partial
from web.door.refusals import back, refusal, refusal_fragment

if TYPE_CHECKING:
    from accounts.models import User

View = Callable[..., HttpResponse]


class Request(HttpRequest):
    """A request of somebody who is signed in."""

    user: "User"  # type: ignore[assignment]


def page(*methods: str) -> Callable[[View], View]:
    """A view for signed-in people. It gets the ids of its address as UUIDs; what the domain refuses is answered here."""

    def decorate(view: View) -> View:
        @wraps(view)
        @require_http_methods([*methods, "HEAD"] if "GET" in methods else methods)
        def answer(request: Request, **ids: str) -> HttpResponse:
            if not request.user.is_authenticated:
                return _sign_in_first(request)
            try:
                return view(request, **{name: _id(value) for name, value in ids.items()})
            except DomainError as error:
                return refusal(request, error)

        return answer

    return decorate


def actor(request: Request) -> Actor:
    return Actor(request.user)


def _id(value: str) -> object:
    found = parse_id(value)
    if found is None:
        raise not_found()
    return found


def _sign_in_first(request: HttpRequest) -> HttpResponse:
    if is_partial(request):
        return refusal_fragment(_("You are signed out. Sign in in another tab, then send this again."), status=401)
    return redirect_to_login(request.get_full_path() if request.method == "GET" else back(request))
