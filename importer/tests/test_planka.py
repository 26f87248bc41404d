"""Planka by its API. The server here is a stand-in that answers after the public facts of the API, of version 2 and of 1."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from boards.colours import Hue
from boards.outlines import ChecklistOutline, ItemOutline
from core.tests.web_server import WebServer, web_server
from importer.attempts import Stopped
from importer.formats import planka
from importer.formats.source import Source, Unreadable
from importer.report import Report
from importer.tests.reading import card, read

TOKEN = "eyJhbGciOiJIUzI1NiJ9.secret"
MADE = "2024-01-01T08:00:00.000Z"
INCLUDED: dict[str, Any] = {
    "users": [{"id": "u1", "name": "Ken Mori", "username": "ken"}, {"id": "u2", "name": "", "username": "mia"}],
    "labels": [{"id": "l1", "boardId": "b1", "name": "Tools", "color": "berry-red", "position": 1}, {"id": "l2", "name": None, "color": "lagoon-blue"}],
    "lists": [
        {"id": "li2", "boardId": "b1", "name": "Done", "position": 2, "type": "closed"},
        {"id": "li1", "boardId": "b1", "name": "To do", "position": 1, "type": "active"},
        {"id": "li9", "boardId": "b1", "name": None, "position": None, "type": "archive"},
    ],
    "cards": [
        {"id": "c2", "boardId": "b1", "listId": "li1", "name": "Second", "position": 2, "createdAt": MADE, "updatedAt": MADE, "isClosed": True},
        {"id": "c1", "boardId": "b1", "listId": "li1", "name": "First", "position": 1, "description": "**Dig**", "dueDate": "2024-02-01T16:00:00.000Z",
         "isDueCompleted": False, "stopwatch": {"total": 3720, "startedAt": None}, "coverAttachmentId": "a1", "creatorUserId": "u1", "createdAt": MADE, "updatedAt": MADE},
        {"id": "c3", "boardId": "b1", "listId": "li9", "prevListId": "li2", "name": "Old", "position": 3, "createdAt": MADE, "listChangedAt": "2024-03-01T08:00:00.000Z"},
    ],
    "cardMemberships": [{"id": "x", "cardId": "c1", "userId": "u2"}],
    "cardLabels": [{"id": "y", "cardId": "c1", "labelId": "l1"}],
    "taskLists": [{"id": "t1", "cardId": "c1", "name": "Steps", "position": 1}],
    "tasks": [
        {"id": "k2", "taskListId": "t1", "name": "two", "isCompleted": False, "position": 2},
        {"id": "k1", "taskListId": "t1", "name": "one", "isCompleted": True, "position": 1},
        {"id": "k3", "cardId": "c2", "name": "of version 1", "isCompleted": False, "position": 1},
    ],
    "attachments": [
        {"id": "a1", "cardId": "c1", "type": "file", "name": "spade.txt", "data": {"url": "/attachments/a1/download/spade.txt", "sizeInBytes": "5"}, "creatorUserId": "u1", "createdAt": MADE},
        {"id": "a2", "cardId": "c1", "type": "link", "name": "Shop", "data": {"url": "https://shop.example/x"}, "createdAt": MADE},
        {"id": "a3", "cardId": "c2", "name": "far.txt", "url": "https://elsewhere.example/far.txt", "createdAt": MADE},
    ],
    "customFields": [{"id": "f1", "name": "Depth"}],
    "customFieldValues": [{"id": "v1", "cardId": "c1", "customFieldId": "f1", "content": "12"}],
}  # fmt: skip


@pytest.fixture
def server(settings: Any) -> Iterator[WebServer]:
    with web_server() as found:
        settings.IMPORT_SERVERS = [found.address]
        found.give("/api/projects", {"items": [{"id": "p1", "name": "Home"}], "included": {"boards": [{"id": "b1"}]}})
        found.give("/api/boards/b1", {"item": {"id": "b1", "name": "Garden", "createdAt": MADE}, "included": INCLUDED})
        found.give(
            "/api/cards/c1/comments",
            {"items": [{"id": "m1", "userId": "u2", "text": "Nice", "createdAt": MADE, "updatedAt": None}]},
        )
        actions = [
            {
                "id": "n1",
                "type": "commentCard",
                "userId": "u1",
                "data": {"text": "Of version 1"},
                "createdAt": MADE,
                "updatedAt": None,
            },
            {"id": "n2", "type": "createCard", "userId": "u1", "data": {}},
        ]
        found.give("/api/cards/c2/actions", {"items": actions})
        found.give("/attachments/a1/download/spade.txt", b"spade")
        yield found


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    path = tmp_path / "kept"
    path.touch()
    return path


def test_a_board_comes_over_with_its_cards(server: WebServer, empty: Path) -> None:
    [board], losses = read(planka, empty, address=f"{server.address}/", token=TOKEN)
    assert [(row.title, row.key) for row in board.lists] == [("To do", "li1"), ("Done", "li2")]
    assert [(label.name, label.hue) for label in board.labels] == [("Tools", Hue.RED), ("Blue", Hue.BLUE)]
    first, second, old = card(board, "First"), card(board, "Second"), card(board, "Old")
    assert (
        first.description
        == "**Dig**\n\n- **Depth**: 12\n- **Time spent**: 1:02\n- **Links**: [Shop](<https://shop.example/x>)"
    )
    assert (first.due_at, first.completed_at) == (datetime(2024, 2, 1, 16, tzinfo=UTC), None)
    assert (first.assignees, first.labels, first.cover_file) == (["u2"], ["l1"], "a1")
    assert first.checklists == [ChecklistOutline("Steps", [ItemOutline("one", done=True), ItemOutline("two")])]
    assert [(one.author, one.text) for one in first.comments] == [("u2", "Nice")]
    assert [one.text for one in second.comments] == ["Of version 1"]
    assert second.completed_at == datetime(2024, 1, 1, 8, tzinfo=UTC)
    assert (old.list_key, old.archived_at) == ("li2", datetime(2024, 3, 1, 8, tzinfo=UTC))
    assert losses == {
        "color-changed": 2,
        "label-renamed": 1,
        "field-in-text": 3,
        "time-guessed": 1,
        "history-left-out": 1,
    }


def test_files_are_fetched_from_the_same_server_alone(server: WebServer, empty: Path) -> None:
    [board], _losses = read(planka, empty, address=server.address, token=TOKEN)
    [spade] = card(board, "First").files
    assert spade.open is not None
    with spade.open() as file:
        assert file.read() == b"spade"
    [far] = card(board, "Second").files
    assert (far.open, far.url) == (None, "https://elsewhere.example/far.txt")


def test_characters_that_no_database_holds_are_passed_over(server: WebServer, empty: Path) -> None:
    item = {"id": "b1", "name": "Gar\0den\ud800", "createdAt": MADE}
    server.give("/api/boards/b1", {"item": item, "included": INCLUDED | {"odd\0": []}})
    [board], _losses = read(planka, empty, address=server.address, token=TOKEN)
    assert ascii(board.title) == "'Garden'"
    assert "\\u0000" not in empty.read_text()


def test_the_second_reading_asks_nothing(server: WebServer, empty: Path) -> None:
    first, _losses = read(planka, empty, address=server.address, token=TOKEN)
    server.asked.clear()
    again, _losses = read(planka, empty, address=server.address, token=TOKEN)
    assert [one.title for one in again] == [one.title for one in first]
    assert server.asked == []
    assert TOKEN not in empty.read_text()


def test_the_token_is_sent_as_a_bearer(server: WebServer, empty: Path) -> None:
    read(planka, empty, address=server.address, token=TOKEN)
    assert {found for _path, found in server.asked} == {f"Bearer {TOKEN}"}


@pytest.mark.parametrize(
    "address",
    ["", "planka", "http://example.com", "https://127.0.0.1", "https://10.1.2.3", "http://169.254.169.254", "file:///etc", "https://u:p@example.com"],
)  # fmt: skip
def test_addresses_of_own_networks_are_refused(address: str, empty: Path) -> None:
    with pytest.raises(Unreadable, match="https"):
        read(planka, empty, address=address, token=TOKEN)


@pytest.mark.parametrize("token", ["", "a b", "a\r\nX: y", "ü"])
def test_a_token_that_can_be_none_is_refused(server: WebServer, empty: Path, token: str) -> None:
    with pytest.raises(Unreadable, match="token"):
        read(planka, empty, address=server.address, token=token)
    assert server.asked == []


@pytest.mark.parametrize(
    "status, body",
    [
        (401, {}),
        (403, {}),
        (500, {}),
        (302, {}),
        (200, b"<html>"),
        (200, []),
        (200, b"[" * 100_000),
        (200, {"included": "x"}),
    ],
)
def test_what_answers_otherwise_is_refused_in_words(server: WebServer, empty: Path, status: int, body: Any) -> None:
    server.give("/api/projects", body, status, Location="/elsewhere")
    with pytest.raises(Unreadable) as error:
        read(planka, empty, address=server.address, token=TOKEN)
    assert TOKEN not in str(error.value)
    assert [path for path, _token in server.asked] == ["/api/projects"]


def test_a_token_that_is_not_accepted_is_told_as_that(server: WebServer, empty: Path) -> None:
    server.give("/api/projects", {}, 401)
    with pytest.raises(Unreadable, match="doesn't accept this token"):
        read(planka, empty, address=server.address, token=TOKEN)


def test_fetching_ends_when_it_is_not_wanted_any_more(server: WebServer, empty: Path) -> None:
    def still_wanted() -> None:
        if len(server.asked) == 2:
            raise Stopped

    source = Source(empty, "", choices={"address": server.address, "token": TOKEN}, still_wanted=still_wanted)
    with pytest.raises(Stopped):
        list(planka.read(source, Report()))
    assert len(server.asked) == 2
    assert empty.read_bytes() == b""


def test_a_planka_that_is_slow_altogether_is_told_as_that(server: WebServer, empty: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(planka, "FETCHING", -1)
    with pytest.raises(Unreadable, match="responds too slowly"):
        read(planka, empty, address=server.address, token=TOKEN)
    assert server.asked == []


def test_pages_of_comments_are_joined_and_none_comes_twice(server: WebServer, empty: Path) -> None:
    def page(first: int, last: int) -> dict[str, Any]:
        rows = [{"id": f"m{one}", "userId": "u1", "text": f"n{one}", "createdAt": MADE} for one in range(first, last)]
        return {"items": rows}

    server.give("/api/cards/c1/comments", page(0, 10))
    server.give("/api/cards/c1/comments?beforeId=m9", page(5, 16))
    server.give("/api/cards/c1/comments?beforeId=m15", page(10, 16))
    [board], _losses = read(planka, empty, address=server.address, token=TOKEN)
    [first] = [card for card in board.cards if card.title == "First"]
    assert sorted(comment.text for comment in first.comments) == sorted(f"n{one}" for one in range(16))


def test_nothing_is_kept_of_a_reading_that_failed(server: WebServer, empty: Path) -> None:
    server.give("/api/projects", {"included": {"boards": [{"id": "b1"}, {"id": "b2"}]}})
    server.give("/api/boards/b2", {}, 500)
    with pytest.raises(Unreadable):
        read(planka, empty, address=server.address, token=TOKEN)
    assert empty.read_bytes() == b""


def test_nothing_is_kept_of_a_reading_that_is_killed(server: WebServer, empty: Path) -> None:
    server.give("/api/projects", {"included": {"boards": [{"id": "b1"}, {"id": "b2"}]}})
    for key in ("b1", "b2"):
        server.give(f"/api/boards/{key}", {"item": {"id": key, "name": "x" * 100_000}, "included": {}})
    sizes = set()  # of the file, whenever the worker could be killed
    source = Source(
        empty,
        "",
        choices={"address": server.address, "token": TOKEN},
        still_wanted=lambda: sizes.add(empty.stat().st_size),
    )
    assert len(list(planka.read(source, Report()))) == 2
    assert sizes == {0}
    assert list(empty.parent.iterdir()) == [empty]


def test_wrong_types_are_counted(server: WebServer, empty: Path) -> None:
    odd = dict.fromkeys(INCLUDED, "x") | {"cards": [{"id": "c1", "name": [], "listId": {}, "position": "x"}, 5]}
    server.give("/api/boards/b1", {"item": [], "included": odd})
    [board], losses = read(planka, empty, address=server.address, token=TOKEN)
    assert len(list(board.cards)) == 1
    assert losses["unreadable-value"] > 5


def test_the_token_shows_nowhere(server: WebServer, empty: Path) -> None:
    source = Source(empty, "Planka", choices={"address": server.address, "token": TOKEN})
    assert TOKEN not in repr(planka.Api(source))
    for board in planka.read(source, Report()):
        assert TOKEN not in repr(list(board.cards))
