"""Every table and every file of the data folder is in a backup, or left out with a reason."""

import datetime as dt
import json
from uuid import UUID

import pytest
from django.apps import apps
from django.db import connection
from django.db.models import JSONField

from boards.word_index import has_word_index
from operating.backup import files, tables
from operating.backup.before_migrating import copy_before_migrating
from taskboard.tests.prepared import prepared_data
from taskboard.tests.servers import serving


def test_every_table_is_saved_or_left_out_with_a_reason() -> None:
    ours = {model._meta.db_table for model in apps.get_models(include_auto_created=True) if not model._meta.proxy}
    saved = {table.name for table in tables.tables()}
    assert saved | tables.LEFT_OUT.keys() == ours
    assert not saved & tables.LEFT_OUT.keys()


@pytest.mark.django_db
def test_every_table_of_the_database_belongs_to_a_model() -> None:
    known = {table.name for table in tables.tables()} | tables.LEFT_OUT.keys() | {"django_migrations"}
    made_anew = {name for name in connection.introspection.table_names() if name.startswith("boards_word")}
    assert {*connection.introspection.table_names()} - made_anew == known
    assert bool(made_anew) == has_word_index()


def test_rows_that_are_changed_belong_to_tables_that_are_saved() -> None:
    assert {*tables.ONLY, *tables.CHANGED} <= {table.name for table in tables.tables()}


def test_every_file_that_a_service_makes_is_saved_or_left_out_with_a_reason(processes, tmp_path) -> None:
    data = prepared_data(tmp_path / "data")
    with serving({"TASKBOARD_DATA": str(data)}):
        made = {path.name for path in data.iterdir()}
    assert made <= {*files.KEYS, *files.LEFT_OUT, "files"}
    assert copy_before_migrating.__module__  # makes the one that a start makes only on an upgrade
    assert "backups" in files.LEFT_OUT


@pytest.mark.parametrize(
    "value",
    [None, "", "😀 ‮ Ünïcode", '"quoted"\n', 9223372036854775807, -1, True, b"\x00\xff", UUID(int=7)]
    + [dt.datetime(2030, 1, 1, 12, 30, 0, 1, tzinfo=dt.UTC), dt.date(9999, 12, 31)],
)  # fmt: skip
def test_a_value_of_any_kind_has_a_form_in_json(value: object) -> None:
    assert json.loads(json.dumps(value, default=tables.as_json)) is None or value is not None


@pytest.mark.parametrize(
    "line", [b"{}", b"[1]", b"[", b"[" * 100_000, b'"text"', b"\xff\xfe", b"[" + b"9" * 5000 + b"]"]
)
def test_a_line_that_is_no_row_is_refused(line: bytes) -> None:
    table = next(table for table in tables.tables() if table.name == "boards_list")
    with pytest.raises((ValueError, RecursionError)):
        table.reader(connection, list(range(len(table.fields))))(line)


def test_a_json_column_keeps_null_apart_from_none() -> None:
    table = next(table for table in tables.tables() if table.name == "boards_card")
    place = next(place for place, field in enumerate(table.fields) if isinstance(field, JSONField))
    read = table.reader(connection, list(range(len(table.fields))))
    row: list[object] = [None] * len(table.fields)
    assert read(json.dumps(row).encode())[place] is None
    row[place] = "null"
    assert read(json.dumps(row).encode())[place] == "null"
