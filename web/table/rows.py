"""Renders the rows of a table, in Python rather than with a template: a page has a hundred of them.

Everything that people typed is escaped here.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from html import escape

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from accounts.models import User
from boards.dates import timestamp
from boards.models.card import card_address
from boards.reading.table import Column, TableRow
from boards.reading.work import MAY_EDIT
from core.text.lists import join_items
from web.fragments import joined, render_label
from web.my.rows import CardRenderer
from web.templatetags.board_tags import avatar

FACES = 3  # at most; of more people, the first two and how many more there are


def render_rows(
    rows: Iterable[TableRow], columns: Sequence[Column], user: User, *, can_change: bool, has_boxes: bool
) -> SafeString:
    """Render the rows. Without `can_change` nobody may change them, such as those of an archived board.

    With `has_boxes` scripts can select them.
    """
    render = TableRenderer(columns, user, can_change=can_change, has_boxes=has_boxes)
    return joined(map(render, rows))


class TableRenderer(CardRenderer):
    """Renders cards with what their role allows, for one reader, as rows that scripts of *My work* know too."""

    def __init__(self, columns: Sequence[Column], user: User, *, can_change: bool, has_boxes: bool) -> None:
        super().__init__(user)
        self.user_id = user.pk
        self.columns, self.can_change, self.has_boxes = columns, can_change, has_boxes
        self.select = escape(_("Select card"))
        self.reopen, self.done_word = escape(_("Reopen")), escape(_("Done"))
        self.faces: dict[tuple[object, bool], SafeString] = {}

    def __call__(self, row: TableRow) -> SafeString:
        edits = self.can_change and MAY_EDIT[row.role]
        pk, is_done = str(row.pk), row.completed_at is not None
        cells = "".join(
            self._title(row, pk, edits)
            if column == Column.TITLE
            else f'<td role="cell" class="of-{column}">{CELLS[column](self, row)}</td>'
            for column in self.columns
        )
        state = self._tick_of(pk, is_done) if edits else self._done_mark(is_done)
        return SafeString(
            f'<tr role="row" id="row-{pk}" data-card="{pk}" data-board="{row.board_id}" data-list="{row.list_id}"'
            f' data-version="{row.version}"'
            f"{self.due_fields(row, self.local(row))}{' data-edit' if edits else ''}"
            f"{' data-mine' if any(one.pk == self.user_id for one in row.people) else ''}"
            f"{' class=done' if is_done else ''}>{self._box(pk, edits) if self.has_boxes else ''}"
            f'<td role="cell" class="of-tick">{state}</td>{cells}</tr>'
        )

    def _box(self, pk: str, edits: bool) -> str:
        box = f'<input type="checkbox" aria-label="{self.select}" aria-describedby="due-{pk}" autocomplete="off">'
        return f'<td role="cell" class="of-select">{box if edits else ""}</td>'

    def _title(self, row: TableRow, pk: str, edits: bool) -> str:
        title = escape(row.title)
        more = self.more(pk, title) if edits else ""
        return (
            '<th role="rowheader" scope="row" class="of-title">'
            f'<a class="title" id="due-{pk}" href="{card_address(row.board_id, pk)}">{title}</a>{more}</th>'
        )

    def _tick_of(self, pk: str, is_done: bool) -> str:
        tick = self.tick(pk)
        return tick.replace('value="1"', 'value="0"').replace(self.done, self.reopen) if is_done else tick

    def _done_mark(self, is_done: bool) -> str:
        return f'{self.check}<span class="visually-hidden">{self.done_word}</span>' if is_done else ""

    def number(self, row: TableRow) -> str:
        return f"#{row.number}"

    def board(self, row: TableRow) -> str:
        return f'<span class="from"><span class="dot hue-{row.hue}"></span>{escape(row.board_title)}</span>'

    def list_title(self, row: TableRow) -> str:
        return escape(row.list_title)

    def labels(self, row: TableRow) -> str:
        shown = "".join(render_label(hue, name) for name, hue in row.labels)
        return f'<span class="labels">{shown}</span>' if shown else ""

    def people(self, row: TableRow) -> str:
        if not row.people:
            return ""
        if len(row.people) == 1:
            [person] = row.people
            return f'<span class="one-person">{self._face(person, named=False)} {escape(person.display_name)}</span>'
        shown = row.people if len(row.people) <= FACES else row.people[: FACES - 1]
        faces, names = "".join(self._face(one) for one in shown), join_items(one.display_name for one in row.people)
        more = len(row.people) - len(shown)
        words = escape(join_items(one.display_name for one in row.people[len(shown) :]))
        others = f'<span class="more" role="img" aria-label="{words}">+{more}</span>' if more else ""
        return f'<span class="avatars" title="{escape(names)}">{faces}{others}</span>'

    def _face(self, person: User, *, named: bool = True) -> SafeString:
        key = (person.pk, named)
        if key not in self.faces:
            self.faces[key] = avatar(person, named=named)
        return self.faces[key]

    def due_date(self, row: TableRow) -> str:
        due = self.due(row, self.local(row))
        return f'<span class="facts">{due}</span>' if due else ""

    def day(self, moment: datetime | None) -> str:
        if not moment:
            return ""
        written = self.written(moment.astimezone(self.now.tzinfo).date())
        return f'<time datetime="{timestamp(moment)}" data-show="day">{written}</time>'


def checklist_of(row: TableRow) -> str:
    """Return how many items of its checklists are done, and of how many; "" without items."""
    return f"{row.ticked}/{row.items}" if row.items else ""


CELLS: Mapping[Column, Callable[[TableRenderer, TableRow], str]] = {
    Column.NUMBER: TableRenderer.number,
    Column.BOARD: TableRenderer.board,
    Column.LIST: TableRenderer.list_title,
    Column.LABELS: TableRenderer.labels,
    Column.PEOPLE: TableRenderer.people,
    Column.DUE: TableRenderer.due_date,
    Column.CHECKLIST: lambda render, row: checklist_of(row),
    Column.DONE: lambda render, row: render.day(row.completed_at),
    Column.CREATED: lambda render, row: render.day(row.created_at),
    Column.CHANGED: lambda render, row: render.day(row.updated_at),
}
