"""Other shapes of Trello's export: of a single card, and older ones that have labels on the cards alone."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from boards.colours import Hue
from boards.outlines import ChecklistOutline, ItemOutline
from importer.formats import recognize, trello
from importer.formats.source import Source
from importer.tests.reading import card, read

IDA, CARD, LIST, BOARD = (f"5f00000000000000000000{end}" for end in ("b1", "c1", "d1", "e1"))


def a_card(**more: Any) -> dict[str, Any]:
    return {
        "id": CARD,
        "idList": LIST,
        "idBoard": BOARD,
        "name": "Sow beans",
        "desc": "In **rows**",
        "closed": False,
        **more,
    }


def written(folder: Path, value: Any) -> Path:
    path = folder / "trello.json"
    path.write_text(json.dumps(value))
    return path


def action(kind: str, at: str, **data: Any) -> dict[str, Any]:
    return {"id": at, "type": kind, "date": at, "idMemberCreator": IDA, "data": {"card": {"id": CARD}, **data}}


@pytest.fixture
def single() -> dict[str, Any]:
    """The export of one card with something of everything."""
    return a_card(
        descData=None, shortLink="BeAnS123", dateLastActivity="2024-05-02T08:00:00.000Z", pos=1,
        idLabels=["5f00000000000000000000f1"], idMembers=[IDA], pluginData=[],
        labels=[{"id": "5f00000000000000000000f1", "idBoard": BOARD, "name": "Garden", "color": "green"}],
        members=[{"id": IDA, "fullName": "Ida Roth", "username": "ida"}],
        checklists=[{"id": "k", "idCard": CARD, "name": "Tools", "pos": 1, "checkItems": [{"id": "i", "name": "String", "state": "complete", "pos": 1}]}],
        attachments=[{"id": "a", "isUpload": True, "name": "bed.png", "url": "https://trello.com/bed.png", "bytes": 12}],
        actions=[
            action("commentCard", "2024-05-02T08:00:00.000Z", text="After the frost", list={"id": LIST, "name": "Spring"}),
            action("createCard", "2024-05-01T08:00:00.000Z", list={"id": LIST, "name": "Early spring"}),
        ],
    )  # fmt: skip


def test_a_single_card_becomes_a_board_called_like_it_with_its_list(single: dict[str, Any], tmp_path: Path) -> None:
    path = written(tmp_path, single)
    assert recognize(Source(path, "x.json")) == "trello"
    [board], losses = read(trello, path)
    [beans] = board.cards
    assert (board.title, [(row.key, row.title) for row in board.lists]) == ("Sow beans", [(LIST, "Spring")])
    assert (beans.title, beans.list_key, beans.description) == ("Sow beans", LIST, "In **rows**")
    assert [(label.name, label.hue, label.key in beans.labels) for label in board.labels] == [
        ("Garden", Hue.GREEN, True)
    ]
    assert (beans.assignees, [person.name for person in board.people]) == ([IDA], ["Ida Roth"])
    assert beans.checklists == [ChecklistOutline("Tools", [ItemOutline("String", done=True)])]
    assert [(one.text, one.author) for one in beans.comments] == [("After the frost", IDA)]
    assert [file.file_name for file in beans.files] == ["bed.png"]
    assert losses == {"history-left-out": 1}


def test_a_single_card_without_history_stands_in_a_list_of_cards(tmp_path: Path) -> None:
    [board], _losses = read(trello, written(tmp_path, a_card()))
    assert [(row.title, [one.title for one in board.cards]) for row in board.lists] == [("Cards", ["Sow beans"])]


def test_a_single_card_that_is_archived_stands_on_an_open_board(tmp_path: Path) -> None:
    value = a_card(closed=True, dateClosed="2024-06-01T08:00:00.000Z")
    [board], _losses = read(trello, written(tmp_path, value))
    assert board.archived_at is None
    assert card(board, "Sow beans").archived_at == datetime(2024, 6, 1, 8, tzinfo=UTC)


SMALL = {
    "only lists and cards": {"lists": [{"id": LIST, "name": "To do"}], "cards": [{"id": CARD, "name": "Sow", "idList": LIST}]},
    "a board without cards": {"name": "Garden", "lists": [{"id": LIST, "name": "To do", "idBoard": BOARD}], "cards": []},
    "an id and prefs": {"id": BOARD, "name": "Garden", "prefs": {}, "lists": [{"id": LIST, "name": "To do"}]},
    "an id and one address": {"id": BOARD, "name": "Garden", "shortUrl": "https://trello.com/b/x", "cards": []},
    "two names that Trello alone has": {"name": "Garden", "descData": None, "dateLastView": None, "lists": []},
    "a single card": {"id": CARD, "idList": LIST, "idBoard": BOARD, "name": "Sow"},
}  # fmt: skip
OTHERS = {
    "ids that are no ids of Trello": {"lists": [{"id": "1"}], "cards": [{"id": "2", "idList": "1", "idBoard": "7"}]},
    "an id of another length": {"cards": [{"id": CARD + "0", "idList": LIST + "0"}]},
    "an id alone": {"id": BOARD, "name": "Garden", "lists": [{"id": LIST}], "cards": [{"id": CARD}]},
    "preferences of something else": {"id": BOARD, "prefs": {}, "tasks": []},
    "names deeper inside": {"data": {"cards": [{"idList": LIST}]}, "list": {"idBoard": BOARD}},
    "names in another's objects": {"cards": [{"old": {"idList": LIST}, "labels": [{"idBoard": BOARD}]}]},
    "WeKan": {"_id": "x", "lists": [{"idBoard": BOARD}]},
}


@pytest.mark.parametrize("value", SMALL.values(), ids=SMALL)
def test_a_small_file_is_recognized_by_what_trello_alone_has(value: dict[str, Any], tmp_path: Path) -> None:
    assert recognize(Source(written(tmp_path, value), "x.json")) == "trello"


@pytest.mark.parametrize("value", OTHERS.values(), ids=OTHERS)
def test_a_file_with_something_of_that_alone_is_not_recognized(value: dict[str, Any], tmp_path: Path) -> None:
    assert recognize(Source(written(tmp_path, value), "x.json")) == ""


def board_of(*cards: dict[str, Any], **more: Any) -> dict[str, Any]:
    row = {"id": LIST, "name": "To do", "closed": False, "pos": 1}
    return {"id": BOARD, "name": "Garden", "lists": [row], "cards": cards, **more}


def labels_by_card(path: Path) -> tuple[dict[str, list[tuple[str, Hue]]], dict[str, int]]:
    [board], losses = read(trello, path)
    known = {label.key: (label.name, label.hue) for label in board.labels}
    return {one.title: [known[key] for key in one.labels] for one in board.cards}, losses


GREEN, RED = {"color": "green", "name": "Herbs"}, {"color": "red", "name": "Urgent"}


def test_labels_that_cards_alone_describe_are_taken(tmp_path: Path) -> None:
    sow = a_card(idLabels=["f1", "f2"], labels=[GREEN | {"id": "f1"}, RED | {"id": "f2"}])
    mow = a_card(id="c2", name="Mow", idLabels=["f1"], labels=[GREEN | {"id": "f1"}])
    found, losses = labels_by_card(written(tmp_path, board_of(sow, mow)))
    assert found == {"Sow beans": [("Herbs", Hue.GREEN), ("Urgent", Hue.RED)], "Mow": [("Herbs", Hue.GREEN)]}
    assert losses == {}


def test_labels_without_ids_are_known_by_color_and_name(tmp_path: Path) -> None:
    mow = a_card(id="c2", name="Mow", labels=[GREEN, {"color": "green", "name": "Lawn"}])
    found, losses = labels_by_card(written(tmp_path, board_of(a_card(labels=[GREEN, RED]), mow)))
    assert found["Sow beans"] == [("Herbs", Hue.GREEN), ("Urgent", Hue.RED)]
    assert found["Mow"] == [("Herbs", Hue.GREEN), ("Lawn", Hue.GREEN)]
    assert losses == {}


@pytest.mark.parametrize("on_card", [GREEN, GREEN | {"id": "f1"}])
def test_labels_of_the_board_are_not_doubled_by_those_of_cards(on_card: dict[str, Any], tmp_path: Path) -> None:
    value = board_of(a_card(idLabels=["f1"], labels=[on_card]), labels=[GREEN | {"id": "f1"}])
    [board], losses = read(trello, written(tmp_path, value))
    assert [(label.name, label.key) for label in board.labels] == [("Herbs", "f1")]
    assert (card(board, "Sow beans").labels, losses) == (["f1"], {})


def test_labels_that_nothing_describes_are_counted(tmp_path: Path) -> None:
    found, losses = labels_by_card(written(tmp_path, board_of(a_card(idLabels=["f1"], labels=[]))))
    assert (found, losses) == ({"Sow beans": []}, {"unknown-reference": 1})
