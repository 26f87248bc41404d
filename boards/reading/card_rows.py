"""Cards for programs: rows of collections, and whole cards. The database gathers what hangs on a card as one JSON, so that
each takes one statement, and no instances of models are made (docs/decisions/statements.md).
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from datetime import date, datetime
from functools import lru_cache
from typing import Any, TypeVar
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
    """The values that a row and a whole card have.

    Ids in `labels` and `people` are as this database writes them in JSON (`id_in`).
    """

    id: UUID
    number: int
    title: str
    list_id: UUID
    board_id: UUID
    due_at: datetime | None
    due_day: date | None
    start_day: date | None
    cover_hue: int | None
    cover_attachment_id: UUID | None
    completed_at: datetime | None
    archived_at: datetime | None
    recurrence: str
    created_at: datetime
    updated_at: datetime
    version: int
    labels: list[str]
    people: list[str]
    creator: list[str]  # id, name, email
    comments: int


@dataclass(slots=True)
class CardRow(CardData):
    """A card without long texts."""

    excerpt: str
    items: list[int]  # done, all
    files: int


@dataclass(slots=True)
class WholeCard(CardData):
    """A card with all but its comments, which are counted. The rows of parts are in display order."""

    description: Any
    checklists: list[list[Any]]  # checklist id, title, item id or None, text, done
    files: list[list[Any]]  # id, name, type, size, sha256, time, then id, name and email of who attached it


Data = TypeVar("Data", bound=CardData)
NAMES = tuple(field.name for field in fields(CardData))
OWN = NAMES[: NAMES.index("labels")]
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
    cards = {card.id: card for card in _read(CardRow, "excerpt", rest, sql.keys(ids), ITEM_COUNTS, FILE_COUNT)}
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
    found = _read(WholeCard, "description", rest, [*wanted, *sql.keys(params)], CHECKLISTS, FILES)
    if not found:
        raise not_found()
    return found[0]


def _read(kind: Callable[..., Data], text: str, rest: str, params: Sequence[Any], *parts: str) -> list[Data]:
    """Return the cards as `kind`, whose own fields are `text`, a field of the card, and what the `parts` give."""
    gathered_sql = _gathered(LABELS, PEOPLE, CREATOR, COMMENTS, *parts)
    rows = sql.values(Card, (*OWN, text), f"{CREATOR_JOIN} {rest}", params, gathered_sql)
    # All at once: for a row, a call takes longer than reading.
    gathered = json.loads(f"[{','.join(row[-1] for row in rows)}]")
    return [
        kind(*own, labels, people, creator, comments, words, *more)
        for (*own, words, _json), (labels, people, creator, comments, *more) in zip(rows, gathered, strict=True)
    ]


@lru_cache
def _gathered(*parts: str) -> str:
    """Return SQL of one JSON array with what each of the parts gives."""
    array, gather = JSON_FUNCTIONS[connection.vendor]
    nested = "({})" if sql.is_postgresql() else "json(({}))"
    given = (nested.format(part.format(array=array, all=gather)) for part in parts)
    return f"CAST({array}({', '.join(given)}) AS text)"
