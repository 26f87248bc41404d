"""Who reads, and what narrows it: every read takes a Reader, as every write takes an Actor."""

from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID

from django.db.models import Q

if TYPE_CHECKING:
    from accounts.models import User


@dataclass(frozen=True, slots=True)
class Reader:
    """What a reader can see is decided by the methods of this class and nowhere else."""

    user: "User"
    boards: frozenset[UUID] | None = None  # only these of the user's boards; None: all of them

    def membership(self, path: str = "") -> Q:
        """Return the condition that selects this reader's memberships; `path` leads to them, as in "board__memberships__"."""
        found = Q((f"{path}user", self.user.pk))
        return found if self.boards is None else found & Q((f"{path}board__in", self.boards))

    def membership_sql(self, table: str) -> tuple[str, list[UUID]]:
        """Return the same as SQL on the columns of `table`, with its parameters."""
        if self.boards is None:
            return f"{table}.user_id = %s", [self.user.pk]
        ids = ", ".join(["%s"] * len(self.boards)) or "NULL"
        return f"{table}.user_id = %s AND {table}.board_id IN ({ids})", [self.user.pk, *self.boards]

    def is_among(self, members: frozenset[UUID], board_id: UUID) -> bool:
        """Return whether this reader sees a board whose members were read before; `members` are ids of users."""
        return self.user.pk in members and (self.boards is None or board_id in self.boards)
