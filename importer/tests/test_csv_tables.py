"""Tables as spreadsheets write them: characters, delimiters, dates that only the person can tell, and what is no table."""

from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from importer.formats import csv_tables
from importer.formats.source import Source, Unreadable
from importer.report import Report
from importer.tests.reading import FILES, card, places, read


def table(tmp_path: Path, text: str, encoding: str = "utf-8", name: str = "Garden.csv") -> Path:
    path = tmp_path / name
    path.write_bytes(text.encode(encoding))
    return path


def asked(path: Path, **choices: str) -> dict[str, list[str]]:
    found = csv_tables.questions(Source(path, path.name, time_zone="Europe/Zurich", choices=choices))
    return {one.name: [choice.value for choice in one.choices] for one in found}


def test_semicolons_and_western_letters() -> None:
    path = FILES / "spreadsheet-german.csv"
    assert "encoding" in asked(path)
    [board], losses = read(csv_tables, path)
    trees = card(board, "Bäume schneiden")
    assert trees.description == "Erst die Äpfel;\ndann die Birnen"
    assert (trees.due_day, trees.list_key) == (date(2026, 12, 24), "Garten")
    assert losses == {}


def test_another_encoding_is_chosen_by_the_person(tmp_path: Path) -> None:
    path = table(tmp_path, "Title,Notes\nПривет,мир\n", "windows-1251")
    [board], _losses = read(csv_tables, path, encoding="windows-1251")
    assert [one.title for one in board.cards] == ["Привет"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_unicode_is_recognized_with_and_without_a_mark(tmp_path: Path, encoding: str) -> None:
    path = table(tmp_path, "Title,Due date\r\nCafé ☕ and more,2026-12-01\r\n", encoding)
    assert "encoding" not in asked(path)
    [board], losses = read(csv_tables, path)
    assert [(one.title, one.due_day) for one in board.cards] == [("Café ☕ and more", date(2026, 12, 1))]
    assert losses == {}


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_delimiters_are_recognized(tmp_path: Path, mark: str) -> None:
    path = table(tmp_path, f'Title{mark}Notes\n"a{mark} b"{mark}c\n"d"{mark}"e, f; g"\n')
    [board], _losses = read(csv_tables, path)
    assert [one.title for one in board.cards] == [f"a{mark} b" if mark != "\t" else "a b", "d"]


def test_the_line_for_excel_names_the_delimiter(tmp_path: Path) -> None:
    [board], _losses = read(csv_tables, table(tmp_path, "sep=;\r\nTitle;Notes\r\na,b;c\r\n"))
    assert [one.title for one in board.cards] == ["a,b"]


def test_one_column_is_a_list_of_titles(tmp_path: Path) -> None:
    [board], losses = read(csv_tables, table(tmp_path, "Title\nMow\n\n\nRake\n"))
    assert [(one.title, one.where) for one in board.cards] == [("Mow", "line 2"), ("Rake", "line 5")]
    assert ([row.title for row in board.lists], board.title, losses) == (["Cards"], "Garden", {})


def test_days_and_months_that_could_be_either_are_asked(tmp_path: Path) -> None:
    path = table(tmp_path, "Title,Due date\na,01/02/2026\nb,03/04/2026\n")
    assert asked(path)["generic-1-order"] == ["", "dmy", "mdy"]
    with pytest.raises(Unreadable, match="Due date"):
        read(csv_tables, path)
    days = {}
    for order in ("dmy", "mdy"):
        [board], _losses = read(csv_tables, path, **{"generic-1-order": order})
        days[order] = [one.due_day for one in board.cards]
    assert days == {
        "dmy": [date(2026, 2, 1), date(2026, 4, 3)],
        "mdy": [date(2026, 1, 2), date(2026, 3, 4)],
    }


@pytest.mark.parametrize(
    "text, day",
    [
        ("25/12/2026", date(2026, 12, 25)),
        ("12/25/2026", date(2026, 12, 25)),
        ("2026-12-25", date(2026, 12, 25)),
        ("2026/12/25", date(2026, 12, 25)),
        ("25.12.2026", date(2026, 12, 25)),
        ("1.2.26", date(2026, 2, 1)),
        ("Dec 25, 2026", date(2026, 12, 25)),
        ("25 December 2026", date(2026, 12, 25)),
        ("46381", date(2026, 12, 25)),
        ("05/05/2026", date(2026, 5, 5)),
    ],
)
def test_dates_that_can_be_read_in_one_way_are_not_asked(tmp_path: Path, text: str, day: date) -> None:
    path = table(tmp_path, f'Title,Due date\na,"{text}"\n')
    assert "generic-1-order" not in asked(path)
    [board], losses = read(csv_tables, path)
    assert ([one.due_day for one in board.cards], losses) == ([day], {})


def test_a_time_of_a_spreadsheet_is_read_to_the_nearest_second(tmp_path: Path) -> None:
    [board], _losses = read(csv_tables, table(tmp_path, "Title,Due date\na,46357.3333333333\n"), zone="UTC")
    assert board.cards[0].due_at == datetime(2026, 12, 1, 8, tzinfo=UTC)


def test_a_start_that_is_after_9999_in_the_zone_is_its_last_day(tmp_path: Path) -> None:
    [board], _losses = read(csv_tables, table(tmp_path, "Title,Start date\na,9999-12-31T23:30:00Z\n"))
    assert board.cards[0].start_day == date(9999, 12, 31)


def test_years_of_two_digits_are_asked_with_three_answers(tmp_path: Path) -> None:
    assert asked(table(tmp_path, "Title,Due date\na,10/11/12\n"))["generic-1-order"] == ["", "dmy", "mdy", "ymd"]


def test_a_date_that_cannot_be_read_is_counted_with_its_line_and_kept(tmp_path: Path) -> None:
    path = table(tmp_path, "Title,Due date\na,2026-12-01\nb,next spring\n")
    [board], losses = read(csv_tables, path)
    assert losses == {"unreadable-date": 1, "field-in-text": 1}
    assert places(csv_tables, path, "unreadable-date") == ["line 3: Due date"]
    assert card(board, "b").description == "- **Due date**: next spring"


def test_dates_are_asked_again_for_a_column_that_became_one(tmp_path: Path) -> None:
    path = table(tmp_path, "Title,Wanted\na,01/02/2026\n")
    assert "generic-1-order" not in asked(path)
    assert "generic-1-order" in asked(path, **{"generic-1": "due"})


def test_columns_are_what_the_person_says(tmp_path: Path) -> None:
    path = table(tmp_path, "A,B,C,D\nMow,Lawn,x,secret\n")
    with pytest.raises(Unreadable, match="titles"):
        read(csv_tables, path)
    answers = {"generic-0": "title", "generic-1": "list", "generic-2": "completed", "generic-3": "skip"}
    [board], losses = read(csv_tables, path, **answers)
    [one] = board.cards
    assert (one.title, one.list_key, one.description) == ("Mow", "Lawn", "")
    assert one.completed_at is not None
    assert losses == {"time-guessed": 1}


def test_a_column_that_nobody_named_stands_in_the_description(tmp_path: Path) -> None:
    path = table(tmp_path, "Title,Estimate,*Odd*\nMow,3,https://a.example/x_y_z\n")
    [board], losses = read(csv_tables, path)
    assert board.cards[0].description == "- **Estimate**: 3\n- **\\*Odd\\***: <https://a.example/x_y_z>"
    assert losses == {"field-in-text": 2}


def test_more_cells_than_columns_are_counted(tmp_path: Path) -> None:
    path = table(tmp_path, "Title,Notes\na,b,c,d\n")
    assert read(csv_tables, path)[1] == {"field-left-out": 2}
    assert places(csv_tables, path, "field-left-out")[0] == "line 2: more cells than columns"


def test_checklists_keep_what_is_done(tmp_path: Path) -> None:
    path = table(tmp_path, 'Title,Checklist\na,"[x] one\n- [ ] two\nthree"\n')
    [board], _losses = read(csv_tables, path)
    assert [(item.text, item.done) for item in board.cards[0].checklists[0].items] == [
        ("one", True),
        ("two", False),
        ("three", False),
    ]


def test_a_line_separator_within_an_item_begins_no_other(tmp_path: Path) -> None:
    path = table(tmp_path, 'Title,Checklist\nWater,"- [x] Tomatoes\u2028and beans\n- [ ] Herbs"\n')
    [board], _losses = read(csv_tables, path)
    [checklist] = card(board, "Water").checklists
    assert [(item.text, item.done) for item in checklist.items] == [("Tomatoes\u2028and beans", True), ("Herbs", False)]


def test_zeros_in_a_file_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "zeros.csv"
    path.write_bytes(b"Title,Notes\nM\x00ow,b\n")
    [board], _losses = read(csv_tables, path)
    assert [one.title for one in board.cards] == ["Mow"]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n\n",
        b'Title,Notes\n"a,b\n',
        b'Title,Notes\n"a"b,c\n',
        b"\x89PNG\r\n\x1a\n\x00\x00\x01\x02,\x03",
        b"Title,Notes\na," + b"x" * 2_100_000,
        b"," * 5000,
        b"Title,Notes\n" + 3 * (b'"' + b"x\n" * 900_000 + b'",'),
    ],
)
def test_what_is_no_table_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "none.csv"
    path.write_bytes(content)
    with pytest.raises(Unreadable):
        read(csv_tables, path)


def test_names_of_files_lead_nowhere(tmp_path: Path) -> None:
    path = table(tmp_path, "Title\na\n")
    [board] = csv_tables.read(Source(path, "..\\..\\etc/../My board.csv"), Report())
    assert board.title == "My board"
