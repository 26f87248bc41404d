"""The page of a board: its lists side by side, and over them the card named by `?card=`."""

from typing import Any
from uuid import UUID

from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from boards.actions.boards.board import archive_board, restore_board, update_board
from boards.actions.lists.list import create_list
from boards.backgrounds import kind_of
from boards.board_templates import Template
from boards.models import Board, Role
from boards.reader import MEMBERS, Reader
from boards.reading.board_views import view_of
from boards.reading.filters import condition, filter_in
from boards.reading.pending import offer_of, with_shared
from boards.reading.reach import visible_board
from boards.statements import read_labels, read_last_change, read_members
from core.http.kept_html import PageOfParts
from core.http.requests import SignedInRequest
from core.ids import parse_id
from notifications.inbox.entries import note_opened
from notifications.inbox.unseen import mark_seen
from web.boards.columns import columns, filtered
from web.boards.context import board_context
from web.boards.filter_bar import render_filter_bar
from web.boards.large import in_turn
from web.boards.my_view import with_collapsed
from web.cards.page import read_card
from web.fragments import (
    limit_words,
    of_limit,
    render_board_head,
    render_board_parts,
    render_labels,
    render_list,
    render_members,
    render_offer,
)
from web.http import fields
from web.http.answers import back_to, fragments, is_opened, is_partial
from web.http.guard import actor, reader, signed_in


@signed_in("GET")
def board(request: SignedInRequest, board_id: UUID) -> HttpResponse:
    shown, role = visible_board(board_id, reader(request))
    with in_turn(request, shown):
        context = _context(request, shown, role)
        html = render_to_string("web/board.html", context, request)
        answer = PageOfParts(html, [*context["lists"], context["parts"]])
    if is_opened(request):
        mark_seen(reader(request), shown)
        if card_id := parse_id(request.GET.get("card", "")):
            note_opened(reader(request), card_id)
    return answer


def _context(request: SignedInRequest, shown: Board, role: Role) -> dict[str, Any]:
    asked = request.GET.get("card")
    last_change, members = read_last_change(shown), read_members(shown.pk)
    wanted = filter_in(request.GET)
    only = condition(shown, wanted, request.user)
    view = view_of(shown.pk, reader(request))
    collapsed = view.collapsed if shown.archived_at is None else []  # where nothing can be expanded
    labels = read_labels(shown.pk)
    if only:
        found = filtered(shown, only)
        lists, bar = found.lists, render_filter_bar(shown, wanted, found, labels, members)
    else:
        lists, bar = columns(shown, last_change, members, MEMBERS), SafeString()
    return board_context(shown, role) | {
        "background": kind_of(shown.background),
        "filter": wanted.address(),
        "filter_kinds": wanted.kinds,
        "filter_bar": bar,
        "card": read_card(request, parse_id(asked), of=shown) if asked is not None else None,
        "last_change": last_change,
        "head": render_board_head(shown, MEMBERS),
        "members": render_members(members),
        "view": view,
        "collapsed": collapsed,
        "lists": with_collapsed(lists, collapsed) if collapsed else lists,
        "parts": render_board_parts(),
        "offer": offer_to(reader(request), shown),
        "labels": labels,
        "suggested": Template.KANBAN,
        "of_limit": of_limit("{}", "{limit}"),
        "within_limit": limit_words("{}", "{limit}", is_over=False),
        "over_limit": limit_words("{}", "{limit}", is_over=True),
    }


def offer_to(asking: Reader, shown: Board) -> SafeString:
    """Render the bar with the offer of the board to this reader; "" if there is none."""
    offer = offer_of(shown)
    return render_offer(offer) if offer and offer.to_id == asking.user.pk else SafeString()


@signed_in("GET", "POST")
def lists(request: SignedInRequest, board_id: UUID) -> HttpResponse:
    """GET: return everything on the board, for a page that missed too much. POST: add lists at its end."""
    if request.method == "POST":
        return _add_lists(request, board_id)
    shown, _role = visible_board(board_id, reader(request))
    if not is_partial(request):
        return redirect(shown)
    wanted = filter_in(request.GET)
    only = condition(shown, wanted, request.user)
    with in_turn(request, shown):
        last_change, members = read_last_change(shown), read_members(shown.pk)
        labels = read_labels(shown.pk)
        if only:
            found = filtered(shown, only)
            lists = [render_filter_bar(shown, wanted, found, labels, members), *found.lists]
        else:
            lists = columns(shown, last_change, members, MEMBERS)
        head, people = render_board_head(shown, MEMBERS), render_members(members)
        offer = offer_to(reader(request), shown)
        return fragments(everything(shown, last_change), head, people, render_labels(labels), offer, *lists)


def everything(shown: Board, last_change: UUID | None) -> SafeString:
    """Return the fragment before those of a whole board. It tells the script what the page then shows."""
    template = '<template data-everything data-version="{}" data-change="{}"></template>'
    return format_html(template, shown.version, last_change)


def _add_lists(request: SignedInRequest, board_id: UUID) -> HttpResponse:
    titles = request.POST.getlist("title") or [""]
    with transaction.atomic():
        made = [create_list(actor=actor(request), board_id=board_id, title=title) for title in titles]
    if is_partial(request):
        return fragments(*(render_list(row, [], view=MEMBERS) for row in made))
    return redirect(made[0].board)


@signed_in("POST")
def title(request: SignedInRequest, board_id: UUID) -> HttpResponse:
    changed = update_board(actor=actor(request), board_id=board_id, title=request.POST.get("board-title", ""))
    return fragments(render_board_head(with_shared(board_id), MEMBERS)) if is_partial(request) else redirect(changed)


@signed_in("POST")
def archival(request: SignedInRequest, board_id: UUID) -> HttpResponse:
    """Archive or restore the board."""
    archived = fields.flag(request, "archived")
    act = archive_board if archived else restore_board
    changed = act(actor=actor(request), board_id=board_id)
    if not archived:
        return back_to(request, changed.get_absolute_url(), _("Board restored."))
    return back_to(
        request, "/", _("“%(title)s” was archived. You can find it below your boards.") % {"title": changed.title}
    )
