"""Lead users who must have a second factor (TASKBOARD_SECOND_FACTOR) to its set-up, and to no other page."""

from collections.abc import Callable
from typing import Any

from django.contrib.sessions.backends.base import SessionBase
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse

from accounts.sign_in.factors.held import HAS_FACTOR, must_have_factor, owes_factor
from core.http.calls import is_token_call

# What one may do meanwhile: set up a factor, confirm who one is, sign out, change the language.
ALLOWED = {
    "security",
    "set_up_app",
    "new_passkey",
    "recovery_codes",
    "account_reauthenticate",
    "confirm_by_provider",
    "oidc_callback",
    "account_logout",
    "admin:logout",
    "set_language",
    "healthz",
    "livez",
    "robots",
    "manifest",
    "admin:jsi18n",
}

WANTED = "page_before_factor"  # in the session: the page that the user was led away from


class DemandedFactor:
    """Calls with an API token are let through: tokens are made by people who signed in, and have no second step."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *view: Any) -> HttpResponse | None:
        match = request.resolver_match
        if is_token_call(request.path_info) or match is None or match.view_name in ALLOWED:
            return None
        user = request.user
        if not user.is_authenticated or not must_have_factor(user) or request.session.get(HAS_FACTOR):
            return None
        if not owes_factor(user, request.session):
            request.session[HAS_FACTOR] = True
            return None
        if request.path_info.startswith("/api/"):
            return JsonResponse({"error": "Set up two-step sign-in at /settings/security first."}, status=403)
        if request.headers.get("HX-Request") == "true":
            return HttpResponse(status=403, headers={"HX-Redirect": reverse("security")})
        if request.method == "GET" and "text/html" in request.headers.get("Accept", ""):  # not a picture of a page
            request.session[WANTED] = request.get_full_path()
        return redirect("security")


def way_on(session: SessionBase) -> str:
    """Return, once, the page that the user wanted before the factor; "" if there was none."""
    return str(session.pop(WANTED, ""))
