"""Fixed statements: SQL that runs with every call or change, where the ORM takes longer to build it than the database to
answer. On PostgreSQL each is prepared once a connection; the rows are instances of models, as the ORM's are.

docs/decisions/statements.md says which these are, and has the figures. Everything else goes through the ORM.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple, TypeVar
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, Error, connection, connections, models
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


def select(
    model: type[Row], rest: str, params: Sequence[Any], *related: str, annotation: tuple[str, str] | None = None
) -> list[Row]:
    """Return rows of a model, read together with the rows to which their foreign keys `related` lead.

    `rest` follows FROM and the joins. In it the model's own table is called this, and that of "card__list" this_card_list.
    With `annotation`, an attribute and its SQL, each row has that value too.
    """
    source, parts = _joined(model, related)
    selected = [columns(part.model, part.alias) for part in parts]
    if annotation:
        selected.append(annotation[1])
    found = []
    for values in rows(f"SELECT {', '.join(selected)} FROM {source} {rest}", params):  # noqa: S608 (own names)
        left, read = iter(values), {}
        for part in parts:
            read[part.alias] = instance(part.model, list(islice(left, part.width)))
            if part.parent:
                setattr(read[part.parent], part.field, read[part.alias])
        row = read["this"]
        if annotation:
            setattr(row, annotation[0], next(left))
        found.append(row)
    return found


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
    on = _connection()
    return Statement(sql, [field.get_db_prep_save(field.pre_save(row, add=True), on) for field in fields])


def update(row: models.Model, names: Iterable[str]) -> Statement:
    """Return the statement that writes these fields of a row. It sends no signals."""
    fields: list[Any] = [row._meta.get_field(name) for name in sorted(names)]
    on = _connection()
    values = [field.get_db_prep_save(getattr(row, field.attname), on) for field in fields]
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
    read, on = list(values), _connection()
    names, conversions = _reading(model)
    for place, converters, column in conversions:
        for convert in converters:
            read[place] = convert(read[place], column, on)
    return model.from_db(on.alias, names, read)


def keys(ids: Iterable[UUID]) -> list[Any]:
    """Return ids as parameters for this database: SQLite stores them as text."""
    on = _connection()
    return [UUID_FIELD.get_db_prep_value(pk, on) for pk in ids]


def key_in(value: Any) -> Any:
    """Return the id in a row that was read without its model: SQLite stores it as text."""
    return UUID(value) if isinstance(value, str) else value


@lru_cache
def table(model: type[models.Model]) -> str:
    return quoted(model._meta.db_table)


def quoted(name: str | None) -> str:
    return connection.ops.quote_name(str(name))


def _connection() -> Any:
    """Return what `connection` stands for: each access to that takes longer than what is done with it here."""
    return connections[DEFAULT_DB_ALIAS]


def _cursor() -> Any:
    on = _connection()
    return on.prepared_cursor() if on.vendor == "postgresql" else on.cursor()


class _Part(NamedTuple):
    alias: str
    model: Any
    width: int  # columns
    parent: str = ""  # alias of the part whose foreign key `field` leads here
    field: str = ""


@lru_cache
def _joined(model: type[models.Model], related: tuple[str, ...]) -> tuple[str, list[_Part]]:
    """Return the tables with their joins, and what each of them holds. The foreign keys are never null."""
    parts = {"this": _Part("this", model, width(model))}
    joins = [f"{table(model)} this"]
    for path in related:
        parent = parts["this"]
        for name in path.split("__"):
            alias = f"{parent.alias}_{name}"
            if alias not in parts:
                key: Any = parent.model._meta.get_field(name)
                parts[alias] = _Part(alias, key.related_model, width(key.related_model), parent.alias, name)
                joins.append(f"JOIN {table(key.related_model)} {alias} ON {alias}.id = {parent.alias}.{key.column}")
            parent = parts[alias]
    return " ".join(joins), list(parts.values())


@lru_cache
def _insertion(model: type[models.Model]) -> tuple[str, "list[models.Field[Any, Any]]"]:
    fields: list[Any] = list(model._meta.concrete_fields)
    names = ", ".join(quoted(field.column) for field in fields)
    values = ", ".join(["%s"] * len(fields))
    return f"INSERT INTO {table(model)} ({names}) VALUES ({values})", fields  # noqa: S608 (own names)


@lru_cache
def _reading(model: type[models.Model]) -> tuple[list[str], list[tuple[int, list[Any], Col]]]:
    """Return the names of the fields, and (place, converters, column) where this database does not return Python's values."""
    conversions = []
    for place, field in enumerate(model._meta.concrete_fields):
        column = field.get_col(model._meta.db_table)
        converters = connection.ops.get_db_converters(column) + column.get_db_converters(connection)
        if converters:
            conversions.append((place, converters, column))
    return [field.attname for field in model._meta.concrete_fields], conversions
