"""The banner on pages: who sees it, and its button to close it."""

import re
from functools import partial

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from operating.banner.memory import MEMORY
from operating.models import Banner

CLOSED = "banner"  # the cookie, until the browser is closed: the mark of the text that its user has closed
MARK = re.compile(r"[0-9a-f]{16}")


def context(request: HttpRequest) -> dict[str, object]:
    """Give templates `banner`, which is asked for only where a whole page is rendered."""
    return {"banner": partial(banner_for, request)}


def banner_for(request: HttpRequest) -> Banner | None:
    banner = MEMORY.banner()
    if banner is None or not banner.is_shown(timezone.now()) or request.COOKIES.get(CLOSED) == banner.mark:
        return None
    match = request.resolver_match
    is_sign_in = match is not None and match.url_name == "account_login"
    return banner if is_sign_in or request.user.is_authenticated else None


@require_POST
def close(request: HttpRequest) -> HttpResponse:
    """Hide the banner in this browser until it is closed, or the text changes. Go `back` to the page.

    A page that answered a form may have an address that cannot be asked for: from it, go to the boards.
    """
    page = request.META.get("HTTP_REFERER", "") if "back" in request.POST else ""
    is_ours = url_has_allowed_host_and_scheme(page, {request.get_host()}, require_https=request.is_secure())
    response = HttpResponseRedirect(page if is_ours else reverse("home"))
    mark = request.POST.get("mark", "")
    if MARK.fullmatch(mark):
        response.set_cookie(CLOSED, mark, secure=settings.SESSION_COOKIE_SECURE, httponly=True, samesite="Lax")
    return response
