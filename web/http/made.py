"""The changes that a request makes, as the pages name them to take them back: `<board>:<number>` each, and
`<board>:<first>-<last>` for several in a row, with spaces between.
"""

import re
from collections.abc import Iterable
from uuid import UUID

from django.http import HttpRequest
from django.utils.translation import gettext as _

from boards.actions.undo import can_be_undone
from boards.actor import Actor
from boards.errors import Invalid
from core.http.requests import SignedInRequest
from core.ids import parse_id

AT_MOST = 200  # changes in one form
FORM = re.compile(r"(?:(?P<board>[0-9a-f-]{36}):)?(?P<first>[1-9][0-9]{0,17})(?:-(?P<last>[1-9][0-9]{0,17}))?")


def actor(request: SignedInRequest) -> Actor:
    """Return the actor of this request, the same for all of its changes."""
    found: Actor = vars(request).setdefault("_actor", Actor(request.user))
    return found


def changes_made(request: HttpRequest) -> str:
    """Name the changes of this request that can be taken back; "" if there are none."""
    made: Actor | None = vars(request).get("_actor")
    runs: list[list[tuple[UUID, int]]] = []
    for board_id, number, verb in made.changes if made else ():
        if not can_be_undone(verb):
            continue
        if runs and runs[-1][-1] == (board_id, number - 1):
            runs[-1].append((board_id, number))
        else:
            runs.append([(board_id, number)])
    return " ".join(map(_run, runs))


def _run(changes: list[tuple[UUID, int]]) -> str:
    (board_id, first), (_board, last) = changes[0], changes[-1]
    return f"{board_id}:{first}" if first == last else f"{board_id}:{first}-{last}"


def number_of_changes(names: Iterable[str]) -> int:
    """Return how many changes a form names, at most `AT_MOST`. Anything else counts as one."""
    total = 0
    for parts in map(FORM.fullmatch, " ".join(names).split()):
        total += max(1, int(parts["last"] or parts["first"]) - int(parts["first"]) + 1) if parts else 1
    return min(total, AT_MOST)


def named_changes(request: SignedInRequest, board_id: UUID) -> list[tuple[UUID, int]]:
    """Return the changes that the form names, the newest first. Those without a board are of this one."""
    sent = [one for value in request.POST.getlist("change") for one in value.split()]
    found: dict[tuple[UUID, int], None] = {}
    for one in sent:
        found |= dict.fromkeys(_changes(one, board_id))
        if len(found) > AT_MOST:
            raise Invalid(_("At most %(most)s changes can be undone at once.") % {"most": AT_MOST}, "change")
    if not found:
        raise Invalid(_("Name the changes to undo."), "change")
    return list(found)[::-1]


def _changes(name: str, board_id: UUID) -> Iterable[tuple[UUID, int]]:
    parts = FORM.fullmatch(name)
    board = parse_id(parts["board"]) if parts and parts["board"] else board_id
    if parts is None or board is None:
        raise Invalid(_("A change to undo is named by its number."), "change")
    first = int(parts["first"])
    last = int(parts["last"] or first)
    return [(board, number) for number in range(first, min(last, first + AT_MOST) + 1)]
