"""The statements of every change, of the list of boards, and of a board's page and its live updates, as SQL (core/sql.py)."""

import json
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import wraps
from typing import Any, NamedTuple, ParamSpec, TypeVar
from uuid import UUID

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connection, models

from boards.models import Activity, Attachment, Board, BoardView, Card, Label, List, Membership, Offer, PublicLink, Role
from boards.reader import Reader
from core import sql
from core.measures import LOCK_WAIT
from core.sql import Statement, key_in, keys, table

Row = TypeVar("Row", bound=models.Model)
P = ParamSpec("P")
T = TypeVar("T")


def locking(lock: Callable[P, T]) -> Callable[P, T]:
    """Have metrics say how long the statement took. On SQLite the transaction has the one lock already."""

    @wraps(lock)
    def timed(*args: P.args, **kwargs: P.kwargs) -> T:
        if not sql.is_postgresql():
            return lock(*args, **kwargs)
        with LOCK_WAIT.timed("board"):
            return lock(*args, **kwargs)

    return timed


@locking
def lock_board(pk: UUID) -> Board | None:
    """Lock the board's row until the transaction ends, and return it; None when there is no such board.

    On SQLite the IMMEDIATE transaction has already locked the whole database (docs/decisions/database.md).
    """
    return _first(Board, f"WHERE this.id = %s{_for_update()}", [pk])


@locking
def lock_board_of(model: type[models.Model], pk: UUID) -> Board | None:
    """Lock and return the board to which the row `pk` of `model` belongs; None when there is no such row."""
    return _first(Board, f"WHERE this.id = (SELECT board_id FROM {table(model)} WHERE id = %s){_for_update()}", [pk])


@locking
def lock_boards(ids: Iterable[UUID]) -> dict[UUID, Board]:
    """Lock the boards in the order of their ids, and return them by id."""
    wanted = keys(ids)
    rest = f"WHERE this.id IN ({', '.join(['%s'] * len(wanted)) or 'NULL'}) ORDER BY this.id{_for_update()}"
    return {board.pk: board for board in sql.select(Board, rest, wanted)}


def lock_owners(board_ids: Iterable[UUID]) -> list[Membership]:
    """Lock the accounts that own these boards, and return their memberships of them with accounts and plans."""
    wanted = keys(board_ids)
    rest = (
        f"WHERE this.board_id IN ({', '.join(['%s'] * len(wanted)) or 'NULL'}) AND this.role = %s ORDER BY this.user_id"
    )
    return sql.select(Membership, rest + _for_update("this_user"), [*wanted, Role.OWNER.value], "user__plan")


@locking
def lock_with_row(model: type[models.Model], pk: UUID, user: UUID, *related: str, on: UUID | None = None) -> Any:
    """Lock the board to which the row `pk` of `model` belongs, and return that row with its board; None when there is none.

    With `on`, only that board is locked, and None is also returned when the row is on another one.

    Both are read by one statement, which PostgreSQL begins before it has the lock. If another change was committed in
    between, the board is as that change left it, but `board_seen` is still the board's version before it, and so is all
    else of the row: read it again.
    """
    seen = f"(SELECT seen.version FROM {table(Board)} seen WHERE seen.id = this.board_id)"
    rest = f"WHERE this.id = %s{' AND this.board_id = %s' if on else ''}{_for_update('this_board')}"
    return _with_role(model, rest, [user, pk, *([on] if on else [])], "board", *related, board_seen=seen)


def read_row(model: type[models.Model], pk: UUID, boards: Iterable[UUID], user: UUID, *related: str) -> Any:
    """Return the row `pk` of `model` with the rows of its keys `related`; None when it is on none of these boards.

    Its `role_of_user` is that of this user on its board, or None. A list has its `last_position`, that of its last card.
    """
    on = list(boards)
    rest = f"WHERE this.id = %s AND this.board_id IN ({', '.join(['%s'] * len(on))})"
    return _with_role(model, rest, [user, pk, *on], *related)


def _with_role(model: type[models.Model], rest: str, ids: Iterable[UUID], *related: str, **annotations: str) -> Any:
    role = f"(SELECT role FROM {table(Membership)} m WHERE m.board_id = this.board_id AND m.user_id = %s)"
    if model is List:
        annotations["last_position"] = f"(SELECT MAX(c.position) FROM {table(Card)} c WHERE c.list_id = this.id)"
    return _first(model, rest, ids, *related, role_of_user=role, **annotations)


