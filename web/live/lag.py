"""Counts the updates that pages are sent, and how late they come."""

import time
from uuid import UUID

from core.measures import UPDATE_LAG, UPDATES, Measure


def count_update(change: UUID | None, *, opened_at: float) -> None:
    """Count an update whose newest change has this id, for a page whose socket was opened at this time.

    Only a change that was made since tells how late pages are told: an older one is what the page missed before. The id of a
    change (UUIDv7) begins with the milliseconds at which it was made.
    """
    if Measure.recorder is None or change is None:
        return
    UPDATES.add()
    made_at = (change.int >> 80) / 1000
    if made_at >= opened_at:
        UPDATE_LAG.observe(max(0.0, time.time() - made_at))
