"""The user who reads, perhaps limited to some boards. Every read takes a Reader, as every write takes an Actor."""

from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID

from django.db.models import Q

if TYPE_CHECKING:
    from accounts.models import User


@dataclass(frozen=True, slots=True)
class PublicView:
    """The settings of a public link that decide what its holders see."""

    link: UUID
    board: UUID
    comments: bool
    names: bool
    password: str  # as the link keeps it: who knew the one before sees nothing more


MEMBERS: PublicView | None = None  # as the `view` of what every member of a board sees


@dataclass(frozen=True, slots=True)
class Reader:
    """The methods of this class alone decide what a reader can see.

    A reader with a `view` holds the public link of a board. Its `user` is anonymous and has no membership, so only
    boards/reading/public.py shows it anything.
    """

    user: "User"
    boards: frozenset[UUID] | None = None  # only these of the user's boards; None: all of them
    view: PublicView | None = MEMBERS

    def membership(self, path: str = "") -> Q:
        """Return the condition that selects this reader's memberships, at `path`, such as "board__memberships__"."""
        if self.view is not None:
            return Q((f"{path}pk__in", []))
        found = Q((f"{path}user", self.user.pk))
        return found if self.boards is None else found & Q((f"{path}board__in", self.boards))

    def membership_sql(self, table: str) -> tuple[str, list[UUID]]:
        """Return the same condition as SQL on the columns of `table`, with its parameters."""
        if self.view is not None:
            return "1 = 0", []
        if self.boards is None:
            return f"{table}.user_id = %s", [self.user.pk]
        ids = ", ".join(["%s"] * len(self.boards)) or "NULL"
        return f"{table}.user_id = %s AND {table}.board_id IN ({ids})", [self.user.pk, *self.boards]

    def is_among(self, members: frozenset[UUID], board_id: UUID) -> bool:
        """Tell whether this reader can see a board, without a query.

        `members` are the ids of the board's members, or of its public link.
        """
        if self.view is not None:
            return self.view.link in members and self.view.board == board_id
        return self.user.pk in members and (self.boards is None or board_id in self.boards)
