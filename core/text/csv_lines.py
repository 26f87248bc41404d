"""Lines of CSV (RFC 4180) for spreadsheets."""

import csv
import io
from collections.abc import Iterable, Sequence

from core.text.csv_safety import harmless

MARK = "\ufeff"  # by which spreadsheets know UTF-8


def line_of(values: Iterable[str]) -> str:
    """Return a line whose cells no spreadsheet takes for formulas."""
    return _written([harmless(value) for value in values], "\r\n")


def listed(names: Sequence[str]) -> str:
    """Return the names with commas between them, as one line of CSV: a name with a comma stands in quotes."""
    return _written(names, "") if names else ""


def _written(values: Iterable[str], end: str) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator=end).writerow(values)
    return line.getvalue()
