"""Arguments by which agents name a task, a list, a board or a comment."""

import re
from typing import NamedTuple
from uuid import UUID

from boards.access import not_found
from core.ids import FORM, parse_id

BOARD_ADDRESS = re.compile(rf"(?=/|https?://)\S*?/board/({FORM})(?![0-9a-f-])\S*")


class GivenId(NamedTuple):
    """An id as it was sent, and as a UUID. The UUID is None for a string that is not the id of anything, such as a title.

    `number` is a task's number that was sent instead of an id, as in #5. `board_id` is the board on which alone the title of
    a list was looked for.
    """

    sent: str
    id: UUID | None
    number: int | None = None
    board_id: UUID | None = None

    def required(self) -> UUID:
        """Return the UUID; raise NotFound where there is none."""
        if self.id is None:
            raise not_found()
        return self.id


def board_id_in(sent: str) -> UUID | None:
    """Return the id of a board that was sent alone or in the board's address; None for anything else, such as a title."""
    address = BOARD_ADDRESS.fullmatch(sent.strip())
    return parse_id(address[1] if address else sent)
