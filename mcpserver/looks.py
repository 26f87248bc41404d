"""Since when an agent wants to know what changed: its last look at each board, a moment, or a number of a change."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from uuid import UUID

from django.utils import timezone

from accounts.last_look import seen_by
from boards.errors import Invalid
from boards.reading.changes import BoardNow, versions_at
from mcpserver.caller import Caller

NEVER = timedelta(days=7)  # as far back as the first look goes
ONE_BOARD = "since can be the number of a change only with boardId, because each board counts its own. Or send a time."


def seen_versions(since: str | int | datetime, boards: Iterable[BoardNow], caller: Caller) -> dict[UUID, int]:
    """Return the number of the last change of each board that the agent does not want to read: at most two statements.

    A board at which it has never looked counts as seen a week ago.
    """
    wanted = list(boards)
    if isinstance(since, int):
        if len(wanted) != 1:
            raise Invalid(ONE_BOARD, "since")
        return {wanted[0].id: min(since, wanted[0].version)}
    if isinstance(since, datetime):
        return versions_at(wanted, since)
    seen = seen_by(caller.token)
    return {**versions_at([one for one in wanted if one.id not in seen], timezone.now() - NEVER), **seen}
