"""Turns an error of the domain, or a limit that is reached, into a page or a fragment. The status of each class of error is defined here only."""

from math import ceil

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from boards.errors import Conflict, DomainError, Invalid, LimitReached, Malformed, NotAllowed, NotFound, by_class
from core.http.requests import back
from security.limits import TooMany
from web.http.answers import fragments, is_partial

STATUS: dict[type[DomainError], int] = {
    NotFound: 404,
    NotAllowed: 403,
    LimitReached: 403,
    Conflict: 409,
    Invalid: 422,
    Malformed: 400,
}

LABELS = {
    "title": _("Title"),
    "description": _("Description"),
    "text": _("Text"),
    "name": _("Name"),
    "email": _("Email address"),
    "role": _("Role"),
    "color": _("Color"),
    "template": _("Template"),
    "due": _("Due date"),
    "startDate": _("Start date"),
    "recurrence": _("Repeats"),
    "uses": _("Number of uses"),
    "until": _("Last day"),
    "limit": _("Card limit"),
    "cover": _("Cover color"),
    "background": _("Background"),
    "query": _("Search text"),
}
TEXTS = {"title", "description", "text", "name", "email"}


def sentence_of(error: DomainError) -> str:
    """Return the sentence of the error, with the label of the field at fault instead of its name."""
    if isinstance(error, Invalid) and error.field in LABELS:
        return error.naming(str(LABELS[error.field]))
    return error.message


def refusal(request: HttpRequest, error: DomainError) -> HttpResponse:
    status = by_class(STATUS, error)
    if is_partial(request):
        return refusal_fragment(sentence_of(error), field=getattr(error, "field", ""), status=status)
    if isinstance(error, NotFound):
        return render(request, "404.html", status=status)
    context = {"message": sentence_of(error), "typed": _typed(request), "back": back(request)}
    return render(request, "web/refused.html", context, status=status)


def too_many(request: HttpRequest, refusal: TooMany) -> HttpResponse:
    """Return the answer of every page to a limit that is reached. What was typed on a board is kept."""
    wait = _("Too many requests. Wait %(time)s, then try again.") % {"time": in_words(refusal.wait)}
    if is_partial(request):
        response = refusal_fragment(wait, status=429)
    elif request.POST and _is_board_page(request):
        context = {"message": wait, "typed": _typed(request), "back": back(request)}
        response = render(request, "web/refused.html", context, status=429)
    else:
        response = render(request, "429.html", {"wait": wait}, status=429)
    response["Retry-After"] = str(refusal.wait)
    response["Cache-Control"] = "no-store"
    return response


def in_words(seconds: int) -> str:
    """Return a wait, rounded up: in seconds, minutes or hours."""
    if seconds < 60:
        return ngettext("%(number)s second", "%(number)s seconds", seconds) % {"number": seconds}
    if seconds < 60 * 60:
        minutes = ceil(seconds / 60)
        return ngettext("%(number)s minute", "%(number)s minutes", minutes) % {"number": minutes}
    hours = ceil(seconds / 60 / 60)
    return ngettext("%(number)s hour", "%(number)s hours", hours) % {"number": hours}


def _is_board_page(request: HttpRequest) -> bool:
    return request.resolver_match is not None and request.resolver_match.func.__module__.startswith("web.")


def refusal_fragment(message: str, *, field: str = "", status: int) -> HttpResponse:
    """Return one sentence, which static/js/kit/refusals.js shows beside the field at fault. The field keeps its text."""
    part = render_to_string("web/partials/kit/refusal.html", {"message": message, "field": field})
    return fragments(part, status=status)


def _typed(request: HttpRequest) -> list[tuple[str, str, bool]]:
    """Return (name, value, is typed) for each field of the form but its CSRF token, to be corrected and sent again.

    Nor the editor's document: it would win over the Markdown that was corrected.
    """
    return [
        (name, value, _is_typed(name, request.path))
        for name, values in request.POST.lists()
        for value in values
        if name not in ("csrfmiddlewaretoken", "document")
    ]


def _is_typed(name: str, path: str) -> bool:
    """Return whether to show this field for correction.

    A board's one form carries fields of every list. Only those that end with an id in this path count.
    """
    kind, _dash, row = name.partition("-")
    return row in path if row else kind in TEXTS
