"""The hint that is published after a commit: a board and its new version, without what changed.

Subscribers read that themselves (web/live/), so a hint may be lost, repeated or late (docs/decisions/live.md).
"""

from uuid import UUID

from core.bus import bus


def board_group(board_id: UUID) -> str:
    return f"board.{board_id}"


def hint(board_id: UUID, version: int) -> None:
    bus.publish(board_group(board_id), {"type": "board.changed", "version": version})
