"""Live pages of one person look again whether they may stay; accounts knows nothing of what they show."""

from uuid import UUID

from channels.layers import get_channel_layer
from django.db import transaction


def look_again(user_id: UUID) -> None:
    """Call whenever a session of theirs may have ended. Said after commit, so that who looks sees the new state."""
    message = {"type": "access.check"}
    transaction.on_commit(lambda: get_channel_layer().publish(f"user.{user_id}", message))
