"""The context shared by all pages of a board."""

from boards.actions.lists.sorting import CardOrder
from boards.colours import palette
from boards.models import Board, Role


def board_context(board: Board, role: Role, here: str = "") -> dict[str, object]:
    """Return the context; `here` names the current tab. An archived board can be read, but not changed."""
    is_open = board.archived_at is None
    return {
        "board": board,
        "is_open": is_open,
        "role": role,
        "can_edit": role.can_edit and is_open,
        "can_own": role.can_own and is_open,
        "here": here,
        "orders": CardOrder,
        "hues": palette,
    }
