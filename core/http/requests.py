from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

if TYPE_CHECKING:
    from django.contrib.auth.models import _User  # what the stubs call the model that AUTH_USER_MODEL names

View = Callable[..., HttpResponse]


class SignedInRequest(HttpRequest):
    """The request of a signed-in user, as a view behind a sign-in check gets it."""

    user: "_User"  # type: ignore[assignment]


def path_in(address: str) -> str:
    """Return path and query of an address that a browser sent in a header; an empty text if it is none."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    return f"{parts.path}?{parts.query}" if parts.query else parts.path


def back(request: HttpRequest) -> str:
    """Return the path of the page that the form was on, or that of the start page if it is unknown or foreign."""
    referrer = request.headers.get("Referer", "")
    if not url_has_allowed_host_and_scheme(referrer, {request.get_host()}, request.is_secure()):
        return reverse("home")
    return path_in(referrer)


def form_of_account(view: View) -> View:
    """Take a form, of signed-in users alone. Others sign in and come back to its page: the address of the form has none."""
    take = require_POST(view)

    @wraps(view)
    def answer(request: HttpRequest, *args: object, **ids: object) -> HttpResponse:
        return take(request, *args, **ids) if request.user.is_authenticated else redirect_to_login(back(request))

    return answer
