"""Reads what changed on a board since a version, and renders it as one message for its pages.

The message holds the present state of the changed things, not the changes one by one. So it is as long as what it
shows, however much happened in between, and applying it twice does no harm.
"""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.utils import translation

from boards.models import Activity, Board, Card, List, Verb
from boards.reading.pending import offer_of
from boards.statements import read_members, read_state
from core.compact_json import dumps
from web.fragments import render_board_head, render_list, render_members, render_offer, render_tile, tiles

AT_MOST = 500  # changed things in one message; with more, the page reloads its lists
CHANGES_AT_MOST = 5000  # rows of history to read for one message; with more, the page reloads its lists

Thing = dict[str, str]


@dataclass(frozen=True, slots=True)
class Update:
    """`text` is the message as JSON that brings a page to `version`, or "" if nothing changed."""

    version: int
    change: UUID | None  # the id of the change that has this version
    text: str
    members: frozenset[UUID]  # ids of the users who were members of the board when it was read


def changes_since(board_id: UUID, since: int, language: str, change: UUID | None = None) -> Update | None:
    """Return the update since version `since`, rendered in `language`; None when the board is gone.

    `change` is the id of the change that had the number `since` when the page was told it. If the history has another
    one there, it is that of a restored backup, and the page reloads. Without an id the number is believed.

    The statements do not share a snapshot. Rows of a change that commits in between may be included, and are sent again
    with the next update, which does no harm.
    """
    rows = read_state(board_id, since, change)
    if not rows:
        return None
    version, last_change, is_known, _member = rows[0]
    with translation.override(language):
        message = _message(board_id, since, version, last_change, is_known or change is None)
    text = dumps(message) if message else ""
    return Update(version, last_change, text, frozenset(member for *_board, member in rows))


def _message(
    board_id: UUID, since: int, version: int, last_change: UUID | None, is_known: bool
) -> dict[str, Any] | None:
    message: dict[str, Any] = {"board": str(board_id), "version": version}
    if last_change is not None:
        message["change"] = str(last_change)
    if since > version or not is_known:
        return message | {"reload": True, "restored": True}
    if since == version:
        return None
    found = _changed_and_removed(board_id, since) if version - since <= CHANGES_AT_MOST else None
    if found is None:
        return message | {"reload": True}
    changed, removed = found
    return message | {"since": since, "changed": changed, "removed": removed}


def _changed_and_removed(board_id: UUID, since: int) -> tuple[list[Thing], list[Thing]] | None:
    """Return what to show and what to remove from the page, or None when that is more than AT_MOST things."""
    cards = Card.objects.filter(board_id=board_id, version__gt=since)
    card_ids = list(cards.values_list("pk", flat=True)[: AT_MOST + 1])
    lists = list(List.objects.filter(board_id=board_id, version__gt=since).order_by("position")[: AT_MOST + 1])
    verbs, gone = _history(board_id, since)
    if len(card_ids) + len(lists) + len(gone) > AT_MOST:
        return None
    changed = [
        *_head(board_id, verbs),
        *(_thing("list", row.pk, render_list(row, [])) for row in lists if row.archived_at is None),
        *(_thing("card", card.pk, render_tile(card)) for card in (tiles(cards) if card_ids else ())),
    ]
    shown = {(thing["kind"], thing["id"]) for thing in changed}
    hidden = [
        *(_thing("list", row.pk) for row in lists if row.archived_at is not None),
        *(_thing("card", pk) for pk in card_ids),
        *gone,
    ]
    return changed, [thing for thing in hidden if (thing["kind"], thing["id"]) not in shown]


def _history(board_id: UUID, since: int) -> tuple[set[str], list[Thing]]:
    """Return the verbs of the changes since then, and the things that were deleted or moved to another board."""
    changes = (
        Activity.objects.filter(board_id=board_id, version__gt=since).order_by("version").values_list("verb", "removed")
    )
    verbs: set[str] = set()
    gone: list[Thing] = []
    for verb, removed in changes:
        verbs.add(verb)
        gone += removed or []
    return verbs, gone


def _head(board_id: UUID, verbs: set[str]) -> list[Thing]:
    """Return the board's head, its members and its offer, each only if one of these verbs is about it.

    The rows themselves cannot tell: a board's version moves with every change, and a removed member leaves no row.
    """
    things = []
    if any(verb.startswith("board.") for verb in verbs):
        things.append(_thing("board", board_id, render_board_head(Board.objects.get(pk=board_id))))
    if any(verb.startswith(("member.", "owner.")) or verb == Verb.BOARD_CREATED for verb in verbs):
        things.append(_thing("members", board_id, render_members(read_members(board_id))))
    # The bar of an offer names the board.
    is_about_offer = Verb.BOARD_CHANGED in verbs or any(verb.startswith("offer.") for verb in verbs)
    if is_about_offer and (offer := offer_of(board_id)):
        things.append(_thing("offer", offer.pk, render_offer(offer)))
    return things


def _thing(kind: str, pk: UUID, html: str | None = None) -> Thing:
    return {"kind": kind, "id": str(pk)} | ({} if html is None else {"html": html})
