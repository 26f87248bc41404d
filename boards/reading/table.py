"""Read cards as the rows of a table, sorted by any column, in a fixed number of statements."""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import UUID

from django.db.models import CharField, Count, F, FloatField, OuterRef, Q, Subquery, TextChoices, Value
from django.db.models.expressions import RawSQL
from django.db.models.functions import Cast, Coalesce, Lower, NullIf, StrIndex, Substr

from boards.models import Assignment, Board, Card, CardLabel, ChecklistItem, List, Membership
from boards.models.card import CardQuerySet
from boards.reader import Reader
from boards.reading.cards import GatheredRows, count_of
from boards.reading.filters import BoardFilter, kept_cards
from boards.reading.tiles import LABELS_OF_ONE, PEOPLE_OF_ONE, person
from boards.reading.work import Work
from core import sql
from core.sql import table

if TYPE_CHECKING:
    from accounts.models import User

AT_ONCE = 1000  # rows of one statement


class Column(TextChoices):
    NUMBER = "number"
    TITLE = "title"
    BOARD = "board"
    LIST = "list"
    LABELS = "labels"
    PEOPLE = "people"
    DUE = "due"
    CHECKLIST = "checklist"
    DONE = "done"
    CREATED = "created"
    CHANGED = "changed"


class Sort(NamedTuple):
    column: Column
    is_descending: bool = False


class TableRow(NamedTuple):
    pk: UUID
    number: int
    title: str
    board_id: UUID
    list_id: UUID
    due_at: datetime | None
    due_day: date | None
    completed_at: datetime | None
    created_at: datetime
    updated_at: datetime
    version: int  # of the board, at which the card was changed last
    board_title: str
    hue: int
    list_title: str
    role: str
    labels: Sequence[tuple[str, int]]  # name and hue
    people: "Sequence[User]"
    items: int  # of its checklists
    ticked: int


OWN_FIELDS = ("id", *TableRow._fields[1 : TableRow._fields.index("board_title")])
BOARD = (Lower("board__title"), F("board_id"))
FIRST_LABEL = CardLabel.objects.filter(card=OuterRef("pk")).order_by("label__created_at", "label_id")
FIRST_PERSON = Assignment.objects.filter(card=OuterRef("pk")).order_by("pk")
PERSON_NAME = Coalesce(NullIf("user__name", Value("")), F("user__email"), output_field=CharField())
ITEMS = ChecklistItem.objects.filter(card=OuterRef("pk")).order_by().values("card")
SHARE_DONE = Cast(Count("pk", filter=Q(done=True)), FloatField()) / Cast(Count("pk"), FloatField())
FOLDED_TITLE = Substr("search_text", 1, StrIndex("search_text", Value("\n")))
# What a table is sorted by. Rows without it come last, whichever way it is sorted.
KEYS: Mapping[Column, Sequence[Any]] = {
    Column.NUMBER: (F("number"), *BOARD),
    Column.TITLE: (FOLDED_TITLE,),
    Column.BOARD: (*BOARD, F("list__position"), F("position")),
    Column.LIST: (Lower("list__title"), *BOARD, F("list__position"), F("position")),
    Column.LABELS: (Lower(Subquery(FIRST_LABEL.values("label__name")[:1])),),
    Column.PEOPLE: (Lower(Subquery(FIRST_PERSON.values(name=PERSON_NAME)[:1])),),
    Column.DUE: (F("due_at"),),
    Column.CHECKLIST: (
        Subquery(ITEMS.values(share=SHARE_DONE), output_field=FloatField()),
        Subquery(ITEMS.values(number=Count("pk"))),
    ),
    Column.DONE: (F("completed_at"),),
    Column.CREATED: (F("created_at"),),
    Column.CHANGED: (F("updated_at"),),
}
AS_ON_THE_BOARD = (F("list__position"), F("position"))


def cards_of_board(board: Board, wanted: BoardFilter, user: "User") -> CardQuerySet:
    """Return the cards of a board that a filter keeps, but for archived ones. The board may be archived."""
    return kept_cards(board, wanted, user).open_on_their_boards()


def cards_of_work(work: Work) -> CardQuerySet:
    """Return the open cards of a person's work on all boards."""
    among = RawSQL(work.which.query, work.which.params)  # noqa: S611 (own names)
    return Card.objects.visible_to(work.reader).open().filter(completed_at=None, pk__in=among)


def with_others(cards: CardQuerySet, every: CardQuerySet, ids: Sequence[UUID]) -> CardQuerySet:
    """Return the cards and those of `every` that have one of these ids."""
    if not ids:
        return cards
    return Card.objects.filter(Q(pk__in=cards.values("pk")) | Q(pk__in=every.filter(pk__in=ids).values("pk")))


def rows_of(reader: Reader, cards: CardQuerySet, sort: Sort, part: slice, *, one_board: bool = False) -> list[TableRow]:
    """Return a part of the cards that the reader can see: a statement, and one more for every 1,000 rows.

    With `one_board`, lists come in their order on the board, else by their titles.
    """
    keys = AS_ON_THE_BOARD if one_board and sort.column == Column.LIST else KEYS[sort.column]
    order = [key.desc(nulls_last=True) if sort.is_descending else key.asc(nulls_last=True) for key in keys]
    ids = list(cards.order_by(*order, "pk").values_list("pk", flat=True)[part])
    people: dict[str, User] = {}
    found = {
        row.pk: row for start in range(0, len(ids), AT_ONCE) for row in _read(reader, ids[start:][:AT_ONCE], people)
    }
    return [found[pk] for pk in ids if pk in found]


def _read(reader: Reader, ids: Sequence[UUID], people: "dict[str, User]") -> Iterator[TableRow]:
    mine, params = reader.membership_sql("mine")
    rest = (
        f"JOIN {table(List)} list ON list.id = this.list_id JOIN {table(Board)} board ON board.id = this.board_id"
        f" JOIN {table(Membership)} mine ON mine.board_id = this.board_id AND {mine}"
        f" WHERE this.id IN ({', '.join(['%s'] * len(ids))})"
    )
    more = ("board.title", "board.hue", "list.title", "mine.role", *_parts())
    for values in sql.values(Card, OWN_FIELDS, rest, sql.keys([*params, *ids]), *more):
        *own, labels, assigned, items, ticked = values
        worn, assignees = json.loads(labels), json.loads(assigned)
        yield TableRow._make((*own, worn, [_known(one, people) for one in assignees], items, ticked))


def _parts() -> tuple[str, ...]:
    return (
        GatheredRows("labels", "name, hue", LABELS_OF_ONE.replace("label.id, ", "", 1)).gathered(),
        GatheredRows("people", "id, name, email, picture", PEOPLE_OF_ONE).gathered(),
        count_of(ChecklistItem),
        count_of(ChecklistItem, " AND part.done"),
    )


def _known(values: list[Any], people: "dict[str, User]") -> "User":
    """Return a person, who is made once however many cards they have."""
    pk, *others = values
    if pk not in people:
        people[pk] = person(UUID(pk), *others)
    return people[pk]
