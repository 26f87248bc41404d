"""Answers where a view failed, or its session ended: JSON under /api/, a part of the page for scripts, otherwise a page."""

import logging
import sys

from django.contrib.sessions.exceptions import SessionInterrupted
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext as _

from apiv1 import errors
from core.outage import AWAY, NO_ROOM, RETRY_AFTER, report
from web.http.answers import is_partial
from web.http.guard import sign_in_first
from web.http.refusals import refusal_fragment

log = logging.getLogger(__name__)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 400; where the session was ended from another browser meanwhile, as to everybody who is signed out."""
    if not isinstance(exception, SessionInterrupted) or errors.is_api(request):
        return errors.bad_request(request, exception)
    with translation.override(translation.get_language_from_request(request)):  # nobody is signed in any more
        return sign_in_first(request)


def failed(request: HttpRequest) -> HttpResponse:
    """Answer 503 while the database or Redis is away, 507 while a disk is full, otherwise 500.

    Django calls this while it handles the exception.
    """
    error = sys.exc_info()[1]
    if isinstance(error, OSError) and error.errno in NO_ROOM:
        return _without_room(request, error)
    if not isinstance(error, AWAY):
        return errors.crashed(request)
    report(error)
    if errors.is_api(request):
        return errors.unavailable()
    with translation.override(translation.get_language_from_request(request)):  # the account cannot be asked
        answer = _unavailable(request)
    answer["Retry-After"] = str(RETRY_AFTER)
    return answer


def _unavailable(request: HttpRequest) -> HttpResponse:
    if is_partial(request):
        return refusal_fragment(_("The service can't reach its database right now. Try again in a moment."), status=503)
    again = request.get_full_path() if request.method == "GET" else ""
    page = render_to_string("503.html", {"again": again})  # without the request, so that nothing asks for its user
    return HttpResponse(page, status=503)


def _without_room(request: HttpRequest, error: OSError) -> HttpResponse:
    log.error("A file could not be written: %s", error)
    if errors.is_api(request):
        return errors.error(507)
    with translation.override(translation.get_language_from_request(request)):
        words = _("The service has no space left to store this. Tell the operator of this service, then try again.")
        if is_partial(request):
            return refusal_fragment(words, status=507)
        return HttpResponse(render_to_string("507.html", {"words": words}), status=507)


def no_storage(request: HttpRequest) -> HttpResponse:
    """Say that files are away, and only they: to a form of a card in a sentence beside it."""
    if is_partial(request):
        return refusal_fragment(
            _("Files cannot be stored or opened right now. Try again in a few minutes."), status=503
        )
    return render(request, "no_storage.html", status=503)
