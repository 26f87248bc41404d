"""Reading boards for every door."""

from typing import TYPE_CHECKING, NamedTuple
from uuid import UUID

from boards.statements import read_boards_and_lists

if TYPE_CHECKING:
    from accounts.models import User


class ListEntry(NamedTuple):
    id: UUID
    title: str


class BoardEntry(NamedTuple):
    id: UUID
    title: str
    lists: list[ListEntry]


def boards_with_lists(user: "User") -> list[BoardEntry]:
    """Every open board that the user can access, oldest first, with its open lists in display order: one statement."""
    entries: dict[UUID, BoardEntry] = {}
    for board_id, title, list_id, list_title in read_boards_and_lists(user.pk):
        entry = entries.setdefault(board_id, BoardEntry(board_id, title, []))
        if list_id is not None:
            entry.lists.append(ListEntry(list_id, list_title))
    return list(entries.values())
