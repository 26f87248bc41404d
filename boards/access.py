"""Who may reach what. Rows are found through `visible_to(user)`; what a person may not see does not exist."""

from typing import TYPE_CHECKING
from uuid import UUID

from django.utils.translation import gettext as _

from boards.errors import DomainError, NotAllowed, NotFound
from boards.models import Board, Card, List, Membership, Role

if TYPE_CHECKING:
    from accounts.models import User


def not_found() -> NotFound:
    """The one sentence for what is not there and for what is not yours."""
    return NotFound(_("This does not exist, or you have no access to it. Check the address or id."))


def no_list_yet() -> NotFound:
    return NotFound(_("This board has no list yet. Add a list to it first."))


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
    memberships = Membership.objects.filter(user=user).select_related("board")
    found = memberships.filter(board_id=board_id).first() if board_id else None
    if found is None:
        raise not_found()
    return found.board, Role(found.role)


def visible_card(card_id: UUID | None, user: "User") -> tuple[Card, Role]:
    """The card, archived or not, with the user's role; NotFound for strangers and on an archived board."""
    cards = Card.objects.visible_to(user).filter(board__archived_at=None)
    card = cards.select_related("board", "list", "created_by").filter(pk=card_id).first() if card_id else None
    role = role_on(card.board_id, user) if card else None
    if card is None or role is None:
        raise not_found()
    return card, role


def why_no_card(*, list_id: UUID | None = None, board_id: UUID | None = None) -> DomainError:
    """Why creating a card there was refused to somebody: first *not there*, then *not yours*.

    The named exception: over REST alone, strangers learn that a list or board exists.
    """
    target = {"pk": list_id} if list_id else {"board": board_id}
    if List.objects.open().filter(board__archived_at=None, **target).exists():
        return NotAllowed(_("You are neither editor nor owner of this board. Ask its owner to make you an editor."))
    if list_id is None and board_id and Board.objects.open().filter(pk=board_id).exists():
        return no_list_yet()
    return NotFound(_("This list or board does not exist, or it is archived. Check listId and boardId."))
