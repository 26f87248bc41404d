"""Vikunja's zip, as importer/tests/vikunja_export.py writes it."""

from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from boards.colours import Hue
from importer.formats import own, vikunja
from importer.formats.html_text import markdown_of
from importer.formats.source import Source, Unreadable
from importer.report import Report
from importer.tests import vikunja_export
from importer.tests.reading import card, read


@pytest.fixture
def zipped(tmp_path: Path) -> Path:
    return vikunja_export.write(tmp_path / "export.zip")


def test_the_export_is_recognized(zipped: Path) -> None:
    assert vikunja.looks_like(Source(zipped, "x.zip"))
    assert not own.looks_like(Source(zipped, "x.zip"))


def test_every_loss_is_counted(zipped: Path) -> None:
    assert read(vikunja, zipped)[1] == {
        "field-left-out": 4,  # filters.json, a favorite, the text and the parent of a project
        "color-changed": 3,
        "field-in-text": 4,  # a relation, progress, a reminder, two days
    }


def test_projects_are_boards_and_their_columns_lists(zipped: Path) -> None:
    boards, _losses = read(vikunja, zipped)
    assert [(one.title, one.hue, one.archived_at is not None) for one in boards] == [
        ("Home", Hue.GREEN, False),
        ("Old", None, True),
    ]
    assert [(row.title, row.card_limit) for row in boards[0].lists] == [("To do", 4), ("Done", None)]
    assert [row.title for row in boards[1].lists] == ["Tasks"]
    assert [(one.title, one.list_key) for one in boards[0].cards] == [
        ("Plain **Markdown**", "21"),
        ("Paint", "21"),
        ("Sand", "22"),
    ]


def test_a_task_comes_over_with_its_parts(zipped: Path) -> None:
    [board, _old], _losses = read(vikunja, zipped)
    paint = card(board, "Paint")
    assert paint.description == (
        "## Plan\n\nBuy **red** & [blue](https://a.example/x)\n\n- [x] brush\n- [ ] tape\n\nbad\n\n"
        "- **Progress**: 50%\n- **Reminders**: 2024-01-31 09:00\n- **Subtask**: Sand"
    )
    assert (paint.due_at, paint.start_day) == (datetime(2024, 2, 1, 16, tzinfo=UTC), date(2024, 1, 20))
    assert (paint.recurrence, paint.number, paint.cover_hue) == ("weekly", 5, Hue.BLUE)
    names = {label.key: label.name for label in board.labels}
    assert [names[key] for key in paint.labels] == ["DIY", "Priority: Urgent"]
    assert [one.name for one in board.people] == ["Ken Mori", "mia"]
    assert [(one.text, one.author) for one in paint.comments] == [("Nice", "2")]
    sand = card(board, "Sand")
    assert (sand.completed_at, sand.description) == (datetime(2024, 1, 4, 8, tzinfo=UTC), "- **Repeats**: after 2 days")


def test_files_are_in_the_zip(zipped: Path) -> None:
    for board in vikunja.read(Source(zipped, "x.zip"), Report()):
        for one in board.cards:
            if one.title == "Paint":
                wall, gone = one.files
                assert (wall.file_name, wall.size, gone.open) == ("../wall.txt", 5, None)
                assert wall.open is not None
                with wall.open() as file:
                    assert file.read() == b"white"


@pytest.fixture(params=vikunja.NAMESPACED)
def namespaced(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """An export of a version before 0.21."""
    return vikunja_export.write(tmp_path / "export.zip", vikunja_export.of_before_021(request.param))


def test_projects_in_namespaces_are_boards_with_their_tasks(namespaced: Path) -> None:
    boards, _losses = read(vikunja, namespaced)
    assert [(one.title, [row.title for row in one.lists], [row.title for row in one.cards]) for one in boards] == [
        ("Bicycle", ["Broken", "Mended"], ["Chain", "Brakes"]),
        ("Shelf", ["Tasks"], ["Saw"]),
        ("Boat", ["Tasks"], ["Paint it", "Sell it"]),
    ]
    chain = card(boards[0], "Chain")
    assert [row.key for row in boards[0].lists if row.key == chain.list_key] == ["31"]
    assert [(one.text, one.author) for one in chain.comments] == [("Oil it", "2")]
    assert [(file.file_name, file.open is not None) for file in chain.files] == [("gears.txt", True)]
    assert chain.description == "- **Reminders**: 2022-05-02 10:00"


def test_projects_of_an_archived_namespace_are_archived(namespaced: Path) -> None:
    boards, _losses = read(vikunja, namespaced)
    assert [(one.title, one.archived_at is not None) for one in boards] == [
        ("Bicycle", False),
        ("Shelf", True),
        ("Boat", True),
    ]


def test_names_of_namespaces_are_counted_as_left_out(namespaced: Path) -> None:
    assert read(vikunja, namespaced)[1] == {"field-left-out": 4, "field-in-text": 1}  # three titles, filters.json


@pytest.mark.parametrize("projects", [{}, [], "x", [[[]]], {"id": 1}])
def test_what_has_no_projects_is_refused(tmp_path: Path, projects: Any) -> None:
    path = vikunja_export.write(tmp_path / "none.zip", projects)
    with pytest.raises(Unreadable):
        read(vikunja, path)


def test_a_zip_cut_short_is_refused(zipped: Path) -> None:
    zipped.write_bytes(zipped.read_bytes()[:-30])
    with pytest.raises(Unreadable):
        read(vikunja, zipped)


@pytest.mark.parametrize(
    "html, markdown",
    [
        ("<p>a_b_c *d*</p>", "a_b_c \\*d\\*"),
        ("<p>see https://a.example/x_y</p>", "see <https://a.example/x_y>"),
        ("<ol><li>one<ul><li>deep</li></ul></li><li>two</li></ol>", "1. one\n   - deep\n2. two"),
        ("<pre><code>x = `1`\n</code></pre>", "```\nx = `1`\n```"),
        ("<p>x<script>alert(1)</script>y<img src=x onerror=alert(1)></p>", "xy"),
        (
            '<p><img src="https://a.example/x.png" alt="Plan"><img src="data:x" alt="y"></p>',
            "[Plan](https://a.example/x.png)y",
        ),
        ("not <b>html", "not <b>html"),
        ("<p>" * 5000 + "x", "x"),
        ("<ul>" * 500 + "<li>x", "- x"),
        ("<p>1. no list</p><p># no heading<br>---</p>", "1\\. no list\n\n\\# no heading\n\\---"),
        ("<p><strong>bold </strong>and plain</p>", "**bold** and plain"),
        ("<blockquote><p>said</p></blockquote><p>by Ken</p>", "> said\n\nby Ken"),
        ("<ul><li><p>one</p><p>two</p></li></ul>", "- one\n\n  two"),
        ("<ul><li>one</li><ul><li>deep</li></ul></ul>", "- one\n  - deep"),
        ("<table><tr><td>one</td><td>two</td></tr></table>", "one\n\ntwo"),
    ],
)
def test_html_becomes_markdown(html: str, markdown: str) -> None:
    assert markdown_of(html).strip() == markdown
