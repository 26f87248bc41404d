"""The list of one's sessions on /settings/security: sign out of one of them, or of all others."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth import logout, update_session_auth_hash
from django.db import transaction
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from accounts.recovery import end_sessions
from accounts.sign_in.sessions.browser_sessions import end_one
from core.http.requests import SignedInRequest, form_of_account
from security.events import log_event
from security.models import BrowserSession, EventKind


@form_of_account
def end_session(request: SignedInRequest, session: UUID) -> HttpResponse:
    """End one session. That of this browser ends as by the button for signing out."""
    if BrowserSession.objects.filter(pk=session, session=request.session.session_key).exists():
        logout(request)
        return redirect("account_login")
    with transaction.atomic():
        ended = end_one(request.user, session)
        if ended is None:
            raise Http404
        log_event(EventKind.SESSIONS_ENDED, request, user=request.user, browser=ended.name)
    messages.success(request, _("“%(name)s” is signed out.") % {"name": ended.name})
    return redirect("security")


@form_of_account
def sign_out_elsewhere(request: SignedInRequest) -> HttpResponse:
    """End all sessions but this one."""
    with transaction.atomic():
        end_sessions(request.user, but=request.session.session_key)
        log_event(EventKind.SESSIONS_ENDED, request, user=request.user)
    update_session_auth_hash(request, request.user)
    messages.success(request, _("You are signed out everywhere else."))
    return redirect("security")
