"""What changed on a board since a version, as one message for its pages: read and rendered here, sent by the consumer."""

import json
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.utils import timezone, translation

from boards.fragments import render_board_head, render_list, render_members, render_tile, tiles
from boards.models import Activity, Board, Card, List, Membership

AT_MOST = 500  # changed things; more than that and the page reads itself anew

Thing = dict[str, str]


@dataclass(frozen=True, slots=True)
class Update:
    """`text` brings a page that is at the asked version to `version`; it is "" when there is nothing to tell."""

    version: int
    text: str


def changes_since(board_id: UUID, since: int, language: str) -> Update | None:
    """None when the board is gone. Rows of a change that commits meanwhile may come along; they come again, harmlessly."""
    version = Board.objects.filter(pk=board_id).values_list("version", flat=True).first()
    if version is None:
        return None
    if version == since:
        return Update(version, "")
    message: dict[str, Any] = {"board": str(board_id), "version": version}
    with translation.override(language), timezone.override(None):
        found = None if since > version else _changed_and_removed(board_id, since)
    if found is None:
        return Update(version, _text(message | {"reload": True}))
    changed, removed = found
    return Update(version, _text(message | {"since": since, "changed": changed, "removed": removed}))


def _text(message: dict[str, Any]) -> str:
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"))


def _changed_and_removed(board_id: UUID, since: int) -> tuple[list[Thing], list[Thing]] | None:
    """None when there is more than a message should carry."""
    cards = Card.objects.filter(board_id=board_id, version__gt=since)
    if cards.count() > AT_MOST:
        return None
    history = list(
        Activity.objects.filter(board_id=board_id, version__gt=since)
        .order_by("version")
        .values_list("verb", "removed")
    )
    lists = List.objects.filter(board_id=board_id, version__gt=since).order_by("position")
    changed = [
        *_head(board_id, {verb for verb, _removed in history}),
        *(_thing("list", row.pk, render_list(row, [])) for row in lists if row.archived_at is None),
        *(_thing("card", card.pk, render_tile(card)) for card in tiles(cards)),
    ]
    shown = {(thing["kind"], thing["id"]) for thing in changed}
    removed = [
        *(_thing("list", row.pk) for row in lists if row.archived_at is not None),
        *(_thing("card", pk) for pk in cards.values_list("pk", flat=True)),
        *(thing for _verb, things in history for thing in things or []),
    ]
    return changed, [thing for thing in removed if (thing["kind"], thing["id"]) not in shown]


def _head(board_id: UUID, verbs: set[str]) -> list[Thing]:
    """The board's own row and its members, where this history touched them."""
    things = []
    if any(verb.startswith("board.") for verb in verbs):
        things.append(_thing("board", board_id, render_board_head(Board.objects.get(pk=board_id))))
    if any(verb.startswith(("member.", "owner.")) for verb in verbs):
        members = Membership.objects.filter(board_id=board_id).select_related("user").order_by("created_at", "id")
        things.append(_thing("members", board_id, render_members(list(members))))
    return things


def _thing(kind: str, pk: UUID, html: str | None = None) -> Thing:
    return {"kind": kind, "id": str(pk)} | ({} if html is None else {"html": html})
