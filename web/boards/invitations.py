"""Invitations to boards: the owner's form, and the pages on which the invited person answers."""

from typing import Any
from uuid import UUID

from django.conf import settings
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
from boards.errors import Conflict
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
from web.http.answers import back_or_toast, back_to, fragments, is_partial
from web.http.fields import accepted
from web.http.guard import actor, reader, signed_in

SHOWN = 20  # on one page
OFFERED, LETTERS = 8, 200


@signed_in("POST")
def invitations(request: SignedInRequest, board_id: UUID) -> HttpResponse:
    """Invite one address, or all of several. The answer does not tell which of them have an account."""
    board, role = visible_board(board_id, reader(request))
    form = InvitationForm(request.POST)
    sent = form.send(lambda data: _invite(request, board_id, data), conflicts="email")
    if sent is None and is_partial(request):
        return form.refusal()
    if sent is None:
        return members_page(request, board, role, form)
    return back_or_toast(request, address_of(board), _invited(sent))


def _invited(sent: list[Invitation]) -> str:
    if sent[0].invitee:
        return _("%(name)s was invited. They will see the invitation on their home page.") % {"name": sent[0].addressee}
    if len(sent) > 1:
        text = _("%(number)s people were invited. They will see the invitation when they sign in with these addresses.")
        said = text % {"number": len(sent)}
    else:
        text = _("%(email)s was invited. They will see the invitation when they sign in with this address.")
        said = text % {"email": sent[0].email}
    return said if settings.MAIL else " ".join([said, _("No email was sent. Send them this service's address.")])


def _invite(request: SignedInRequest, board_id: UUID, data: dict[str, Any]) -> list[Invitation]:
    """Invite all or nobody. Raise Conflict, which names each address of several that cannot be invited."""
    by, role, person = actor(request), data["role"], data["person"]
    if person:
        return [_tell(request, invite_person(actor=by, board_id=board_id, user_id=person, role=role))]
    sent, refused = [], []
    with transaction.atomic():
        for email in data["email"]:
            try:
                sent.append(_tell(request, invite_member(actor=by, board_id=board_id, email=email, role=role)))
            except Conflict as error:
                if len(data["email"]) == 1:
                    raise
                refused.append(f"{email}: {error.message}")
        if refused:
            raise Conflict(" ".join([*refused, _("No one was invited.")]))
    return sent


def _tell(request: SignedInRequest, sent: Invitation) -> Invitation:
    board, invited = str(sent.board_id), sent.addressee
    with transaction.atomic():
        log_event(EventKind.INVITED, request, user=request.user, board=board, invited=invited, role=sent.role)
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
    return back_or_toast(request, address_of(invitation.board), text)


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
