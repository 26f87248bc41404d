"""The statements that run with every change, and the one behind the list of boards, written as SQL.

Why not the ORM: it took longer to build these queries than the database to answer them. docs/decisions/statements.md
has the figures, and names the few other places with SQL of their own. Every other query goes through the ORM.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, TypeVar
from uuid import UUID

from django.db import connection, models

from boards.models import Board, List, Membership
from boards.reader import Reader

Row = TypeVar("Row", bound=models.Model)


def lock_board(pk: UUID) -> Board | None:
    """Lock the board's row until the transaction ends, and return it; None when there is no such board.

    On SQLite the IMMEDIATE transaction has already locked the whole database (docs/decisions/database.md).
    """
    return _first(Board, f"SELECT * FROM {_table(Board)} WHERE id = %s{_for_update()}", pk)


def lock_board_of(model: type[models.Model], pk: UUID) -> Board | None:
    """Lock and return the board to which the row `pk` of `model` belongs; None when there is no such row."""
    home = f"(SELECT board_id FROM {_table(model)} WHERE id = %s)"
    return _first(Board, f"SELECT * FROM {_table(Board)} WHERE id = {home}{_for_update()}", pk)


def read_row(model: type[Row], pk: UUID, board: Board) -> Row | None:
    """Return the row `pk` of `model`; None when there is none on this board."""
    return _first(model, f"SELECT * FROM {_table(model)} WHERE id = %s AND board_id = %s", pk, board.pk)


def read_role(board_id: UUID, user_id: UUID) -> str | None:
    return _value(f"SELECT role FROM {_table(Membership)} WHERE board_id = %s AND user_id = %s", board_id, user_id)


def last_position(model: type[models.Model], parent: str, pk: UUID) -> int | None:
    """Return the highest position among the rows whose foreign key `parent` is `pk`; None when there are no rows."""
    return _value(f"SELECT MAX(position) FROM {_table(model)} WHERE {parent}_id = %s", pk)


def read_boards_and_lists(reader: Reader) -> list[tuple[UUID, str, UUID | None, str]]:
    """Return (board id, board title, list id, list title) for each open list of each open board of this reader.

    The rows are in display order. A board without open lists has one row, whose list id and title are None.
    """
    mine, params = reader.membership_sql("m")
    sql = (
        f"SELECT b.id, b.title, l.id, l.title FROM {_table(Membership)} m JOIN {_table(Board)} b ON b.id = m.board_id"
        f" LEFT JOIN {_table(List)} l ON l.board_id = b.id AND l.archived_at IS NULL"
        f" WHERE {mine} AND b.archived_at IS NULL ORDER BY b.created_at, b.id, l.position"
    )
    with connection.cursor() as cursor:
        cursor.execute(sql, _keys(params))
        rows = cursor.fetchall()
    if connection.features.has_native_uuid_field:
        return rows
    return [(UUID(board), title, UUID(row) if row else None, name) for board, title, row, name in rows]


def insert(row: models.Model) -> None:
    """Insert a new row. Unlike `save`, this sends no signals and never tries an UPDATE first."""
    sql, fields = _insert(type(row))
    with connection.cursor() as cursor:
        cursor.execute(sql, [field.get_db_prep_save(field.pre_save(row, add=True), connection) for field in fields])
    row._state.adding = False
    row._state.db = connection.alias


@lru_cache
def _insert(model: type[models.Model]) -> tuple[str, "list[models.Field[Any, Any]]"]:
    fields = list(model._meta.concrete_fields)
    columns = ", ".join(connection.ops.quote_name(str(field.column)) for field in fields)
    return f"INSERT INTO {_table(model)} ({columns}) VALUES ({', '.join(['%s'] * len(fields))})", fields


def _first(model: type[Row], sql: str, *ids: UUID) -> Row | None:
    return next(iter(model._default_manager.raw(sql, _keys(ids))), None)


def _value(sql: str, *ids: UUID) -> Any:
    with connection.cursor() as cursor:
        cursor.execute(sql, _keys(ids))
        found = cursor.fetchone()
    return found[0] if found else None


def _keys(ids: Iterable[UUID]) -> list[Any]:
    """Return the ids as parameters for this database: SQLite stores them as text."""
    return [Board._meta.pk.get_db_prep_value(pk, connection) for pk in ids]


def _for_update() -> str:
    return " FOR NO KEY UPDATE" if connection.features.has_select_for_no_key_update else ""


def _table(model: type[models.Model]) -> str:
    return connection.ops.quote_name(model._meta.db_table)
