"""Files that were made to cost much: small ones that take memory, time or everybody's turn."""

import io
import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from boards.actions.import_cleaning import Cleaner, FileRoom
from boards.colours import Hue
from boards.outlines import BoardOutline, CardOutline, FileOutline
from importer import tasks
from importer.attempts import LONGEST, StillWanted, Stopped, TooLong, each_wanted
from importer.formats import FORMATS, html_text, json_reading, own
from importer.formats.csv_repeats import split_repeat
from importer.formats.html_text import markdown_of
from importer.formats.json_reading import Piece, pieces
from importer.formats.labels import Labels
from importer.formats.source import Source, Unreadable
from importer.models import Import, ImportState
from importer.report import Report
from importer.tests.reading import FILES, boards_of


def read(text: str, *wanted: str, **more: Any) -> list[Piece]:
    return list(pieces(io.BytesIO(text.encode()), wanted or ["cards.item"], **more))


class Counting(io.BytesIO):
    """A file that says how much of it was asked for, and how often."""

    reads = 0

    def read(self, size: int | None = -1) -> bytes:
        self.reads += 1
        return super().read(size)


@pytest.mark.parametrize("shape", ["<a ", "<!--", "</a ", "<a b='", '<a x=1 "', "<!", "<?", "<![CDATA[", "< a", "<p<"])
def test_of_html_only_what_ends_is_given_to_the_parser(shape: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python's parser looks through all of the rest for the end of each: 40 kB took 13 s."""
    fed = []
    monkeypatch.setattr(html_text._Writer, "feed", lambda writer, text: fed.append(text))
    markdown_of("<p>" + shape * 20_000)
    assert fed == ["<p>" + shape.replace("<", "&lt;") * 20_000]


@pytest.mark.parametrize(
    "html",
    [
        "<p>a<br/>b</p>",
        '<p><a href="https://a.example/?b&gt;c">a</a></p>',
        "<p>a<!-- said\nnobody -->b</p>",
        "<ul data-type='taskList'><li data-checked=\"true\">a</li></ul>",
        f'<p><img src="data:image/png;base64,{"A" * 100_000}" alt="a"></p>',
    ],
)
def test_html_of_editors_is_given_to_the_parser_as_it_is(html: str, monkeypatch: pytest.MonkeyPatch) -> None:
    fed = []
    monkeypatch.setattr(html_text._Writer, "feed", lambda writer, text: fed.append(text))
    markdown_of(html)
    assert fed == [html]


def test_a_smaller_than_stays_in_the_text() -> None:
    assert markdown_of("<p>1 < 2, a<b and <c</p>") == "1 < 2, a\\<b and \\<c"


def test_a_cancelled_import_ends_within_a_large_file() -> None:
    asked = iter(range(4))

    def still_wanted() -> None:
        if next(asked, None) is None:
            raise Stopped

    file = FileOutline(file_name="large", open=lambda: io.BytesIO(bytes(1000)))
    [card] = each_wanted([CardOutline(list_key="", title="Dig", files=[file])], still_wanted)
    assert card.files[0].open is not None
    with card.files[0].open() as opened:
        assert [len(opened.read(10)), len(opened.read(10))] == [10, 10]
        with pytest.raises(Stopped):
            opened.read(10)


def test_names_of_members_are_short() -> None:
    """What is open is known by its path: 62 names of 300 kB inside each other took 30 times their file."""
    name = "a" * json_reading.LONGEST_NAME
    assert read(f'{{"{name}": 1, "cards": [2]}}')
    with pytest.raises(Unreadable, match="far too large"):
        read(f'{{"{name}a": 1, "cards": [2]}}')


@pytest.mark.parametrize("before", ['{"cards": ["', '{"other": "', '{"', '{"cards": [1, ', '{"other": 1'])
def test_a_value_without_an_end_is_not_read_to_the_end_of_the_file(before: str) -> None:
    """The parser keeps what it has of a value, and begins it anew with each part."""
    file = Counting((before + "1" * 30_000_000).encode())
    with pytest.raises(Unreadable):
        list(pieces(file, ["cards.item"]))
    assert file.tell() < 2 * json_reading.LONGEST + 3 * json_reading.READ_AT_ONCE
    assert file.reads < 40


def test_what_is_skipped_may_be_longer_if_the_format_says_so() -> None:
    text = json.dumps({"files": ["A" * 12_000_000], "cards": [1]})
    [one] = read(text, longest_skipped=12_000_000)
    assert one.value == 1
    with pytest.raises(Unreadable, match="far too large"):
        read(text)


def test_the_file_is_not_read_on_when_the_import_is_not_wanted() -> None:
    asked = []

    def still_wanted() -> None:
        asked.append(True)
        if len(asked) == 3:
            raise Stopped

    file = Counting(json.dumps({"other": [0] * 1_000_000}).encode())
    with pytest.raises(Stopped):
        list(pieces(file, ["cards.item"], still_wanted=still_wanted))
    assert file.reads == 2


@pytest.mark.parametrize("inside", ["1, " * 100_000, "[" * 100, '"' + "a" * 12_000_000])
def test_recognizing_a_file_has_an_end(inside: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_reading, "LOOKED_AT", 1000)
    content = f'{{"a": [{inside}'.encode() + b" " * 30_000_000
    file = Counting(content)
    assert list(json_reading.outer_values(file)) == [("a", None)]
    assert file.tell() < 2 * json_reading.LONGEST + 3 * json_reading.READ_AT_ONCE


@pytest.mark.parametrize("name", ["trello", "wekan"])
def test_formats_ask_while_they_read(name: str) -> None:
    def stop() -> None:
        raise Stopped

    path = FILES / f"{name}.json"
    with pytest.raises(Stopped):
        list(FORMATS[name].read(Source(path, path.name, still_wanted=stop), Report()))


def test_cards_are_asked_about_one_by_one() -> None:
    asked = []
    outlines = [CardOutline(list_key="", title=title) for title in "abc"]
    cards = each_wanted(iter(outlines), lambda: asked.append(True))
    assert (next(cards), len(asked)) == (outlines[0], 1)
    assert ([*cards], len(asked)) == (outlines[1:], 3)


@pytest.fixture
def row(olga: Any) -> Import:
    return Import.objects.create(user=olga, file_name="x.json", format="trello", state=ImportState.READING, attempt=1)


def test_a_cancelled_import_is_noticed_within_a_second(row: Import, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("importer.attempts.time.monotonic", lambda: now[0])
    still_wanted = StillWanted(row)
    still_wanted()
    Import.objects.update(state=ImportState.CANCELLED)
    still_wanted()
    now[0] += 1
    with pytest.raises(Stopped):
        still_wanted()


def test_reading_has_an_end(row: Import, monkeypatch: pytest.MonkeyPatch) -> None:
    worked = [5.0]
    monkeypatch.setattr("importer.attempts.time.thread_time", lambda: worked[0])
    still_wanted = StillWanted(row, tasks.LONGEST_READING)
    worked[0] += tasks.LONGEST_READING
    still_wanted()
    worked[0] += 1
    with pytest.raises(TooLong, match="takes too long"):
        still_wanted()


def test_waiting_for_others_has_an_end(row: Import, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [5.0]
    monkeypatch.setattr("importer.attempts.time.monotonic", lambda: now[0])
    still_wanted = StillWanted(row)
    now[0] += LONGEST
    still_wanted()
    now[0] += 1
    with pytest.raises(TooLong, match="takes too long"):
        still_wanted()


def test_each_of_many_labels_with_one_name_tries_few_numbers() -> None:
    tried = []

    class Names(set[str]):
        def __contains__(self, name: object) -> bool:
            tried.append(name)
            return super().__contains__(name)

    labels = Labels(Report())
    labels._names = Names()
    for number in range(300):
        labels.add(str(number), "Same", Hue.RED, "")
    assert len({label.name for label in labels}) == 300
    assert len(tried) < 900


def test_many_spaces_in_a_link_are_looked_through_once() -> None:
    cleaner = Cleaner(BoardOutline("Board"), Report(), (), ZoneInfo("UTC"), datetime.now(UTC), FileRoom())
    assert cleaner.text("](" + " " * 1_000_000 + "x", 3, "") == "](…"


def test_many_spaces_in_a_repetition_are_looked_through_once() -> None:
    assert split_repeat("every" + " " * 1_000_000 + "week") == ("every week", "")


def test_a_board_that_has_its_lists_twice_ends_in_words(tmp_path: Path) -> None:
    card = {"id": "c", "number": 1, "title": "a", "description": ""}
    lists = json.dumps([{"id": "l", "title": "a", "cards": []}, {"id": "m", "title": "b", "cards": [card]}])
    board = f'{{"id": "b", "title": "B", "lists": {lists}, "lists": []}}'
    path = tmp_path / "export.json"
    path.write_text(f'{{"format": "taskboard-export", "version": 1, "boards": [{board}]}}')
    with pytest.raises(Unreadable, match=re.escape("boards[0].lists")):
        list(boards_of(own, Source(path, path.name, salt=b"x" * 22), Report()))
