"""Tell a user's open pages that the notifications have changed. A page then asks for its count."""

from collections.abc import Iterable
from uuid import UUID

from django.db import transaction

from core.bus import bus

RING = {"type": "bell"}


def bell_group(user_id: UUID) -> str:
    return f"bell.{user_id}"


def ring(users: Iterable[UUID]) -> None:
    """Publish after the commit. A lost message is harmless: the next one, and each new page, brings the count too."""
    people = set(users)

    def publish() -> None:
        for user_id in people:
            bus.publish(bell_group(user_id), RING)

    if people:
        transaction.on_commit(publish, robust=True)
