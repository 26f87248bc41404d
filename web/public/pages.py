"""The pages of a board that is open by its public link: the board, the parts of long lists, an open card."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from boards.access import role_on
from boards.backgrounds import kind_of
from boards.models import Board, PublicLink
from boards.reader import PublicView, Reader
from boards.reading.public import public_card, public_list
from boards.statements import read_last_change, read_members
from core.http.addresses import network_of
from core.ids import parse_id
from core.limits.turns import Turns
from web.boards.board import everything
from web.boards.columns import columns
from web.boards.large import LARGE
from web.boards.list_cards import part_of, position_in
from web.fragments import render_board_head, render_list, render_part
from web.http.answers import fragments, is_partial
from web.public.access import base_of, public
from web.public.card import PublicCard

MAKING = Turns(at_once=1, waiting=2, patience=10.0, each=1)  # pages of large boards; members have turns of their own


@public
def board(request: HttpRequest, link: PublicLink, view: PublicView) -> HttpResponse:
    base = base_of(request)
    if "list" in request.GET:
        return _list_page(request, link.board, view, base)
    asked = request.GET.get("card")
    lists, last_change = _lists(request, link.board, view)
    context = {
        "board": link.board,
        "base": base,
        "background": kind_of(link.board.background),
        "head": render_board_head(link.board, view),
        "lists": lists,
        "last_change": last_change,
        "card": PublicCard(public_card(parse_id(asked), view), view, request.GET.dict()) if asked else None,
        "is_member": request.user.is_authenticated and role_on(link.board_id, Reader(request.user)) is not None,
    }
    return render(request, "web/public/board.html", context)


def _lists(request: HttpRequest, shown: Board, view: PublicView) -> tuple[list[SafeString], UUID | None]:
    last_change = read_last_change(shown)
    members = read_members(shown.pk) if view.names else []
    if shown.last_card_number <= LARGE:
        return columns(shown, last_change, members, view), last_change
    with MAKING.take(network_of(request.META["REMOTE_ADDR"])):
        return columns(shown, last_change, members, view), last_change


@public
def lists(request: HttpRequest, link: PublicLink, view: PublicView) -> HttpResponse:
    """Return everything on the board, for a page that missed too much."""
    if not is_partial(request):
        return redirect(base_of(request))
    found, last_change = _lists(request, link.board, view)
    return fragments(everything(link.board, last_change), render_board_head(link.board, view), *found)


def _list_page(request: HttpRequest, shown: Board, view: PublicView, base: str) -> HttpResponse:
    """Show one list by itself, part by part: for readers without scripts."""
    found = public_list(parse_id(request.GET["list"]), view)
    tiles, following, total = part_of(found, position_in(request), None, view=view)
    context = {
        "board": shown,
        "base": base,
        "list": found,
        "tiles": tiles,
        "total": total,
        "next": "" if following is None else f"{following:x}",
    }
    return render(request, "web/public/list_page.html", context)


@public
def list_cards(request: HttpRequest, link: PublicLink, view: PublicView, list_id: UUID) -> HttpResponse:
    found = public_list(list_id, view)
    start = position_in(request)
    shown, following, total = part_of(found, start, None, view=view)
    part = render_part(found, found.board, following, total)
    if start is None:
        return fragments(part, render_list(found, shown, total=total, following=following, view=view))
    return fragments(part, *shown)


@public
def card(request: HttpRequest, link: PublicLink, view: PublicView, card_id: UUID) -> HttpResponse:
    page = PublicCard(public_card(card_id, view), view)
    return fragments(render_to_string("web/public/card.html", {"page": page}))
