"""Read a person's work over all boards: open cards that are not done, in groups, page by page, in a fixed number of statements."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import UUID

from django.db.models import Exists, IntegerChoices, OuterRef, TextChoices
from django.db.models.expressions import RawSQL
from django.utils import timezone

from boards.models import Assignment, Board, Card, CardLabel, Comment, List, Membership, Role
from boards.reader import Reader
from boards.reading.cards import GatheredRows, count_of
from boards.reading.columns import Condition
from boards.reading.filters import condition_of, due_kinds
from boards.reading.search_words import matching_text
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
    """The time at which a card is due, for one reader. A week is the one that the account has."""

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


OWN_FIELDS = ("id", "title", "due_at", "due_day", "board_id", "list_id")
OTHERS = tuple(f"this.{name}" for name in ("board_title", "hue", "list_title", "role", "work_group", "number", "total"))
SOONEST = "work_group, due_at IS NULL, due_at, id"
PLACES = {  # of an open list among those of the reader, as the groups stand
    Grouping.DUE: "0",
    Grouping.BOARD: "RANK() OVER (ORDER BY board.title, board.id)",
    Grouping.LIST: "RANK() OVER (ORDER BY board.title, board.id, list.position)",
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


class Narrowing(NamedTuple):
    """What keeps a part of a person's work. A field without a value keeps everything."""

    query: str = ""
    board: UUID | None = None
    label: str = ""  # a name, which several boards may have
    due: str = ""  # one of filters.DUE


def narrowed(which: Condition, by: Narrowing, user: "User") -> Condition:
    """Return those of the cards that a narrowing keeps. Raise Invalid for a query that is too long."""
    if not any(by):
        return which
    among = RawSQL(which.query, which.params)  # noqa: S611 (own names)
    cards = Card.objects.filter(matching_text(by.query), due_kinds((by.due,) if by.due else (), user), pk__in=among)
    if by.board:
        cards = cards.filter(board=by.board)
    if by.label:
        cards = cards.filter(Exists(CardLabel.objects.filter(card=OuterRef("pk"), label__name=by.label)))
    return condition_of(cards)


def rows_of(work: Work, by: Grouping, part: slice) -> list[WorkRow]:
    """Return a part of the rows in the order of their groups: one statement."""
    labels = GatheredRows("labels", "name, hue", LABELS_OF_ONE.replace("label.id, ", "", 1)).gathered()
    return _read(work, by, part, labels, count_of(Comment))


def bare_rows(work: Work, by: Grouping, part: slice) -> list[WorkRow]:
    """Return the same without labels and comments."""
    return _read(work, by, part)


def _read(work: Work, by: Grouping, part: slice, *more: str) -> list[WorkRow]:
    user, (_condition, ids) = work.reader.user, work.reader.membership_sql("mine")
    moments = _ends(user) if by == Grouping.DUE else []
    start = part.start or 0
    mine = sql.keys(ids)
    params = [*mine, *moments, *work.which.params, part.stop - start, start, *mine]
    found = sql.values(Card, OWN_FIELDS, f"ORDER BY {SOONEST}", params, *OTHERS, *more, source=_source(work, by))
    return [_row(by, *values) for values in found]


def _source(work: Work, by: Grouping) -> str:
    """Return SQL of the rows. All cards are counted and put in order with few columns; those shown get the rest."""
    mine, _ids = work.reader.membership_sql("mine")
    group = DUE_GROUP if by == Grouping.DUE else "open_list.place"
    return (
        f"(WITH open_list AS (SELECT list.id, {PLACES[by]} AS place FROM {table(Membership)} mine"  # noqa: S608 (own names)
        f" JOIN {table(Board)} board ON board.id = mine.board_id AND board.archived_at IS NULL"
        f" JOIN {table(List)} list ON list.board_id = board.id AND list.archived_at IS NULL WHERE {mine}),"
        f" found AS (SELECT this.id, this.due_at, {group} AS work_group"
        f" FROM {table(Card)} this JOIN open_list ON open_list.id = this.list_id"
        f" WHERE this.id IN ({work.which.query}) AND this.completed_at IS NULL AND this.archived_at IS NULL),"
        " counted AS (SELECT work_group, COUNT(*) AS number FROM found GROUP BY work_group)"
        f" SELECT {', '.join(f'this.{name}' for name in OWN_FIELDS)}, board.title AS board_title, board.hue,"
        " list.title AS list_title, mine.role, shown.work_group, counted.number,"
        " (SELECT CAST(SUM(number) AS integer) FROM counted) AS total"
        f" FROM (SELECT * FROM found ORDER BY {SOONEST} LIMIT %s OFFSET %s) shown"
        f" JOIN {table(Card)} this ON this.id = shown.id JOIN {table(List)} list ON list.id = this.list_id"
        f" JOIN {table(Board)} board ON board.id = list.board_id"
        f" JOIN {table(Membership)} mine ON mine.board_id = board.id AND {mine}"
        " JOIN counted ON counted.work_group = shown.work_group)"
    )


def _row(
    by: Grouping,
    pk: UUID,
    title: str,
    due_at: datetime | None,
    due_day: date | None,
    board: UUID,
    into: UUID,
    *others: Any,
) -> WorkRow:
    board_title, hue, list_title, role, group, number, total, *parts = others
    labels, comments = (json.loads(parts[0]), parts[1]) if parts else ((), 0)
    key = {Grouping.BOARD: board, Grouping.LIST: into}.get(by) or DueGroup(group)
    own = (pk, title, due_at, due_day, board, board_title, hue, into, list_title, role)
    return WorkRow(*own, key, number, total, labels, comments)


def _ends(user: "User") -> list[Any]:
    """Return when overdue, today and this week end for the user: each the day and the moment.

    A whole day is the same for everybody, and over when it is over in the reader's zone.
    """
    now = timezone.now()
    today = now.astimezone(user.zone).date()
    days = today + timedelta(days=1), start_of_week(today, user.first_weekday) + timedelta(days=7)
    ends = [(today, now), *((day, datetime.combine(day, time(), user.zone)) for day in days)]
    return [value for day, moment in ends for value in (sql.day(day), sql.moment(moment))]


MAY_EDIT = {
    role.value: role.can_edit for role in Role
}  # asking a Role for each of 200 boards takes longer than reading them


class MyBoard(NamedTuple):
    """An open board of the reader."""

    pk: UUID
    version: int
    title: str
    role: str

    @property
    def can_edit(self) -> bool:
        return MAY_EDIT[self.role]


def my_boards(reader: Reader) -> list[MyBoard]:
    """Return the reader's open boards, the last changed first: one statement."""
    mine, params = reader.membership_sql("mine")
    rest = (
        f"JOIN {table(Membership)} mine ON mine.board_id = this.id AND {mine}"
        " WHERE this.archived_at IS NULL ORDER BY this.changed_at DESC, this.id"
    )
    found = sql.values(Board, ("id", "version", "title"), rest, sql.keys(params), "mine.role")
    return [MyBoard._make(one) for one in found]


def state_of(boards: Iterable[MyBoard | Board]) -> str:
    """Return a text that changes with anything on these boards. Its first half changes with which boards they are alone."""
    state = sorted((one.pk.hex, one.version) for one in boards)
    return _digest(pk for pk, _version in state) + _digest(f"{pk} {version}" for pk, version in state)


def _digest(parts: Iterable[str]) -> str:
    return hashlib.blake2b(",".join(parts).encode(), digest_size=12).hexdigest()
