"""Builds the answer to a form: fragments of the page for htmx, otherwise a redirect with a message."""

from typing import NamedTuple
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from web.fragments import joined


class Undo(NamedTuple):
    """The form that undoes a change: its address, and the name and value of its one field."""

    action: str
    name: str
    value: str


def is_partial(request: HttpRequest) -> bool:
    return request.headers.get("HX-Request") == "true"


def fragments(*parts: SafeString, status: int = 200) -> HttpResponse:
    """Return an answer that holds parts of the page; static/js/place.js puts each where it belongs."""
    headers = {"X-Answer": "fragments", "Vary": "HX-Request, Cookie", "Cache-Control": "no-store"}
    return HttpResponse(joined(parts), status=status, headers=headers)


def back_to(request: HttpRequest, address: str, text: str = "", undo: Undo | None = None) -> HttpResponse:
    if text:
        messages.success(request, _message(text, undo))
    return redirect(address)


def toast(text: str, undo: Undo | None = None) -> SafeString:
    return format_html('<div class="toast">{}</div>', _message(text, undo))


def removed(kind: str, pk: UUID) -> SafeString:
    return format_html('<template data-removed="{}-{}"></template>', kind, str(pk))


def _message(text: str, undo: Undo | None) -> SafeString:
    """Return the text, with an Undo button. The button names the form of the page, which carries the CSRF token."""
    if undo is None:
        return format_html("<span>{}</span>", text)
    return format_html(
        '<span>{}</span> <button form="board-form" formaction="{}" name="{}" value="{}">{}</button>',
        text,
        *undo,
        _("Undo"),
    )
