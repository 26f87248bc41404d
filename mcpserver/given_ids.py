"""Arguments by which agents name a task, a list, a board or a comment."""

from typing import NamedTuple
from uuid import UUID

from boards.access import not_found


class GivenId(NamedTuple):
    """An id as it was sent, and as a UUID. The UUID is None for a string that is not the id of anything, such as a title.

    `number` is a task's number that was sent instead of an id, as in #5.
    """

    sent: str
    id: UUID | None
    number: int | None = None

    def required(self) -> UUID:
        """Return the UUID; raise NotFound where there is none."""
        if self.id is None:
            raise not_found()
        return self.id
