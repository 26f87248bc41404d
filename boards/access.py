"""Permission checks: who can read what, and which role a change needs.

A row that a reader cannot see is answered like one that does not exist, so that nobody can find out which ids exist.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.db.models import Q
from django.utils.translation import gettext as _

from boards.errors import DomainError, NotAllowed, NotFound
from boards.models import Board, List, Membership, Role

if TYPE_CHECKING:
    from accounts.models import User


@dataclass(frozen=True, slots=True)
class Reader:
    """The user who reads, perhaps limited to some boards. Every read takes a Reader, as every write takes an Actor.

    The methods of this class alone decide what a reader can see.
    """

    user: "User"
    boards: frozenset[UUID] | None = None  # only these of the user's boards; None: all of them

    def membership(self, path: str = "") -> Q:
        """Return the condition that selects this reader's memberships, at `path`, such as "board__memberships__"."""
        found = Q((f"{path}user", self.user.pk))
        return found if self.boards is None else found & Q((f"{path}board__in", self.boards))

    def membership_sql(self, table: str) -> tuple[str, list[UUID]]:
        """Return the same condition as SQL on the columns of `table`, with its parameters."""
        if self.boards is None:
            return f"{table}.user_id = %s", [self.user.pk]
        ids = ", ".join(["%s"] * len(self.boards)) or "NULL"
        return f"{table}.user_id = %s AND {table}.board_id IN ({ids})", [self.user.pk, *self.boards]

    def is_among(self, members: frozenset[UUID], board_id: UUID) -> bool:
        """Tell whether this reader can see a board, without a query. `members` are the ids of the board's members."""
        return self.user.pk in members and (self.boards is None or board_id in self.boards)


def not_found() -> NotFound:
    """Return the error for a row that does not exist and for one that the reader cannot see: the same for both."""
    return NotFound(_("This does not exist, or you don't have access to it. Check the address or id."))


def no_list_yet() -> NotFound:
    return NotFound(_("This board has no lists yet. Add a list first."))


def role_on(board_id: UUID, reader: Reader) -> Role | None:
    memberships = Membership.objects.filter(reader.membership(), board_id=board_id)
    found = memberships.values_list("role", flat=True).first()
    return Role(found) if found else None


def require(role: Role, needed: Role) -> None:
    """Raise NotAllowed when `role` is below `needed`."""
    if needed is Role.EDITOR and not role.can_edit:
        raise NotAllowed(_("You can view this board but not change it. Ask its owner to make you an editor."))
    if needed is Role.OWNER and not role.can_own:
        raise NotAllowed(_("Only the owner of this board can do this."))


def why_no_card(*, list_id: UUID | None = None, board_id: UUID | None = None) -> DomainError:
    """Return the error for a card that could not be created there: NotAllowed if the list or board exists, else
    NotFound.

    This is the one exception to the rule above: over REST, and only here, other users learn that a list or board
    exists.
    """
    target: dict[str, Any] = {"pk": list_id} if list_id else {"board": board_id}
    if List.objects.open().filter(board__archived_at=None, **target).exists():
        return NotAllowed(_("You must be an editor or the owner of this board. Ask its owner to make you an editor."))
    if list_id is None and board_id and Board.objects.open().filter(pk=board_id).exists():
        return no_list_yet()
    return NotFound(_("This list or board does not exist, or it is archived. Check listId and boardId."))
