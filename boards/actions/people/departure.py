"""Take a deleted account off its boards: delete the boards that it owned, and leave others.

The rows of accounts are locked before those of boards, and boards in the order of their ids, as everywhere.
"""

from collections.abc import Collection
from typing import TYPE_CHECKING, NamedTuple
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from boards.actions.boards.board import delete_board
from boards.actions.change import change
from boards.actions.people.members import take_out
from boards.actor import Actor
from boards.errors import NotAllowed
from boards.models import Board, Membership, OwnerActivity, Role, Verb
from boards.statements import lock_boards
from core.text.lists import join_items, join_with_and

if TYPE_CHECKING:
    from accounts.models import User

AT_ONCE = 100  # boards of others that are left in the transaction that deletes the account; a task leaves the rest
NAMED = 5  # boards that a refusal names


class GivenUp(NamedTuple):
    deleted: int
    left: int


def give_up_boards(user: "User", *, deleting: Collection[UUID]) -> GivenUp:
    """Delete the boards that the user owns and leave those of others. Call it under the lock of the account.

    Raises NotAllowed, and changes nothing, while the user owns a board with other members that is not in `deleting`:
    its members are to get it, or the owner has said that it goes.
    """
    mine = Membership.objects.filter(user=user)
    owned = list(mine.filter(role=Role.OWNER).values_list("board_id", flat=True))
    others = list(mine.exclude(role=Role.OWNER).order_by("board_id").values_list("board_id", flat=True)[:AT_ONCE])
    boards = lock_boards([*owned, *others])
    roles = dict(mine.filter(board__in=boards).values_list("board_id", "role"))  # as they are under the locks
    owned = sorted(pk for pk, role in roles.items() if role == Role.OWNER)
    _require_decided([boards[pk] for pk in owned], user, deleting)
    actor = Actor(user)
    for pk in owned:
        delete_board(actor=actor, board_id=pk, in_pieces=True)
    left = sorted(roles.keys() - set(owned))
    for pk in left:
        _leave(actor, pk)
    OwnerActivity.objects.filter(owner=user).delete()
    return GivenUp(len(owned), len(left))


def leave_remaining_boards(user: "User") -> None:
    """Leave the boards beyond the first AT_ONCE, each in a transaction of its own."""
    while board_id := Membership.objects.filter(user=user).values_list("board_id", flat=True).first():
        with transaction.atomic():
            _leave(Actor(user), board_id)


def _require_decided(owned: list[Board], user: "User", deleting: Collection[UUID]) -> None:
    shared = set(Membership.objects.filter(board__in=owned).exclude(user=user).values_list("board_id", flat=True))
    undecided = [board for board in owned if board.pk in shared and board.pk not in deleting]
    if undecided:
        names = [_("“%(title)s”") % {"title": board.title} for board in undecided[:NAMED]]
        text = ngettext(
            "%(names)s has other members. Transfer the board to one of them, or choose to delete it.",
            "%(names)s have other members. Transfer each board to one of them, or choose to delete it.",
            len(undecided),
        )
        raise NotAllowed(
            text % {"names": join_with_and(names) if len(undecided) <= NAMED else f"{join_items(names)} …"}
        )


def _leave(actor: Actor, board_id: UUID) -> None:
    with change(actor, Board, board_id, needs=Role.VIEWER, archived_board=True) as c:
        take_out(c, Membership.objects.select_related("user").get(board=c.board, user=actor.user), Verb.MEMBER_LEFT)
