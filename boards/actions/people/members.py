"""Members: change role, remove, leave."""

from uuid import UUID

from django.utils.translation import gettext as _

from boards.access import not_found
from boards.actions.change import Change, change
from boards.actions.sharing.pending import end_offer
from boards.actions.unchanged import UNCHANGED, Unchanged
from boards.actor import Actor
from boards.errors import Invalid, OwnerStays
from boards.models import Assignment, Board, BoardView, Card, Membership, Role, Verb
from boards.models.records import Member
from core.bus.access_check import check_access

INVITABLE = (Role.VIEWER, Role.EDITOR)


def valid_role(value: str) -> Role:
    if value not in INVITABLE:
        raise Invalid.of(
            "role", _("%(field)s must be viewer or editor. To make someone the owner, transfer the board to them.")
        )
    return Role(value)


def change_role(*, actor: Actor, board_id: UUID, user_id: UUID, role: str | Unchanged = UNCHANGED) -> None:
    """Give a member another role. Raises OwnerStays for the owner's own membership."""
    wanted = None if role is UNCHANGED else valid_role(role)
    with change(actor, Board, board_id, needs=Role.OWNER) as c:
        member = member_of(c, user_id)
        if wanted is None:
            return
        if member.role == Role.OWNER:
            raise OwnerStays(_("The owner's role changes only when the board is transferred."))
        name, old = member.user.display_name, member.role
        if c.set(member, role=wanted):
            record = Member(member_id=(user_id, user_id), member=(name, name), role=(old, wanted.value))
            c.record(Verb.MEMBER_CHANGED, c.board, record)
            check_access(member.user_id)


def remove_member(*, actor: Actor, board_id: UUID, user_id: UUID) -> None:
    """Remove a member. The owner may remove anyone else, and other members may remove themselves.

    Removing somebody who is not a member changes nothing. Raises OwnerStays for the owner's own membership.
    """
    leaving = user_id == actor.user.pk
    with change(actor, Board, board_id, needs=Role.VIEWER if leaving else Role.OWNER, deletes=True) as c:
        member = Membership.objects.filter(board=c.board, user_id=user_id).select_related("user").first()
        if member is None:
            return
        if member.role == Role.OWNER:
            raise owner_stays()
        take_out(c, member, Verb.MEMBER_LEFT if leaving else Verb.MEMBER_REMOVED)


def take_out(c: Change[Board], member: Membership, verb: Verb, *, group: str = "") -> None:
    """Remove the member. `group`: the one that gave the membership, if it ends with what that gives."""
    user_id = member.user_id
    _unassign_everywhere(c, user_id)
    end_offer(c, to=user_id)
    c.remove(member)
    BoardView.objects.filter(board=c.board, user=user_id).delete()
    name = member.user.recorded_name
    record = Member(member_id=(user_id, None), member=(name, None), role=(member.role, None))
    if group:
        record["group"] = (group, None)
    c.record(verb, c.board, record)
    check_access(user_id)


def owner_stays() -> OwnerStays:
    return OwnerStays(_("The owner cannot leave. Transfer the board first."))


def member_of(c: Change[Board], user_id: UUID) -> Membership:
    """Return the membership, with its user. Raise NotFound."""
    member = Membership.objects.filter(board=c.board, user_id=user_id).select_related("user").first()
    if member is None:
        raise not_found()
    return member


def _unassign_everywhere(c: Change[Board], user_id: UUID) -> None:
    assigned = Assignment.objects.filter(board=c.board, user_id=user_id)
    cards = list(assigned.values_list("card_id", flat=True))
    if cards:
        c.keep(unassigned_ids=cards)
        c.touch_all(Card.objects.filter(pk__in=cards))
        assigned.delete()
