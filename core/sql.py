"""Fixed statements: SQL that runs with every call or change, where the ORM takes longer to build it than the database to
answer. On PostgreSQL each is prepared once a connection; the rows are instances of models, as the ORM's are.

docs/decisions/statements.md says which these are, and has the figures. Everything else goes through the ORM.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar
from uuid import UUID

from django.db import Error, connection, models
from django.db.models.expressions import Col

Row = TypeVar("Row", bound=models.Model)
# Codes of PostgreSQL
INSUFFICIENT_PRIVILEGE, LOCK_NOT_AVAILABLE, QUERY_CANCELED = "42501", "55P03", "57014"
UUID_FIELD: "models.UUIDField[UUID, UUID]" = models.UUIDField()


class Statement(NamedTuple):
    sql: str
    params: Sequence[Any]


def rows(sql: str, params: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
    with _cursor() as cursor:
        cursor.execute(sql, params)
        return cursor.fetchall()


def first(sql: str, params: Sequence[Any] = ()) -> tuple[Any, ...] | None:
    with _cursor() as cursor:
        cursor.execute(sql, params)
        return cursor.fetchone()


def run_together(statements: Sequence[Statement]) -> None:
    """Run statements that write and do not need each other's outcome: on PostgreSQL as one, its parts in any order."""
    if connection.vendor == "postgresql":
        *others, last = statements
        parts = ", ".join(f"w{place} AS ({other.sql})" for place, other in enumerate(others))
        params = [value for statement in statements for value in statement.params]
        statements = [Statement(f"WITH {parts} {last.sql}" if parts else last.sql, params)]
    with _cursor() as cursor:
        for statement in statements:
            cursor.execute(*statement)


def insertion(row: models.Model) -> Statement:
    """Return the statement that inserts a new row. It sends no signals."""
    sql, fields = _insertion(type(row))
    return Statement(sql, [field.get_db_prep_save(field.pre_save(row, add=True), connection) for field in fields])


def update(row: models.Model, names: Iterable[str]) -> Statement:
    """Return the statement that writes these fields of a row. It sends no signals."""
    fields: list[Any] = [row._meta.get_field(name) for name in sorted(names)]
    values = [field.get_db_prep_save(getattr(row, field.attname), connection) for field in fields]
    assignments = ", ".join(f"{quoted(field.column)} = %s" for field in fields)
    sql = f"UPDATE {table(type(row))} SET {assignments} WHERE id = %s"  # noqa: S608 (own names)
    return Statement(sql, [*values, *keys([row.pk])])


def sqlstate_of(error: Error) -> str | None:
    """Return PostgreSQL's code of this error; None for an error of another database."""
    return getattr(error.__cause__, "sqlstate", None)


@lru_cache
def columns(model: type[models.Model], alias: str | None = None) -> str:
    """Return the columns of a model, to select what `instance` reads."""
    return ", ".join(f"{alias or table(model)}.{quoted(field.column)}" for field in model._meta.concrete_fields)


def width(model: type[models.Model]) -> int:
    """Return how many `columns` a model has."""
    return len(model._meta.concrete_fields)


def instance(model: type[Row], values: Sequence[Any]) -> Row:
    """Return the row whose `columns` these values are."""
    read = list(values)
    for place, converters, column in _conversions(model):
        for convert in converters:
            read[place] = convert(read[place], column, connection)
    return model.from_db(connection.alias, [field.attname for field in model._meta.concrete_fields], read)


def keys(ids: Iterable[UUID]) -> list[Any]:
    """Return ids as parameters for this database: SQLite stores them as text."""
    return [UUID_FIELD.get_db_prep_value(pk, connection) for pk in ids]


@lru_cache
def table(model: type[models.Model]) -> str:
    return quoted(model._meta.db_table)


def quoted(name: str | None) -> str:
    return connection.ops.quote_name(str(name))


def _cursor() -> Any:
    return connection.prepared_cursor() if connection.vendor == "postgresql" else connection.cursor()  # type: ignore[attr-defined]


@lru_cache
def _insertion(model: type[models.Model]) -> tuple[str, "list[models.Field[Any, Any]]"]:
    fields: list[Any] = list(model._meta.concrete_fields)
    names = ", ".join(quoted(field.column) for field in fields)
    values = ", ".join(["%s"] * len(fields))
    return f"INSERT INTO {table(model)} ({names}) VALUES ({values})", fields  # noqa: S608 (own names)


@lru_cache
def _conversions(model: type[models.Model]) -> list[tuple[int, list[Any], Col]]:
    """Return (place, converters, column) of the columns whose values this database does not return as Python's."""
    found = []
    for place, field in enumerate(model._meta.concrete_fields):
        column = field.get_col(model._meta.db_table)
        converters = connection.ops.get_db_converters(column) + column.get_db_converters(connection)
        if converters:
            found.append((place, converters, column))
    return found
