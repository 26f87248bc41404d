"""Rows of JSON: each thing of a file is taken or counted as not taken, and rows that nobody knows are named."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.serializers.json import DjangoJSONEncoder

from accounts.models import User
from boards.actions.cards.card import create_card
from boards.actions.files.attachments import attach_file
from boards.losses import Loss
from boards.models import List
from boards.tests.filled_card import filled_card
from conftest import web
from core.files.storage import store
from importer.formats.rows import NAMED, KnownRows, RowCounter
from importer.models import Import
from importer.reading import read_report
from importer.report import Report
from importer.tests import vikunja_export
from importer.tests.circle import exported, source_of, zip_of
from importer.tests.reading import FILES
from importer.tests.test_planka import INCLUDED
from importer.tests.test_trello_shapes import CARD, GREEN, RED, a_card, board_of

STAMPS = [{"id": "s1", "inside": [{"id": "s2"}]}, {"id": "s3"}]
PLANKA = {
    "board": {"item": {"id": "b1", "name": "Garden"}, "included": INCLUDED},
    "comments": {"c1": [{"id": "m1", "userId": "u2", "text": "Nice", "createdAt": "2024-01-01T08:00:00.000Z"}]},
}
CHECKLIST = {"id": "k", "idCard": CARD, "name": "Tools", "checkItems": [{"id": "i", "name": "String"}]}
PLANKA_SERVER = {"address": "https://planka.example.com", "token": "x"}


def report_of(user: User, format: str, path: Path) -> dict[str, Any]:
    choices = PLANKA_SERVER if format == "planka" else {}
    row = Import(user=user, format=format, file_name=path.name, choices=choices, salt=b"x" * 22)
    return read_report(row, path, lambda: None)


def place(value: Any, path: str) -> Any:
    """Return the object at a path: `cards.0`."""
    for name in filter(None, path.split(".")):
        value = value[int(name)] if isinstance(value, list) else value[name]
    return value


def with_stamps(value: Any, paths: list[str]) -> Any:
    """Return a copy that has a member nobody knows at each of the paths."""
    changed = copy.deepcopy(value)
    for path in paths:
        place(changed, path)["stamps"] = STAMPS
    return changed


def written(path: Path, format: str, value: Any) -> Path:
    if format == "vikunja":
        return vikunja_export.write(path, value)
    path.write_text(json.dumps(value, cls=DjangoJSONEncoder))
    return path


@pytest.fixture
def launch(olga: User, ed: User, todo: List, transactional_db: None) -> dict[str, Any]:
    """The export of a board that has something of everything but files."""
    filled_card(olga, ed, todo, "Plant tulips")
    return exported(olga)


# Where each format gets a member that nobody knows, and how the report names it
STAMPED = {
    "own": {
        "": "stamps", "boards.0": "boards[].stamps", "boards.0.lists.0": "boards[].lists[].stamps",
        "boards.0.lists.0.cards.0": "boards[].lists[].cards[].stamps",
        "boards.0.lists.0.cards.0.comments.0": "boards[].lists[].cards[].comments[].stamps",
    },
    "trello": {
        "": "stamps", "lists.0": "lists[].stamps", "cards.0": "cards[].stamps", "labels.0": "labels[].stamps",
        "cards.1.attachments.0": "cards[].attachments[].stamps", "checklists.1.checkItems.0": "checklists[].checkItems[].stamps",
    },
    "wekan": {
        "": "stamps", "lists.0": "lists[].stamps", "cards.0": "cards[].stamps", "comments.0": "comments[].stamps",
        "attachments.0": "attachments[].stamps",
    },
    "vikunja": {
        "0": "[].stamps", "0.tasks.0": "[].tasks[].stamps", "0.buckets.0": "[].buckets[].stamps",
        "0.tasks.0.comments.0": "[].tasks[].comments[].stamps", "0.tasks.0.attachments.0.file": "[].tasks[].attachments[].file.stamps",
    },
    "planka": {
        "board": "stamps", "board.included": "included.stamps", "board.included.cards.0": "included.cards[].stamps",
        "board.included.tasks.0": "included.tasks[].stamps", "comments.c1.0": "comments.c1[].stamps",
    },
}  # fmt: skip


@pytest.mark.parametrize("format", STAMPED)
def test_rows_that_nobody_knows_are_counted_and_named(
    format: str, launch: dict[str, Any], olga: User, tmp_path: Path
) -> None:
    value = {
        "own": launch,
        "trello": json.loads((FILES / "trello.json").read_text()),
        "wekan": json.loads((FILES / "wekan.json").read_text()),
        "vikunja": vikunja_export.data(),
        "planka": PLANKA,
    }[format]
    stamped = with_stamps(value, list(STAMPED[format]))
    before = report_of(olga, format, written(tmp_path / "before", format, value))
    after = report_of(olga, format, written(tmp_path / "after", format, stamped))
    [loss] = [one for one in after["losses"] if one["loss"] == Loss.UNKNOWN_ROWS]
    assert sorted(loss["places"]) == sorted(f"{name} (2)" for name in STAMPED[format].values())
    more = 2 * len(STAMPED[format])
    assert loss["count"] == more
    assert after["things"] == {"all": before["things"]["all"] + more, "taken": before["things"]["taken"]}
    assert [one for one in after["losses"] if one != loss] == before["losses"]


@pytest.mark.parametrize(
    "name, things",
    [
        ("trello", {"all": 25, "taken": 23}),  # a label that came twice, a comment of no card
        ("wekan", {"all": 18, "taken": 16}),  # a comment of no card, a file without bytes
    ],
)
def test_things_of_a_file_are_taken_or_counted_as_not(name: str, things: dict[str, int], olga: User) -> None:
    assert report_of(olga, name, FILES / f"{name}.json")["things"] == things


def test_of_vikunja_only_a_file_that_is_not_in_the_zip_is_missing(olga: User, tmp_path: Path) -> None:
    path = vikunja_export.write(tmp_path / "export.zip")
    assert report_of(olga, "vikunja", path)["things"] == {"all": 14, "taken": 13}


def test_columns_of_a_second_board_of_a_project_of_vikunja_are_not_taken(olga: User, tmp_path: Path) -> None:
    projects = vikunja_export.data()
    projects[0]["buckets"].append({"id": 30, "title": "Elsewhere", "project_view_id": 12})
    report = report_of(olga, "vikunja", vikunja_export.write(tmp_path / "export.zip", projects))
    assert report["things"] == {"all": 15, "taken": 13}
    [left] = [one for one in report["losses"] if one["loss"] == Loss.FIELD_LEFT_OUT]
    assert "[0].buckets[2]" in left["places"]


def test_of_vikunja_before_version_021_everything_is_taken(olga: User, tmp_path: Path) -> None:
    path = vikunja_export.write(tmp_path / "export.zip", vikunja_export.of_before_021())
    assert report_of(olga, "vikunja", path)["things"] == {"all": 14, "taken": 14}


@pytest.mark.parametrize(
    "value, number",
    [
        # A board, a list, two cards and the two labels that they have
        (board_of(a_card(labels=[GREEN, RED]), a_card(id="c2", labels=[RED])), 6),
        # The board and the list that are made for a card, the card, its label, its checklist with an item, and its file
        (a_card(labels=[GREEN], checklists=[CHECKLIST], attachments=[{"id": "a", "url": "https://trello.com/x"}]), 7),
    ],
)
def test_of_other_shapes_of_trello_everything_is_taken(
    value: dict[str, Any], number: int, olga: User, tmp_path: Path
) -> None:
    path = written(tmp_path / "trello.json", "trello", value)
    assert report_of(olga, "trello", path)["things"] == {"all": number, "taken": number}


def test_our_own_export_is_taken_whole(launch: dict[str, Any], olga: User, tmp_path: Path) -> None:
    # A board, its list, a card with two labels, two checklists, four items and two comments
    assert report_of(olga, "own", source_of(launch, tmp_path).path)["things"] == {"all": 13, "taken": 13}


def test_our_own_zip_is_taken_whole_and_without_it_a_file_is_not(
    todo: List, olga: User, tmp_path: Path, transactional_db: None
) -> None:
    card = create_card(actor=web(olga), list_id=todo.pk, title="Plant tulips")
    attach_file(actor=web(olga), card_id=card.pk, file_name="bed.txt", stored=store([b"bed"], most=100))
    export = exported(olga)
    assert report_of(olga, "own", zip_of(export, tmp_path).path)["things"] == {"all": 4, "taken": 4}
    assert report_of(olga, "own", source_of(export, tmp_path).path)["things"] == {"all": 4, "taken": 3}


def test_cards_without_a_list_get_one_that_stands_for_none_of_the_file(olga: User, tmp_path: Path) -> None:
    board = {
        "id": "b",
        "name": "Garden",
        "lists": [{"name": "No id"}],
        "cards": [{"id": "c", "idList": "l", "name": "Mow"}],
    }
    path = written(tmp_path / "board.json", "trello", board)
    assert report_of(olga, "trello", path)["things"] == {"all": 3, "taken": 2}


def test_columns_that_nobody_knows_stand_in_the_text_and_are_counted(olga: User, tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("Title,Stamps\nMow,three\nSow,,beyond\n")
    report = report_of(olga, "csv", path)
    assert {one["loss"]: one["places"] for one in report["losses"]} == {
        Loss.FIELD_IN_TEXT: ["line 2: Stamps"],
        Loss.FIELD_LEFT_OUT: ["line 3: more cells than columns"],
    }
    assert report["things"] == {"all": 4, "taken": 4}


def test_many_kinds_of_unknown_rows_are_counted_and_the_first_named() -> None:
    report = Report()
    rows = RowCounter(KnownRows({}), report)
    rows.look_through({f"kind {number}": [{}, {}] for number in range(NAMED + 50)})
    rows.tell()
    assert report.counts == {Loss.UNKNOWN_ROWS: 2 * (NAMED + 50)}
    assert report.places[Loss.UNKNOWN_ROWS][0].startswith("kind ")


def test_looking_through_a_value_has_an_end() -> None:
    value: Any = {}
    for _level in range(100_000):
        value = {"a": value}
    rows = RowCounter(KnownRows({}), Report())
    rows.look_through(value)
    rows.tell()
