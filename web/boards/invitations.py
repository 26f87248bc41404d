"""Invitations to boards: the owner's form, and the pages on which the invited person answers."""

from typing import Any
from uuid import UUID

from django.core.paginator import Paginator
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from boards.access import require
from boards.actions.sharing.invitations import (
    accept_invitation,
    decline_invitation,
    invite_member,
    invite_person,
    withdraw_invitation,
)
from boards.models import Invitation, Role
from boards.reading.acquaintances import acquaintances_like
from boards.reading.pending import invitation_to, invitations_to
from boards.reading.reach import visible_board
from boards.text import clean_text
from core.http.requests import SignedInRequest
from notifications.mail.invited import let_know
from security.events import log_event
from security.models import EventKind
from web.boards.forms import InvitationForm
from web.boards.members import address_of, members_page
from web.door.answers import back_to, fragments, is_partial
from web.door.fields import accepted
from web.door.guard import actor, reader, signed_in

SHOWN = 20  # on one page
OFFERED, LETTERS = 8, 200


@signed_in("POST")
def invitations(request: SignedInRequest, board_id: UUID) -> HttpResponse:
    """Invite an address. The answer does not tell whether it has an account."""
    board, role = visible_board(board_id, reader(request))
    form = InvitationForm(request.POST)
    sent = form.send(lambda data: _invite(request, board_id, data), conflicts="email")
    if sent is None:
        return members_page(request, board, role, form)
    if sent.invitee:
        text = _("%(name)s was invited. They will see the invitation on their home page.") % {"name": sent.addressee}
    else:
        text = _("%(email)s was invited. They will see the invitation when they sign in with this address.") % {
            "email": sent.email
        }
    return back_to(request, address_of(board), text)


def _invite(request: SignedInRequest, board_id: UUID, data: dict[str, Any]) -> Invitation:
    by, role, person = actor(request), data["role"], data["person"]
    with transaction.atomic():
        if person:
            sent = invite_person(actor=by, board_id=board_id, user_id=person, role=role)
        else:
            sent = invite_member(actor=by, board_id=board_id, email=data["email"], role=role)
        log_event(
            EventKind.INVITED, request, user=request.user, board=str(board_id), invited=sent.addressee, role=sent.role
        )
        let_know(sent)
    return sent


@signed_in("GET")
def people(request: SignedInRequest, board_id: UUID) -> HttpResponse:
    """Offer people with whom the owner shares a board, by their names, as options of a list box."""
    board, role = visible_board(board_id, reader(request))
    require(role, Role.OWNER)
    if not is_partial(request):
        return redirect(address_of(board))
    letters = clean_text(request.GET.get("q", ""), "q", LETTERS).strip()
    found = acquaintances_like(reader(request), letters, not_on=board_id, limit=OFFERED) if letters else []
    return fragments(SafeString(render_to_string("web/partials/people/people.html", {"people": found}).strip()))


@signed_in("POST")
def withdrawal(request: SignedInRequest, invitation_id: UUID) -> HttpResponse:
    invitation = withdraw_invitation(actor=actor(request), invitation_id=invitation_id)
    text = _("The invitation to %(email)s was withdrawn.") % {"email": invitation.addressee}
    return back_to(request, address_of(invitation.board), text)


@signed_in("GET")
def mine(request: SignedInRequest) -> HttpResponse:
    """List the invitations to the signed-in user, or say that their address has to be confirmed first."""
    pages = Paginator(invitations_to(reader(request)), SHOWN)
    context = {"unconfirmed": not request.user.has_confirmed_address, "page": pages.get_page(request.GET.get("page"))}
    return render(request, "web/invitations.html", context)


@signed_in("GET", "POST")
def invitation(request: SignedInRequest, invitation_id: UUID) -> HttpResponse:
    """GET: ask whether to join the board. POST: join, or decline."""
    if not request.user.has_confirmed_address:
        return redirect("my_invitations")  # where the page says so, whatever the id
    found = invitation_to(reader(request), invitation_id)
    if request.method != "POST":
        return render(request, "web/invitation.html", {"invitation": found, "role": Role(found.role)})
    if not accepted(request):
        decline_invitation(actor=actor(request), invitation_id=invitation_id)
        return back_to(request, "/", _("Invitation declined. No one was notified."))
    with transaction.atomic():
        joined = accept_invitation(actor=actor(request), invitation_id=invitation_id)
        log_event(EventKind.JOINED, request, user=request.user, by=joined.invited_by, board=str(joined.board_id))
    text = _("You joined “%(title)s”.") % {"title": joined.board.title}
    return back_to(request, joined.board.get_absolute_url(), text)
