"""The members of a board, and its pending invitations and offer: the page, changing roles, removing, leaving."""

from uuid import UUID

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from boards import access
from boards.actions.people.members import INVITABLE, change_role, owner_stays, remove_member
from boards.models import Board, GroupMembership, Invitation, InvitationLink, Membership, Role
from boards.reading.pending import offer_of, public_link_of
from boards.reading.reach import visible_board
from boards.statements import read_last_change, read_members
from core.http.requests import SignedInRequest
from core.text.lists import join_items
from web.boards.context import board_context
from web.boards.forms import InvitationForm
from web.boards.link_form import LinkForm
from web.http.answers import back_or_toast, back_to
from web.http.guard import actor, reader, signed_in


@signed_in("GET")
def members(request: SignedInRequest, board_id: UUID) -> HttpResponse:
    board, role = visible_board(board_id, reader(request))
    return members_page(request, board, role)


def members_page(
    request: SignedInRequest,
    board: Board,
    role: Role,
    invitation: InvitationForm | None = None,
    link_form: LinkForm | None = None,
    **context: object,
) -> HttpResponse:
    """Show the members, and the forms as they were refused. `context` is what else the answer to a form says."""
    refused = invitation or link_form
    context |= members_context(board, role) | {
        "last_change": read_last_change(board),
        "invitation": invitation or InvitationForm(),
        "link_form": link_form or LinkForm(),
    }
    answer = render(request, "web/members.html", context, status=refused.status if refused else 200)
    answer.holds_secret = holds_secret(context)  # type: ignore[attr-defined]
    return answer


def members_context(board: Board, role: Role) -> dict[str, object]:
    """Return who is on the board; for its owner, who is invited too, by address and by link, and the public link."""
    return board_context(board, role, "members") | {
        "members": with_groups(board, read_members(board.pk)) if role.can_own else read_members(board.pk),
        "offer": offer_of(board),
        "pending": Invitation.objects.pending().filter(board=board).select_related("invitee") if role.can_own else [],
        "links": InvitationLink.objects.listed().filter(board=board).select_related("made_by") if role.can_own else [],
        "roles": [(choice.value, choice.label) for choice in INVITABLE],
        "public_link": public_link_of(board) if role.can_own else None,
        "links_allowed": settings.PUBLIC_LINKS,
    }


def holds_secret(context: dict[str, object]) -> bool:
    """Return whether the public link's address is shown, beside a title that editors choose."""
    return context["public_link"] is not None


def with_groups(board: Board, members: list[Membership]) -> list[Membership]:
    """Give each member `by_groups`: the names of the groups that made them one. Without single sign-on nothing is read."""
    if settings.OIDC_URL:
        notes = GroupMembership.objects.filter(board=board).values_list("membership_id", "groups")
        found = {pk: join_items(names) for pk, names in notes}
        for member in members:
            member.by_groups = found.get(member.pk, "")  # type: ignore[attr-defined]
    return members


@signed_in("POST")
def member_role(request: SignedInRequest, board_id: UUID, user_id: UUID) -> HttpResponse:
    board, _role = visible_board(board_id, reader(request))
    change_role(actor=actor(request), board_id=board_id, user_id=user_id, role=request.POST.get("role", ""))
    return back_or_toast(request, address_of(board), _("Role changed."))


@signed_in("GET", "POST")
def removal(request: SignedInRequest, board_id: UUID, user_id: UUID) -> HttpResponse:
    """GET: ask for confirmation. POST: remove a member (the owner may), or leave the board oneself."""
    member, role = find_member(request, board_id, user_id)
    leaving = user_id == request.user.pk
    if request.method != "POST":
        _require_removable(member, role, leaving)
        return _ask_before_removing(request, member, leaving)
    remove_member(actor=actor(request), board_id=board_id, user_id=user_id)
    if leaving:
        return back_to(request, "/", _("You left “%(title)s”.") % {"title": member.board.title})
    text = _("%(name)s was removed from the board.") % {"name": member.user.display_name}
    return back_to(request, address_of(member.board), text)


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
            _(
                "You will lose access immediately and be unassigned from your cards. Only the owner can invite you again."
            )
            if leaving
            else _("%(name)s will lose access immediately and be unassigned from all cards. What they wrote stays.")
            % name
        ),
        "button": _("Leave board") if leaving else _("Remove"),
        "back": address_of(member.board),
    }
    return render(request, "web/confirm.html", context)


def find_member(request: SignedInRequest, board_id: UUID, user_id: UUID | None) -> tuple[Membership, Role]:
    """Return the member of this id, and the role of the request's user. Raise NotFound."""
    board, role = visible_board(board_id, reader(request))
    members = Membership.objects.filter(board=board).select_related("user", "board")
    found = members.filter(user_id=user_id).first() if user_id else None
    if found is None:
        raise access.not_found()
    return found, role


def address_of(board: Board) -> str:
    return f"{board.get_absolute_url()}/members"
