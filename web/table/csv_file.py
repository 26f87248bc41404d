"""A table as CSV for spreadsheets: what the page shows, on all its pages."""

from collections.abc import Callable, Mapping
from datetime import datetime

from django.http import HttpResponse
from django.utils.http import content_disposition_header

from boards.dates import timestamp
from boards.models.card import CardQuerySet
from boards.reader import Reader
from boards.reading.table import Column, TableRow, rows_of
from core.files.names import safe_name
from core.text.csv_lines import MARK, line_of, listed
from web.table.asked import NAMES, OF_BOARD, Asked
from web.table.rows import checklist_of

MOST = 10_000  # rows


def csv_answer(reader: Reader, cards: CardQuerySet, asked: Asked, title: str) -> HttpResponse:
    """Return the first MOST rows with the columns and in the order of the page."""
    rows = rows_of(reader, cards, asked.sort, slice(MOST), one_board=asked.kind is OF_BOARD)
    lines = [line_of(str(NAMES[column]) for column in asked.columns)]
    lines += (line_of(CELLS[column](row) for column in asked.columns) for row in rows)
    answer = HttpResponse(MARK + "".join(lines), content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = content_disposition_header(True, f"{safe_name(title, 'board')}.csv") or "attachment"
    answer["Cache-Control"] = "no-store"
    return answer


def _written(moment: datetime | None) -> str:
    return timestamp(moment) if moment else ""


def _due(row: TableRow) -> str:
    return row.due_day.isoformat() if row.due_day else _written(row.due_at)


CELLS: Mapping[Column, Callable[[TableRow], str]] = {
    Column.NUMBER: lambda row: str(row.number),
    Column.TITLE: lambda row: row.title,
    Column.BOARD: lambda row: row.board_title,
    Column.LIST: lambda row: row.list_title,
    Column.LABELS: lambda row: listed([name for name, _hue in row.labels]),
    Column.PEOPLE: lambda row: listed([person.display_name for person in row.people]),
    Column.DUE: _due,
    Column.CHECKLIST: checklist_of,
    Column.DONE: lambda row: _written(row.completed_at),
    Column.CREATED: lambda row: _written(row.created_at),
    Column.CHANGED: lambda row: _written(row.updated_at),
}
