"""Tell all live pages of a user to check their access again.

accounts calls this when a session ends, and boards when a membership changes or a board is archived or deleted. web/live
subscribes each socket to its user's group. This way accounts and boards need not import each other, nor know what a
live page is.
"""

from uuid import UUID

from django.db import transaction

from core.bus import bus

ACCESS_CHECK = {"type": "access.check"}


def user_group(user_id: UUID) -> str:
    return f"user.{user_id}"


def check_access(user_id: UUID) -> None:
    """Publish the request for an access check after commit, so that the sockets see the new state."""
    transaction.on_commit(lambda: bus.publish(user_group(user_id), ACCESS_CHECK), robust=True)
