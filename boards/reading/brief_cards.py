"""Cards as short lines for programs: with the names of list, board, labels and people, without long texts. One statement."""

import json
from collections.abc import Sequence
from datetime import date, datetime
from typing import Any, NamedTuple
from uuid import UUID

from boards.dates import Due
from boards.models import Attachment, Board, Card, ChecklistItem, Comment, List
from boards.reading.cards import LABELS, PEOPLE, count_of
from core import sql
from core.sql import table

OWN = (
    "id",
    "number",
    "title",
    "list_id",
    "board_id",
    "due_at",
    "due_day",
    "start_day",
    "completed_at",
    "archived_at",
    "recurrence",
    "description",
)


class BriefCard(NamedTuple):
    id: UUID
    number: int
    title: str
    list_id: UUID
    board_id: UUID
    due_at: datetime | None
    due_day: date | None
    start_day: date | None
    completed_at: datetime | None
    archived_at: datetime | None
    recurrence: str
    description: Any  # None unless it was asked for
    list_title: str
    list_is_archived: bool
    board_title: str
    labels: list[tuple[str, str]]  # id, name
    people: list[tuple[str, str, str]]  # id, name, email
    comments: int | None  # this and the rest: None unless they were asked for
    items: int | None  # of checklists
    ticked: int | None
    files: int | None

    @property
    def due(self) -> Due | None:
        return Due(self.due_at, self.due_day) if self.due_at else None

    @property
    def is_archived(self) -> bool:
        """Tell whether the card is archived. A card in an archived list counts as archived."""
        return self.archived_at is not None or self.list_is_archived


COUNTED = ((Comment, ""), (ChecklistItem, ""), (ChecklistItem, " AND part.done"), (Attachment, ""))


def brief_cards(ids: Sequence[UUID], *, descriptions: bool = False, counts: bool = False) -> list[BriefCard]:
    """Return these cards in this order; those that are gone are left out. The caller has checked who may see them."""
    if not ids:
        return []
    own = OWN if descriptions else OWN[:-1]
    rest = (
        f"JOIN {table(List)} list ON list.id = this.list_id JOIN {table(Board)} board ON board.id = this.board_id"
        f" WHERE this.id IN ({', '.join(['%s'] * len(ids))})"
    )
    names = ["list.title", "list.archived_at IS NOT NULL", "board.title", LABELS.gathered(), PEOPLE.gathered()]
    if counts:
        names += [count_of(model, condition) for model, condition in COUNTED]
    found = {row[0]: _brief(row, len(own)) for row in sql.values(Card, own, rest, sql.keys(ids), *names)}
    return [found[pk] for pk in ids if pk in found]


def _brief(row: list[Any], own: int) -> BriefCard:
    description = row[own - 1] if own == len(OWN) else None
    list_title, archived, board_title, labels, people, *counts = row[own:]
    parts = (list_title, bool(archived), board_title, json.loads(labels), json.loads(people))
    return BriefCard._make((*row[: len(OWN) - 1], description, *parts, *(counts or [None] * len(COUNTED))))
