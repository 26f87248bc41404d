from typing import NamedTuple
from uuid import UUID


class Cursor(NamedTuple):
    """The state of a board on a page: the number of the last change, and the id of that change, if the page told it.

    The number alone does not say enough: in a restored backup the same numbers are given to other changes
    (docs/decisions/live.md).
    """

    version: int
    change: UUID | None = None

    def is_at(self, other: "Cursor") -> bool:
        """Return whether both are the same change. One whose id is unknown is told by its number."""
        return self.version == other.version and (self.change == other.change or None in (self.change, other.change))
