"""The push: a tiny hint after commit. What changed is read by whoever hears it (boards/live/)."""

from uuid import UUID

from channels.layers import get_channel_layer


def board_group(board_id: UUID) -> str:
    return f"board.{board_id}"


def user_group(user_id: UUID) -> str:
    """accounts sends `access.check` here when somebody signs out, changes password or is deactivated."""
    return f"user.{user_id}"


def hint(board_id: UUID, version: int) -> None:
    get_channel_layer().publish(board_group(board_id), {"type": "board.changed", "version": version})


def check_access(user_id: UUID) -> None:
    """Make every socket of this person look again whether it may stay."""
    get_channel_layer().publish(user_group(user_id), {"type": "access.check"})
