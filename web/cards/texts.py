"""The title and the description of a card, and the boxes in it. A user who saves a text that somebody else changed
meanwhile sees both versions, to choose from.
"""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from boards.actions.cards.boxes import tick_box
from boards.actions.cards.card import update_card
from boards.errors import Conflict, Invalid, Malformed
from boards.models import Card
from boards.reading.reach import visible_card
from boards.richtext import Doc, check, to_html, to_markdown
from core.http import compact_json
from core.http.requests import SignedInRequest
from web.cards.answers import card_changed
from web.http.answers import fragments, is_partial
from web.http.guard import actor, reader, signed_in


@signed_in("POST")
def title(request: SignedInRequest, card_id: UUID) -> HttpResponse:
    """Rename the card. Only a form that names the `version` that it shows is told of another title."""
    written = request.POST.get("title", "")
    version = version_in(request.POST) if "version" in request.POST else None
    try:
        changed = update_card(actor=actor(request), card_id=card_id, title=written, if_version=version)
    except Conflict as conflict:
        return _both(request, _current(request, card_id, conflict), conflict, "titles", {"written": written})
    return card_changed(request, changed, own=["head"])


@signed_in("POST")
def description(request: SignedInRequest, card_id: UUID) -> HttpResponse:
    """Save the description if it is still the one that the writer saw.

    The editor sends it as a `document`; without scripts it is Markdown.
    """
    version, document = version_in(request.POST), document_of(request)
    by = {"document": document} if "document" in request.POST else {"description": _markdown(request)}
    try:
        changed = update_card(actor=actor(request), card_id=card_id, if_version=version, **by)
    except Conflict as conflict:
        card = _current(request, card_id, conflict)
        context = {
            "written": to_markdown(document) if "document" in by else _markdown(request),
            "theirs": to_markdown(card.description),
            "theirs_html": to_html(card.description),
        }
        return _both(request, card, conflict, "versions", context)
    return card_changed(request, changed, own=["description"])


@signed_in("POST")
def tick(request: SignedInRequest, card_id: UUID) -> HttpResponse:
    """Tick a box, or open it again. A button has only one field, so `version` and `checked` may be in the query."""
    sent = {**request.GET.dict(), **request.POST.dict()}
    if sent.get("checked") not in ("0", "1"):
        raise Invalid.of("checked", _("%(field)s must be 0 or 1."))
    checked = sent["checked"] == "1"
    changed = tick_box(
        actor=actor(request),
        card_id=card_id,
        box=_number(sent.get("box", "")),
        checked=checked,
        if_version=version_in(sent),
    )
    text = pgettext("a task", "Ticked.") if checked else pgettext("a task", "Unticked.")
    return card_changed(request, changed, text, own=["description"])


def _markdown(request: HttpRequest) -> str:
    return request.POST.get("description", "")


def document_of(request: HttpRequest) -> Doc | None:
    sent = request.POST.get("document", "")
    try:
        return check(compact_json.loads(sent.encode())) if sent.strip() else None
    except compact_json.NotJson:
        raise Malformed.of("description", _("%(field)s cannot be read. Reload the page and try again.")) from None


def version_in(sent: Mapping[str, Any]) -> int:
    value = sent.get("version", "")
    if not (value.isascii() and value.isdigit() and len(value) < 19):
        raise Invalid(_("This form is out of date. Reload the page and try again."), "version")
    return int(value)


def _current(request: SignedInRequest, card_id: UUID, conflict: Conflict) -> Card:
    """Return the card as it is now. Raise the conflict again if nothing of it can be changed."""
    card, _role = visible_card(card_id, reader(request))
    if card.archived_at or card.list.archived_at:
        raise conflict
    return card


def _both(request: SignedInRequest, card: Card, conflict: Conflict, name: str, context: dict[str, Any]) -> HttpResponse:
    context |= {"card": card, "message": conflict.message}
    if is_partial(request):
        return fragments(render_to_string(f"web/partials/card/both_{name}.html", context, request), status=409)
    return render(
        request, "web/both_versions.html", context | {"part": f"web/partials/card/both_{name}.html"}, status=409
    )


def _number(value: str) -> int:
    if not (value.isascii() and value.isdigit() and len(value) < 6):
        raise Invalid.of("box", _("%(field)s must be the number of a box."))
    return int(value)
