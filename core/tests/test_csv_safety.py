import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.csv_safety import harmless, plain

TEXTS = st.one_of(st.text(max_size=20), st.text(alphabet="';\t\r\n=-+@ a＝", max_size=12))


@given(TEXTS)
def test_a_reader_gets_back_exactly_what_was_there(text: str) -> None:
    assert plain(harmless(text)) == text


@given(TEXTS)
def test_nothing_begins_with_a_sign(text: str) -> None:
    assert harmless(text)[:1] not in tuple("=+-@\t\r\n＝")


@given(TEXTS, st.sampled_from([";", "\t"]))
def test_nor_does_a_cell_of_a_spreadsheet_with_another_separator(text: str, separator: str) -> None:
    line = io.StringIO()
    csv.writer(line).writerow([harmless(text)])
    rows = csv.reader(io.StringIO(line.getvalue(), newline=""), delimiter=separator)
    beginnings = [cell[:2] for row in rows for cell in row]
    assert not [
        start for start in beginnings if start[:1] in tuple("=+@＝") or (start[:1] == "-" and start[1:].isalnum())
    ]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("=1", "'=1"),
        ("'=1", "''=1"),
        ("a;=1;b", "a;'=1;b"),
        ("a;-1", "a;'-1"),
        ("a\n- item\n---\n-1\n+1", "a\n- item\n---\n'-1\n'+1"),
        ("1-1=0; so there", "1-1=0; so there"),
    ],
)
def test_apostrophes_stand_where_a_formula_could_begin(text: str, written: str) -> None:
    assert harmless(text) == written
