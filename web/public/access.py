"""Access by public links: finds the board of an address, asks for its password, says what browsers and robots may do.

Every address that shows nothing is answered alike: a wrong one, one that has expired, one that was withdrawn.
"""

from collections.abc import Callable
from functools import wraps
from uuid import UUID

from csp.decorators import csp_replace
from django.contrib.auth.hashers import check_password
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from boards.access import not_found
from boards.errors import DomainError
from boards.models import PublicLink
from boards.models.public_link import ANYBODY
from boards.reading.public import find_link, view_by
from core.http.addresses import network_of, wide_network_of
from security.limits import Taken, TooMany, count, take
from web.fragments import with_files_below
from web.http.answers import is_partial
from web.http.refusals import in_words, refusal, too_many
from web.unlocking import is_unlocked, known_browser, unlock

LONGEST = 128  # characters of a password that are looked at

View = Callable[..., HttpResponseBase]


def by_link(view: View) -> View:
    """Call the view with the link of the address, if there is one that shows a board."""

    @wraps(view)
    def answer(request: HttpRequest, key: str, **names: UUID | str) -> HttpResponseBase:
        link = None
        try:
            kind = "public-files" if _is_file(request) else "public-parts" if is_partial(request) else "public-pages"
            count(request, kind, network_of(request.META["REMOTE_ADDR"]))
            link = find_link(key)
            if link is None:
                raise not_found()
            response = _with_own_files(request, view(request, link, **names))
        except DomainError as error:
            response = refusal(request, error) if is_partial(request) else _nothing(request)
        except TooMany as error:
            response = too_many(request, error) if is_partial(request) else _too_often(request, error)
        return _guarded(request, response, link)

    return answer


def public(view: View) -> View:
    """Call the view with the link and what it shows, if this browser may read its board. Else ask for the password."""

    @wraps(view)
    @require_http_methods(["GET", "HEAD"])
    @by_link
    def answer(request: HttpRequest, link: PublicLink, **names: UUID | str) -> HttpResponseBase:
        if is_unlocked(link, request.COOKIES):
            return view(request, link, view_by(link), **names)
        if names or is_partial(request):
            raise not_found()
        return _ask(request)

    return answer


@csrf_exempt
@require_http_methods(["POST"])
@by_link
def unlocking(request: HttpRequest, link: PublicLink) -> HttpResponse:
    """Take the password. Without a CSRF token: it changes nothing but a cookie of a browser in which somebody knows it, and
    as the page tells nobody its address, browsers do not say where the form comes from.
    """
    if not link.password:
        raise not_found()
    browser = known_browser(link, request.COOKIES)
    taken = _attempt(request, link, browser)
    typed = request.POST.get("password", "")
    with taken.unless_busy():
        is_right = len(typed) <= LONGEST and check_password(typed, link.password)
    if not is_right:
        return _ask(request, _("Incorrect password. Try again."), status=403)
    taken.take_back()
    response = redirect(f"{base_of(request)}?{request.GET.urlencode()}".rstrip("?"))
    unlock(response, link, browser)
    return response


def _attempt(request: HttpRequest, link: PublicLink, browser: str) -> Taken:
    """Count an attempt before the password is checked: of a known browser for itself alone. Raise TooMany."""
    if browser:
        who = f"{link.pk} {browser}"
        return take(request, ("public-password", who), ("public-password-known-day", who))
    address = request.META["REMOTE_ADDR"]
    uses = [("public-password", f"{link.pk} {network_of(address)}"), ("public-password-link", str(link.pk))]
    return take(request, *uses, own=wide_network_of(address))


def _is_file(request: HttpRequest) -> bool:
    name = request.resolver_match.url_name if request.resolver_match else None
    return (name or "").startswith(("public_attachment", "public_background"))


def _with_own_files(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    """Let a page get the files of its board by its own address: see web/public/files.py."""
    if isinstance(response, HttpResponse) and response.get("Content-Type", "").startswith("text/html"):
        response.content = with_files_below(base_of(request), response.content.decode())
    return response


def _ask(request: HttpRequest, error: str = "", status: int = 200) -> HttpResponse:
    address = f"{base_of(request)}/unlocking?{request.GET.urlencode()}".rstrip("?")
    return render(request, "web/public/unlock.html", {"address": address, "error": error}, status=status)


def told(request: HttpRequest, status: int, heading: str, words: str) -> HttpResponse:
    return render(
        request, "web/public/told.html", {"status": status, "heading": heading, "words": words}, status=status
    )


def _nothing(request: HttpRequest) -> HttpResponse:
    """Return the answer to every address that shows nothing. Unlike other pages it has no form, so it sets no cookie."""
    words = _("Check the address. The board may no longer be shared, or its link may have expired.")
    return told(request, 404, _("Page not found"), words)


def _too_often(request: HttpRequest, error: TooMany) -> HttpResponse:
    words = _("Too many requests. Wait %(time)s, then try again.") % {"time": in_words(error.wait)}
    response = told(request, 429, _("Too many requests"), words)
    response["Retry-After"] = str(error.wait)
    return response


def base_of(request: HttpRequest) -> str:
    """Return the path of the board's page, which is the beginning of all others."""
    return f"/public/{request.resolver_match.kwargs['key']}" if request.resolver_match else ""


def _guarded(request: HttpRequest, response: HttpResponseBase, link: PublicLink | None) -> HttpResponseBase:
    """Let nobody keep or find the page, tell no other site its address, and let only the chosen sites embed it."""
    response["Cache-Control"] = "no-store"
    response["Referrer-Policy"] = "no-referrer"
    response["X-Robots-Tag"] = "noindex, nofollow, noarchive"
    if link is None or not link.frames or response.status_code != 200:
        return response
    origins = ["*"] if link.frames == ANYBODY else link.frames.split()
    framed = csp_replace({"frame-ancestors": origins})(xframe_options_exempt(lambda request: response))
    return framed(request)
