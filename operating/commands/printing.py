"""Lists and rows as commands print them: aligned for people, or as JSON for programs.

A row is a dict with the names of JSON. Lists are read and printed a piece at a time, in the order of ids.
"""

import json
import unicodedata
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from itertools import chain, islice
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db.models import QuerySet

from boards.dates import timestamp
from core.ids import parse_id

Row = Mapping[str, Any]
Columns = Mapping[str, str | Callable[[Row], object]]  # by the heading, the name of a value or what makes it
AT_ONCE = 1000  # rows read at a time
MEASURED = 100  # rows whose values decide how wide the columns are


def add_list_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--limit", type=int, default=100, metavar="N", help="how many to print (default: 100)")
    parser.add_argument("--after", metavar="ID", help="begin after this one, which is where the last list ended")
    add_json_argument(parser)


def add_json_argument(parser: ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON, with dates in UTC")


def print_list(
    command: BaseCommand,
    found: QuerySet[Any],
    row_of: Callable[[Any], Row],
    columns: Columns,
    options: Mapping[str, Any],
) -> None:
    """Print the page that the options ask for, and on standard error where the next one begins. It takes one statement."""
    limit = options["limit"]
    if limit < 1:
        raise CommandError("--limit: write a number from 1.")
    if options["after"] is not None:
        after = parse_id(options["after"])
        if after is None:
            raise CommandError(f"--after: “{options['after']}” is not an ID.")
        found = found.filter(pk__gt=after)
    read = found.order_by("pk")[: limit + 1].iterator(chunk_size=AT_ONCE)
    rows = (row_of(one) for one in islice(read, limit))
    last = write_rows(command, rows, columns, as_json=options["json"])
    if last is None and not options["json"]:
        command.stderr.write("Nothing found.")
    if list(read) and last is not None:
        command.stderr.write(f"There are more: --after {last['id']}")


def write_rows(command: BaseCommand, rows: Iterable[Row], columns: Columns, *, as_json: bool) -> Row | None:
    """Write the rows and return the last one."""
    last: Row | None = None
    for line, row in as_array(rows) if as_json else as_table(rows, columns):
        command.stdout.write(line)
        last = row or last
    return last


def as_array(rows: Iterable[Row]) -> Iterator[tuple[str, Row | None]]:
    """Yield the lines of a JSON array, an object a line."""
    yield "[", None
    last: Row | None = None
    for row in rows:
        if last is not None:
            yield f"{as_json(last)},", last
        last = row
    if last is not None:
        yield as_json(last), last
    yield "]", None


def as_json(row: Row) -> str:
    return json.dumps(row, ensure_ascii=False, default=in_json)


def in_json(value: object) -> str:
    return timestamp(value) if isinstance(value, datetime) else str(value)


def as_table(rows: Iterable[Row], columns: Columns) -> Iterator[tuple[str, Row | None]]:
    lines = (
        (row, [in_words(cell(row)) if callable(cell) else in_words(row[cell]) for cell in columns.values()])
        for row in rows
    )
    first = list(islice(lines, MEASURED))
    if not first:
        return
    widths = [max(map(width, cells)) for cells in zip(columns, *(cells for _row, cells in first), strict=True)]
    yield aligned(list(columns), widths), None
    for row, cells in chain(first, lines):
        yield aligned(cells, widths), row


def aligned(cells: list[str], widths: list[int]) -> str:
    padded = (cell + " " * (wide - width(cell)) for cell, wide in zip(cells, widths, strict=True))
    return "  ".join(padded).rstrip()


def in_words(value: Any) -> str:
    """Return a value for people. Characters that would steer their terminal are replaced."""
    match value:
        case None | "":
            return "–"
        case bool():
            return "yes" if value else "no"
        case datetime():
            return f"{value:%Y-%m-%d %H:%M}"
    return "".join(letter if letter.isprintable() else "�" for letter in str(value))


def width(text: str) -> int:
    """Return how many columns a terminal takes for the text."""
    return sum(
        0 if unicodedata.combining(letter) else 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        for letter in text
    )
