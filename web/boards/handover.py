"""Handing over a board: the owner's question and offer, the receiver's answer."""

from uuid import UUID

from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from accounts.sign_in.confirmation import password_confirmed
from boards import access
from boards.actions.people.handover import accept_offer, decline_offer, offer_board, withdraw_offer
from boards.models import Role
from boards.reading.pending import offer_of
from boards.reading.reach import visible_board
from core.http.requests import SignedInRequest
from core.ids import parse_id
from security.events import log_event
from security.models import EventKind
from web.boards.members import address_of, find_member
from web.http.answers import back_to
from web.http.fields import accepted
from web.http.guard import actor, reader, signed_in


@signed_in("GET", "POST")
@password_confirmed
def ownership(request: SignedInRequest, board_id: UUID) -> HttpResponse:
    """GET: ask for confirmation. POST: offer the board to another member."""
    heir, role = find_member(request, board_id, parse_id((request.POST or request.GET).get("to", "")))
    name = {"name": heir.user.display_name}
    if request.method == "POST":
        with transaction.atomic():
            offer_board(actor=actor(request), board_id=board_id, user_id=heir.user_id)
            log_event(EventKind.BOARD_OFFERED, request, user=heir.user, by=request.user, board=str(board_id))
        return back_to(request, address_of(heir.board), _("You offered this board to %(name)s.") % name)
    access.require(role, Role.OWNER)
    context = {
        "board": heir.board,
        "heading": _("Transfer this board to %(name)s?") % name,
        "subject": heir.board.title,
        "words": _(
            "%(name)s must accept first. You then become an editor, and only they can transfer the board back to you or "
            "delete it. Your pending invitations are withdrawn."
        )
        % name,
        "fields": [("to", str(heir.user_id))],
        "button": _("Offer board"),
        "back": address_of(heir.board),
    }
    return render(request, "web/confirm.html", context)


@signed_in("GET", "POST")
def offer(request: SignedInRequest, board_id: UUID) -> HttpResponse:
    """GET: ask the receiver whether to take over the board. POST: take it over, or decline."""
    board, _role = visible_board(board_id, reader(request))
    found = offer_of(board)
    if found is None or found.to_id != request.user.pk:
        raise access.not_found()
    if request.method != "POST":
        return render(request, "web/offer.html", {"offer": found, "board": board})
    if not accepted(request):
        decline_offer(actor=actor(request), board_id=board_id)
        return back_to(request, board.get_absolute_url(), _("You declined. The board stays as it is."))
    with transaction.atomic():
        taken = accept_offer(actor=actor(request), board_id=board_id)
        log_event(EventKind.BOARD_HANDED_OVER, request, user=request.user, by=taken.offered_by, board=str(board_id))
    return back_to(request, address_of(board), _("You are now the owner of this board."))


@signed_in("POST")
def withdrawal(request: SignedInRequest, offer_id: UUID) -> HttpResponse:
    withdrawn = withdraw_offer(actor=actor(request), offer_id=offer_id)
    return back_to(request, address_of(withdrawn.board), _("The offer was withdrawn."))
