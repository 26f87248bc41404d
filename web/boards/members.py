"""The members of a board: invite, change roles, remove, leave, hand over."""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from boards import access
from boards.actions.members import INVITABLE, change_role, hand_over, invite_member, owner_stays, remove_member
from boards.models import Board, Membership, Role
from boards.reading.reach import visible_board
from core.http import SignedInRequest
from core.ids import parse_id
from web.boards.board import members_of
from web.boards.context import board_context
from web.boards.forms import InvitationForm
from web.door.answers import back_to
from web.door.guard import actor, reader, signed_in


@signed_in("GET")
def members(request: SignedInRequest, board_id: UUID) -> HttpResponse:
    board, role = visible_board(board_id, reader(request))
    return _page(request, board, role)


def _page(request: SignedInRequest, board: Board, role: Role, invitation: InvitationForm | None = None) -> HttpResponse:
    context = board_context(board, role, "members") | {
        "members": members_of(board),
        "roles": [(choice.value, choice.label) for choice in INVITABLE],
        "invitation": invitation or InvitationForm(),
    }
    return render(request, "web/members.html", context, status=invitation.status if invitation else 200)


@signed_in("POST")
def invitations(request: SignedInRequest, board_id: UUID) -> HttpResponse:
    """Invite an address. The answer does not tell whether it has an account."""
    board, role = visible_board(board_id, reader(request))
    form = InvitationForm(request.POST)
    form.send(lambda data: invite_member(actor=actor(request), board_id=board_id, **data))
    if form.errors:
        return _page(request, board, role, form)
    text = _("If %(email)s has an account here, they are now a member of this board.") % {
        "email": form.cleaned_data["email"]
    }
    return back_to(request, _address(board), text)


@signed_in("POST")
def member_role(request: SignedInRequest, board_id: UUID, user_id: UUID) -> HttpResponse:
    board, _role = visible_board(board_id, reader(request))
    change_role(actor=actor(request), board_id=board_id, user_id=user_id, role=request.POST.get("role", ""))
    return back_to(request, _address(board), _("Role changed."))


@signed_in("GET", "POST")
def removal(request: SignedInRequest, board_id: UUID, user_id: UUID) -> HttpResponse:
    """GET: ask for confirmation. POST: remove a member (the owner may), or leave the board oneself."""
    member, role = _member(request, board_id, user_id)
    leaving = user_id == request.user.pk
    if request.method != "POST":
        _require_removable(member, role, leaving)
        return _ask_before_removing(request, member, leaving)
    remove_member(actor=actor(request), board_id=board_id, user_id=user_id)
    if leaving:
        return back_to(request, "/", _("You left “%(title)s”.") % {"title": member.board.title})
    text = _("%(name)s was removed from the board.") % {"name": member.user.display_name}
    return back_to(request, _address(member.board), text)


def _require_removable(member: Membership, role: Role, leaving: bool) -> None:
    """Raise NotAllowed where remove_member would."""
    if not leaving:
        access.require(role, Role.OWNER)
    if member.role == Role.OWNER:
        raise owner_stays()


def _ask_before_removing(request: SignedInRequest, member: Membership, leaving: bool) -> HttpResponse:
    name = {"name": member.user.display_name}
    context = {
        "board": member.board,
        "heading": _("Leave this board?") if leaving else _("Remove %(name)s from this board?") % name,
        "subject": member.board.title,
        "words": (
            _("You lose access immediately and are unassigned from your cards. Only the owner can add you again.")
            if leaving
            else _("%(name)s loses access immediately and is unassigned from all cards. What they wrote stays.") % name
        ),
        "button": _("Leave board") if leaving else _("Remove"),
        "back": _address(member.board),
    }
    return render(request, "web/confirm.html", context)


@signed_in("GET", "POST")
def ownership(request: SignedInRequest, board_id: UUID) -> HttpResponse:
    """GET: ask for confirmation. POST: make another member the owner."""
    heir, role = _member(request, board_id, parse_id((request.POST or request.GET).get("to", "")))
    name = {"name": heir.user.display_name}
    if request.method == "POST":
        hand_over(actor=actor(request), board_id=board_id, user_id=heir.user_id)
        return back_to(request, _address(heir.board), _("%(name)s is now the owner of this board.") % name)
    access.require(role, Role.OWNER)
    context = {
        "board": heir.board,
        "heading": _("Transfer this board to %(name)s?") % name,
        "subject": heir.board.title,
        "words": _("You become an editor. Only %(name)s can transfer the board back to you or delete it.") % name,
        "fields": [("to", str(heir.user_id))],
        "button": _("Transfer board"),
        "back": _address(heir.board),
    }
    return render(request, "web/confirm.html", context)


def _member(request: SignedInRequest, board_id: UUID, user_id: UUID | None) -> tuple[Membership, Role]:
    """Return the member of this id, and the role of the request's user. Raise NotFound."""
    board, role = visible_board(board_id, reader(request))
    members = Membership.objects.filter(board=board).select_related("user", "board")
    found = members.filter(user_id=user_id).first() if user_id else None
    if found is None:
        raise access.not_found()
    return found, role


def _address(board: Board) -> str:
    return f"{board.get_absolute_url()}/members"
