"""Reads what changed on a board since a version (web/changes.py), as one message for its pages."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.utils import translation

from boards.reader import PublicView
from boards.reading.public import is_current
from boards.statements import BoardState, read_state
from core.http.compact_json import dumps
from web.changes import changed_and_removed

CHANGES_AT_MOST = 5000  # rows of history to read for one message; with more, the page reloads its lists


@dataclass(frozen=True, slots=True)
class Update:
    """`text` is the message as JSON that brings a page to `version`, or "" if nothing changed."""

    version: int
    change: UUID | None  # the id of the change that has this version
    text: str
    members: frozenset[
        UUID
    ]  # the users who were members of the board when it was read, or the public link that showed it so


def changes_since(
    board_id: UUID, since: int, language: str, change: UUID | None, view: PublicView | None
) -> Update | None:
    """Return the update since version `since`, rendered in `language`; None when the board is gone.

    `change` is the id of the change that had the number `since` when the page was told it. If the history has another
    one there, it is that of a restored backup, and the page reloads. Without an id the number is believed.
    With a `view`, the update is for holders of that public link, and empty if the link is withdrawn or shows something else
    now: the link is read last, so that nothing is shown which it left out already when it was read.

    The statements do not share a snapshot. Rows of a change that commits in between may be included, and are sent again
    with the next update, which does no harm.
    """
    rows = read_state(board_id, since, change)
    if not rows:
        return None
    state = rows[0]
    with translation.override(language):
        message = _message(board_id, since, state, state.is_known or change is None, view)
    text = dumps(message) if message else ""
    if view is not None:
        return Update(state.version, state.last_change, text, frozenset([view.link] if is_current(view) else []))
    return Update(state.version, state.last_change, text, frozenset(row.member for row in rows))


def _message(
    board_id: UUID, since: int, state: BoardState, is_known: bool, view: PublicView | None
) -> dict[str, Any] | None:
    version = state.version
    message: dict[str, Any] = {"board": str(board_id), "version": version} if view is None else {"version": version}
    if state.last_change is not None:
        message["change"] = str(state.last_change)
    if since > version or not is_known:
        return message | {"reload": True, "restored": True}
    if since == version:
        return None
    found = changed_and_removed(board_id, since, state.cards, view) if version - since <= CHANGES_AT_MOST else None
    if found is None:
        return message | {"reload": True} | ({"restored": True} if view else {})
    message |= {"since": since, "changed": found.changed, "removed": found.removed}
    return message | ({"totals": found.totals} if found.totals else {})
