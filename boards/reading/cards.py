"""Read cards with their parts, as JSON in the card's row, by one fixed statement (docs/decisions/statements.md)."""

import json
from collections.abc import Sequence
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection, models

from boards.access import not_found
from boards.models import Card
from boards.reader import Reader
from core import sql
from core.sql import table

# JSON of one row, JSON of all rows. PostgreSQL builds json faster than jsonb.
JSON_FUNCTIONS = {"postgresql": ("json_build_array", "json_agg"), "sqlite": ("json_array", "json_group_array")}


class GatheredRows(NamedTuple):
    """A kind of parts of a card: `query` selects their rows in order, with `columns`; the card's `attribute` gets them."""

    attribute: str
    columns: str
    query: str

    def gathered(self) -> str:
        row, rows = JSON_FUNCTIONS[connection.vendor]
        return f"(SELECT COALESCE(CAST({rows}({row}({self.columns})) AS text), '[]') FROM ({self.query}) part)"  # noqa: S608 (own names)


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
FACES = GatheredRows(
    "face_rows",
    "id, name, email, picture",
    "SELECT person.id, person.name, person.email, person.picture FROM boards_assignment assigned"
    " JOIN accounts_user person ON person.id = assigned.user_id WHERE assigned.card_id = this.id ORDER BY assigned.id",
)
ITEMS = GatheredRows(
    "item_rows",
    "checklist_id, title, id, text, done",
    "SELECT checklist.id AS checklist_id, checklist.title, item.id, item.text, item.done FROM boards_checklist checklist"
    " LEFT JOIN boards_checklistitem item ON item.checklist_id = checklist.id"
    " WHERE checklist.card_id = this.id ORDER BY checklist.position, item.position",
)
FILES = GatheredRows(
    "file_rows",
    "id, file_name",
    "SELECT attached.id, attached.file_name FROM boards_attachment attached"
    " WHERE attached.card_id = this.id ORDER BY attached.created_at, attached.id",
)
COMMENTS = 10  # that are shown at once; the statement reads one more, to know whether there are more
NEWEST_COMMENTS = GatheredRows(
    "comment_rows",
    "id, body, created_at, edited_at, author_id, name, email",
    "SELECT comment.id, comment.body, comment.created_at, comment.edited_at, comment.author_id, author.name, author.email"
    " FROM boards_comment comment JOIN accounts_user author ON author.id = comment.author_id"
    " WHERE comment.card_id = this.id ORDER BY comment.created_at DESC, comment.id DESC LIMIT 11",
)
BOARD_TITLE = "(SELECT title FROM boards_board WHERE boards_board.id = this.board_id)"
BOARD_VERSION = "(SELECT version FROM boards_board WHERE boards_board.id = this.board_id)"


def count_of(model: type[models.Model], condition: str = "") -> str:
    """Return SQL for how many rows of `model` a card has. `condition` begins with AND; the rows are called `part`."""
    return f"(SELECT COUNT(*) FROM {table(model)} part WHERE part.card_id = this.id{condition})"  # noqa: S608 (own names)


ON_AN_OPEN_BOARD = (
    "EXISTS (SELECT 1 FROM boards_membership member JOIN boards_board board ON board.id = member.board_id"
    " WHERE board.id = this.board_id AND board.archived_at IS NULL AND {})"
)


def card_in_full(card_id: UUID | None, reader: Reader) -> Any:
    """Return the card with list, labels, assignees, checklists, files and the newest comments, one more than COMMENTS.

    Raises NotFound as `visible_card` does.
    """
    mine, params = reader.membership_sql("member")
    condition = f"this.id = %s AND {ON_AN_OPEN_BOARD.format(mine)}"
    found = _read(condition, [card_id, *params], LABELS, PEOPLE, ITEMS, FILES, NEWEST_COMMENTS) if card_id else []
    if not found:
        raise not_found()
    return found[0]


def cards_with_names(ids: Sequence[UUID]) -> dict[UUID, Card]:
    """Return these cards with list, labels, assignees, and `board_version`: the number of their board's last change."""
    return _by_id(ids, LABELS, PEOPLE, board_version=BOARD_VERSION)


def cards_with_faces(ids: Sequence[UUID]) -> dict[UUID, Card]:
    """Return these cards with list, `board_title`, and assignees with their pictures."""
    return _by_id(ids, FACES, board_title=BOARD_TITLE)


def _by_id(ids: Sequence[UUID], *parts: GatheredRows, **annotations: str) -> dict[UUID, Card]:
    found = _read(f"this.id IN ({', '.join(['%s'] * len(ids))})", ids, *parts, **annotations) if ids else []
    return {card.pk: card for card in found}


def id_in(value: str) -> str:
    """Return an id in JSON as the API writes it: that of SQLite has no hyphens."""
    return value if len(value) == 36 else str(UUID(value))


def timestamp_in(value: str) -> str:
    """Return a time in JSON as `timestamp` writes it."""
    moment = value.replace(" ", "T").removesuffix("+00:00")
    return f"{moment.rstrip('0') if '.' in moment else moment}Z"


def _read(condition: str, params: Sequence[UUID], *parts: GatheredRows, **annotations: str) -> list[Card]:
    gathered = {part.attribute: part.gathered() for part in parts}
    cards = sql.select(Card, f"WHERE {condition}", sql.keys(params), "list", **gathered, **annotations)
    for card in cards:
        for part in parts:
            setattr(card, part.attribute, json.loads(getattr(card, part.attribute)))
    return cards
