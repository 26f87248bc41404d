"""Reading boards for every door."""

from typing import TYPE_CHECKING

from django.db.models import Prefetch

from boards.models import Board, List

if TYPE_CHECKING:
    from accounts.models import User


def boards_with_lists(user: "User") -> list[tuple[Board, list[List]]]:
    """Every open board that the user can access, oldest first, with its open lists in display order: two statements."""
    boards = Board.objects.visible_to(user).open().order_by("created_at", "id")
    found = boards.prefetch_related(Prefetch("lists", List.objects.open().order_by("position"), to_attr="open_lists"))
    return [(board, board.open_lists) for board in found]  # type: ignore[attr-defined]
