"""Trello's export, with a file made after the public facts of its form: tests/files/trello.json."""

import json
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from boards.colours import Hue
from boards.outlines import BoardOutline, ChecklistOutline, ItemOutline
from core.tests.web_server import web_server
from importer.formats import recognize, trello, trello_files
from importer.formats.source import Source, Unreadable
from importer.tests.reading import FILES, card, places, read

FILE = FILES / "trello.json"
KEN, MIA, GONE = "5f00000000000000000000a1", "5f00000000000000000000a2", "5f00000000000000000000a3"


@pytest.fixture(scope="module")
def board() -> BoardOutline:
    [found], _losses = read(trello, FILE)
    return found


def changed(tmp_path: Path, **members: object) -> Path:
    path = tmp_path / "board.json"
    path.write_text(json.dumps({**json.loads(FILE.read_text()), **members}))
    return path


def test_the_export_is_recognized() -> None:
    assert trello.looks_like(Source(FILE, "x.json"))
    assert not trello.looks_like(Source(Path(__file__), "x.json"))


def test_the_export_is_recognized_where_long_actions_come_first(tmp_path: Path) -> None:
    members = json.loads(FILE.read_text())
    history = [{"id": str(n), "type": "updateCard", "data": {"card": {"shortLink": "x"}}} for n in range(5000)]
    path = tmp_path / "board.json"
    path.write_text(json.dumps({"actions": history} | {name: members[name] for name in members if name != "actions"}))
    assert recognize(Source(path, "x.json")) == "trello"


