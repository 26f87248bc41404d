"""Groups of the OpenID provider decide about boards when somebody signs in there."""

from collections.abc import Collection
from typing import Any

from django.http import HttpRequest

from accounts.models import User
from boards.actions.people.groups import follow_groups
from security.events import log_event
from security.models import EventKind


def follow(request: HttpRequest, user: User, groups: Collection[str]) -> None:
    found = follow_groups(user, groups)
    if found.done:
        counts: dict[str, Any] = dict(found.done)
        log_event(EventKind.GROUPS_APPLIED, request, user=user, boards=found.done.total(), **counts)
    for board_id, why in found.refused.items():
        log_event(EventKind.GROUPS_APPLIED, request, user=user, board=str(board_id), refused=why)
