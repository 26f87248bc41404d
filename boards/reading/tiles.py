"""Read cards as tiles: everything that a board shows of them, in a fixed number of statements.

Why not model instances: a board may have thousands of cards, and building the instances took most of the time. Why not
the ORM for labels, people and counts: four queries around the same inner query cost more to build than to answer
(docs/decisions/live.md, last point).
"""

import json
from collections.abc import Callable, Collection
from datetime import date, datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import UUID

from django.contrib.auth import get_user_model
from django.db import connection
from django.db.models import QuerySet

from boards.models import Assignment, Attachment, Board, Card, CardLabel, ChecklistItem, Comment, Label, List
from boards.models.base import BoardRow
from boards.models.card import CardQuerySet
from boards.models.card_parts import CARD_PARTS
from boards.reading.cards import GatheredRows, count_of
from core import sql
from core.sql import table

if TYPE_CHECKING:
    from accounts.models import User


class Tile(NamedTuple):
    pk: UUID
    list_id: UUID
    number: int
    position: int
    version: int
    title: str
    excerpt: str
    due_at: datetime | None
    due_day: date | None
    start_day: date | None
    completed_at: datetime | None
    cover_hue: int | None
    cover_attachment_id: UUID | None
    recurrence: str
    labels: "list[Label]"
    people: "list[User]"
    comments: int
    items: int
    ticked: int
    files: int


FEW = 10  # cards; of more, a statement for each kind of parts costs less than a subquery for each card
OWN_FIELDS = Tile._fields[: Tile._fields.index("labels")]


def tiles_of(ids: Collection[UUID]) -> list[Tile]:
    """Return the open ones of these cards, in display order: few by one fixed statement."""
    return few_tiles(ids) if len(ids) <= FEW else tiles(Card.objects.filter(pk__in=ids))


def few_tiles(ids: Collection[UUID]) -> list[Tile]:
    if not ids:
        return []
    rest = (
        f"JOIN {table(List)} list ON list.id = this.list_id JOIN {table(Board)} board ON board.id = this.board_id"
        f" WHERE this.id IN ({', '.join(['%s'] * len(ids))})"
        " AND this.archived_at IS NULL AND list.archived_at IS NULL AND board.archived_at IS NULL"
        " ORDER BY list.position, this.position"
    )
    found = sql.values(Card, ("id", *OWN_FIELDS[1:]), rest, sql.keys(ids), *_parts())
    return [_tile(row) for row in found]


@lru_cache
def _parts() -> tuple[str, ...]:
    """Return SQL of what a tile has besides the card's own fields, in the order of the fields of Tile."""
    counts = ((Comment, ""), (ChecklistItem, ""), (ChecklistItem, " AND part.done"), (Attachment, ""))
    return (
        GatheredRows("labels", "id, name, hue", LABELS_OF_ONE).gathered(),
        GatheredRows("people", "id, name, email, picture", PEOPLE_OF_ONE).gathered(),
        *(count_of(model, condition) for model, condition in counts),
    )


def _tile(row: list[Any]) -> Tile:
    at = len(OWN_FIELDS)
    worn, assigned = map(json.loads, row[at : at + 2])
    labels = [Label(pk=UUID(pk), name=name, hue=hue) for pk, name, hue in worn]
    people = [person(UUID(pk), *values) for pk, *values in assigned]
    return Tile._make((*row[:at], labels, people, *row[at + 2 :]))


def person(pk: UUID, name: str, email: str, picture: str) -> "User":
    return get_user_model()(pk=pk, name=name, email=email, picture=picture)


def tiles(cards: CardQuerySet) -> list[Tile]:
    """Return the open cards among `cards`, in display order."""
    shown = cards.open()
    rows = list(shown.order_by("list__position", "position").values_list(*OWN_FIELDS))
    if not rows:
        return []
    # Parts of cards on archived lists are read and not used: a condition less, which no statistics can mislead.
    queries = PartQueries(cards.filter(archived_at=None))
    parts = {part.model: READ[part.model](queries) for part in CARD_PARTS if part.on_tile}
    labels, people = parts[CardLabel], parts[Assignment]
    comments, items, files = parts[Comment], parts[ChecklistItem], parts[Attachment]
    return [
        Tile._make(
            (
                *row,
                labels.get(row[0], []),
                people.get(row[0], []),
                *comments.get(row[0], (0,)),
                *items.get(row[0], (0, 0)),
                *files.get(row[0], (0,)),
            )
        )
        for row in rows
    ]


