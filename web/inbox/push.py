"""Push messages to browsers: the service worker, switching on, and switching off, each browser by itself."""

from functools import lru_cache
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.sign_in.sessions.browser_sessions import note
from boards.errors import Invalid
from core.http.requests import SignedInRequest
from notifications.push.browsers import browsers_of, switch_off, switch_on
from notifications.push.keys import public_key
from security.events import log_event
from security.models import BrowserSession, EventKind
from web.http.answers import back_to
from web.http.guard import signed_in

SETTINGS = "/settings/notifications"


@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    """It is at the root, because it may only come to pages below its address, and is asked for anew each time."""
    return HttpResponse(_script(), content_type="text/javascript; charset=utf-8", headers={"Cache-Control": "no-cache"})


@lru_cache(maxsize=1)
def _script() -> str:
    return str((settings.RESOURCES / "static" / "js" / "live" / "service-worker.js").read_text())


@signed_in("GET", "POST")
def push_browsers(request: SignedInRequest) -> HttpResponse:
    """GET: what the service worker needs to subscribe again. POST: push to this browser."""
    if request.method != "POST":
        return JsonResponse({"key": public_key(), "token": get_token(request)})
    with transaction.atomic():
        former = request.POST.get("former", "")
        is_renewed = bool(former) and former in {one.endpoint for one in browsers_of(request.user)}
        made = switch_on(
            request.user,
            _session(request),
            endpoint=request.POST.get("endpoint", ""),
            point=request.POST.get("p256dh", ""),
            secret=request.POST.get("auth", ""),
            key=request.POST.get("key", ""),
            former=former,
        )
        if not is_renewed:
            log_event(EventKind.PUSH_ON, request, user=request.user, browser=made.session.name)
    return back_to(request, SETTINGS, "" if is_renewed else _("This browser receives push notifications."))


def _session(request: SignedInRequest) -> BrowserSession:
    mine = BrowserSession.objects.filter(session=request.session.session_key, user=request.user)
    if not mine.exists():
        note(request, request.user)  # a session of before there were rows
    found = mine.first()
    if found is None:
        raise Invalid(_("Sign in again, then turn on push notifications."))
    return found


@signed_in("POST")
def push_withdrawal(request: SignedInRequest, browser_id: UUID) -> HttpResponse:
    with transaction.atomic():
        browser = switch_off(request.user, browser_id)
        log_event(EventKind.PUSH_OFF, request, user=request.user, browser=browser.session.name)
    return back_to(
        request, SETTINGS, _("“%(name)s” no longer receives push notifications.") % {"name": browser.session.name}
    )


def push_context(request: SignedInRequest) -> dict[str, object]:
    """Return what the page of the settings shows of it."""
    browsers = browsers_of(request.user)
    mine = [one for one in browsers if one.session.session_id == request.session.session_key]
    return {"push_browsers": browsers, "push_here": mine[0] if mine else None, "push_key": public_key()}
