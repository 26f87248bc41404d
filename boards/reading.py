"""Reading boards for every door."""

from typing import TYPE_CHECKING, NamedTuple
from uuid import UUID

from boards.models import Board, List

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
    """Every open board that the user can access, oldest first, with its open lists in display order: two statements."""
    boards = Board.objects.visible_to(user).open().order_by("created_at", "id").values_list("id", "title")
    entries = {pk: BoardEntry(pk, title, []) for pk, title in boards}
    lists = List.objects.visible_to(user).open().order_by("position").values_list("board_id", "id", "title")
    for board_id, pk, title in lists:
        if board_id in entries:  # not the lists of archived boards
            entries[board_id].lists.append(ListEntry(pk, title))
    return list(entries.values())
