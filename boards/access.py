"""Who may reach what. Rows are found through `visible_to(user)`; what a person may not see does not exist."""

from typing import TYPE_CHECKING
from uuid import UUID

from django.utils.translation import gettext as _

from boards.errors import NotAllowed, NotFound
from boards.models import Board, Card, List, Membership, Role

if TYPE_CHECKING:
    from accounts.models import User


def not_found() -> NotFound:
    """The one sentence for what is not there and for what is not yours."""
    return NotFound(_("This does not exist, or you have no access to it. Check the address or id."))


def role_on(board_id: UUID, user: "User") -> Role | None:
    found = Membership.objects.filter(board_id=board_id, user=user).values_list("role", flat=True).first()
    return Role(found) if found else None


def require(role: Role, needed: Role) -> None:
    """Raises NotAllowed, in words, when `role` does not reach to `needed`."""
    if needed is Role.EDITOR and not role.can_edit:
        raise NotAllowed(_("You can view this board but not change it. Ask its owner to make you an editor."))
    if needed is Role.OWNER and not role.can_own:
        raise NotAllowed(_("Only the owner of this board can do this."))


def visible_board(board_id: UUID | None, user: "User") -> tuple[Board, Role]:
    """The board, archived or not, with the user's role on it; NotFound for strangers."""
    found = Membership.objects.filter(board_id=board_id, user=user).select_related("board").first()
    if found is None:
        raise not_found()
    return found.board, Role(found.role)


def visible_card(card_id: UUID | None, user: "User") -> tuple[Card, Role]:
    card = Card.objects.visible_to(user).select_related("board", "list", "created_by").filter(pk=card_id).first()
    role = role_on(card.board_id, user) if card else None
    if card is None or role is None:
        raise not_found()
    return card, role


def belongs_to_others(user: "User", *, list_id: UUID | None = None, board_id: UUID | None = None) -> bool:
    """The named exception: whether an open list, or else board, exists that this user is no member of.

    Only creating a card over REST and the live socket tell *not there* from *not yours* (contract parts 3 and 8).
    """
    if list_id is not None:
        found = List.objects.filter(pk=list_id, archived_at=None)
        boards = Board.objects.open().filter(pk__in=found.values("board_id"))
    else:
        boards = Board.objects.open().filter(pk=board_id)
    return boards.exclude(memberships__user=user).exists()
