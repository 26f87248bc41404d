"""Changes by a user who is not a member of the board yet: the first one of a new board, and joining one."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

from django.contrib.auth import get_user_model
from django.db import transaction

from boards.access import not_found, require_all_boards, require_rights
from boards.actions.change import Change
from boards.actor import Actor
from boards.models import Activity, Board, InvitationLink, Membership, Role, Verb
from boards.models.records import Joined
from boards.statements import lock_board
from core.bus.access_check import check_access

if TYPE_CHECKING:
    from accounts.models import User


@contextmanager
def first_change(actor: Actor, board: Board) -> Iterator[Change[Board]]:
    """Insert a new board with the actor as its owner, and open its change number 1.

    Raises NotAllowed for tokens that may not write, or are limited to some boards.
    """
    require_all_boards(actor)
    with transaction.atomic():
        board.save(force_insert=True)
        opened = Change(actor, board, Role.OWNER, board)
        opened.add(Membership(user=actor.user, role=Role.OWNER))
        check_access(actor.user.pk)
        yield opened
        opened.finish()


@contextmanager
def joining_change(actor: Actor, board_id: UUID) -> Iterator[Change[Board]]:
    """Open a change by a user who is not a member yet and joins by it. The caller checks that they are invited.

    Raises NotFound when the board does not exist, is archived or is not among those of the actor's token, and when the actor's account was deleted meanwhile:
    the account is locked, so that none that is deleted at this moment becomes a member.
    """
    with transaction.atomic():
        accounts = get_user_model().objects.select_for_update(no_key=True)
        if not accounts.filter(pk=actor.user.pk, is_active=True).values_list("pk", flat=True).first():
            raise not_found()
        board = lock_board(board_id)
        if board is None or not actor.reaches(board_id) or board.archived_at is not None:
            raise not_found()
        require_rights(actor)
        opened = Change(actor, board, Role.VIEWER, board)
        yield opened
        opened.finish()


def join_board(c: Change[Board], role: str, *, inviter: "User", link: InvitationLink | None = None) -> None:
    """Make the actor a member, in a change that `joining_change` opened. The caller knows that they are none yet."""
    record = joined(c.actor.user, role)
    record |= {"inviter_id": (None, inviter.pk), "inviter": (None, inviter.display_name)}
    if link:
        record |= {"link_id": (None, link.pk), "link": (None, str(link))}
    add_member(c, c.actor.user, role, record)


def was_removed_since(user: "User", board_id: UUID, invited_at: datetime) -> bool:
    """Tell whether this person was removed after they were invited: what invites them may still be in their hands."""
    removals = Activity.objects.filter(board=board_id, verb=Verb.MEMBER_REMOVED, created_at__gte=invited_at)
    return removals.filter(data__member_id__0=str(user.pk)).exists()


def joined(user: "User", role: str) -> Joined:
    """Return the record of a new member, to which the caller adds by what they became one."""
    return Joined(member_id=(None, user.pk), member=(None, user.display_name), role=(None, role))


def add_member(c: Change[Board], user: "User", role: str, record: Joined) -> Membership:
    member = Membership(user=user, role=role)
    c.add(member)
    c.record(Verb.MEMBER_ADDED, c.board, record)
    check_access(user.pk)
    return member
