"""What a search is asked: the words and filters of cards, and their order."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS
from django.db.models import Q

from boards.access import board_ids
from boards.models import Card
from boards.reader import Reader
from boards.reading.filters import changed_kinds, due_kinds
from boards.reading.search_orders import AS_ON_BOARDS, BY_DUE_DATE, SearchOrder, by_relevance
from core import sql
from core.sql import NOTHING, Statement, combined

# What conditions and orders of a search are about: the card, its list and board, and the reader's membership
PLACES = (
    "JOIN boards_list list ON list.id = this.list_id JOIN boards_board board ON board.id = this.board_id"
    " JOIN boards_membership mine ON mine.board_id = this.board_id"
)
CARDS = f"boards_card this {PLACES}"
SHOWN = "this.archived_at IS NULL AND list.archived_at IS NULL"


class State(StrEnum):
    """The state of a card. One in an archived list counts as archived."""

    OPEN = "open"
    DONE = "done"
    ARCHIVED = "archived"


IN_STATE = {
    State.OPEN: f"({SHOWN} AND this.completed_at IS NULL)",
    State.DONE: f"({SHOWN} AND this.completed_at IS NOT NULL)",
    State.ARCHIVED: "this.archived_at IS NOT NULL OR list.archived_at IS NOT NULL",
}


@dataclass(frozen=True, slots=True)
class Filters:
    """Filters and the order of a search. None turns a filter off.

    Every word of `query` must occur in the title or description, or `everywhere`; case does not matter. A query such as #5 finds the
    cards with that number instead. A card must have one of the assignees, and one of the labels. `due_before` and
    `due_after` are exclusive; with a due date among the filters, cards without one are left out. Cards of archived boards
    are found only with `board_id` or `list_id`. Cards come in BY_DUE_DATE, or AS_ON_BOARDS, or the best match first.
    """

    query: str = ""
    board_id: UUID | None = None
    list_id: UUID | None = None
    done: bool | None = None
    due_before: datetime | None = None
    due_after: datetime | None = None
    assignee_ids: tuple[UUID, ...] | None = None
    label_ids: tuple[UUID, ...] | None = None
    as_on_boards: bool = False
    due_from: datetime | None = None  # inclusive
    updated_since: datetime | None = None  # inclusive
    unassigned: bool = False  # a card without assignees is found too
    states: tuple[State, ...] = (State.OPEN, State.DONE)
    board_ids: tuple[UUID, ...] | None = None  # any of these, of which archived ones are left out
    creator_ids: tuple[UUID, ...] | None = None
    undated: bool = False  # only cards without a due date
    everywhere: bool = False  # words may also be in comments, checklists and names of files
    best_first: bool = False
    label_names: tuple[str, ...] | None = None  # a card has a label with one of these names, whatever its board
    due: tuple[str, ...] = ()  # as a board's filter has it: the days are those of the reader's time zone
    changed: tuple[str, ...] = ()  # likewise; a cursor stays valid, as it would not with a moment that moves on

    @property
    def narrow(self) -> bool:
        """Tell whether anything but words and `states` decides which cards are found: another filter, or a board."""
        others = replace(self, query="", states=(), everywhere=False, as_on_boards=False, best_first=False)
        return others != Filters(states=())

    @property
    def order(self) -> SearchOrder:
        if self.best_first:
            return by_relevance(self.query)
        return AS_ON_BOARDS if self.as_on_boards else BY_DUE_DATE


def filtered(reader: Reader, filters: Filters) -> Statement:
    """Return the condition of the cards, among CARDS, that the reader can see and that the filters keep, whatever their words."""
    mine, ids = reader.membership_sql("mine")
    kept = [Statement(mine, sql.keys(ids)), Statement(_in_states(filters.states), [])]
    if filters.board_id is None and filters.list_id is None:
        kept.append(Statement("board.archived_at IS NULL", []))
    if filters.assignee_ids is not None or filters.unassigned:
        kept.append(_assigned(filters))
    if filters.label_ids is not None:
        kept.append(_with_rows("boards_cardlabel", one_of("label_id", sql.keys(filters.label_ids))))
    if filters.label_names is not None:
        kept.append(_labelled(reader, filters.label_names))
    if filters.done is not None:
        kept.append(Statement(f"this.completed_at IS {'NOT ' if filters.done else ''}NULL", []))
    if filters.undated:
        kept.append(Statement("this.due_at IS NULL", []))
    if filters.board_ids is not None:
        kept.append(one_of("this.board_id", sql.keys(filters.board_ids)))
    if filters.creator_ids is not None:
        kept.append(one_of("this.created_by_id", sql.keys(filters.creator_ids)))
    for column, pk in (("board_id", filters.board_id), ("list_id", filters.list_id)):
        if pk is not None:
            kept.append(Statement(f"this.{column} = %s", sql.keys([pk])))
    moments = {
        "this.due_at < %s": filters.due_before,
        "this.due_at > %s": filters.due_after,
        "this.due_at >= %s": filters.due_from,
        "this.updated_at >= %s": filters.updated_since,
    }
    kept += [Statement(compared, [sql.moment(value)]) for compared, value in moments.items() if value is not None]
    due = as_sql(due_kinds(filters.due, reader.user)) if filters.due else NOTHING
    return combined(" AND ", [*kept, due, as_sql(changed_kinds(filters.changed))])


def as_sql(condition: Q) -> Statement:
    """Return a condition on cards that the ORM has as one among CARDS."""
    if not condition:
        return NOTHING
    query = Card.objects.filter(condition).query
    query.change_aliases({"boards_card": "this", "boards_list": "list", "boards_board": "board"})
    compiler = query.get_compiler(DEFAULT_DB_ALIAS)
    return Statement(*query.where.as_sql(compiler, compiler.connection))


def one_of(column: str, values: Sequence[Any]) -> Statement:
    """Return the condition that a column has one of these values, of which there may be none."""
    return Statement(f"{column} IN ({', '.join(['%s'] * len(values))})" if values else "1 = 0", values)


def _assigned(filters: Filters) -> Statement:
    wanted = _with_rows("boards_assignment", one_of("user_id", sql.keys(filters.assignee_ids or ())))
    if not filters.unassigned:
        return wanted
    nobody = "NOT EXISTS (SELECT 1 FROM boards_assignment assigned WHERE assigned.card_id = this.id)"
    return Statement(f"({wanted.sql} OR {nobody})", wanted.params)


def _labelled(reader: Reader, names: Sequence[str]) -> Statement:
    """Return the condition that a card has a label with one of these names."""
    named, own = one_of("name", names), board_ids(reader)
    labels = f"SELECT id FROM boards_label WHERE {named.sql}"  # noqa: S608 (own names)
    worn = Statement(f"label_id IN ({labels}) AND board_id IN ({own.sql})", [*named.params, *own.params])
    return _with_rows("boards_cardlabel", worn)


def _with_rows(rows: str, condition: Statement) -> Statement:
    """Return the condition that a card has rows in another table that meet a condition."""
    return Statement(f"this.id IN (SELECT card_id FROM {rows} WHERE {condition.sql})", condition.params)  # noqa: S608 (own names)


def _in_states(states: Collection[State]) -> str:
    if {*states} == {State.OPEN, State.DONE}:
        return SHOWN
    return f"({' OR '.join(IN_STATE[state] for state in states)})" if states else ""
