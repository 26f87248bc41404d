"""Invitations: invite an address, withdraw the invitation, accept or decline it. docs/decisions/people.md has the
reasons.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from boards.access import acquaintances, not_found, require_rights
from boards.actions.allowances import DAY, HOUR, is_used_up, use
from boards.actions.boards.board import lock_account
from boards.actions.change import change
from boards.actions.people.members import valid_role
from boards.actions.people.newcomers import join_board, joining_change, was_removed_since
from boards.actor import Actor
from boards.errors import Conflict, Invalid, LimitReached, NotAllowed
from boards.models import Board, Counted, Invitation, Membership, Role
from boards.models.invitation import OPEN_FOR

if TYPE_CHECKING:
    from accounts.models import User

MOST_PENDING = 50  # of one inviter, on all boards together
MOST_SENT = {HOUR: 30, DAY: 100}  # by one inviter
LONGEST_ADDRESS = 254  # characters, as the column has it


def invite_member(*, actor: Actor, board_id: UUID | None, email: str, role: str = Role.EDITOR) -> Invitation:
    """Invite an address. Nothing in here looks for an account with it, so that no answer can tell of one.

    Raises Conflict for an address that is invited already or belongs to a member, NotAllowed while the inviter's own
    address is not confirmed, and LimitReached.
    """
    address, wanted = valid_email(email), valid_role(role)
    with _inviting(actor, board_id) as (board, account):
        _require_new(board, address)
        return _invite(board, account, email=address, role=wanted)


def invite_person(*, actor: Actor, board_id: UUID, user_id: UUID, role: str = Role.EDITOR) -> Invitation:
    """Invite somebody with whom the actor shares a board, whose address they need not know.

    Raises NotFound for everybody else, whether there is such an account or not.
    """
    wanted = valid_role(role)
    with _inviting(actor, board_id) as (board, account):
        person = acquaintances(actor.reader, not_on=board_id).filter(pk=user_id).first()
        if person is None:
            raise not_found()
        earlier = Invitation.objects.filter(board=board, invitee=person)
        if earlier.pending().exists():
            raise _already_invited(person.display_name)
        earlier.delete()
        return _invite(board, account, invitee=person, role=wanted)


@contextmanager
def _inviting(actor: Actor, board_id: UUID | None) -> "Iterator[tuple[Board, User]]":
    with transaction.atomic():
        account = lock_account(actor.user.pk)
        with change(actor, Board, board_id, needs=Role.OWNER) as c:
            require_confirmed(account)
            yield c.board, account


def _invite(board: Board, account: "User", **values: Any) -> Invitation:
    _require_few(account)
    use(account, Counted.INVITATION)
    until = timezone.now() + OPEN_FOR
    return Invitation.objects.create(board=board, invited_by=account, expires_at=until, **values)


def require_confirmed(account: "User") -> None:
    if not account.has_confirmed_address:
        raise NotAllowed(_("Confirm your email address in your settings before you invite others."))


def valid_email(value: str) -> str:
    address = value.strip().lower() if isinstance(value, str) else ""
    try:
        validate_email(address)
    except ValidationError as error:
        raise no_email() from error
    if len(address) > LONGEST_ADDRESS:
        raise no_email()
    return address


def no_email() -> Invalid:
    return Invalid(_("Enter a valid email address, such as olga@example.com."), "email")


def _require_new(board: Board, address: str) -> None:
    """Raise Conflict for a member's address and a pending one: the owner knows both. Delete an expired invitation."""
    if Membership.objects.filter(board=board, user__email=address).exists():
        raise Conflict(_("%(email)s is already a member of this board.") % {"email": address})
    earlier = Invitation.objects.filter(board=board, email=address)
    if earlier.pending().exists():
        raise _already_invited(address)
    earlier.delete()


def _already_invited(addressee: str) -> Conflict:
    text = _("%(email)s is already invited. To change the role, withdraw the invitation first.")
    return Conflict(text % {"email": addressee})


def _require_few(account: "User") -> None:
    if Invitation.objects.pending().filter(invited_by=account).count() >= MOST_PENDING:
        text = _("You have %(most)s pending invitations. Withdraw some, or wait until they are accepted or expire.")
        raise LimitReached(text % {"most": MOST_PENDING})
    time = is_used_up(account, Counted.INVITATION, MOST_SENT)
    if time == HOUR:
        text = _("You can send %(most)s invitations per hour. Try again later.")
        raise LimitReached(text % {"most": MOST_SENT[HOUR]})
    if time == DAY:
        text = _("You can send %(most)s invitations in 24 hours. Try again tomorrow.")
        raise LimitReached(text % {"most": MOST_SENT[DAY]})


def withdraw_invitation(*, actor: Actor, invitation_id: UUID) -> Invitation:
    with change(actor, Invitation, invitation_id, needs=Role.OWNER) as c:
        Invitation.objects.filter(pk=c.row.pk).delete()
    return c.row


def accept_invitation(*, actor: Actor, invitation_id: UUID) -> Invitation:
    """Join the board. Raises NotFound for everybody but the invited person, and when the invitation has ended
    or is older than their removal.
    """
    found = _invitation_to(actor, invitation_id)
    with joining_change(actor, found.board_id) as c:
        found = _invitation_to(actor, invitation_id, locked=True)
        Invitation.objects.to(actor.user).filter(board=c.board).delete()  # by their address and by their name
        if Membership.objects.filter(
            board=c.board, user=actor.user
        ).exists():  # joined under the address they had before
            return found
        if was_removed_since(actor.user, found.board_id, found.created_at):
            raise not_found()
        join_board(c, found.role, inviter=found.invited_by)
    return found


def decline_invitation(*, actor: Actor, invitation_id: UUID) -> None:
    """Decline. The inviter sees the invitation as pending until it expires: otherwise they learned of an account."""
    found = _invitation_to(actor, invitation_id)
    require_rights(actor)
    if not Invitation.objects.to(actor.user).filter(pk=found.pk).update(declined_at=timezone.now()):
        raise not_found()


def _invitation_to(actor: Actor, invitation_id: UUID, *, locked: bool = False) -> Invitation:
    """Return the invitation. Lock it only under the lock of its board, so that no two actions can deadlock."""
    invitations = Invitation.objects.to(actor.user).select_related("board", "invited_by")
    if locked:
        invitations = invitations.select_for_update(no_key=True, of=("self",))
    found = invitations.filter(pk=invitation_id).first() if invitation_id else None
    if found is None or not actor.reaches(found.board_id):
        raise not_found()
    return found
