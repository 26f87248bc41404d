"""Handing over: the owner offers the board to a member, who accepts or declines."""

from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from boards.access import not_found
from boards.actions.boards.board import lock_account, require_room_for_a_board
from boards.actions.change import Change, change
from boards.actions.files.caps import require_room_for_board_of
from boards.actions.people.members import member_of
from boards.actions.sharing.pending import end_invitations, end_link, end_offer
from boards.actor import Actor
from boards.errors import NotAllowed
from boards.models import Board, Membership, Offer, Role, Verb
from boards.models.records import Member, Offered


def offer_board(*, actor: Actor, board_id: UUID, user_id: UUID) -> None:
    """Offer the board to another member. A new offer takes the place of the one before.

    Nothing changes for the receiver before they accept: the plan's cap counts then. Raises NotAllowed when their
    account is not active.
    """
    with change(actor, Board, board_id, needs=Role.OWNER) as c:
        heir = member_of(c, user_id)
        if heir.role == Role.OWNER or Offer.objects.filter(board=c.board, to=heir.user).exists():
            return
        if not heir.user.is_active:
            raise NotAllowed(_("This account is deactivated. Choose someone else."))
        before = end_offer(c)
        c.add(Offer(to=heir.user, offered_by=actor.user))
        old = (before.to_id, before.to.display_name) if before else (None, None)
        record = Offered(member_id=(old[0], heir.user_id), member=(old[1], heir.user.display_name))
        c.record(Verb.OFFER_CREATED, c.board, record)


def withdraw_offer(*, actor: Actor, offer_id: UUID) -> Offer:
    with change(actor, Offer, offer_id, needs=Role.OWNER) as c:
        c.remove(c.row)
        c.record(Verb.OFFER_WITHDRAWN, c.board, _ended(c.row))
    return c.row


def decline_offer(*, actor: Actor, board_id: UUID) -> None:
    """Decline. Raises NotFound for everybody to whom the board is not offered."""
    with change(actor, Board, board_id, needs=Role.VIEWER) as c:
        c.record(Verb.OFFER_DECLINED, c.board, _ended(_end_own_offer(c)))


def accept_offer(*, actor: Actor, board_id: UUID) -> Offer:
    """Become the owner; the old owner becomes an editor, and their pending invitations and the public link end.

    Raises NotFound for everybody to whom the board is not offered, and LimitReached at the plan's caps of boards and of files.
    """
    with transaction.atomic():
        account = lock_account(actor.user.pk)
        with change(actor, Board, board_id, needs=Role.VIEWER) as c:
            offer = _end_own_offer(c)
            require_room_for_a_board(account)
            require_room_for_board_of(account, c.board)
            heir = member_of(c, account.pk)
            owner = Membership.objects.select_related("user").get(board=c.board, role=Role.OWNER)
            record = Member(
                member_id=(owner.user_id, heir.user_id),
                member=(owner.user.display_name, heir.user.display_name),
                role=(heir.role, Role.OWNER.value),
            )
            c.set(owner, role=Role.EDITOR)
            c.set(heir, role=Role.OWNER)
            end_invitations(c)
            end_link(c)
            c.record(Verb.OWNER_CHANGED, c.board, record)
    return offer


def _end_own_offer(c: Change[Board]) -> Offer:
    offer = end_offer(c, to=c.actor.user)
    if offer is None:
        raise not_found()
    return offer


def _ended(offer: Offer) -> Offered:
    return Offered(member_id=(offer.to_id, None), member=(offer.to.display_name, None))
