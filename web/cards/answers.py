"""Answers to a change of a card: for htmx the changed parts of the open card and its tile, otherwise a redirect to it."""

from collections.abc import Iterable
from uuid import UUID

from django.http import HttpResponse
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from boards.models import Card
from core.http import SignedInRequest
from web.cards.page import CardPage, read_card
from web.cards.parts import changed_parts
from web.door.answers import Undo, back_to, fragments, is_partial, toast
from web.fragments import render_tile, tiles


def card_changed(
    request: SignedInRequest,
    card: Card,
    text: str = "",
    undo: Undo | None = None,
    *also: SafeString,
    own: Iterable[str] = (),
) -> HttpResponse:
    """Answer with what changed on the card since the page was brought up to date. `own` names the parts of the form."""
    if not is_partial(request):
        return back_to(request, card.get_absolute_url(), text, undo)
    shown = _open_card(request, card.pk, own)
    return fragments(*shown, *tile_of(card.pk), *also, *([toast(text, undo)] if text else []))


def _open_card(request: SignedInRequest, card_id: UUID, own: Iterable[str]) -> list[SafeString]:
    """Render the card, or the parts of it that the page lacks; [] if the page says that another card is open, or none."""
    opened = request.headers.get("X-Open-Card")
    pk, _space, version = (opened or "").partition(" ")
    if opened is not None and pk != str(card_id):
        return []
    page = read_card(request, card_id)
    return [render_since(request, page, version, own)]


def render_since(request: SignedInRequest, page: CardPage, since: str, own: Iterable[str] = ()) -> SafeString:
    """Render what changed since a version; the whole card where that is no version, or too long ago."""
    known = int(since) if since.isascii() and since.isdigit() and len(since) < 19 else -1
    return changed_parts(request, page, known, own) or render_card(request, page)


def render_card(request: SignedInRequest, page: CardPage) -> SafeString:
    return render_to_string("web/partials/open_card.html", {"page": page}, request)


def tile_of(card_id: UUID) -> list[SafeString]:
    """Render the card's tile; [] if the board does not show it."""
    return [render_tile(tile) for tile in tiles(Card.objects.filter(pk=card_id))]
