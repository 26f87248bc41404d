"""The page of a board's public link, for its owner: switch on, choose what it shows, new address, switch off."""

from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from accounts.sign_in.confirmation import password_confirmed
from boards import access
from boards.actions.sharing.public_links import (
    change_public_link,
    create_public_link,
    renew_public_link,
    withdraw_public_link,
)
from boards.models import Board, PublicLink, Role
from boards.reading.pending import public_link_of
from boards.reading.reach import visible_board
from core.http.requests import SignedInRequest
from security.events import log_event
from security.models import EventKind
from web.boards.context import board_context
from web.boards.forms import PublicLinkForm
from web.http.answers import back_or_toast, back_to, is_partial
from web.http.guard import actor, reader, signed_in


@signed_in("GET", "POST")
@password_confirmed
def public_link(request: SignedInRequest, board_id: UUID) -> HttpResponse:
    """GET: show the link and its choices. POST: switch it on, or change the choices.

    The form names the link that it is about, and so does not switch on one that was switched off meanwhile. The button in
    Share sends no choices, so it takes none from a link that was made meanwhile.
    """
    board, role = visible_board(board_id, reader(request))
    access.require(role, Role.OWNER)
    link = public_link_of(board)
    if request.method != "POST":
        return _page(request, board, role, link, PublicLinkForm.of(link, request.user.zone))
    form = PublicLinkForm(request.POST)
    is_change = "link" in request.POST or (link is not None and "embedding" in request.POST)

    def act(data: dict[str, Any]) -> PublicLink:
        choices = {"actor": actor(request), "board_id": board_id, **form.choices(request.user.zone)}
        if not is_change:
            return _switch_on(request, password=form.new_password or "", **choices)
        return change_public_link(password=form.new_password, **choices)

    if form.send(act):
        return back_or_toast(request, _address(board), _("Saved.") if is_change else _said_of_new(request))
    return form.refusal() if is_partial(request) else _page(request, board, role, link, form)


@signed_in("GET", "POST")
@password_confirmed
def renewal(request: SignedInRequest, board_id: UUID) -> HttpResponse:
    """GET: ask for confirmation. POST: make a new address, which ends the old one."""
    board, role = visible_board(board_id, reader(request))
    if request.method == "POST":
        renew_public_link(actor=actor(request), board_id=board_id)
        return back_to(request, _address(board), _("Link reset. The old one no longer works."))
    access.require(role, Role.OWNER)
    context = {
        "board": board,
        "heading": _("Reset link?"),
        "subject": board.title,
        "words": _(
            "The current link will stop working immediately, for everyone who has it and wherever it is embedded."
        ),
        "button": _("Reset link"),
        "back": _address(board),
    }
    return render(request, "web/confirm.html", context)


@signed_in("POST")
def withdrawal(request: SignedInRequest, board_id: UUID) -> HttpResponse:
    board, _role = visible_board(board_id, reader(request))
    by = actor(request)
    with transaction.atomic():
        withdraw_public_link(actor=by, board_id=board_id)
        if by.changes:
            log_event(EventKind.PUBLIC_LINK_OFF, request, user=request.user, board=str(board_id), title=board.title)
    return back_or_toast(request, _address(board), _("Public link turned off."))


def _switch_on(request: SignedInRequest, *, board_id: UUID, **choices: Any) -> PublicLink:
    """Switch it on, which the security log tells too: from now on people without an account read the board."""
    by = choices["actor"]
    with transaction.atomic():
        link = create_public_link(board_id=board_id, **choices)
        if by.changes:
            told: dict[str, Any] = {"password": "yes" if link.password else "no", "title": link.board.title}
            log_event(EventKind.PUBLIC_LINK_ON, request, user=by.user, board=str(board_id), **told)
    return link


def _said_of_new(request: SignedInRequest) -> str:
    if actor(request).changes:
        return _("Public link created.")
    return _("This has changed in the meantime. The list is up to date now.")


def _page(
    request: SignedInRequest, board: Board, role: Role, link: PublicLink | None, form: PublicLinkForm
) -> HttpResponse:
    context = board_context(board, role, "settings") | {
        "link": link,
        "form": form,
        "is_allowed": settings.PUBLIC_LINKS,
    }
    answer = render(request, "web/public_link.html", context, status=form.status)
    answer.holds_secret = True  # type: ignore[attr-defined]  # the address, beside a title that editors choose
    return answer


def _address(board: Board) -> str:
    return f"{board.get_absolute_url()}/public-link"
