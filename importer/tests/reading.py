"""Read a file by a format as tests want it: everything at once."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from boards.outlines import BoardOutline, CardOutline
from importer.formats.source import Format, Source
from importer.report import Report

FILES = Path(__file__).parent / "files"


def read(
    form: Format, path: Path, zone: str = "Europe/Zurich", **choices: Any
) -> tuple[list[BoardOutline], dict[str, int]]:
    """Return the boards, with lists in place of their iterators of cards, and how often each loss was counted."""
    report = Report()
    boards = list(boards_of(form, Source(path, path.name, time_zone=zone, choices=choices), report))
    return boards, {str(loss.value): number for loss, number in report.counts.items()}


def places(form: Format, path: Path, loss: str, **choices: Any) -> list[str]:
    report = Report()
    list(boards_of(form, Source(path, path.name, time_zone="Europe/Zurich", choices=choices), report))
    return next((found for known, found in report.places.items() if known.value == loss), [])


def boards_of(form: Format, source: Source, report: Report) -> Iterator[BoardOutline]:
    for board in form.read(source, report):
        board.cards = list(board.cards)
        yield board


def card(board: BoardOutline, title: str) -> CardOutline:
    return next(one for one in board.cards if one.title == title)
