"""The hint after a commit: it names a board and its new version. Whoever hears it reads what changed (web/live/)."""

from uuid import UUID

from core.bus import bus


def board_group(board_id: UUID) -> str:
    return f"board.{board_id}"


def hint(board_id: UUID, version: int) -> None:
    bus.publish(board_group(board_id), {"type": "board.changed", "version": version})
