"""Names of files in the zip, made of titles that anybody may have written."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.files.names import LONGEST, Names, safe_name


@pytest.mark.parametrize(
    "title, name",
    [
        ("Launch", "Launch"),
        ("Größe 大きさ", "Größe 大きさ"),
        ("../../x", "x"),
        ("/etc/passwd", "etc passwd"),
        ("C:\\Windows\\x", "C Windows x"),
        ("a\x00b", "ab"),
        ("CON", "_CON"),
        ("con.txt", "_con.txt"),
        ("Lpt1", "_Lpt1"),
        ("Console", "Console"),
        ("...", "board"),
        ("", "board"),
        ("   ", "board"),
        ("ends with dots. . .", "ends with dots"),
        ("gpj\u202ephoto", "gpjphoto"),
        ("\u200f\u200f", "board"),
        ("two\nlines", "two lines"),
        ("🎉" * 300, "🎉" * (LONGEST // 4)),
        ("שלום", "שלום"),
        ("👩‍👩‍👧", "👩‍👩‍👧"),
    ],
)
def test_a_title_becomes_a_name(title, name):
    assert safe_name(title, "board") == name


@pytest.mark.parametrize(
    "file, name",
    [
        ("../../plan.PDF", "plan.PDF"),
        ("x" * 200 + ".tar.gz", "x" * 97 + ".gz"),
        (".htaccess", "file.htaccess"),
        ("NUL.png", "_NUL.png"),
        ("no ending", "no ending"),
        ("photo.jpg\u202egpj.exe", "photo.jpggpj.exe"),
    ],
)
def test_the_name_of_a_file_keeps_its_ending(file, name):
    assert safe_name(file, "file", with_ending=True) == name


@given(st.lists(st.text(max_size=250), max_size=5))
def test_any_titles_get_names_that_can_be_unpacked_side_by_side(titles):
    names = Names("board")
    made = [names.add(title) for title in titles]
    assert len({unicodedata.normalize("NFKC", name).casefold() for name in made}) == len(made)
    for name in made:
        assert name.strip(" .") == name != ""
        assert not set(name) & set('<>:"/\\|?*\0\n\r')
        assert len(name.encode()) <= LONGEST + len(" (5)") + 1


def test_the_same_title_twice_is_told_apart_by_a_number():
    names = Names("board")
    assert [names.add(title) for title in ("Plan", "plan", "Plan", "Plan (2)")] == [
        "Plan",
        "plan (2)",
        "Plan (3)",
        "Plan (2) (2)",
    ]
