"""Read a person's work over all boards: open cards that are not done, in groups, page by page, in a fixed number of statements."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import UUID

from django.db.models import IntegerChoices, TextChoices
from django.utils import timezone

from boards.models import Assignment, Board, Card, Comment, List, Membership, Role
from boards.models.card import card_address
from boards.reader import Reader
from boards.reading.cards import GatheredRows, count_of
from boards.reading.columns import Condition
from boards.reading.tiles import LABELS_OF_ONE
from core import sql
from core.sql import table
from core.text.dates import start_of_week

if TYPE_CHECKING:
    from accounts.models import User


class Grouping(TextChoices):
    DUE = "due"
    BOARD = "board"
    LIST = "list"


class DueGroup(IntegerChoices):
    """When a card is due, for one reader. A week is the one that the account has."""

    OVERDUE, TODAY, WEEK, LATER, NONE = range(5)


class WorkRow(NamedTuple):
    """A card as a row of a list over all boards. `group` is a DueGroup, or the id of the board or list.

    `number` is how many cards the group has, and `total` how many all groups have, also on other pages.
    """

    pk: UUID
    title: str
    due_at: datetime | None
    due_day: date | None
    board_id: UUID
    board_title: str
    hue: int
    list_id: UUID
    list_title: str
    role: str
    group: Any = None
    number: int = 0
    total: int = 0
    labels: Sequence[tuple[str, int]] = ()  # name and hue
    comments: int = 0
    completed_at: None = None  # as work is never done

    @property
    def can_edit(self) -> bool:
        return Role(self.role).can_edit

    def get_absolute_url(self) -> str:
        return card_address(self.board_id, self.pk)


OWN_FIELDS = ("id", "title", "due_at", "due_day", "board_id", "list_id")
OTHERS = ("board.title", "board.hue", "list.title", "mine.role")
SOONEST = "this.due_at IS NULL, this.due_at, this.id"
KEYS = {Grouping.BOARD: "this.board_id", Grouping.LIST: "this.list_id"}
ORDERS = {
    Grouping.DUE: f"work_group, {SOONEST}",
    Grouping.BOARD: f"board.title, this.board_id, {SOONEST}",
    Grouping.LIST: f"board.title, this.board_id, list.position, {SOONEST}",
}
DUE_GROUP = (
    f"CASE WHEN this.due_at IS NULL THEN {DueGroup.NONE:d} WHEN {{before}} THEN {DueGroup.OVERDUE:d}"
    f" WHEN {{before}} THEN {DueGroup.TODAY:d} WHEN {{before}} THEN {DueGroup.WEEK:d} ELSE {DueGroup.LATER:d} END"
).format(before="(this.due_day < %s OR (this.due_day IS NULL AND this.due_at < %s))")


class Work(NamedTuple):
    """The cards that are neither done nor archived, that the reader can see, and whose ids are among `which`."""

    reader: Reader
    which: Condition


def assigned_to(user: "User") -> Condition:
    return Condition(f"SELECT card_id FROM {table(Assignment)} WHERE user_id = %s", sql.keys([user.pk]))  # noqa: S608 (own names)


def created_by(user: "User") -> Condition:
    return Condition(f"SELECT id FROM {table(Card)} WHERE created_by_id = %s", sql.keys([user.pk]))  # noqa: S608 (own names)


def rows_of(work: Work, by: Grouping, part: slice) -> list[WorkRow]:
    """Return a part of the rows in the order of their groups: two statements."""
    rows = bare_rows(work, by, part)
    parts = _parts_of([row.pk for row in rows])
    return [row._replace(labels=parts[row.pk][0], comments=parts[row.pk][1]) for row in rows]


def bare_rows(work: Work, by: Grouping, part: slice) -> list[WorkRow]:
    """Return the same without labels and comments: one statement.

    It counts the groups by windows, as a second statement would look at all cards once more.
    """
    user, (mine, ids) = work.reader.user, work.reader.membership_sql("mine")
    group, moments = (DUE_GROUP, _ends(user)) if by == Grouping.DUE else (KEYS[by], [])
    rest = (
        f"JOIN {table(List)} list ON list.id = this.list_id JOIN {table(Board)} board ON board.id = this.board_id"
        f" JOIN {table(Membership)} mine ON mine.board_id = this.board_id AND {mine}"
        f" WHERE this.id IN ({work.which.query}) AND this.completed_at IS NULL"
        " AND this.archived_at IS NULL AND list.archived_at IS NULL AND board.archived_at IS NULL"
        f" ORDER BY {ORDERS[by]} LIMIT %s OFFSET %s"
    )
    start = part.start or 0
    params = [*moments, *moments, *sql.keys(ids), *work.which.params, part.stop - start, start]
    more = (*OTHERS, f"{group} AS work_group", f"COUNT(*) OVER (PARTITION BY {group})", "COUNT(*) OVER ()")
    return [_row(*found) for found in sql.values(Card, OWN_FIELDS, rest, params, *more)]


def _row(
    pk: UUID, title: str, due_at: datetime | None, due_day: date | None, board: UUID, into: UUID, *others: Any
) -> WorkRow:
    board_title, hue, list_title, role, group, number, total = others
    key = DueGroup(group) if isinstance(group, int) else sql.key_in(group)
    return WorkRow(pk, title, due_at, due_day, board, board_title, hue, into, list_title, role, key, number, total)


def _ends(user: "User") -> list[Any]:
    """Return when overdue, today and this week end for the user: each the day and the moment.

    A whole day is the same for everybody, and over when it is over in the reader's zone.
    """
    now = timezone.now()
    today = now.astimezone(user.zone).date()
    days = today + timedelta(days=1), start_of_week(today, user.first_weekday) + timedelta(days=7)
    ends = [(today, now), *((day, datetime.combine(day, time(), user.zone)) for day in days)]
    return [value for day, moment in ends for value in (sql.day(day), sql.moment(moment))]


def _parts_of(ids: Sequence[UUID]) -> dict[UUID, tuple[list[tuple[str, int]], int]]:
    """Return the labels and the number of comments of cards, by card."""
    if not ids:
        return {}
    rest = f"WHERE this.id IN ({', '.join(['%s'] * len(ids))})"
    labels = GatheredRows("labels", "name, hue", LABELS_OF_ONE.replace("label.id, ", "", 1)).gathered()
    found = sql.values(Card, ("id",), rest, sql.keys(ids), labels, count_of(Comment))
    return {pk: ([(name, hue) for name, hue in json.loads(worn or "[]")], number) for pk, worn, number in found}


class MyBoard(NamedTuple):
    """An open board of the reader."""

    pk: UUID
    version: int
    title: str
    role: str

    @property
    def can_edit(self) -> bool:
        return Role(self.role).can_edit


def my_boards(reader: Reader) -> list[MyBoard]:
    """Return the reader's open boards, the last changed first: one statement."""
    mine, params = reader.membership_sql("mine")
    rest = (
        f"JOIN {table(Membership)} mine ON mine.board_id = this.id AND {mine}"
        " WHERE this.archived_at IS NULL ORDER BY this.changed_at DESC, this.id"
    )
    found = sql.values(Board, ("id", "version", "title"), rest, sql.keys(params), "mine.role")
    return [MyBoard._make(one) for one in found]


def state_of(boards: Iterable[MyBoard]) -> str:
    """Return a text that changes with anything on these boards, and with which boards they are."""
    state = sorted(f"{one.pk.hex} {one.version}" for one in boards)
    return hashlib.blake2b(",".join(state).encode(), digest_size=12).hexdigest()
