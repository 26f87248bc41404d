"""CSV and TSV: a card for each row. The user says what the columns are, unless their heads are those of a known
service.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import PurePath
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from boards.outlines import BoardOutline
from core.text.lists import join_items
from importer.formats.csv_cards import TableColumn, TableReader
from importer.formats.csv_files import (
    DELIMITERS,
    MARKS,
    MOST_COLUMNS,
    PREAMBLE,
    WESTERN,
    Row,
    delimiter_of,
    encoding_of,
    rows,
)
from importer.formats.csv_presets import DATES, PRESETS, Role, normal, preset_of
from importer.formats.csv_services import ADAPTERS, MORE_HEADS
from importer.formats.dates import DateOrder, orders_of, possible_orders
from importer.formats.shelf import Shelf
from importer.formats.source import Choice, Question, Source, SourceKind, Unreadable
from importer.report import Report

TITLE = gettext_lazy("CSV: Asana, GitHub Projects, Jira, Kanboard, Linear, Plane, TickTick, Todoist, spreadsheets")
HELP = gettext_lazy(
    "A file with one row per card. You choose what each column means; the columns of many services are recognized."
)
NEEDS_FILE = True
BESIDE_REPORT = ()

LOOKED_AT = 10_000  # rows, for questions
ENCODINGS = (
    Choice(WESTERN, gettext_lazy("Western European (Windows-1252, Latin-1)")),
    Choice("windows-1250", gettext_lazy("Central European (Windows-1250)")),
    Choice("windows-1251", gettext_lazy("Cyrillic (Windows-1251)")),
    Choice("windows-1253", gettext_lazy("Greek (Windows-1253)")),
    Choice("windows-1254", gettext_lazy("Turkish (Windows-1254)")),
    Choice("shift_jis", gettext_lazy("Japanese (Shift JIS)")),
    Choice("gb18030", gettext_lazy("Chinese (GB 18030)")),
    Choice("euc_kr", gettext_lazy("Korean (EUC-KR)")),
)
ORDERS = {
    DateOrder.DAY_MONTH: gettext_lazy("Day, month, year"),
    DateOrder.MONTH_DAY: gettext_lazy("Month, day, year"),
    DateOrder.YEAR_MONTH: gettext_lazy("Year, month, day"),
}
SINGLE = {
    Role.TITLE,
    Role.LIST,
    Role.CREATED,
    Role.UPDATED,
    Role.KEY,
    Role.PARENT,
    Role.NUMBER,
    Role.COVER,
    Role.REPEAT,
    Role.CREATOR,
}


def looks_like(source: Source) -> bool:
    head = source.head()
    if source.name.lower().endswith((".csv", ".tsv", ".tab")):
        return not head.startswith((b"PK\x03\x04", b"{", b"["))
    encoding = next((name for mark, name in MARKS.items() if head.startswith(mark)), "utf-8")
    line = head.decode(encoding, "replace").partition("\n")[0]
    return not any(mark in line for mark in ("\x00", "{", "[")) and any(mark in line for mark in DELIMITERS)


def questions(source: Source) -> list[Question]:
    table = CsvTable(source)
    return [*_of_file(table), *_of_columns(table), *_of_dates(table)]


def read(source: Source, report: Report) -> Iterator[BoardOutline]:
    table = CsvTable(source)
    for column in table.columns:
        if column.role in DATES and column.order is None and len(table.orders(column)) > 1:
            raise Unreadable(
                _(
                    "The dates in the column “%(name)s” can be read in more than one way. Choose which comes "
                    "first, the day or the month."
                )
                % {"name": column.head}
            )
    if not any(column.role is Role.TITLE for column in table.columns):
        raise Unreadable(_("Choose the column that has the titles of cards."))
    with Shelf() as shelf:
        zone = ZoneInfo(source.time_zone)
        yield TableReader(table.title, table.columns, PRESETS[table.preset], table.rows, zone, shelf, report).board()


@dataclass(frozen=True)
class CsvTable:
    """The rows of a file, read with detected settings or those that the user chose. Raises Unreadable."""

    source: Source

    @cached_property
    def known_encoding(self) -> str:
        return encoding_of(self.source.path)

    @property
    def encoding(self) -> str:
        return (
            self.known_encoding or _chosen(self.source, "encoding", [choice.value for choice in ENCODINGS]) or WESTERN
        )

    @cached_property
    def delimiter(self) -> str:
        return delimiter_of(self.source.path, self.encoding)

    @cached_property
    def found(self) -> tuple[str, int, list[str]]:
        """Return the service, and the line and cells of the head: the first row that is one of a known service, or else the first."""
        first = list(islice(rows(self.source.path, self.encoding, self.delimiter), PREAMBLE))
        if not first:
            raise Unreadable(_("The file has no rows."))
        known = ((preset_of(row.cells), row) for row in first)
        preset, head = next((pair for pair in known if pair[0] != "generic"), ("generic", first[0]))
        if any(ord(character) < 32 and not character.isspace() for cell in head.cells for character in cell):
            raise Unreadable(_("The file has no rows of text. Save the table as CSV and choose that file."))
        return preset, head.line, head.cells

    @property
    def preset(self) -> str:
        return _chosen(self.source, "preset", PRESETS) or self.found[0]

    @cached_property
    def head(self) -> list[str]:
        more = MORE_HEADS.get(self.preset, ()) if self.preset == self.found[0] else ()
        named = [cell.strip() or _("Column %(number)s") % {"number": at} for at, cell in enumerate(self.found[2], 1)]
        return [*named, *more][:MOST_COLUMNS]

    @property
    def title(self) -> str:
        chosen = self.source.choices.get("title")
        return str(chosen).strip() if chosen and str(chosen).strip() else self.file_title

    @property
    def file_title(self) -> str:
        return PurePath(self.source.name.replace("\\", "/")).stem.strip()[:200] or _("Imported board")

    def rows(self) -> Iterator[Row]:
        below = (row for row in rows(self.source.path, self.encoding, self.delimiter) if row.line > self.found[1])
        adapter = ADAPTERS.get(self.preset) if self.preset == self.found[0] else None
        return adapter(self.head, below) if adapter else below

    @cached_property
    def columns(self) -> list[TableColumn]:
        return [TableColumn(place, head, self.role(place), self._order(place)) for place, head in enumerate(self.head)]

    def name(self, place: int) -> str:
        """Return the name of the question about a column. It has the service in it, so that another one has answers of its own."""
        return f"{self.preset}-{place}"

    def role(self, place: int) -> Role:
        chosen = _chosen(self.source, self.name(place), Role.values)
        return Role(chosen) if chosen else self.defaults[place]

    @cached_property
    def defaults(self) -> list[Role]:
        known, taken, found = PRESETS[self.preset].roles, set(), []
        for head in self.head:
            role = known.get(normal(head), Role.TEXT)
            if role in SINGLE and role in taken:
                role = Role.TEXT
            taken.add(role)
            found.append(role)
        return found

    @cached_property
    def samples(self) -> list[list[str]]:
        """Return the values of each column in the first rows, without empty ones."""
        found: list[list[str]] = [[] for _head in self.head]
        for row in islice(self.rows(), LOOKED_AT):
            for place, cell in enumerate(row.cells[: len(found)]):
                if cell.strip():
                    found[place].append(cell.strip()[:100])
        return found

    def orders(self, column: TableColumn) -> list[DateOrder]:
        return possible_orders(self.samples[column.place])

    def _order(self, place: int) -> DateOrder | None:
        chosen = _chosen(self.source, f"{self.name(place)}-order", [order.value for order in DateOrder])
        if chosen:
            return DateOrder(chosen)
        if self.role(place) not in DATES | {Role.REPEAT}:
            return None
        orders = possible_orders(self.samples[place])
        return orders[0] if len(orders) == 1 else None


def _chosen(source: Source, name: str, allowed: object) -> str:
    value = source.choices.get(name)
    return value if isinstance(value, str) and value in allowed else ""  # type: ignore[operator]


def _of_file(table: CsvTable) -> Iterator[Question]:
    if not table.known_encoding:
        yield Question(
            "encoding", gettext_lazy("Encoding"), SourceKind.SELECT, ENCODINGS, WESTERN,
            help=gettext_lazy("The encoding of the file is unknown. Choose the one that makes this look right:")
            + f" {_strange(table)}",
        )  # fmt: skip
    presets = [Choice(name, one.title) for name, one in PRESETS.items()]
    yield Question("preset", gettext_lazy("Service"), SourceKind.SELECT, presets, table.found[0])
    yield Question("title", gettext_lazy("Board title"), SourceKind.TEXT, answer=table.file_title)


def _strange(table: CsvTable) -> str:
    """Return some text with letters that are not ASCII, as the encoding shows it."""
    cells = (
        cell.strip()
        for row in islice(rows(table.source.path, table.encoding, table.delimiter), LOOKED_AT)
        for cell in row.cells
    )
    return next((cell[:80] for cell in cells if not cell.isascii()), "")


def _of_columns(table: CsvTable) -> Iterator[Question]:
    roles = [Choice(value, label) for value, label in Role.choices]
    for place, values in enumerate(table.samples):
        if values:
            sample = join_items(dict.fromkeys(value[:40] for value in values[:3]))
            yield Question(
                table.name(place), table.head[place], SourceKind.SELECT, roles, table.defaults[place].value, help=sample
            )


def _of_dates(table: CsvTable) -> Iterator[Question]:
    for column in table.columns:
        if column.role not in DATES:
            continue
        orders = table.orders(column)
        if len(orders) > 1:
            sample = next(value for value in table.samples[column.place] if len(orders_of(value) or ()) > 1)
            label = _("What comes first in the dates of “%(name)s”?") % {"name": column.head}
            choices = [Choice("", gettext_lazy("Choose")), *(Choice(order.value, ORDERS[order]) for order in orders)]
            yield Question(
                f"{table.name(column.place)}-order", label, SourceKind.SELECT, choices, help=sample, required=True
            )
