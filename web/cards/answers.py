"""Answers to a change of a card: for htmx the open card and its tile, otherwise a redirect to the card."""

from uuid import UUID

from django.http import HttpResponse
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from boards.models import Card
from core.http import SignedInRequest
from web.cards.page import CardPage, read_card
from web.door.answers import Undo, back_to, fragments, is_partial, toast
from web.fragments import render_tile, tiles


def card_changed(
    request: SignedInRequest, card: Card, text: str = "", undo: Undo | None = None, *also: SafeString
) -> HttpResponse:
    if not is_partial(request):
        return back_to(request, card.get_absolute_url(), text, undo)
    shown = render_card(request, read_card(request, card.pk))
    return fragments(shown, *tile_of(card.pk), *also, *([toast(text, undo)] if text else []))


def render_card(request: SignedInRequest, page: CardPage) -> SafeString:
    return render_to_string("web/partials/open_card.html", {"page": page}, request)


def tile_of(card_id: UUID) -> list[SafeString]:
    """Render the card's tile; [] if the board does not show it."""
    return [render_tile(tile) for tile in tiles(Card.objects.filter(pk=card_id))]
