"""Rows of services that say something in other ways than by columns: Todoist's kinds of rows, TickTick's checklists, Jira's days."""

import csv
import re
from collections.abc import Callable, Iterator, Sequence
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from core.text.csv_safety import plain
from importer.formats.csv_files import Row
from importer.formats.csv_presets import normal
from importer.formats.dates import read_date

Adapter = Callable[[Sequence[str], Iterator[Row]], Iterator[Row]]
OPEN, DONE = "▫", "▪"
MIDNIGHT = re.compile(r"\s+(12:00 AM|00:00(:00)?)\Z", re.IGNORECASE)


def todoist(head: Sequence[str], rows: Iterator[Row]) -> Iterator[Row]:
    """Yield tasks with three more cells: section, number of the task, number of its first task above with less indent.

    A note belongs to the task above it. Labels are written into titles as `@word` and stay there.
    """
    at = {normal(name): place for place, name in enumerate(head)}
    section, number, top, task = "", 0, 0, None
    for row in rows:
        kind, content = _cell(row, at["type"]).lower(), _cell(row, at["content"])
        if kind == "note" and task:
            task = task._replace(comments=(*task.comments, content))
            continue
        if kind == "meta":
            continue  # how the project is shown
        if task:
            yield task
            task = None
        if kind == "section":
            section, top = content, 0
        elif content or kind == "task":
            number += 1
            is_below = top and _cell(row, at["indent"]) not in ("", "1")
            parent = str(top) if is_below else ""
            top = top if is_below else number
            cells = ["" if cell == "None" else cell for cell in row.cells]
            cells = [*cells, *[""] * (len(head) - 3 - len(cells))][: len(head) - 3]
            task = row._replace(cells=[*cells, section, str(number), parent])
    if task:
        yield task


def ticktick(head: Sequence[str], rows: Iterator[Row]) -> Iterator[Row]:
    """Yield rows with the items of a checklist out of the text, lists with their folders, and whole days without a time of day."""
    at = {normal(name): place for place, name in enumerate(head)}
    for row in rows:
        cells, items = [*row.cells, *[""] * (len(head) - len(row.cells))], []
        if folder := _cell(row, at["folder name"]):
            cells[at["list name"]] = f"{folder} / {_cell(row, at['list name'])}"
        content = at.get("content", -1)
        if _cell(row, at["is check list"]).upper() == "Y" and _cell(row, content):
            lines = cells[content].replace("\r\n", "\n").replace("\r", "\n").split("\n")
            items = [(line[1:].strip(), line.startswith(DONE)) for line in lines if line.startswith((OPEN, DONE))]
            cells[content] = "\n".join(line for line in lines if not line.startswith((OPEN, DONE)))
        if _cell(row, at.get("is all day", -1)).lower() == "true":
            for name in ("due date", "start date"):
                if _cell(row, at.get(name, -1)):
                    cells[at[name]] = _day(cells[at[name]], _cell(row, at.get("timezone", -1)))
        yield row._replace(cells=cells, items=tuple(items))


def jira(head: Sequence[str], rows: Iterator[Row]) -> Iterator[Row]:
    """Yield rows with due dates without a time of day: Jira's are whole days, and are written with their midnight."""
    due = [place for place, name in enumerate(head) if normal(name) == "due date"]
    for row in rows:
        yield row._replace(
            cells=[MIDNIGHT.sub("", cell.strip()) if place in due else cell for place, cell in enumerate(row.cells)]
        )


def taskboard(head: Sequence[str], rows: Iterator[Row]) -> Iterator[Row]:
    """Yield the rows of our own export (docs/export.md) as they were before it: without the apostrophes that keep texts
    from being formulas, and with one label and one person in a line.
    """
    lists = [place for place, name in enumerate(head) if normal(name) in ("labels", "assignees")]
    for row in rows:
        cells = [plain(cell) for cell in row.cells]
        for place in lists:
            if place < len(cells):
                cells[place] = "\n".join(_listed(cells[place]))
        yield row._replace(cells=cells)


def _listed(text: str) -> list[str]:
    try:
        return next(csv.reader([text], strict=True), [])
    except csv.Error:
        return [text]


def _day(text: str, zone: str) -> str:
    """Return the day of a moment in a zone; the text as it is where either cannot be read."""
    try:
        found = read_date(text, ZoneInfo(zone or "UTC"))
        return found.at.astimezone(ZoneInfo(zone or "UTC")).date().isoformat() if found and not found.day else text
    except (ZoneInfoNotFoundError, ValueError, OSError, OverflowError):
        return text


def _cell(row: Row, place: int) -> str:
    return row.cells[place].strip() if 0 <= place < len(row.cells) else ""


ADAPTERS: dict[str, Adapter] = {"jira": jira, "taskboard": taskboard, "todoist": todoist, "ticktick": ticktick}
MORE_HEADS = {"todoist": ("Section", "Task", "Parent")}
