"""Answers to a change of a card: for scripts the changed parts of the open card and its tile, otherwise a redirect to it."""

from collections.abc import Callable, Iterable
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from boards.actions.cards.occurrences import next_due_of
from boards.models import Card, List
from boards.reading import tiles
from core.http.requests import SignedInRequest
from core.ids import parse_id, parse_number
from web.cards.page import CardPage, day_in_words, read_card
from web.cards.parts import changed_parts, note_changed_texts
from web.fragments import render_tile
from web.http.answers import NOTHING, back_to, form_button, fragments, is_partial, toast
from web.http.changed import followed

LONGEST_TITLE = 60  # characters of a title in a message


def card_changed(
    request: SignedInRequest,
    card: Card,
    text: str = "",
    *also: SafeString,
    own: Iterable[str] = (),
    button: SafeString = NOTHING,
) -> HttpResponse:
    """Answer with what changed on the card since the page was brought up to date. `own` names the parts of the form.

    The message `text` gets `button` beside that for undo.
    """
    if not is_partial(request):
        return back_to(request, card.get_absolute_url(), text, also=button)
    shown = _open_card(request, card.pk, own)
    return fragments(*shown, *tile_of(request, card.pk), *also, *([toast(text, request, also=button)] if text else []))


def further(
    request: SignedInRequest, card_id: UUID, rows: Callable[[SignedInRequest, CardPage], SafeString]
) -> HttpResponse:
    """Answer with the page of the card's rows that the address names; redirect a browser to the card with these rows."""
    page = read_card(request, card_id)
    if is_partial(request):
        return fragments(rows(request, page))
    return redirect(f"{page.card.get_absolute_url()}&{request.GET.urlencode()}")


def open_card_among(request: SignedInRequest, card_ids: Iterable[UUID]) -> list[SafeString]:
    """Render what changed on the card that the page says is open, if it is one of these; [] otherwise."""
    opened = _opened(request)
    return _open_card(request, opened) if opened and opened in card_ids else []


def open_card_with(request: SignedInRequest, own: Iterable[str]) -> list[SafeString]:
    """Render what changed on the card that the page says is open, and its parts `own`; [] without one."""
    opened = _opened(request)
    return _open_card(request, opened, own) if opened else []


def _opened(request: SignedInRequest) -> UUID | None:
    return parse_id(request.headers.get("X-Open-Card", "").partition(" ")[0])


def _open_card(request: SignedInRequest, card_id: UUID, own: Iterable[str] = ()) -> list[SafeString]:
    """Render the card, or the parts of it that the page lacks; [] if the page says that another card is open, or none."""
    opened = request.headers.get("X-Open-Card")
    pk, _space, version = (opened or "").partition(" ")
    if opened is not None and pk != str(card_id):
        return []
    page = read_card(request, card_id)
    return [render_since(request, page, version, own)]


def render_since(request: SignedInRequest, page: CardPage, since: str, own: Iterable[str] = ()) -> SafeString:
    """Render the changes since a version; the whole card if the version is unknown, or too long ago."""
    version = parse_number(since)
    shown = None if version is None else changed_parts(request, page, version, own)
    return shown or render_card(request, page)


def render_whole(request: SignedInRequest, page: CardPage, since: str) -> SafeString:
    """Render the whole card. Its texts that changed since that version say so to those who are editing them."""
    if (version := parse_number(since)) is not None:
        note_changed_texts(page, version)
    return render_card(request, page)


def render_card(request: SignedInRequest, page: CardPage) -> SafeString:
    return render_to_string("web/partials/card/open_card.html", {"page": page}, request)


def tile_of(request: SignedInRequest, card_id: UUID) -> list[SafeString]:
    """Render the card's tile; [] if the board does not show it."""
    return tiles_of(request, [card_id])


def tiles_of(request: SignedInRequest, card_ids: Iterable[UUID]) -> list[SafeString]:
    """Render the tiles of the cards that the board shows, and what the filter of the page makes of them."""
    found = tiles.tiles_of([*card_ids])
    shown = [render_tile(tile) for tile in found]
    return [*shown, *followed(request, (tile.pk for tile in found), (tile.list_id for tile in found))]


def about(row: Card | List, text: str) -> str:
    """Begin a message with the title of the card or list that it is about."""
    return _("“%(title)s” · %(text)s") % {"title": Truncator(row.title).chars(LONGEST_TITLE), "text": text}


def whereabouts(card: Card) -> str:
    """Say in which list a card is now, and at which place."""
    cards = Card.objects.filter(list=card.list_id, archived_at=None)
    return _("Moved to %(list)s, %(place)d of %(all)d") % {
        "list": card.list.title,
        "place": cards.filter(position__lte=card.position).count(),
        "all": cards.count(),
    }


def done_words(request: SignedInRequest, card: Card) -> tuple[str, SafeString]:
    """Say that a card is done. One that repeats is offered to be archived, which brings the next one."""
    day = day_in_words(next_due_of(card), request.user)
    if not day:
        return _("Marked as done."), NOTHING
    button = form_button(f"/card/{card.pk}/archival", "archived", "1", pgettext("do it", "Archive"))
    return _("Marked as done. Archive it to create the next one, due %(day)s.") % {"day": day}, button