class PartQueries:
    """Queries for the parts of some cards. Each returns its results by card."""

    def __init__(self, cards: "QuerySet[Card]") -> None:
        self.cards, self.params = cards.order_by().values("pk").query.sql_with_params()

    def things(self, statement: str, make: Any) -> dict[UUID, list[Any]]:
        """Return the things that the statement selects, by card, as `make(id, *further columns)`.

        The statement selects a card's id, a thing's id and further columns. One thing is made once, even when several
        cards have it.
        """
        made: dict[Any, Any] = {}
        by_card: dict[UUID, list[Any]] = {}
        for card, pk, *values in self._rows(statement):
            if pk not in made:
                made[pk] = make(sql.key_in(pk), *values)
            by_card.setdefault(sql.key_in(card), []).append(made[pk])
        return by_card

    def counts(self, statement: str) -> dict[UUID, tuple[int, ...]]:
        return {sql.key_in(card): tuple(numbers) for card, *numbers in self._rows(statement)}

    def _rows(self, statement: str) -> list[tuple[Any, ...]]:
        with connection.cursor() as cursor:
            cursor.execute(statement.format(cards=self.cards, **TABLES), self.params)
            return cursor.fetchall()


TABLES = {
    "card_label": CardLabel._meta.db_table,
    "label": Label._meta.db_table,
    "assignment": Assignment._meta.db_table,
    "comment": Comment._meta.db_table,
    "attachment": Attachment._meta.db_table,
    "item": ChecklistItem._meta.db_table,
    "user": get_user_model()._meta.db_table,
}


LABELS = """SELECT worn.card_id, label.id, label.name, label.hue FROM {card_label} worn
    JOIN {label} label ON label.id = worn.label_id WHERE worn.card_id IN ({cards}) ORDER BY label.created_at, label.id"""
PEOPLE = """SELECT assigned.card_id, person.id, person.name, person.email, person.picture FROM {assignment} assigned
    JOIN {user} person ON person.id = assigned.user_id WHERE assigned.card_id IN ({cards}) ORDER BY assigned.id"""
COMMENTS = "SELECT card_id, count(*) FROM {comment} WHERE card_id IN ({cards}) GROUP BY card_id"
FILES = "SELECT card_id, count(*) FROM {attachment} WHERE card_id IN ({cards}) GROUP BY card_id"
ITEMS = (
    "SELECT card_id, count(*), count(CASE WHEN done THEN 1 END) FROM {item} WHERE card_id IN ({cards}) GROUP BY card_id"
)

LABELS_OF_ONE = (
    "SELECT label.id, label.name, label.hue FROM boards_cardlabel worn JOIN boards_label label ON label.id = worn.label_id"
    " WHERE worn.card_id = this.id ORDER BY label.created_at, label.id"
)
PEOPLE_OF_ONE = (
    "SELECT person.id, person.name, person.email, person.picture FROM boards_assignment assigned"
    " JOIN accounts_user person ON person.id = assigned.user_id WHERE assigned.card_id = this.id ORDER BY assigned.id"
)

# How to read each part of a card that a tile shows
READ: dict[type[BoardRow], Callable[[PartQueries], dict[UUID, Any]]] = {
    CardLabel: lambda queries: queries.things(LABELS, lambda pk, name, hue: Label(pk=pk, name=name, hue=hue)),
    Assignment: lambda queries: queries.things(PEOPLE, person),
    Comment: lambda queries: queries.counts(COMMENTS),
    ChecklistItem: lambda queries: queries.counts(ITEMS),
    Attachment: lambda queries: queries.counts(FILES),
}
