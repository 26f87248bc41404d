"""The user who reads, perhaps limited to some boards. Every read takes a Reader, as every write takes an Actor."""

from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID

from django.db.models import Q

if TYPE_CHECKING:
    from accounts.models import User


@dataclass(frozen=True, slots=True)
class Reader:
    """The methods of this class alone decide what a reader can see."""

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
