"""The rows of a table as cards: read to know families, lists, labels and people, and once more for the cards."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

from boards.colours import Hue
from boards.dates import Due, day_of
from boards.losses import Loss
from boards.outlines import (
    BoardOutline,
    CardOutline,
    ChecklistOutline,
    CommentOutline,
    ItemOutline,
    ListOutline,
    PersonOutline,
)
from importer.formats import hues
from importer.formats.csv_files import Row
from importer.formats.csv_presets import Preset, Role, normal
from importer.formats.csv_repeats import recurrence_of, split_repeat
from importer.formats.dates import DateOrder, read_date
from importer.formats.labels import Labels
from importer.formats.shelf import Shelf
from importer.formats.things import one_line
from importer.formats.words import plain, together, typed, with_fields
from importer.report import Report

YES = {"yes", "y", "true", "1", "x", "done", "completed", "complete", "closed", "ja", "oui", "sí", "si", "✓", "✔", "☑"}
NO = {"", "no", "n", "false", "0", "open", "nein", "non", "-", "☐"}
BOX = re.compile(r"\s*(?:[-*]\s*)?\[(?P<mark>[ xX])\]\s*(?P<text>.*)")
DATED = re.compile(r"(?P<date>[^;\n]{6,40});(?P<author>[^;\n]{0,200});(?P<text>.*)", re.DOTALL)
MOST_LABELS = len(Hue)


class TableColumn(NamedTuple):
    place: int
    head: str
    role: Role
    order: DateOrder | None  # of day and month, where the column has dates with numbers alone


@dataclass
class Cells:
    """One row, its cells by role. `rest` has head and text of the others."""

    row: Row
    where: str  # for people
    by_role: dict[Role, list[tuple[TableColumn, str]]] = field(default_factory=dict)
    rest: list[tuple[str, str]] = field(default_factory=list)

    def first(self, role: Role) -> str:
        found = self.by_role.get(role)
        return found[0][1] if found else ""

    def all(self, role: Role) -> list[str]:
        return [text for _column, text in self.by_role.get(role, ())]


class TableReader:
    """Reads one table. Each call of `rows` reads it from the beginning."""

    def __init__(
        self, title: str, columns: Sequence[TableColumn], preset: Preset, rows: Callable[[], Iterator[Row]], zone: ZoneInfo, shelf: Shelf,
        report: Report,
    ) -> None:  # fmt: skip
        self.title, self.columns, self.preset, self.rows = title, columns, preset, rows
        self.zone, self.shelf, self.report = zone, shelf, report
        self.labels = Labels(report)
        self.line_words, self.no_list = _("line %(line)s"), _("Cards")  # once: a file may have 80,000 rows
        self.lists: dict[str, ListOutline] = {}
        self.people: dict[str, PersonOutline] = {}
        self.ids = self._id_columns()
        self.tops: dict[str, bool] = {}  # ids and titles of rows, and whether they may have others below them
        self.titles: dict[str, str] = {}  # by id
        self.has_parents = any(column.role is Role.PARENT for column in columns)
        self.comment_counts = [column for column in columns if normal(column.head) == preset.comment_count]

    def board(self) -> BoardOutline:
        for row in self.rows() if self.has_parents else ():
            self._survey_family(self._cells(row))
        for row in self.rows():
            self._survey(self._cells(row))
        self.report.find("boards")
        self.report.find("labels", len(self.labels.all()))
        self.report.find("lists", len(self.lists))
        return BoardOutline(
            title=self.title,
            people=list(self.people.values()),
            labels=self.labels.all(),
            lists=list(self.lists.values()),
            cards=self._cards(),
        )

    # The first time

    def _survey(self, cells: Cells) -> None:
        for name in cells.all(Role.PEOPLE) + cells.all(Role.CREATOR):
            for person in self._people(name):
                self.people.setdefault(person, PersonOutline(person, person))
        for text in cells.row.comments or cells.all(Role.COMMENT):
            author = self._comment(text).author
            if author:
                self.people.setdefault(author, PersonOutline(author, author))
        if cells.first(Role.LIST) or not self._is_item(cells):
            title = self._list(cells)
            self.lists.setdefault(title, ListOutline(title, title))
            for name in self._label_names(cells):
                self._label(name, cells)

    def _survey_family(self, cells: Cells) -> None:
        parent = cells.first(Role.PARENT)
        for name in {cells.first(Role.KEY), f"title:{cells.first(Role.TITLE)}"} - {""}:
            self.tops[name] = name not in self.tops and not parent  # two of a title: nobody knows which is meant
        self.titles[cells.first(Role.KEY)] = cells.first(Role.TITLE)
        if parent and self._is_simple(cells):
            item = [self._item_text(cells), self._done(cells)]
            self.shelf.put("items", parent, item)

    def _is_simple(self, cells: Cells) -> bool:
        """Tell whether a line of a checklist can hold the row."""
        has_more = any(cells.by_role.get(role) for role in (Role.DESCRIPTION, Role.COMMENT, Role.ITEMS))
        return not (has_more or cells.rest or cells.row.comments or cells.row.items)

    def _item_text(self, cells: Cells) -> str:
        due = self._silent_date(cells)
        people = [person for name in cells.all(Role.PEOPLE) for person in self._people(name)]
        details = together([due, *people, *self._label_names(cells)])
        return f"{cells.first(Role.TITLE)} ({details})" if details else cells.first(Role.TITLE)

    def _silent_date(self, cells: Cells) -> str:
        return cells.first(Role.DUE) or cells.first(Role.REPEAT)

    def _done(self, cells: Cells) -> bool:
        return any(text.strip().casefold() not in NO for text in cells.all(Role.COMPLETED))

    # The second time

    def _cards(self) -> Iterator[CardOutline]:
        for row in self.rows():
            if len(row.cells) > len(self.columns):
                for text in row.cells[len(self.columns) :]:
                    if text.strip():
                        self.report.lose(
                            Loss.FIELD_LEFT_OUT, _("line %(line)s: more cells than columns") % {"line": row.line}
                        )
            cells = self._cells(row)
            if self._is_item(cells):
                if self._item_text(cells) != cells.first(Role.TITLE):
                    self.report.lose(Loss.FIELD_IN_TEXT, cells.where)
                continue
            self._count_comments(cells)
            card = self._card(cells)
            self.report.find_card(card)
            yield card

    def _count_comments(self, cells: Cells) -> None:
        for column in self.comment_counts:
            text = cells.row.cells[column.place] if column.place < len(cells.row.cells) else ""
            if text.isascii() and text.isdecimal() and int(text[:6]) > 0:
                self.report.lose(Loss.COMMENTS_NOT_IN_TABLE, cells.where, int(text[:6]))

    def _is_item(self, cells: Cells) -> bool:
        """Tell whether the row becomes an item of its parent's checklist. Asked when the families of all rows are known."""
        parent = cells.first(Role.PARENT)
        has_owner = self.tops.get(parent, False) or self.tops.get(f"title:{parent}", False)
        return bool(parent) and has_owner and self._is_simple(cells)

    def _card(self, cells: Cells) -> CardOutline:
        where = cells.where
        due, recurrence = self._due_and_repeat(cells)
        start = self._date(cells, Role.START)
        created, updated = self._date(cells, Role.CREATED), self._date(cells, Role.UPDATED)
        last_change = (updated or created).at if updated or created else datetime.now(UTC)  # type: ignore[union-attr]
        completed, archived = (
            self._when(cells, Role.COMPLETED, last_change),
            self._when(cells, Role.ARCHIVED, last_change),
        )
        cover = self._cover(cells)
        number = cells.first(Role.NUMBER)
        descriptions = [text if self.preset.is_markdown else typed(text) for text in cells.all(Role.DESCRIPTION)]
        if parent := cells.first(Role.PARENT):
            cells.rest.insert(0, (cells.by_role[Role.PARENT][0][0].head, self.titles.get(parent) or parent))
        for head, _text in cells.rest:
            self.report.lose(Loss.FIELD_IN_TEXT, f"{where}: {head}")
        return CardOutline(
            list_key=self._list(cells),
            title=one_line(cells.first(Role.TITLE)),
            where=where,
            number=int(number) if number.isascii() and number.isdigit() and len(number) < 10 else None,
            description=with_fields("\n\n".join(descriptions), [(head, _shown(text)) for head, text in cells.rest]),
            due_at=due.at if due else None,
            due_day=due.day if due else None,
            start_day=day_of(start, self.zone) if start else None,
            completed_at=completed,
            archived_at=archived,
            recurrence=recurrence,
            cover_hue=cover,
            created_by=next(iter(self._people(cells.first(Role.CREATOR))), ""),
            created_at=created.at if created else None,
            updated_at=updated.at if updated else None,
            labels=[self._label(name, cells) for name in self._label_names(cells)],
            assignees=[person for name in cells.all(Role.PEOPLE) for person in self._people(name)],
            checklists=self._checklists(cells),
            comments=[self._comment(text) for text in cells.row.comments or cells.all(Role.COMMENT)],
        )

    # Parts of a row

    def _cells(self, row: Row) -> Cells:
        found = Cells(row, self.line_words % {"line": row.line})
        for column in self.columns:
            text = row.cells[column.place].strip() if column.place < len(row.cells) else ""
            if not text or column.role is Role.SKIP:
                continue
            if column.role is Role.TEXT:
                found.rest.append((column.head, text))
            else:
                found.by_role.setdefault(column.role, []).append((column, text))
        for role in (Role.TITLE, Role.LIST, Role.CREATOR, Role.PARENT, Role.NUMBER, Role.COVER):
            for column, text in found.by_role.get(role, [])[1:]:
                found.rest.append((column.head, text))
        return found

    def _list(self, cells: Cells) -> str:
        return one_line(cells.first(Role.LIST)) or self.no_list

    def _people(self, text: str) -> list[str]:
        return [name for name in map(one_line, re.split(f"[{re.escape(self.preset.people_by)}]", text)) if name]

    def _label_names(self, cells: Cells) -> list[str]:
        by = f"[{re.escape(self.preset.labels_by)}]"
        names = [one_line(name) for text in cells.all(Role.LABELS) for name in re.split(by, text)]
        return list(dict.fromkeys(name for name in names + self._priorities(cells) if name))

    def _priorities(self, cells: Cells) -> list[str]:
        found = []
        for column, text in cells.by_role.get(Role.PRIORITY, ()):
            known = self.preset.priorities.get(text.casefold())
            found.append(f"{column.head}: {text}" if known is None else str(known))
        return found

    def _label(self, name: str, cells: Cells) -> str:
        return self.labels.named(name, Hue(len(self.labels.all()) % MOST_LABELS + 1), cells.where)

    def _date(self, cells: Cells, role: Role) -> Due | None:
        """Return the first date of a role. One of another column that says the same day may add its time of day.

        What cannot be read is counted and stays in the text, like the dates of other days.
        """
        found: Due | None = None
        for column, text in cells.by_role.get(role, ()):
            due = read_date(text, self.zone, column.order)
            if due and (found is None or day_of(due, self.zone) == day_of(found, self.zone)):
                found = due if found is None or found.day else found
                continue
            if due is None and found is None:
                self.report.lose(Loss.UNREADABLE_DATE, f"{cells.where}: {column.head}")
            cells.rest.append((column.head, text))
        return found

    def _when(self, cells: Cells, role: Role, last_change: datetime) -> datetime | None:
        """Return when something was done: by a date, else by a yes, at the last change that is known."""
        found, says_yes = None, False
        for column, text in cells.by_role.get(role, ()):
            if text.casefold() in YES or text.casefold() in self.preset.done:
                says_yes = True
            elif text.casefold() not in NO:
                due = read_date(text, self.zone, column.order)
                if due is None:
                    self.report.lose(Loss.UNREADABLE_DATE, f"{cells.where}: {column.head}")
                    cells.rest.append((column.head, text))
                found = found or (due.at if due else None)
        if found is None and says_yes:
            self.report.lose(Loss.TIME_GUESSED, cells.where)
            return last_change
        return found

    def _due_and_repeat(self, cells: Cells) -> tuple[Due | None, str]:
        due = self._date(cells, Role.DUE)
        for column, text in cells.by_role.get(Role.REPEAT, ()):
            if due is None and (due := read_date(text, self.zone, column.order)):
                continue
            rule, first = split_repeat(text)
            found, day = recurrence_of(rule), read_date(first, self.zone, column.order) if first else None
            if found and (due := due or day):
                return due, found.value
            cells.rest.append((column.head, text))
        return due, ""

    def _cover(self, cells: Cells) -> Hue | None:
        text = cells.first(Role.COVER)
        hue = hues.named(text) or (hues.nearest(text) if hues.HEX.fullmatch(text) else None)
        if text and hue is None:
            cells.rest.append((cells.by_role[Role.COVER][0][0].head, text))
        return hue

    def _checklists(self, cells: Cells) -> list[ChecklistOutline]:
        found = []
        if cells.row.items:
            found.append(ChecklistOutline(_("Checklist"), [ItemOutline(text, done) for text, done in cells.row.items]))
        for column, text in cells.by_role.get(Role.ITEMS, ()):
            found += _lists_of_items(column.head, text)
        if self.has_parents and (below := self._below(cells)):
            found.append(ChecklistOutline(_("Subtasks"), below))
        return found

    def _below(self, cells: Cells) -> list[ItemOutline]:
        key, title, found = cells.first(Role.KEY), cells.first(Role.TITLE), []
        for name, top in ((key, key), (title, f"title:{title}")):
            if name and self.tops.get(top):
                found += [ItemOutline(text, done) for text, done in self.shelf.take("items", name)]
        return found

    def _comment(self, text: str) -> CommentOutline:
        """Return a comment. Jira writes `date;author;text`."""
        found = DATED.fullmatch(text)
        made = read_date(found["date"], self.zone, DateOrder.DAY_MONTH) if found else None
        if found and made:
            author = one_line(found["author"])
            return CommentOutline(self._text(found["text"].strip()), self.ids.get(author, author), made.at)
        return CommentOutline(self._text(text))

    def _text(self, text: str) -> str:
        return text if self.preset.is_markdown else typed(text)

    def _id_columns(self) -> dict[str, str]:
        """Return the names of people by the ids that comments have, from columns such as `Assignee` and `Assignee Id`."""
        places = {normal(column.head): column.place for column in self.columns}
        pairs = [
            (places[name], places[f"{name} id"])
            for name in ("assignee", "reporter", "creator")
            if name in places and f"{name} id" in places
        ]
        found = {}
        for row in self.rows() if pairs else ():
            for name, key in pairs:
                if max(name, key) < len(row.cells) and row.cells[key].strip() and row.cells[name].strip():
                    found[row.cells[key].strip()] = one_line(row.cells[name])
        return found


def _lists_of_items(title: str, text: str) -> list[ChecklistOutline]:
    """Return the checklists of a cell: one item a line, and one list more at each line with `## ` before its title."""
    found: list[ChecklistOutline] = []
    for line in filter(str.strip, re.split(r"\r\n|\r|\n", text)):
        if line.startswith("## "):
            found.append(ChecklistOutline(line[3:].strip()))
        else:
            found = found or [ChecklistOutline(title)]
            found[-1].items.append(_item(line))
    return found


def _item(line: str) -> ItemOutline:
    found = BOX.fullmatch(line)
    return (
        ItemOutline(found["text"].strip(), found["mark"] != " ")
        if found
        else ItemOutline(line.strip().lstrip("-*• ").strip())
    )


def _shown(text: str) -> str:
    return typed(text) if "\n" in text else plain(text)
