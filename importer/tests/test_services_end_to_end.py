"""Files of each service through the report and the import: the board holds what the report said."""

from pathlib import Path
from typing import Any

import pytest

from boards.models import Board
from importer import steps
from importer.models import Import, ImportState
from importer.tests import vikunja_export
from importer.tests.circle import exported
from importer.tests.reading import FILES

pytestmark = pytest.mark.django_db(transaction=True)
SAMPLES = sorted(path.name for path in FILES.iterdir())
ANSWERS = {
    "kanboard.csv": dict.fromkeys(
        ("kanboard-9-order", "kanboard-16-order", "kanboard-17-order", "kanboard-18-order"), "mdy"
    )
}


def reported(user: Any, path: Path, **answers: str) -> Import:
    with path.open("rb") as file:
        row = steps.upload(user, file, path.name)
    for _round in range(5):
        open_ones = steps.missing(row, steps.questions_of(row))
        if not open_ones:
            break
        steps.answer(row, {one.name: answers.get(one.name, one.answer) for one in open_ones})
    steps.begin_reading(row, at_once=True)
    row.refresh_from_db()
    assert row.state == ImportState.REPORTED, row.error
    return row


def written(row: Import, **people: str) -> Import:
    steps.begin_writing(row, people=people, left_out=(), at_once=True)
    steps.write_now(row)
    row.refresh_from_db()
    assert row.state == ImportState.DONE, row.error
    return row


@pytest.fixture
def zipped(tmp_path: Path) -> Path:
    return vikunja_export.write(tmp_path / "export.zip")


@pytest.mark.parametrize("name", [*SAMPLES, "vikunja"])
def test_the_board_holds_what_the_report_said(name: str, olga: Any, zipped: Path) -> None:
    path = zipped if name == "vikunja" else FILES / name
    row = reported(olga, path, **ANSWERS.get(name, {}))
    assert not Board.objects.exists()
    said = row.report["boards"]
    written(row)
    boards = exported(olga)["boards"]
    assert sorted(one["title"] for one in boards) == sorted(one["title"] for one in said)
    for counts, board in zip(
        sorted(said, key=lambda one: one["title"]), sorted(boards, key=lambda one: one["title"]), strict=True
    ):
        cards = [card for row in board["lists"] for card in row["cards"]]
        assert {
            "lists": len(board["lists"]),
            "labels": len(board["labels"]),
            "cards": len(cards),
            "comments": sum(len(card["comments"]) for card in cards),
            "checklists": sum(len(card["checklists"]) for card in cards),
            "items": sum(len(one["items"]) for card in cards for one in card["checklists"]),
            "archived": sum(card["archivedAt"] is not None for card in cards),
        } == {name: counts["counts"][name] for name in counts["counts"] if name not in ("files", "bytes")}


def test_a_board_of_trello_comes_over(olga: Any) -> None:
    row = reported(olga, FILES / "trello.json")
    written(row, **{person["key"]: str(olga.pk) for person in row.report["people"] if person["name"] == "Ken Mori"})
    [board] = exported(olga)["boards"]
    assert [
        (one["title"], one["archivedAt"] is None, [card["title"] for card in one["cards"]]) for one in board["lists"]
    ] == [
        ("Someday", False, ["Untitled"]),
        ("To do", True, ["Write the invitation", "Order cake"]),
        ("Done", True, ["Old idea"]),
    ]
    card = board["lists"][1]["cards"][0]
    assert card["assigneeIds"] == [str(olga.pk)]
    first, second, third = [one["body"] for one in card["comments"]]
    assert first.startswith("**Mia Weiß** wrote:")
    assert second.endswith("Second")
    assert third.startswith("Third")


def test_a_report_tells_what_trello_leaves_out(olga: Any) -> None:
    row = reported(olga, FILES / "trello.json")
    assert {one["loss"]: one["count"] for one in row.report["losses"]}["comments-missing"] == 2