def read_visible(model: type[Row], pk: UUID, reader: Reader, *related: str) -> Row | None:
    """Return a row of a board with its board; None when the reader cannot see it. `role_of_user` is the reader's role."""
    mine, params = reader.membership_sql("m")
    role = f"(SELECT m.role FROM {table(Membership)} m WHERE m.board_id = this.board_id AND {mine})"
    found = _first(model, "WHERE this.id = %s", [*params, pk], "board", *related, role_of_user=role)
    return found if found is not None and found.role_of_user else None  # type: ignore[attr-defined]


def board_of(model: type[models.Model], pk: UUID) -> UUID | None:
    """Return the id of the board to which the row `pk` of `model` belongs; None when there is no such row."""
    return key_in(_value(f"SELECT board_id FROM {table(model)} WHERE id = %s", pk))


def read_role(board_id: UUID, user_id: UUID) -> str | None:
    return _value(f"SELECT role FROM {table(Membership)} WHERE board_id = %s AND user_id = %s", board_id, user_id)


def last_position(model: type[models.Model], parent: str, pk: UUID) -> int | None:
    """Return the highest position among the rows whose foreign key `parent` is `pk`; None when there are no rows."""
    return _value(f"SELECT MAX(position) FROM {table(model)} WHERE {parent}_id = %s", pk)


def read_destination(list_id: UUID, card_id: UUID | None, reader: Reader) -> tuple[UUID, bool] | None:
    """Return the board of a list, and whether the card would bring files to it from another one; None when the reader
    cannot see the list.
    """
    mine, params = reader.membership_sql("m")
    files = f"SELECT 1 FROM {table(Attachment)} a WHERE a.card_id = %s AND a.board_id <> this.board_id"
    query = (
        f"SELECT this.board_id, EXISTS ({files}) FROM {table(List)} this"
        f" JOIN {table(Membership)} m ON m.board_id = this.board_id WHERE this.id = %s AND {mine}"
    )
    found = sql.first(query, keys([card_id, list_id, *params]))
    return found and (key_in(found[0]), bool(found[1]))


def read_ids(model: type[models.Model], parent: str, pk: UUID, ids: Collection[UUID]) -> set[UUID]:
    """Return which of these rows have the parent `pk`, whose id is in the column `parent`."""
    if not ids:
        return set()
    query = f"SELECT id FROM {table(model)} WHERE {parent} = %s AND id IN ({', '.join(['%s'] * len(ids))})"
    return {key_in(found) for (found,) in sql.rows(query, keys([pk, *ids]))}


def read_kinds_of_parts(card_id: UUID, parts: Sequence[type[models.Model]]) -> list[type[models.Model]]:
    """Return those of the models `parts` of which the card has rows."""
    there = ", ".join(f"EXISTS (SELECT 1 FROM {table(part)} WHERE card_id = %s)" for part in parts)
    found = sql.first(f"SELECT {there}", keys([card_id]) * len(parts)) or ()
    return [part for part, is_there in zip(parts, found, strict=True) if is_there]


def bring(part: type[models.Model], card_id: UUID, board: Board, version: int) -> Statement:
    """Return the statement that puts the card's rows of this model on the board, in the change with this version."""
    query = f"UPDATE {table(part)} SET board_id = %s, version = %s WHERE card_id = %s"
    [board_key, card_key] = keys([board.pk, card_id])
    return Statement(query, [board_key, version, card_key])


def read_board(board_id: UUID, reader: Reader) -> tuple[Board, str] | None:
    """Return the board, archived or not, and this reader's role on it; None when the reader cannot see it.

    The board comes with `is_shared`: whether its public link shows it now.
    """
    mine, params = reader.membership_sql("this")
    link = "SELECT 1 FROM " + table(PublicLink) + " p WHERE p.board_id = this.board_id"
    shared = f"EXISTS ({link} AND (p.expires_at IS NULL OR p.expires_at > CURRENT_TIMESTAMP))"
    rest = f"WHERE this.board_id = %s AND {mine}"
    found: Any = _first(Membership, rest, [board_id, *params], "board", board_is_shared=shared)
    if found is None:
        return None
    found.board.is_shared = settings.PUBLIC_LINKS and bool(found.board_is_shared)
    return found.board, found.role


