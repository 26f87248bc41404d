"""Fixed statements: SQL that runs with every call or change, where the ORM takes longer to build it than the database to
answer. On PostgreSQL each is prepared once a connection; the rows are instances of models, as the ORM's are.

docs/decisions/statements.md has figures, and the SQL elsewhere. Everything else goes through the ORM.
"""

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from functools import cache, lru_cache
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


NOTHING = Statement("", [])  # a condition that everything meets


def combined(between: str, parts: Iterable[Statement]) -> Statement:
    """Return the parts as one; those without SQL are left out."""
    filled = [part for part in parts if part.sql]
    return Statement(between.join(part.sql for part in filled), [value for part in filled for value in part.params])


def rows(sql: str, params: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
    with _cursor() as cursor:
        cursor.execute(sql, params)
        return cursor.fetchall()


def planned_rows(sql: str, params: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
    """Return the rows of a statement that PostgreSQL plans each time for its parameters, which decide how it is best read."""
    with _connection().cursor() as cursor:
        cursor.execute(sql, params)
        return cursor.fetchall()


def first(sql: str, params: Sequence[Any] = ()) -> tuple[Any, ...] | None:
    with _cursor() as cursor:
        cursor.execute(sql, params)
        return cursor.fetchone()


def select(model: type[Row], rest: str, params: Sequence[Any], *related: str, **annotations: str) -> list[Row]:
    """Return rows of a model, read together with the rows to which their foreign keys `related` lead.

    `rest` follows FROM and the joins. In it the model's own table is called this, and that of "card__list" this_card_list.
    The `annotations` are SQL of values that each row has too, as attributes of these names.
    """
    columns, source, parts = _joined(model, related)
    query = f"SELECT {', '.join([columns, *annotations.values()])} FROM {source} {rest}"  # noqa: S608 (own names)
    found = []
    for values in rows(query, params):
        left, read = iter(values), {}
        for part in parts:
            read[part.alias] = _instance(part.model, list(islice(left, part.width)))
            if part.parent:
                setattr(read[part.parent], part.field, read[part.alias])
        row = read["this"]
        for name, value in zip(annotations, left, strict=True):
            setattr(row, name, value)
        found.append(row)
    return found


def only(model: type[Row], names: tuple[str, ...], rest: str, params: Sequence[Any]) -> list[Row]:
    """Return rows of a model that have these fields alone, given in the model's order, the id among them. Others are read when
    they are asked for, as with the ORM's `only`.
    """
    return [model.from_db(DEFAULT_DB_ALIAS, names, row) for row in values(model, names, rest, params)]


def values(
    model: type[models.Model],
    names: tuple[str, ...],
    rest: str,
    params: Sequence[Any],
    *more: str,
    source: str = "",
    planned: bool = False,
) -> list[list[Any]]:
    """Return the values of these fields of the rows, and then `more`, which is SQL. No instances are made, which takes long.

    `rest` follows FROM the model's own table, or a `source` in its place that has these columns; either is called this. With
    `planned` they are `planned_rows`.
    """
    read = planned_rows if planned else rows
    found = [list(row) for row in read(f"{_selected(model, names, more, source)} {rest}", params)]
    if conversions := _conversions(model, names):
        for row in found:
            _convert(row, conversions)
    return found


def run_together(statements: Sequence[Statement]) -> None:
    """Run statements that write and do not need each other's outcome: on PostgreSQL as one, its parts in any order."""
    if is_postgresql():
        *others, last = statements
        parts = ", ".join(f"w{place} AS ({other.sql})" for place, other in enumerate(others))
        params = [value for statement in statements for value in statement.params]
        statements = [Statement(f"WITH {parts} {last.sql}" if parts else last.sql, params)]
    with _cursor() as cursor:
        for statement in statements:
            cursor.execute(*statement)


def insertion(row: models.Model) -> Statement:
    """Return the statement that inserts a new row. It sends no signals."""
    return Statement(_insertion(type(row)), _new_values(row))


def insert_all(rows: Sequence[models.Model]) -> None:
    """Insert new rows of one model, at least one, by one statement, on PostgreSQL by COPY. It sends no signals."""
    on, model = _connection(), type(rows[0])
    with on.wrap_database_errors, on.cursor() as cursor:
        if not is_postgresql():
            cursor.executemany(_insertion(model), [_new_values(row) for row in rows])
            return
        with cursor.copy(f"COPY {_into(model)} FROM STDIN") as copy:
            for row in rows:
                copy.write_row(_new_values(row))


def update(row: models.Model, names: Iterable[str]) -> Statement:
    """Return the statement that writes these fields of a row. It sends no signals."""
    sql, fields = _update(type(row), frozenset(names))
    return Statement(sql, [*_values(row, fields), *keys([row.pk])])


def sqlstate_of(error: Error) -> str | None:
    """Return PostgreSQL's code of this error; None for an error of another database."""
    return getattr(error.__cause__, "sqlstate", None)


@cache
def is_postgresql() -> bool:
    """Tell which of the two databases this is. To ask `connection` each time takes longer than what hangs on the answer."""
    return connection.vendor == "postgresql"


def keys(ids: Iterable[UUID | None]) -> list[Any]:
    """Return ids as parameters for this database: SQLite stores them as text."""
    if is_postgresql():
        return list(ids)
    on = _connection()
    return [UUID_FIELD.get_db_prep_value(pk, on) for pk in ids]


def moment(value: datetime) -> Any:
    """Return a moment as a parameter for this database: SQLite stores it as text."""
    return _connection().ops.adapt_datetimefield_value(value)


def day(value: date) -> Any:
    """Return a day as a parameter for this database: SQLite stores it as text."""
    return _connection().ops.adapt_datefield_value(value)


def key_in(value: Any) -> Any:
    """Return the id in a row that was read without its model: SQLite stores it as text."""
    return UUID(value) if isinstance(value, str) else value


@lru_cache
def table(model: type[models.Model]) -> str:
    return quoted(model._meta.db_table)


def quoted(name: str | None) -> str:
    return connection.ops.quote_name(str(name))


def _connection() -> Any:
    """Return the connection behind Django's proxy `connection`, as each access through the proxy takes longer than the
    work here.
    """
    return connections[DEFAULT_DB_ALIAS]


def _cursor() -> Any:
    on = _connection()
    return on.prepared_cursor() if is_postgresql() else on.cursor()


class _Part(NamedTuple):
    alias: str
    model: Any
    parent: str = ""  # alias of the part whose foreign key `field` leads here
    field: str = ""

    @property
    def width(self) -> int:
        return len(self.model._meta.concrete_fields)

    @property
    def columns(self) -> str:
        return ", ".join(f"{self.alias}.{quoted(field.column)}" for field in self.model._meta.concrete_fields)


@lru_cache
def _joined(model: type[models.Model], related: tuple[str, ...]) -> tuple[str, str, list[_Part]]:
    """Return the columns, the tables with their joins, and what each of them holds. The foreign keys are never null."""
    parts = {"this": _Part("this", model)}
    joins = [f"{table(model)} this"]
    for path in related:
        parent = parts["this"]
        for name in path.split("__"):
            alias = f"{parent.alias}_{name}"
            if alias not in parts:
                key: Any = parent.model._meta.get_field(name)
                parts[alias] = _Part(alias, key.related_model, parent.alias, name)
                theirs = quoted(key.target_field.column)
                joins.append(
                    f"JOIN {table(key.related_model)} {alias} ON {alias}.{theirs} = {parent.alias}.{key.column}"
                )
            parent = parts[alias]
    return ", ".join(part.columns for part in parts.values()), " ".join(joins), list(parts.values())


def _instance(model: type[Row], values: list[Any]) -> Row:
    names = _names(model)
    _convert(values, _conversions(model, names))
    return model.from_db(DEFAULT_DB_ALIAS, names, values)


@lru_cache
def _names(model: type[models.Model]) -> tuple[str, ...]:
    return tuple(field.attname for field in model._meta.concrete_fields)


@lru_cache
def _insertion(model: type[models.Model]) -> str:
    values = ", ".join(["%s"] * len(model._meta.concrete_fields))
    return f"INSERT INTO {_into(model)} VALUES ({values})"  # noqa: S608 (own names)


@lru_cache
def _into(model: type[models.Model]) -> str:
    return f"{table(model)} ({', '.join(quoted(field.column) for field in model._meta.concrete_fields)})"


def _new_values(row: models.Model) -> list[Any]:
    """Return the values of all columns of a new row, those that fill in themselves too, such as the time of creation."""
    for field in _filled_in(type(row)):
        field.pre_save(row, add=True)
    return _values(row, row._meta.concrete_fields)


@lru_cache
def _filled_in(model: type[models.Model]) -> list[Any]:
    return [field for field in model._meta.concrete_fields if getattr(field, "auto_now_add", False)]


@lru_cache
def _update(model: type[models.Model], names: frozenset[str]) -> tuple[str, list[Any]]:
    fields: list[Any] = [model._meta.get_field(name) for name in sorted(names)]
    assignments = ", ".join(f"{quoted(field.column)} = %s" for field in fields)
    return f"UPDATE {table(model)} SET {assignments} WHERE id = %s", fields  # noqa: S608 (own names)


def _values(row: models.Model, fields: Iterable[Any]) -> list[Any]:
    on = _connection()
    return [
        None if (value := getattr(row, field.attname)) is None else field.get_db_prep_save(value, on)
        for field in fields
    ]


@lru_cache
def _selected(model: type[models.Model], names: tuple[str, ...], more: tuple[str, ...], source: str) -> str:
    columns = [f"this.{quoted(name)}" for name in names]  # the column of every field has the attribute's name
    return f"SELECT {', '.join([*columns, *more])} FROM {source or table(model)} this"  # noqa: S608 (own names)


def _convert(values: list[Any], conversions: Iterable["_Conversion"]) -> None:
    """Turn what this database returned into the values that Python has for it."""
    on = _connection()
    for place, converters, column in conversions:
        for convert in converters:
            values[place] = convert(values[place], column, on)


_Conversion = tuple[int, list[Any], Col]


@lru_cache
def _conversions(model: type[models.Model], names: tuple[str, ...]) -> list[_Conversion]:
    """Return (place, converters, column) for those of the fields for which this database does not return Python's values."""
    fields: dict[str, Any] = {field.attname: field for field in model._meta.concrete_fields}
    found = []
    for place, name in enumerate(names):
        column = fields[name].get_col(model._meta.db_table)
        converters = connection.ops.get_db_converters(column) + column.get_db_converters(connection)
        if converters:
            found.append((place, converters, column))
    return found
