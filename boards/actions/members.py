"""Members: invite, change role, remove, leave, hand over."""

from uuid import UUID

from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.utils.translation import gettext as _

from boards.access import not_found
from boards.actions.boards import cap_reached, lock_account
from boards.actions.change import Change, change
from boards.actor import Actor
from boards.errors import Invalid, LimitReached, NotAllowed
from boards.models import Assignment, Board, Card, Membership, Role, Verb
from boards.models.records import Member
from core.groups import check_access

INVITABLE = (Role.VIEWER, Role.EDITOR)


def invite_member(*, actor: Actor, board_id: UUID, email: str, role: str = Role.EDITOR) -> None:
    """Add the account with this address as a member, if there is one.

    The answer is the same for an unknown address, an inactive account and somebody who already is a member. Otherwise
    an invitation would tell who has an account.
    """
    address = valid_email(email)
    wanted = valid_role(role)
    with change(actor, Board, board_id, needs=Role.OWNER) as c:
        user = get_user_model().objects.filter(email=address, is_active=True).first()
        if user is None or Membership.objects.filter(board=c.board, user=user).exists():
            return
        c.add(Membership(user=user, role=wanted))
        record = Member(member_id=(None, user.pk), member=(None, user.display_name), role=(None, wanted.value))
        c.record(Verb.MEMBER_ADDED, c.board, record)


def valid_email(value: str) -> str:
    address = value.strip().lower() if isinstance(value, str) else ""
    try:
        validate_email(address)
    except ValidationError as error:
        raise Invalid(_("Enter a valid address, such as olga@example.com."), "email") from error
    return address


def valid_role(value: str) -> Role:
    if value not in INVITABLE:
        raise Invalid.of(
            "role", _("%(field)s must be viewer or editor. To make someone the owner, transfer the board to them.")
        )
    return Role(value)


def change_role(*, actor: Actor, board_id: UUID, user_id: UUID, role: str) -> None:
    wanted = valid_role(role)
    with change(actor, Board, board_id, needs=Role.OWNER) as c:
        member = _member(c, user_id)
        if member.role == Role.OWNER:
            raise NotAllowed(_("The owner's role changes only when the board is transferred."))
        name, old = member.user.display_name, member.role
        if c.set(member, role=wanted):
            record = Member(member_id=(user_id, user_id), member=(name, name), role=(old, wanted.value))
            c.record(Verb.MEMBER_CHANGED, c.board, record)
            check_access(member.user_id)


def remove_member(*, actor: Actor, board_id: UUID, user_id: UUID) -> None:
    """Remove a member. The owner may remove anyone else, and other members may remove themselves.

    Removing somebody who is not a member changes nothing. Raises NotAllowed for the owner's own membership.
    """
    leaving = user_id == actor.user.pk
    with change(actor, Board, board_id, needs=Role.VIEWER if leaving else Role.OWNER) as c:
        member = Membership.objects.filter(board=c.board, user_id=user_id).select_related("user").first()
        if member is None:
            return
        if member.role == Role.OWNER:
            raise owner_stays()
        _unassign_everywhere(c, user_id)
        c.remove(member)
        record = Member(member_id=(user_id, None), member=(member.user.display_name, None), role=(member.role, None))
        c.record(Verb.MEMBER_LEFT if leaving else Verb.MEMBER_REMOVED, c.board, record)
        check_access(user_id)


def owner_stays() -> NotAllowed:
    return NotAllowed(_("The owner cannot leave. Transfer the board first."))


def hand_over(*, actor: Actor, board_id: UUID, user_id: UUID) -> None:
    """Make another member the owner; the old owner becomes an editor.

    Raises LimitReached at the new owner's cap of boards, and NotAllowed when that account is not active.
    """
    with transaction.atomic():
        account = lock_account(user_id)
        with change(actor, Board, board_id, needs=Role.OWNER) as c:
            heir = _member(c, user_id)
            if heir.role == Role.OWNER:
                return
            if not account.is_active:
                raise NotAllowed(_("This account is deactivated. Choose someone else."))
            if cap_reached(account):
                raise LimitReached(_("This person's plan allows no more boards. Choose someone else."))
            owner = Membership.objects.select_related("user").get(board=c.board, role=Role.OWNER)
            record = Member(
                member_id=(owner.user_id, heir.user_id),
                member=(owner.user.display_name, heir.user.display_name),
                role=(heir.role, Role.OWNER.value),
            )
            c.set(owner, role=Role.EDITOR)
            c.set(heir, role=Role.OWNER)
            c.record(Verb.OWNER_CHANGED, c.board, record)


def _member(c: Change[Board], user_id: UUID) -> Membership:
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