@pytest.mark.parametrize(
    "content",
    [b"", b"x", b'"descData"', b'{"a": {"descData": 1, "shortLink": 2}}', b'[{"descData": 1, "shortLink": 2}]'],
)
def test_names_elsewhere_than_at_the_top_are_no_mark(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "other.json"
    path.write_bytes(content)
    assert not trello.looks_like(Source(path, "x.json"))


def test_an_export_of_wekan_is_not_looked_through_for_names_of_trello(tmp_path: Path) -> None:
    path = tmp_path / "other.json"
    path.write_text('{"_format": "wekan-board-1.0.0", "descData": 1, "shortLink": 2}')
    assert recognize(Source(path, "x.json")) == "wekan"


def test_every_loss_is_counted() -> None:
    assert read(trello, FILE)[1] == {
        "field-left-out": 5,  # the board's text and plug-in, a list's color, a sticker, a template
        "color-changed": 5,  # the board's lime, red_dark, none, black, a cover of green_dark
        "label-renamed": 2,
        "duplicate": 1,
        "history-left-out": 2,
        "comments-missing": 2,
        "without-card": 1,
        "field-in-text": 10,  # five fields, a place, votes, two links, an item's person and day
        "unsafe-link": 1,
        "unknown-reference": 2,
        "time-guessed": 2,
    }


def test_places_say_where_the_file_has_it() -> None:
    assert places(trello, FILE, "comments-missing") == ["cards[1]"]
    assert places(trello, FILE, "unsafe-link") == ["cards[1].attachments[2].url"]


def test_lists_come_by_position_with_their_limits(board: BoardOutline) -> None:
    assert [(one.title, one.card_limit) for one in board.lists] == [("Someday", None), ("To do", 3), ("Done", None)]


def test_a_closed_list_is_archived_at_the_last_change(board: BoardOutline) -> None:
    assert [one.archived_at for one in board.lists] == [datetime(2024, 3, 1, 9, tzinfo=UTC), None, None]


def test_cards_come_by_position(board: BoardOutline) -> None:
    assert [one.title for one in board.cards] == ["Old idea", "", "Write the invitation", "Order cake"]


def test_labels_get_names_of_their_own_and_the_nearest_color(board: BoardOutline) -> None:
    assert [(one.name, one.hue) for one in board.labels] == [
        ("Feature", Hue.GREEN),
        ("Red", Hue.RED),
        ("Feature 2", Hue.SKY),
        ("No color", Hue.SKY),
        ("Dark", Hue.SKY),
    ]


def test_people_who_left_the_board_are_known_by_their_comments(board: BoardOutline) -> None:
    assert {one.key: one.name for one in board.people} == {KEN: "Ken Mori", MIA: "Mia Weiß", GONE: "Gone Person"}


def test_dates_of_a_card(board: BoardOutline) -> None:
    one = card(board, "Write the invitation")
    assert one.created_at == datetime.fromtimestamp(1700001000, UTC)
    assert one.due_at == datetime(2024, 2, 10, 11, tzinfo=UTC)
    assert one.start_day == date(2024, 2, 1)
    assert (one.completed_at, one.archived_at) == (None, None)
    assert card(board, "Old idea").archived_at == datetime(2024, 2, 1, 10, tzinfo=UTC)


def test_the_time_of_completing_comes_from_the_history(board: BoardOutline) -> None:
    assert card(board, "Order cake").completed_at == datetime(2024, 1, 19, 8, 30, tzinfo=UTC)


def test_fields_stand_in_the_description_in_the_order_of_the_board(board: BoardOutline) -> None:
    assert card(board, "Write the invitation").description == (
        "# Plan\n\nSee https://trello.com/c/AbCd1231\n\n- one\n- two\n\n"
        "- **Estimate**: 5\n- **Approved**: Yes\n- **Sent**: 2024-05-01 12:00\n- **Size**: XL\n- **Note**: a\\*b\\*\n"
        "- **Links**: [The other card](<https://trello.com/c/AbCd1231>), Bad (javascript:alert(1))"
    )


def test_place_and_votes_stand_in_the_description(board: BoardOutline) -> None:
    assert card(board, "Order cake").description == "- **Location**: Bakery, Main St 1, 47.1, 8.5\n- **Votes**: 2"


def test_comments_come_oldest_first_with_their_times(board: BoardOutline) -> None:
    found = card(board, "Write the invitation").comments
    assert [(one.text.split(",")[0], one.author) for one in found] == [("First", MIA), ("Second", GONE), ("Third", KEN)]
    assert found[1].edited_at == datetime(2024, 1, 18, 13, tzinfo=UTC)


def test_items_keep_their_order_and_say_who_and_when(board: BoardOutline) -> None:
    assert card(board, "Write the invitation").checklists == [
        ChecklistOutline("Guests", [ItemOutline("Ann", done=True), ItemOutline("Bob (2024-02-05 17:00, Mia Weiß)")]),
        ChecklistOutline("Second list"),
    ]


def test_an_uploaded_file_is_the_cover(board: BoardOutline) -> None:
    one = card(board, "Write the invitation")
    assert [(file.file_name, file.size, file.uploaded_by) for file in one.files] == [("plan.png", 20480, KEN)]
    assert one.cover_file == one.files[0].key
    assert card(board, "Order cake").cover_hue == Hue.GREEN


def test_people_and_labels_of_a_card(board: BoardOutline) -> None:
    one = card(board, "Write the invitation")
    assert one.assignees == [KEN]
    assert [label.name for label in board.labels if label.key in one.labels] == ["Feature", "Feature 2"]
    assert one.created_by == MIA


def test_a_closed_board_is_archived(tmp_path: Path) -> None:
    [found], _losses = read(trello, changed(tmp_path, closed=True, dateClosed="2024-04-01T00:00:00.000Z"))
    assert found.archived_at == datetime(2024, 4, 1, tzinfo=UTC)


def test_text_in_place_of_an_array_is_counted(tmp_path: Path) -> None:
    path = changed(
        tmp_path, cards=[{"id": "1", "name": ["x"], "idLabels": "red", "pos": "top", "due": 12, "desc": None}]
    )
    [found], losses = read(trello, path)
    assert [one.title for one in found.cards] == [""]
    assert losses["unreadable-value"] == 3
    assert losses["unreadable-date"] == 1


def test_a_file_cut_short_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "cut.json"
    path.write_bytes(FILE.read_bytes()[:9000])
    with pytest.raises(Unreadable):
        read(trello, path)


@pytest.mark.parametrize("content", [b"", b"[]", b"{}", b'{"a": 1}', b"[" * 100_000, b"\xff\xfe\x00", b'"x"'])
def test_what_is_no_board_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "none.json"
    path.write_bytes(content)
    with pytest.raises(Unreadable):
        read(trello, path)


def test_files_are_fetched_with_key_and_token_from_trello_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with web_server() as trello_server, web_server() as other:
        monkeypatch.setattr(trello_files, "HOSTS", (trello_server.address,))
        monkeypatch.setattr(trello_files, "SERVERS", (trello_server.address, other.address))
        trello_server.give("/plan.png", b"", 302, Location=f"{other.address}/stored")
        other.give("/stored", b"bytes")
        urls = [f"{trello_server.address}/plan.png", f"{other.address}/elsewhere"]
        attachments = [{"id": str(n), "isUpload": True, "name": "x", "url": url} for n, url in enumerate(urls)]
        path = changed(tmp_path, cards=[{"id": "1", "name": "a", "idList": "x", "attachments": attachments}])
        [found], _losses = read(trello, path, key="abc", token="def")
        ours, theirs = found.cards[0].files
        assert theirs.open is None
        assert ours.open is not None
        with ours.open() as file:
            assert file.read() == b"bytes"
        assert trello_server.asked == [("/plan.png", 'OAuth oauth_consumer_key="abc", oauth_token="def"')]
        assert other.asked == [("/stored", None)]
        assert "def" not in repr(ours)


@pytest.mark.parametrize("token", ['x", realm="y', "a\r\nHost: b", "ü"])
def test_a_token_that_can_be_none_is_refused(token: str) -> None:
    with pytest.raises(Unreadable, match="letters and digits"):
        read(trello, FILE, key="abc", token=token)


def test_without_a_token_files_stay_links() -> None:
    [found], _losses = read(trello, FILE)
    [file] = card(found, "Write the invitation").files
    assert (file.open, file.url[:19]) == (None, "https://trello.com/")
