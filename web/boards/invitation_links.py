"""Invitation links: the owner's form, the link itself, and the page on which its holder answers.

The key is in the address of the link and nowhere else: that address answers with a redirect to a page named by an id, and
the session notes the digest of the key as the proof of having it. So the key is in no Referer, in no `next` of the sign-in, in no
log of ours.
"""

from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.sign_in.confirmation import password_confirmed
from boards.actions.sharing.invitation_links import (
    create_invitation_link,
    join_by_link,
    withdraw_invitation_link,
)
from boards.errors import Conflict, DomainError, NotFound
from boards.models import InvitationLink, Membership, Role
from boards.models.invitation_link import digest_of
from boards.reading.reach import visible_board
from core.http.addresses import network_of
from core.http.requests import SignedInRequest
from security.events import log_event
from security.limits import count
from security.models import EventKind
from web.boards.link_form import LinkForm
from web.boards.links_followed import forget_link, link_followed, note_link
from web.boards.members import address_of, members_page
from web.http.answers import back_or_toast, back_to, fragments, is_partial
from web.http.fields import accepted
from web.http.guard import actor, reader, signed_in
from web.http.refusals import refusal


@signed_in("POST")
@password_confirmed
def invitation_links(request: SignedInRequest, board_id: UUID) -> HttpResponse:
    """Make a link. Only this answer holds it."""
    board, role = visible_board(board_id, reader(request))
    form = LinkForm(request.POST)
    try:
        made = form.send(lambda data: _make(request, board_id, data))
    except Conflict:  # the answer was reloaded
        return members_page(request, board, role, sent_before=True)
    if made is None:
        return form.refusal() if is_partial(request) else members_page(request, board, role, link_form=form)
    link, address = made[0], settings.BASE_URL + reverse("join", args=[made[1]])
    if is_partial(request):
        new = {"new_link": link, "new_address": address}
        return fragments(render_to_string("web/partials/people/new_link.html", new))
    answer = members_page(request, board, role, new_link=link, new_address=address)
    answer["Cache-Control"] = "no-store"
    return answer


def _make(request: SignedInRequest, board_id: UUID, data: dict[str, Any]) -> tuple[InvitationLink, str]:
    with transaction.atomic():
        link, key = create_invitation_link(actor=actor(request), board_id=board_id, **data)
        until = link.expires_at.isoformat()
        log_event(EventKind.LINK_CREATED, request, user=request.user, board=str(board_id), role=link.role, until=until)
    return link, key


@signed_in("POST")
def withdrawal(request: SignedInRequest, link_id: UUID) -> HttpResponse:
    link = withdraw_invitation_link(actor=actor(request), link_id=link_id)
    text = _("The invitation link %(name)s was withdrawn.") % {"name": link}
    return back_or_toast(request, address_of(link.board), text)


@never_cache
@require_safe
def join(request: HttpRequest, key: str) -> HttpResponse:
    """The link. Note in the session that this browser has it, and lead to the page about it."""
    count(request, "join", network_of(request.META["REMOTE_ADDR"]))
    link = InvitationLink.objects.live().filter(digest=digest_of(key)).first()
    if link is None:
        return _gone(request)
    note_link(request, link)
    return redirect(link)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def joining(request: HttpRequest, link_id: UUID) -> HttpResponse:
    """GET: say who invites to what. POST: join, or decline. It works signed out, up to joining."""
    link = link_followed(request, link_id)
    if link is None:
        return _gone(request)
    if request.method != "POST":
        return _ask(request, link)
    try:
        return _answer(request, link)
    except NotFound:
        return _gone(request)
    except DomainError as error:
        return refusal(request, error)


def _ask(request: HttpRequest, link: InvitationLink) -> HttpResponse:
    mine = Membership.objects.filter(board=link.board_id, user=request.user.pk) if request.user.pk else None
    context = {
        "link": link,
        "board": link.board,
        "role": Role(link.role),
        "is_member": mine is not None and mine.exists(),
        "unconfirmed": request.user.is_authenticated and not request.user.has_confirmed_address,
        "next": request.path,
    }
    return render(request, "web/joining.html", context)


def _answer(request: Any, link: InvitationLink) -> HttpResponse:
    if not accepted(request):
        forget_link(request, link)
        return back_to(request, "/", _("Invitation declined. No one was notified."))
    if not request.user.is_authenticated:
        return redirect_to_login(request.path)
    with transaction.atomic():
        join_by_link(actor=actor(request), link_id=link.pk, digest=link.digest)
        has_joined = bool(actor(request).changes)
        if has_joined:
            log_event(EventKind.JOINED, request, user=request.user, by=link.made_by, board=str(link.board_id))
    forget_link(request, link)
    said = _("You joined “%(title)s”.") if has_joined else _("You are already a member of “%(title)s”.")
    return back_to(request, link.board.get_absolute_url(), said % {"title": link.board.title})


def _gone(request: HttpRequest) -> HttpResponse:
    return render(request, "web/link_gone.html", status=404)
