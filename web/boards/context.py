"""What every page of one board needs to know."""

from boards.models import Board, Role


def board_context(board: Board, role: Role, here: str = "") -> dict[str, object]:
    """`here` names the page in the row of tabs. What is archived can be read, not changed."""
    is_open = board.archived_at is None
    return {
        "board": board,
        "role": role,
        "can_edit": role.can_edit and is_open,
        "can_own": role.can_own and is_open,
        "here": here,
    }