def read_last_change(board: Board) -> UUID | None:
    """Return the id of the change that gave the board the version it has here."""
    query = f"SELECT id FROM {table(Activity)} WHERE board_id = %s AND version = %s"
    found = sql.first(query, [*keys([board.pk]), board.version])
    return key_in(found[0]) if found else None


class BoardState(NamedTuple):
    """An open board and one of its members, compared with a page that shows `version` with the change `change`."""

    version: int
    last_change: UUID | None  # the id of the change that gave the board this version
    is_known: bool  # whether `change` had that version
    cards: int  # how many the board ever had
    member: UUID


def read_state(board_id: UUID, version: int, change: UUID | None) -> list[BoardState]:
    """Return the state of an open board, once for each member."""
    query = (
        "SELECT b.version, now.id, was.id IS NOT NULL, b.last_card_number, m.user_id"
        f" FROM {table(Board)} b JOIN {table(Membership)} m ON m.board_id = b.id"
        f" LEFT JOIN {table(Activity)} now ON now.board_id = b.id AND now.version = b.version"
        f" LEFT JOIN {table(Activity)} was ON was.board_id = b.id AND was.version = %s AND was.id = %s"
        " WHERE b.id = %s AND b.archived_at IS NULL"
    )
    old, board = keys([change])[0] if change else None, keys([board_id])[0]
    return [
        BoardState(number, key_in(last), bool(is_known), cards, key_in(member))
        for number, last, is_known, cards, member in sql.rows(query, [version, old, board])
    ]


class Passed(NamedTuple):
    """A change that a page has missed."""

    verb: str
    removed: list[dict[str, str]]  # kinds and ids of rows that are no longer on the board
    data: dict[str, Any]


def read_passed(board_id: UUID, since: int) -> list[Passed]:
    """Return the changes of a board after the version `since`, oldest first."""
    query = f"SELECT verb, removed, data FROM {table(Activity)} WHERE board_id = %s AND version > %s ORDER BY version"
    found = sql.rows(query, [*keys([board_id]), since])
    return [Passed(verb, json.loads(removed) if removed else [], json.loads(data)) for verb, removed, data in found]


def read_changed_cards(board_id: UUID, since: int, most: int) -> list[tuple[UUID, UUID]]:
    """Return (id, id of the list) of the cards that changed after the version `since`, or have another position since.

    Archived ones are among them; there are `most` at most.
    """
    query = (
        f"SELECT id, list_id FROM {table(Card)} WHERE board_id = %s AND version > %s"
        f" UNION SELECT id, list_id FROM {table(Card)} WHERE board_id = %s AND renumbered > %s AND renumbered > 0 LIMIT %s"
    )
    board = keys([board_id])
    return [(key_in(pk), key_in(into)) for pk, into in sql.rows(query, [*board, since, *board, since, most])]


def read_changed_lists(board_id: UUID, since: int, most: int) -> list[List]:
    """Return the lists that changed after the version `since`, or have another position since, in display order.

    Archived ones are among them; there are `most` at most.
    """
    rest = "WHERE this.board_id = %s AND (this.version > %s OR this.renumbered > %s) ORDER BY this.position LIMIT %s"
    return sql.select(List, rest, [*keys([board_id]), since, since, most])


def read_members(board_id: UUID) -> list[Membership]:
    """Return the memberships of a board with their users, in display order."""
    rest = "WHERE this.board_id = %s ORDER BY this.created_at, this.id"
    return sql.select(Membership, rest, keys([board_id]), "user")


def read_member_ids(board_id: UUID) -> frozenset[UUID]:
    """Return the ids of the members of an open board; none of one that is archived."""
    query = (
        f"SELECT m.user_id FROM {table(Membership)} m JOIN {table(Board)} b ON b.id = m.board_id"
        " WHERE b.id = %s AND b.archived_at IS NULL"
    )
    return frozenset(key_in(member) for (member,) in sql.rows(query, keys([board_id])))


