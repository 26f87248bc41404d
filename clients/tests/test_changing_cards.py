"""`add` with labels, people and dates."""

from typing import Any

import pytest

from clients.tests.gardening import card_of, titles_in


@pytest.fixture
def card(olga, board) -> dict[str, Any]:
    return olga.new_card(board, "Sow")


def test_add_gives_labels_people_and_dates(garden, olga, board):
    options = ["--label", "bug", "--label", "CHORE", "--assign", "me", "--start", "2026-11-30", "--due", "2026-12-01"]
    card = card_of(olga, garden.rows("add", *options, "Sow")[0])
    assert card["labelIds"] == [board["labels"][0]["id"], board["labels"][2]["id"]]
    assert (card["assigneeIds"], card["startDate"], card["dueDay"]) == ([olga.id], "2026-11-30", "2026-12-01")


def test_add_puts_lines_at_the_top_in_their_order(garden, olga, board, card):
    assert garden.run("add", "--top", given="one\ntwo\nthree\n")[0] == 0
    assert titles_in(olga, board["lists"][0]) == ["one", "two", "three", "Sow"]


def test_add_adds_nothing_when_a_label_is_not_there(garden, olga, board):
    code, out, err = garden.run("add", "--label", "bugs", "Sow")
    assert (code, out, err) == (1, "", "There is no label 'bugs'. There are: Bug, Feature, Chore.\n")
    assert titles_in(olga, board["lists"][0]) == []


def test_a_start_after_the_due_date_is_named_by_its_option(garden):
    code, _out, err = garden.run("add", "--start", "2026-12-02", "--due", "2026-12-01", "Sow")
    assert (code, err) == (2, "--start must not be after the due date.\n")
