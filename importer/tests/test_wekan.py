"""WeKan's export, with a file made after the public facts of its form: tests/files/wekan.json."""

from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from boards.colours import Hue
from boards.outlines import ChecklistOutline, ItemOutline
from importer.formats import trello, wekan
from importer.formats.source import Source, Unreadable
from importer.report import Report
from importer.tests.reading import FILES, card, read

FILE = FILES / "wekan.json"


def test_the_export_is_recognized() -> None:
    assert wekan.looks_like(Source(FILE, "x.json"))
    assert not trello.looks_like(Source(FILE, "x.json"))
    assert not wekan.looks_like(Source(FILES / "trello.json", "x.json"))


def test_every_loss_is_counted() -> None:
    assert read(wekan, FILE)[1] == {
        "field-left-out": 2,  # the board's text, the poker
        "color-changed": 3,
        "label-renamed": 1,
        "swimlane-as-label": 2,
        "history-left-out": 2,
        "unknown-reference": 2,
        "field-in-text": 8,  # three fields, members, who asked, a vote; time spent, a parent
        "without-card": 1,
    }


def test_a_card_comes_over_with_its_parts() -> None:
    [board], _losses = read(wekan, FILE)
    assert [(row.title, row.card_limit, row.archived_at is None) for row in board.lists] == [
        ("To do", 5, True),
        ("Done", None, False),
    ]
    first = card(board, "First")
    assert (first.due_at, first.start_day) == (datetime(2023, 3, 1, 17, tzinfo=UTC), date(2023, 2, 10))
    assert (first.completed_at, first.cover_hue) == (datetime(2023, 2, 28, 8, tzinfo=UTC), Hue.BLUE)
    assert first.description == (
        "**Dig**\n\n- **Soil**: Clay\n- **Depth**: 12\n- **Wet**: Yes\n- **Members**: Ken Mori, mia\n"
        "- **Requested by**: The neighbour\n- **Vote**: Now? 1 for, 1 against"
    )
    assert first.checklists == [ChecklistOutline("Steps", [ItemOutline("one", done=True), ItemOutline("two")])]
    assert [(one.text, one.author, one.edited_at is not None) for one in first.comments] == [
        ("sooner", "u1", True),
        ("later", "u2", False),
    ]
    names = {label.key: label.name for label in board.labels}
    assert [names[key] for key in first.labels] == ["Tools", "Orange", "Front"]
    second = card(board, "Second")
    assert second.archived_at == datetime(2023, 12, 1, 8, tzinfo=UTC)
    assert second.description == "- **Time spent**: 1.5\n- **Parent card**: First"


def test_the_bytes_of_files_are_in_the_export() -> None:
    report = Report()
    for board in wekan.read(Source(FILE, "x.json"), report):
        first = next(one for one in board.cards if one.title == "First")
        png, broken, far = first.files
        assert png.open is not None
        with png.open() as file:
            assert file.read() == b"\x89PNG\r\n\x1a\n"
        assert (png.size, first.cover_file) == (8, "a1")
        assert (broken.open, broken.url) == (None, "")
        assert (far.open, far.url) == (None, "https://wekan.example/cdn/a3")


@pytest.mark.parametrize("content", [b"", b"{}", b'{"_format": "wekan-board-1.0.0"}', FILE.read_bytes()[:3000]])
def test_what_is_no_board_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "none.json"
    path.write_bytes(content)
    with pytest.raises(Unreadable):
        read(wekan, path)
