"""What changed on a board since a version, as one message for its pages: read and rendered here, sent by the consumer."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.utils import translation

from boards.models import Activity, Board, Card, List, Membership, Verb
from core.compact_json import dumps
from web.fragments import render_board_head, render_list, render_members, render_tile, tiles

AT_MOST = 500  # changed things; more than that and the page reads itself anew
CHANGES_AT_MOST = 5000  # to look through for them

Thing = dict[str, str]


@dataclass(frozen=True, slots=True)
class Update:
    """`text` brings a page that is at the asked version to `version`; it is "" when there is nothing to tell."""

    version: int
    text: str
    members: frozenset[UUID]  # ids of the users who were members of the board when it was read


def changes_since(board_id: UUID, since: int, language: str) -> Update | None:
    """None when the board is gone. Rows of a change that commits meanwhile may come along; they come again, harmlessly."""
    rows = list(Board.objects.open().filter(pk=board_id).values_list("version", "memberships__user_id"))
    if not rows:
        return None
    version = rows[0][0]
    with translation.override(language):
        message = _message(board_id, since, version)
    text = dumps(message) if message else ""
    return Update(version, text, frozenset(reader for _version, reader in rows))


def _message(board_id: UUID, since: int, version: int) -> dict[str, Any] | None:
    if since == version:
        return None
    message = {"board": str(board_id), "version": version}
    # A page ahead of its board: the database was put back to an older state.
    found = _changed_and_removed(board_id, since) if 0 < version - since <= CHANGES_AT_MOST else None
    if found is None:
        return message | {"reload": True}
    changed, removed = found
    return message | {"since": since, "changed": changed, "removed": removed}


def _changed_and_removed(board_id: UUID, since: int) -> tuple[list[Thing], list[Thing]] | None:
    """None when there is more than a message should carry."""
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
    """What was done since, and what is gone for good, or has left for another board."""
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
    """The board's own row and its members, where this history touched them."""
    things = []
    if any(verb.startswith("board.") for verb in verbs):
        things.append(_thing("board", board_id, render_board_head(Board.objects.get(pk=board_id))))
    if any(verb.startswith(("member.", "owner.")) or verb == Verb.BOARD_CREATED for verb in verbs):
        members = Membership.objects.filter(board_id=board_id).select_related("user").order_by("created_at", "id")
        things.append(_thing("members", board_id, render_members(list(members))))
    return things


def _thing(kind: str, pk: UUID, html: str | None = None) -> Thing:
    return {"kind": kind, "id": str(pk)} | ({} if html is None else {"html": html})
