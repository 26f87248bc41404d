"""Builds the answer to a form: fragments of the page for its scripts, otherwise a redirect with a message.

Scripts say by HX-Request, the header of htmx, that they want fragments.
"""

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from web.fragments import joined
from web.http.made import changes_made

NOTHING = SafeString()


def is_partial(request: HttpRequest) -> bool:
    return request.headers.get("HX-Request") == "true"


def is_opened(request: HttpRequest) -> bool:
    """Return whether somebody opens the page, rather than the browser prefetching it."""
    purpose = request.headers.get("Sec-Purpose", "") + request.headers.get("Purpose", "")
    return request.method == "GET" and "prefetch" not in purpose


def fragments(*parts: SafeString, status: int = 200) -> HttpResponse:
    """Return an answer that holds parts of the page; static/js/board/place.js puts each where it belongs."""
    headers = {"X-Answer": "fragments", "Vary": "HX-Request, Cookie", "Cache-Control": "no-store"}
    return HttpResponse(joined(parts), status=status, headers=headers)


def total_of(list_id: UUID | str, total: int, all_cards: int | None = None) -> SafeString:
    """Tell a page of which it has a part how many cards a list has; with a filter, how many match, of `all_cards`."""
    every = SafeString("") if all_cards is None else format_html(' data-all="{}"', all_cards)
    return format_html('<template data-total-of="list-{}" data-total="{}"{}></template>', list_id, total, every)


def back_to(
    request: HttpRequest, address: str, text: str = "", button: str = "", also: SafeString = NOTHING
) -> HttpResponse:
    if text:
        messages.success(request, _message(text, request, button, also))
    return redirect(address)


def back_or_toast(request: HttpRequest, address: str, text: str) -> HttpResponse:
    """Answer the form of a dialog with the message alone, that of a page as `back_to` does."""
    return fragments(toast(text)) if is_partial(request) else back_to(request, address, text)


def toast(text: str, request: HttpRequest | None = None, button: str = "", also: SafeString = NOTHING) -> SafeString:
    """Return a message; with a request, it has a button that takes back what the request has changed.

    `button` names that one otherwise than Undo; `also` is another one.
    """
    return format_html('<div class="toast">{}</div>', _message(text, request, button, also))


def form_button(action: str, name: str, value: str, words: str) -> SafeString:
    """Return a button that sends one field. It names the form of the page, which carries the CSRF token."""
    template = '<button form="board-form" formaction="{}" name="{}" value="{}">{}</button>'
    return format_html(template, action, name, value, words)


def removed(kind: str, pk: UUID | str) -> SafeString:
    return format_html('<template data-removed="{}-{}"></template>', kind, str(pk))


def _message(text: str, request: HttpRequest | None, button: str, also: SafeString) -> SafeString:
    made = changes_made(request) if request else ""
    undo = (
        form_button(f"/board/{made.partition(':')[0]}/undo", "change", made, button or _("Undo")) if made else NOTHING
    )
    return (
        format_html("<span>{}</span> {}{}", text, also, undo) if made or also else format_html("<span>{}</span>", text)
    )
