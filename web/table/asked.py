"""Read the address of a table, beside what narrows it: `?sort=-due&columns=list.due&page=2&format=csv`. Values that
nobody knows count as the defaults.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.datastructures import MultiValueDict
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from boards.reading.table import Column, Sort
from core.ids import parse_number

MOST_PAGES = 10_000
KEPT_FOR = 365 * 24 * 60 * 60  # seconds
NAMES: Mapping[Column, str | Promise] = {
    Column.NUMBER: _("Number"),
    Column.TITLE: _("Title"),
    Column.BOARD: _("Board"),
    Column.LIST: _("List"),
    Column.LABELS: _("Labels"),
    Column.PEOPLE: _("Assignees"),
    Column.DUE: _("Due"),
    Column.CHECKLIST: _("Checklist"),
    Column.DONE: _("Done"),
    Column.CREATED: _("Created"),
    Column.CHANGED: _("Changed"),
}


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of table: the columns that it offers, in their order, and those that it shows unless others are chosen."""

    offered: Sequence[Column]
    usual: Sequence[Column]
    sort: Sort
    cookie: str  # that keeps the chosen columns for a browser


OF_BOARD = Kind(
    tuple(one for one in Column if one != Column.BOARD),
    (Column.NUMBER, Column.TITLE, Column.LIST, Column.LABELS, Column.PEOPLE, Column.DUE, Column.CHANGED),
    Sort(Column.LIST),
    "board_table_columns",
)
OF_WORK = Kind(
    tuple(one for one in Column if one != Column.DONE),
    (Column.TITLE, Column.BOARD, Column.LIST, Column.LABELS, Column.PEOPLE, Column.DUE),
    Sort(Column.DUE),
    "my_table_columns",
)


@dataclass(frozen=True, slots=True)
class Asked:
    kind: Kind
    path: str
    narrowing: str  # the part of the query that says which cards
    columns: tuple[Column, ...]
    are_chosen: bool  # whether the address names the columns
    sort: Sort
    page: int

    def address(self, **other: str) -> str:
        """Return the address of the table that asks this, or another one: the first page, if it asks for none."""
        asked = {"sort": written(self.sort), "columns": joined(self.columns) if self.are_chosen else ""} | other
        usual = {"sort": written(self.kind.sort), "page": "1"}
        pairs = {name: value for name, value in asked.items() if value and value != usual.get(name)}
        query = "&".join(filter(None, [self.narrowing, urlencode(pairs)]))
        return f"{self.path}?{query}".rstrip("?")

    @property
    def sort_fields(self) -> list[tuple[str, str]]:
        """Return the fields of a form that keeps the order of the table."""
        return [("sort", written(self.sort))] if self.sort != self.kind.sort else []

    @property
    def column_fields(self) -> list[tuple[str, str]]:
        """Return the fields of a form that keeps the columns of the table."""
        return [("columns", joined(self.columns))] if self.are_chosen else []


def asked_in(request: HttpRequest, kind: Kind, narrowing: str) -> Asked:
    sent = request.GET
    chosen = columns_in(".".join(sent.getlist("columns")), kind)
    return Asked(
        kind,
        request.path,
        narrowing,
        chosen or columns_in(request.COOKIES.get(kind.cookie, ""), kind) or tuple(kind.usual),
        bool(chosen),
        _sort_in(sent, kind),
        min(max(parse_number(sent.get("page", "")) or 1, 1), MOST_PAGES),
    )


def columns_in(text: str, kind: Kind) -> tuple[Column, ...]:
    """Return the columns that a text names, in their order, always with the title; none if it names none."""
    named = {*text.split(".")}
    found = tuple(one for one in kind.offered if one in named or one == Column.TITLE)
    return found if named & {*kind.offered} else ()


def keep_columns(asked: Asked, answer: HttpResponse) -> HttpResponse:
    """Let the browser keep the columns that the address names, so that it shows them next time too."""
    if asked.are_chosen:
        answer.set_cookie(
            asked.kind.cookie,
            joined(asked.columns),
            max_age=KEPT_FOR,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
    return answer


def written(sort: Sort) -> str:
    return f"{'-' if sort.is_descending else ''}{sort.column}"


def joined(columns: Sequence[Column]) -> str:
    return ".".join(columns)


def _sort_in(sent: "MultiValueDict[str, str]", kind: Kind) -> Sort:
    text = sent.get("sort", "")
    name = text.removeprefix("-")
    return Sort(Column(name), text.startswith("-")) if name in {*kind.offered} else kind.sort
