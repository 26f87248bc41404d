"""The cards of one board as CSV (RFC 4180), for spreadsheets. docs/export.md has the columns."""

from collections.abc import Iterable, Iterator

from core.text.csv_lines import MARK, line_of, listed
from exporter.readable.facts import Board, Content, boards_of
from exporter.walking import CARD, LIST, Step

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


def csv_of(steps: Iterable[Step]) -> Iterator[str]:
    """Yield the lines. `steps` has one board."""
    yield MARK + line_of(COLUMNS)
    for content, inside in boards_of(steps):
        board, its_list = Board(content), Content()
        for step in inside:
            if step.depth == LIST:
                its_list = step.content
            elif step.depth == CARD:
                yield line_of(row_of(step, its_list, board))


def row_of(step: Step, its_list: Content, board: Board) -> list[str]:
    card = step.content
    return [
        str(card["number"]),
        card["title"],
        its_list["title"],
        listed(board.labels(card)),
        card["startDate"] or "",
        card["dueDay"] or card["dueDate"] or "",
        listed(board.people(card)),
        card["completedAt"] or "",
        card["archivedAt"] or its_list["archivedAt"] or "",
        card["description"],
        checklists(card),
        str(step.more["comments"]),
        card["createdBy"]["name"],
        card["createdAt"],
        board.card_address(card),
    ]


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
