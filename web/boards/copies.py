"""Copying a card, a list and a board."""

from uuid import UUID

from django import forms
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from boards.actions.boards.copies import copy_board, copy_card, copy_list
from boards.models import Board, List, Membership, Role
from boards.reading.reach import visible_board, visible_card, visible_list
from boards.text import BOARD_TITLE, CARD_TITLE
from core.http.requests import SignedInRequest
from web.cards.answers import tile_of
from web.cards.limits import with_warning
from web.http import fields
from web.http.answers import back_to, fragments, is_partial, toast
from web.http.changed import fragments_since
from web.http.forms import DomainForm, LineField
from web.http.guard import actor, reader, signed_in


class CardCopyForm(DomainForm):
    title = LineField("title", CARD_TITLE)


class BoardCopyForm(DomainForm):
    title = LineField("title", BOARD_TITLE)
    cards = forms.BooleanField(required=False, label=gettext_lazy("Copy cards too"))


@signed_in("GET", "POST")
def copied_card(request: SignedInRequest, card_id: UUID) -> HttpResponse:
    """GET: ask for a title and a list. POST: copy the card; without these, right below itself."""
    source, _role = visible_card(card_id, reader(request))
    if request.method == "POST" and "list" not in request.POST:
        made = copy_card(actor=actor(request), card_id=card_id)
        if is_partial(request):
            return fragments(*tile_of(request, made.pk), toast(with_warning(_("Card copied."), made.list), request))
        return back_to(request, made.get_absolute_url(), with_warning(_("Card copied."), made.list))
    form = CardCopyForm(request.POST if request.method == "POST" else None, initial={"title": source.title})
    if form.is_bound:
        made_there = form.send(
            lambda data: copy_card(
                actor=actor(request), card_id=card_id, list_id=fields.id_of(request.POST, "list"), title=data["title"]
            )
        )
        if made_there is not None:
            text = _("Card copied to “%(list)s”.") % {"list": made_there.list.title}
            return back_to(request, made_there.get_absolute_url(), with_warning(text, made_there.list))
    context = {"form": form, "card": source, "board": source.board, "groups": _lists_by_board(request)}
    return render(request, "web/copy_card.html", context, status=form.status)


def _lists_by_board(request: SignedInRequest) -> dict[Board, list[List]]:
    """Return the open lists of all boards that the user may change."""
    mine = Membership.objects.filter(user=request.user, role__in=[role for role in Role if role.can_edit])
    rows = List.objects.open().of_open_boards().filter(board__in=mine.values("board")).select_related("board")
    found: dict[Board, list[List]] = {}
    for row in rows.order_by("board__created_at", "board", "position"):
        found.setdefault(row.board, []).append(row)
    return found


@signed_in("POST")
def copied_list(request: SignedInRequest, list_id: UUID) -> HttpResponse:
    source, _role = visible_list(list_id, reader(request))
    made = copy_list(actor=actor(request), list_id=list_id)
    _name_the_first_change(request)
    text = with_warning(_("“%(title)s” was copied.") % {"title": source.title}, made)
    if not is_partial(request):
        return back_to(request, source.board.get_absolute_url(), text)
    return fragments(*fragments_since(request, source.board, source.board.version), toast(text, request))


@signed_in("GET", "POST")
def copied_board(request: SignedInRequest, board_id: UUID) -> HttpResponse:
    """GET: ask for a title, and whether to copy the cards. POST: copy the board."""
    source, _role = visible_board(board_id, reader(request))
    initial = {"title": (_("Copy of %(title)s") % {"title": source.title})[:BOARD_TITLE], "cards": True}
    form = BoardCopyForm(request.POST if request.method == "POST" else None, initial=initial)
    if form.is_bound:
        made = form.send(
            lambda data: copy_board(
                actor=actor(request), board_id=board_id, title=data["title"], with_cards=data["cards"]
            )
        )
        if made is not None:
            _name_the_first_change(request)
            return back_to(request, made.get_absolute_url(), _("Board copied."))
    return render(request, "web/copy_board.html", {"form": form, "board": source}, status=form.status)


def _name_the_first_change(request: SignedInRequest) -> None:
    """Let the answer offer to take back the copied list or board alone: its cards go with it."""
    del actor(request).changes[1:]
