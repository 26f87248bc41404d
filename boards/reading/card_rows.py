"""Cards for programs: rows of collections, and whole cards. One statement reads them: the database writes each card as JSON,
with what hangs on it. No instances of models are made, nor ids and times, which the API would only write as text again
(docs/decisions/statements.md).
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any
from uuid import UUID

from django.db import connection

from boards.access import not_found
from boards.models import Card
from boards.reader import Reader
from boards.reading.cards import JSON_FUNCTIONS
from core import sql

LARGEST_INTEGER = 2**63 - 1  # in SQLite


@dataclass(slots=True)
class CardData:
    """The values that a row and a whole card have. Ids and times are as this database writes them in JSON (`id_in`,
    `timestamp_in`), days are as in ISO 8601.
    """

    id: str
    number: int
    title: str
    list_id: str
    board_id: str
    due_at: str | None
    due_day: str | None
    start_day: str | None
    cover_hue: int | None
    cover_attachment_id: str | None
    completed_at: str | None
    archived_at: str | None
    recurrence: str
    created_at: str
    updated_at: str
    version: int
    excerpt: str
    labels: list[str]
    people: list[str]
    creator: list[str]  # id, name, email
    comments: int


@dataclass(slots=True)
class CardRow(CardData):
    """A card without long texts."""

    items: list[int]  # done, all
    files: int


@dataclass(slots=True)
class WholeCard(CardData):
    """A card with all but its comments, which are counted. The rows of parts are in display order."""

    checklists: list[list[Any]]  # checklist id, title, item id or None, text, done
    files: list[list[Any]]  # id, name, type, size, sha256, time, then id, name and email of who attached it
    description: Any


NAMES = [field.name for field in fields(CardData)]
OWN = [f"this.{name}" for name in NAMES[: NAMES.index("labels")]]
LABELS = (
    "SELECT COALESCE({all}(id), '[]') FROM"
    " (SELECT label.id FROM boards_cardlabel worn JOIN boards_label label ON label.id = worn.label_id"
    " WHERE worn.card_id = this.id ORDER BY label.created_at, label.id) part"
)
PEOPLE = (
    "SELECT COALESCE({all}(user_id), '[]') FROM"
    " (SELECT user_id FROM boards_assignment WHERE card_id = this.id ORDER BY id) part"
)
CREATOR = "{array}(creator.id, creator.name, creator.email)"
CREATOR_JOIN = "JOIN accounts_user creator ON creator.id = this.created_by_id"
COMMENTS = "SELECT COUNT(*) FROM boards_comment WHERE card_id = this.id"
ITEM_COUNTS = (
    "SELECT {array}(COUNT(CASE WHEN done THEN 1 END), COUNT(*)) FROM boards_checklistitem WHERE card_id = this.id"
)
FILE_COUNT = "SELECT COUNT(*) FROM boards_attachment WHERE card_id = this.id"
CHECKLISTS = (
    "SELECT COALESCE({all}({array}(checklist_id, title, id, text, done)), '[]') FROM"
    " (SELECT checklist.id AS checklist_id, checklist.title, item.id, item.text, item.done FROM boards_checklist checklist"
    " LEFT JOIN boards_checklistitem item ON item.checklist_id = checklist.id"
    " WHERE checklist.card_id = this.id ORDER BY checklist.position, item.position) part"
)
FILES = (
    "SELECT COALESCE({all}({array}(id, file_name, content_type, size, sha256, created_at, uploader_id, name, email)), '[]') FROM"
    " (SELECT attachment.id, attachment.file_name, file.content_type, file.size, file.sha256, attachment.created_at,"
    " uploader.id AS uploader_id, uploader.name, uploader.email FROM boards_attachment attachment"
    " JOIN boards_storedfile file ON file.id = attachment.file_id"
    " JOIN accounts_user uploader ON uploader.id = attachment.uploaded_by_id"
    " WHERE attachment.card_id = this.id ORDER BY attachment.created_at, attachment.id) part"
)
MEMBER = "EXISTS (SELECT 1 FROM boards_membership member WHERE member.board_id = this.board_id AND {})"


def card_rows(ids: Sequence[UUID]) -> list[CardRow]:
    """Return these cards in this order; those that are gone are left out."""
    if not ids:
        return []
    rest = f"WHERE this.id IN ({', '.join(['%s'] * len(ids))})"
    cards = {pk: CardRow(*values) for pk, values in _read("id", rest, sql.keys(ids), ITEM_COUNTS, FILE_COUNT)}
    return [card for pk in ids if (card := cards.get(pk))]


def whole_card(
    reader: Reader, card_id: UUID | None = None, *, board_id: UUID | None = None, number: int = 0
) -> WholeCard:
    """Return the card, by its id or by its number on a board. It and its board may be archived. Raises NotFound."""
    if (card_id is None and board_id is None) or number > LARGEST_INTEGER:
        raise not_found()
    mine, params = reader.membership_sql("member")
    if card_id is not None:
        own, wanted = "this.id = %s", sql.keys([card_id])
    else:
        own, wanted = "this.board_id = %s AND this.number = %s", [*sql.keys([board_id]), number]  # type: ignore[list-item]
    rest = f"WHERE {own} AND {MEMBER.format(mine)}"
    found = _read("description", rest, [*wanted, *sql.keys(params)], CHECKLISTS, FILES)
    if not found:
        raise not_found()
    [(description, values)] = found
    return WholeCard(*[*values, description])


def _read(column: str, rest: str, params: Sequence[Any], *parts: str) -> list[tuple[Any, list[Any]]]:
    """Return a field of each card beside its values: those of CardData, and then what the `parts` give."""
    written = _written(LABELS, PEOPLE, CREATOR, COMMENTS, *parts)
    rows = sql.values(Card, (column,), f"{CREATOR_JOIN} {rest}", params, written)
    # All at once: for a row, a call takes longer than reading.
    values = json.loads(f"[{','.join(row[1] for row in rows)}]")
    return list(zip((row[0] for row in rows), values, strict=True))


@lru_cache
def _written(*parts: str) -> str:
    """Return SQL of one JSON array with a card's own values and what each of the parts gives."""
    array, gather = JSON_FUNCTIONS[connection.vendor]
    nested = "({})" if sql.is_postgresql() else "json(({}))"
    given = (nested.format(part.format(array=array, all=gather)) for part in parts)
    return f"CAST({array}({', '.join([*OWN, *given])}) AS text)"
