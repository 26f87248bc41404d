"""Cards with what hangs on them, which comes as JSON with the card's row: one fixed statement
(docs/decisions/statements.md).
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection

from boards.access import not_found
from boards.models import Card
from boards.reader import Reader
from core import sql

# JSON of one row, JSON of all rows
FUNCTIONS = {"postgresql": ("jsonb_build_array", "jsonb_agg"), "sqlite": ("json_array", "json_group_array")}


class GatheredRows(NamedTuple):
    """A part of cards: `columns` of what `query` selects for it, in its order. `attribute` of the card has the rows."""

    attribute: str
    columns: str
    query: str

    def gathered(self) -> str:
        row, rows = FUNCTIONS[connection.vendor]
        return f"(SELECT {rows}({row}({self.columns})) FROM ({self.query}) part)"  # noqa: S608 (own names)


LABELS = GatheredRows(
    "label_rows",
    "id, name",
    "SELECT label.id, label.name FROM boards_cardlabel worn JOIN boards_label label ON label.id = worn.label_id"
    " WHERE worn.card_id = this.id ORDER BY label.created_at, label.id",
)
PEOPLE = GatheredRows(
    "assignee_rows",
    "id, name, email",
    "SELECT person.id, person.name, person.email FROM boards_assignment assigned"
    " JOIN accounts_user person ON person.id = assigned.user_id WHERE assigned.card_id = this.id ORDER BY assigned.id",
)
ITEMS = GatheredRows(
    "item_rows",
    "checklist_id, title, id, text, done",
    "SELECT checklist.id AS checklist_id, checklist.title, item.id, item.text, item.done FROM boards_checklist checklist"
    " LEFT JOIN boards_checklistitem item ON item.checklist_id = checklist.id"
    " WHERE checklist.card_id = this.id ORDER BY checklist.position, item.position",
)
NEWEST_COMMENTS = GatheredRows(
    "comment_rows",
    "id, body, created_at, edited_at, author_id, name, email",
    "SELECT comment.id, comment.body, comment.created_at, comment.edited_at, comment.author_id, author.name, author.email"
    " FROM boards_comment comment JOIN accounts_user author ON author.id = comment.author_id"
    " WHERE comment.card_id = this.id ORDER BY comment.created_at DESC, comment.id DESC LIMIT 10",
)
FILES = GatheredRows(
    "file_rows",
    "id, file_name, content_type, size, sha256, created_at, uploader_id, name, email",
    "SELECT attachment.id, attachment.file_name, file.content_type, file.size, file.sha256, attachment.created_at,"
    " uploader.id AS uploader_id, uploader.name, uploader.email FROM boards_attachment attachment"
    " JOIN boards_storedfile file ON file.id = attachment.file_id"
    " JOIN accounts_user uploader ON uploader.id = attachment.uploaded_by_id"
    " WHERE attachment.card_id = this.id ORDER BY attachment.created_at, attachment.id",
)
CREATOR = GatheredRows(
    "creator_rows", "id, name, email", "SELECT id, name, email FROM accounts_user WHERE id = this.created_by_id"
)
ITEM_COUNTS = GatheredRows(
    "item_counts",
    "done, every",
    "SELECT COUNT(CASE WHEN done THEN 1 END) AS done, COUNT(*) AS every FROM boards_checklistitem WHERE card_id = this.id",
)
COUNTS = {
    "comment_count": "(SELECT COUNT(*) FROM boards_comment WHERE card_id = this.id)",
    "file_count": "(SELECT COUNT(*) FROM boards_attachment WHERE card_id = this.id)",
}
LONG = frozenset({"description", "search_text"})  # what rows of collections leave out
ON_A_BOARD = "EXISTS (SELECT 1 FROM boards_membership member WHERE member.board_id = this.board_id AND {})"
ON_AN_OPEN_BOARD = (
    "EXISTS (SELECT 1 FROM boards_membership member JOIN boards_board board ON board.id = member.board_id"
    " WHERE board.id = this.board_id AND board.archived_at IS NULL AND {})"
)


def card_in_full(card_id: UUID | None, reader: Reader) -> Any:
    """Return the card with list, labels, assignees, checklists and ten comments. Raises NotFound as `visible_card` does."""
    mine, params = reader.membership_sql("member")
    condition = f"this.id = %s AND {ON_AN_OPEN_BOARD.format(mine)}"
    found = _read(condition, [card_id, *params], LABELS, PEOPLE, ITEMS, NEWEST_COMMENTS) if card_id else []
    if not found:
        raise not_found()
    return found[0]


def whole_card(reader: Reader, card_id: UUID | None = None, *, board_id: UUID | None = None, number: int = 0) -> Any:
    """Return the card, by its id or by its number on a board, with all but its comments, which are counted.

    The card and its board may be archived. Raises NotFound.
    """
    mine, params = reader.membership_sql("member")
    own, keys = (
        ("this.id = %s", [card_id]) if card_id else ("this.board_id = %s AND this.number = %s", [board_id, number])
    )
    wanted = [*sql.keys(key for key in keys if isinstance(key, UUID)), *(key for key in keys if isinstance(key, int))]
    if not all(keys):
        raise not_found()
    condition = f"{own} AND {ON_A_BOARD.format(mine)}"
    counts = {"comment_count": COUNTS["comment_count"]}
    parts = (LABELS, PEOPLE, ITEMS, FILES, CREATOR)
    found = _gathered(condition, [*wanted, *sql.keys(params)], parts, counts, without=frozenset({"search_text"}))
    if not found:
        raise not_found()
    return found[0]


def files_of_card(card_id: UUID | None, reader: Reader) -> list[list[Any]]:
    """Return the files of a card, each as FILES has it. The card and its board may be archived. Raises NotFound."""
    mine, params = reader.membership_sql("member")
    condition = f"this.id = %s AND {ON_A_BOARD.format(mine)}"
    found: list[Any] = []
    if card_id:
        found = _gathered(condition, sql.keys([card_id, *params]), (FILES,), {}, without=LONG)
    if not found:
        raise not_found()
    return found[0].file_rows


def card_rows(ids: Sequence[UUID]) -> list[Any]:
    """Return these cards in this order as rows of collections: with their parts counted, and without long texts."""
    if not ids:
        return []
    condition = f"this.id IN ({', '.join(['%s'] * len(ids))})"
    found = _gathered(condition, sql.keys(ids), (LABELS, PEOPLE, CREATOR, ITEM_COUNTS), COUNTS, without=LONG)
    cards = {card.pk: card for card in found}
    return [cards[pk] for pk in ids if pk in cards]


def cards_with_names(ids: Sequence[UUID]) -> dict[UUID, Card]:
    """Return these cards with list, labels and assignees."""
    found = _read(f"this.id IN ({', '.join(['%s'] * len(ids))})", ids, LABELS, PEOPLE) if ids else []
    return {card.pk: card for card in found}


def id_in(value: str) -> str:
    """Return an id in JSON as the API writes it: that of SQLite has no hyphens."""
    return str(UUID(value))


def time_in(value: str) -> datetime:
    """Return a time in JSON, which is in UTC: that of SQLite has no offset."""
    return datetime.fromisoformat(value).replace(tzinfo=UTC)


def _read(condition: str, params: Sequence[UUID], *parts: GatheredRows) -> list[Card]:
    return _gathered(condition, sql.keys(params), parts, {}, "list")


def _gathered(
    condition: str,
    params: Sequence[Any],
    parts: Iterable[GatheredRows],
    counts: Mapping[str, str],
    *related: str,
    without: frozenset[str] = sql.NOTHING,
) -> list[Card]:
    gathered = {part.attribute: part.gathered() for part in parts}
    cards = sql.select(Card, f"WHERE {condition}", params, *related, without=without, **gathered, **counts)
    for card in cards:
        for name in gathered:
            setattr(card, name, json.loads(getattr(card, name) or "[]"))
    return cards
