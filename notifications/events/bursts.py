"""Group the changes that one person, or one token, made on a board within ten minutes."""

from datetime import timedelta
from uuid import UUID

from boards.models import Activity
from notifications.models import Burst

LENGTH = timedelta(minutes=10)


def bursts_of(board_id: UUID, changes: list[Activity]) -> dict[int, int]:
    """Return by the version of each change the first version of its burst. Two statements."""
    authors = {change.token_id or change.user_id for change in changes}
    now = {burst.by_id: burst for burst in Burst.objects.filter(board_id=board_id, by_id__in=authors)}
    new, found = {}, {}
    for change in changes:
        by_id = change.token_id or change.user_id
        burst = now.get(by_id)
        # A burst in the future began while the machine's clock was wrong.
        if burst is None or abs(change.created_at - burst.began_at) >= LENGTH:
            burst = now[by_id] = new[by_id] = Burst(
                board_id=board_id, by_id=by_id, version=change.version, began_at=change.created_at
            )
        found[change.version] = burst.version
    if new:
        Burst.objects.bulk_create(
            new.values(),
            update_conflicts=True,
            unique_fields=["board_id", "by_id"],
            update_fields=["version", "began_at"],
        )
    return found
