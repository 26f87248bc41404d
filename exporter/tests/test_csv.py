"""CSV of a board's cards: RFC 4180, for spreadsheets, and without formulas."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boards.actions.cards.card import create_card
from boards.actions.cards.labels import add_label, create_label
from boards.actions.lists.list import archive_list
from boards.dates import timestamp
from boards.reader import Reader
from boards.tests.world import World
from conftest import web
from core.text.csv_lines import listed
from exporter.csv_export import COLUMNS
from exporter.models import Form
from exporter.writing import NoBoard, write

FORMULAS = ["=1+1", "+1", "-1", "@SUM(1)", "\t=1", "'=1", "''@x", "＝1", '=HYPERLINK("http://x","y")']


def csv_text(user, board) -> str:
    file = io.BytesIO()
    write(Form.CSV, Reader(user, frozenset({board.pk})), file)
    return file.getvalue().decode()


def rows_of(user, board) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(csv_text(user, board).removeprefix("\ufeff"), newline="")))


@pytest.mark.django_db(transaction=True)
def test_a_card_is_a_row_with_everything_in_columns(olga, ed, vera, stan, settings):
    world = World(olga, ed, vera, stan)
    first = next(row for row in rows_of(olga, world.board) if row["Title"] == "First")
    assert tuple(first) == COLUMNS
    assert first["List"] == "To do"
    assert first["Labels"] == "Bug"
    assert first["Assignees"] == "Ed"
    assert first["Checklists"] == "## Steps\n- [ ] One\n- [ ] Two\n## Checks"
    assert first["Comments"] == "4"
    assert first["Created by"] == "Olga"
    assert first["Address"] == f"{settings.BASE_URL}/board/{world.board.pk}?card={world.card.pk}"
    gone = next(row for row in rows_of(olga, world.board) if row["Title"] == "Gone")
    assert gone["Archived"].endswith("Z")


@pytest.mark.django_db(transaction=True)
def test_a_card_of_an_archived_list_is_archived(olga, board, todo, doing):
    create_card(actor=web(olga), list_id=todo.pk, title="Hidden")
    create_card(actor=web(olga), list_id=doing.pk, title="Open")
    at = archive_list(actor=web(olga), list_id=todo.pk).archived_at
    found = {row["Title"]: row["Archived"] for row in rows_of(olga, board)}
    assert found == {"Hidden": timestamp(at), "Open": ""}


@pytest.mark.django_db(transaction=True)
def test_spreadsheets_see_the_encoding_and_lines_end_as_the_standard_says(olga, board, todo):
    create_card(actor=web(olga), list_id=todo.pk, title='Größe, "quoted"', description="one\n\ntwo")
    text = csv_text(olga, board)
    assert text.startswith("\ufeffNumber,Title,")
    assert '"Größe, ""quoted"""' in text
    assert text.endswith("\r\n")
    assert rows_of(olga, board)[0]["Description"] == "one\n\ntwo"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("formula", FORMULAS[:4])
def test_no_cell_is_a_formula(olga, board, todo, formula):
    card = create_card(actor=web(olga), list_id=todo.pk, title=formula, description=formula)
    label = create_label(actor=web(olga), board_id=board.pk, name=formula)
    add_label(actor=web(olga), card_id=card.pk, label_id=label.pk)
    for row in rows_of(olga, board):
        assert not [value for value in row.values() if value[:1] in "=+-@\t" and value]


@given(
    st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\r\n\0"), min_size=1, max_size=10), max_size=4)
)
def test_lists_of_names_are_read_back_as_they_were(names):
    assert (next(csv.reader([listed(names)])) if names else []) == names


@pytest.mark.django_db(transaction=True)
def test_a_board_that_the_reader_does_not_see_is_refused(stan, board):
    with pytest.raises(NoBoard):
        csv_text(stan, board)