def read_owner(board_id: UUID) -> Membership | None:
    """Return the membership of the board's owner with account and plan."""
    rest = "WHERE this.board_id = %s AND this.role = %s"
    found = sql.select(Membership, rest, [*keys([board_id]), Role.OWNER.value], "user__plan")
    return found[0] if found else None


def read_open_lists(board_id: UUID) -> list[List]:
    """Return the lists of a board that are not archived, in display order."""
    rest = "WHERE this.board_id = %s AND this.archived_at IS NULL ORDER BY this.position"
    return sql.select(List, rest, keys([board_id]))


def read_labels(board_id: UUID) -> list[Label]:
    """Return the labels of a board in display order."""
    return sql.select(Label, "WHERE this.board_id = %s ORDER BY this.created_at, this.id", keys([board_id]))


def read_view(board_id: UUID, reader: Reader) -> BoardView | None:
    """Return this reader's view of the board; None when nothing is kept or the reader is not a member."""
    mine, params = reader.membership_sql("m")
    member = f"EXISTS (SELECT 1 FROM {table(Membership)} m WHERE m.board_id = this.board_id AND {mine})"
    rest = f"WHERE this.board_id = %s AND this.user_id = %s AND {member}"
    return _first(BoardView, rest, [board_id, reader.user.pk, *params])


def read_offer(board_id: UUID) -> Offer | None:
    """Return the offer of a board with the board, its receiver and its owner; None when there is none."""
    return _first(Offer, "WHERE this.board_id = %s", [board_id], "board", "to", "offered_by")


def read_boards_and_lists(reader: Reader, *, archived: bool = False) -> list[tuple[UUID, str, UUID | None, str]]:
    """Return (board id, board title, list id, list title) for each open list of each open or archived board of this reader.

    The rows are in display order. A board without open lists has one row, whose list id and title are None.
    """
    mine, params = reader.membership_sql("m")
    query = (
        f"SELECT b.id, b.title, l.id, l.title FROM {table(Membership)} m JOIN {table(Board)} b ON b.id = m.board_id"
        f" LEFT JOIN {table(List)} l ON l.board_id = b.id AND l.archived_at IS NULL"
        f" WHERE {mine} AND b.archived_at IS {'NOT NULL' if archived else 'NULL'}"
        " ORDER BY b.created_at, b.id, l.position"
    )
    rows = sql.rows(query, keys(params))
    if connection.features.has_native_uuid_field:
        return rows
    return [(UUID(board), title, key_in(row), name) for board, title, row, name in rows]


def read_last_changes(reader: Reader, board_ids: Iterable[UUID]) -> list[tuple[UUID, int, UUID | None, bool]]:
    """Return (id, version, id of the change that gave it that version, is the reader's) for those boards that are open."""
    mine, params = reader.membership_sql("m")
    ids = keys(board_ids)
    query = (
        f"SELECT b.id, b.version, a.id, EXISTS (SELECT 1 FROM {table(Membership)} m WHERE m.board_id = b.id AND {mine})"
        f" FROM {table(Board)} b LEFT JOIN {table(Activity)} a ON a.board_id = b.id AND a.version = b.version"
        f" WHERE b.archived_at IS NULL AND b.id IN ({', '.join(['%s'] * len(ids)) or 'NULL'})"
    )
    with connection.cursor() as cursor:
        cursor.execute(query, [*keys(params), *ids])
        return [
            (key_in(pk), version, key_in(change), bool(is_mine)) for pk, version, change, is_mine in cursor.fetchall()
        ]


def note_saved(rows: Iterable[models.Model]) -> None:
    """Let new rows, whose `sql.insertion` has run, be known as saved: saving them again is then an UPDATE."""
    for row in rows:
        row._state.adding, row._state.db = False, DEFAULT_DB_ALIAS


def _first(model: type[Row], rest: str, ids: Iterable[UUID], *related: str, **annotations: Any) -> Row | None:
    found = sql.select(model, rest, keys(ids), *related, **annotations)
    return found[0] if found else None


def _value(query: str, *ids: UUID) -> Any:
    found = sql.first(query, keys(ids))
    return found[0] if found else None


def _for_update(of: str = "") -> str:
    if not sql.is_postgresql():
        return ""
    return " FOR NO KEY UPDATE" + (f" OF {of}" if of else "")
