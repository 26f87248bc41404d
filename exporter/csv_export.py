"""The cards of one board as CSV (RFC 4180), for spreadsheets. docs/export.md has the columns."""

import csv
import io
from collections.abc import Iterable, Iterator

from core.text.csv_safety import harmless
from exporter.readable.facts import Board, Content, boards_of
from exporter.walking import LIST, Step

COLUMNS = (
    "Number",
    "Title",
    "List",
    "Labels",
    "Start",
    "Due",
    "Assignees",
    "Done",
    "Archived",
    "Description",
    "Checklists",
    "Comments",
    "Created by",
    "Created",
    "Address",
)
MARK = "\ufeff"  # by which spreadsheets know UTF-8


def csv_of(steps: Iterable[Step]) -> Iterator[str]:
    """Yield the lines. `steps` has one board."""
    line = io.StringIO()
    writer = csv.writer(line)  # which ends lines with CRLF
    yield MARK + ",".join(COLUMNS) + "\r\n"
    for content, inside in boards_of(steps):
        board, title = Board(content), ""
        for step in inside:
            if step.depth == LIST:
                title = step.content["title"]
                continue
            writer.writerow([harmless(value) for value in row_of(step.content, title, board)])
            yield line.getvalue()
            line.seek(0)
            line.truncate()


def row_of(card: Content, list_title: str, board: Board) -> list[str]:
    return [
        str(card["number"]),
        card["title"],
        list_title,
        listed(board.labels(card)),
        card["startDate"] or "",
        card["dueDay"] or card["dueDate"] or "",
        listed(board.people(card)),
        card["completedAt"] or "",
        card["archivedAt"] or "",
        card["description"],
        checklists(card),
        str(len(card["comments"])),
        card["createdBy"]["name"],
        card["createdAt"],
        board.card_address(card),
    ]


def listed(names: list[str]) -> str:
    """Return the names with commas between them, as one line of CSV: a name with a comma stands in quotes."""
    if not names:
        return ""
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(names)
    return line.getvalue()


def checklists(card: Content) -> str:
    """Return the checklists as Markdown: headings and tasks."""
    return "\n".join(
        line
        for checklist in card["checklists"]
        for line in (
            f"## {checklist['title']}",
            *(f"- [{'x' if item['done'] else ' '}] {item['text']}" for item in checklist["items"]),
        )
    )
