"""The tables of a backup, and how their rows are read and written, the same for both databases.

A row is a JSON list. A JSON column is the text of its value, as null in the column and null in the value differ.
"""

import base64
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.apps import apps as installed
from django.apps.registry import Apps
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import F, Field, JSONField, Model, TextField
from django.db.models.functions import Cast

CHUNK = 500  # rows read or written at a time: texts are up to 20,000 characters

LEFT_OUT = {  # by table, and why
    "django_session": "a backup must be no way into accounts; everybody signs in again",
    "security_browsersession": "what is kept of a session goes with it",
    "notifications_pushbrowser": "it is bound to a session",
    "notifications_pushturn": "what is to be sent to such browsers",
    "exporter_export": "its file is not in the backup, and can be made again",
    "jobs_heartbeat": "the workers of another time",
}
TASKS = "django_tasks_database_dbtaskresult"
# Finished tasks are left out; one that was running runs again, as after a crash.
ONLY = {TASKS: {"status__in": ("READY", "RUNNING")}}
CHANGED = {TASKS: {"status": "READY"}}


@dataclass(frozen=True)
class Table:
    model: type[Model]

    @property
    def name(self) -> str:
        return self.model._meta.db_table

    @cached_property
    def fields(self) -> "list[Field[Any, Any]]":
        return list(self.model._meta.local_concrete_fields)

    @property
    def columns(self) -> list[str]:
        return [str(field.column) for field in self.fields]

    def lines(self, using: str) -> Iterator[bytes]:
        """Yield the rows that a backup has, a line each, in no order."""
        as_text = {
            f"{field.attname}_as_text": Cast(F(field.attname), TextField())
            for field in self.fields
            if isinstance(field, JSONField)
        }
        names = [f"{field.attname}_as_text" if isinstance(field, JSONField) else field.attname for field in self.fields]
        rows = self.model._base_manager.using(using).filter(**ONLY.get(self.name, {})).annotate(**as_text).order_by()
        changed = [(self.columns.index(name), value) for name, value in CHANGED.get(self.name, {}).items()]
        for row in rows.values_list(*names).iterator(chunk_size=CHUNK):
            values = list(row)
            for place, value in changed:
                values[place] = value
            yield json.dumps(values, ensure_ascii=False, separators=(",", ":"), default=as_json).encode() + b"\n"

    def reader(self, connection: BaseDatabaseWrapper, places: list[int]) -> Callable[[bytes], list[Any]]:
        """Return what makes a line the values to store. It raises ValueError and others for a line that is none.

        `places` says where in the line the value of each field is.
        """
        readers = [(place, reader_of(field, connection)) for place, field in zip(places, self.fields, strict=True)]

        def read(line: bytes) -> list[Any]:
            values = json.loads(line)
            if not isinstance(values, list) or len(values) != len(readers):
                raise ValueError("its number of values differs from the table's columns")
            return [None if values[place] is None else read(values[place]) for place, read in readers]

        return read

    def insert(self, rows: Iterator[list[Any]], connection: BaseDatabaseWrapper) -> int:
        """Return how many were inserted."""
        quoted = connection.ops.quote_name
        table, names = quoted(self.name), ", ".join(quoted(name) for name in self.columns)
        number = 0
        with connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                with cursor.copy(f"COPY {table} ({names}) FROM STDIN") as copy:
                    for number, row in enumerate(rows, 1):  # noqa: B007
                        copy.write_row(row)
                return number
            places = ", ".join(["%s"] * len(self.columns))
            statement = f"INSERT INTO {table} ({names}) VALUES ({places})"  # noqa: S608 (own names)
            batch = []
            for number, row in enumerate(rows, 1):  # noqa: B007
                batch.append(row)
                if len(batch) == CHUNK:
                    cursor.executemany(statement, batch)
                    batch.clear()
            if batch:
                cursor.executemany(statement, batch)
        return number


def tables(apps: Apps = installed) -> list[Table]:
    """Return every table of these models, but for those that are left out."""
    return [Table(model) for model in models(apps) if model._meta.db_table not in LEFT_OUT]


def models(apps: Apps = installed) -> list[type[Model]]:
    return [
        model
        for model in apps.get_models(include_auto_created=True)
        if model._meta.managed and not model._meta.proxy and not model._meta.swapped
    ]


def as_json(value: Any) -> str:
    """Encode what JSON has no form for, so that the field's `to_python` reads it."""
    if isinstance(value, (bytes, memoryview)):
        return base64.b64encode(value).decode()
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def reader_of(field: "Field[Any, Any]", connection: BaseDatabaseWrapper) -> Callable[[Any], Any]:
    if isinstance(field, JSONField):
        return str
    return lambda value: field.get_db_prep_save(field.to_python(value), connection)


def count(table: Table, using: str) -> int:
    with connections[using].cursor() as cursor:
        cursor.execute(f"SELECT count(*) FROM {connections[using].ops.quote_name(table.name)}")  # noqa: S608 (own names)
        return int(cursor.fetchone()[0])
