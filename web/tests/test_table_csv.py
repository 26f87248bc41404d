"""A table as CSV: what is seen, on all its pages, and nothing that a spreadsheet would run."""

import csv
import io
import re
from datetime import date, timedelta

import pytest

from accounts.models import User
from boards.actions.boards.board import create_board
from boards.actions.cards.assignments import assign
from boards.actions.cards.card import create_card
from boards.actions.cards.labels import add_label, create_label
from boards.actions.lists.list import create_list
from boards.models import Board, Card, Role
from conftest import join, web
from web.table import csv_file, pages
from web.tests.browsing import browser
from web.tests.table_cards import add_items, cards, html_of, table_of

__all__ = ["cards"]


def read_csv(user: User, path: str) -> list[list[str]]:
    answer = browser(user).get(path)
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    text = answer.content.decode()
    assert text.startswith("\ufeff")
    return list(csv.reader(io.StringIO(text.removeprefix("\ufeff"))))


def test_csv_has_what_is_seen_on_all_pages(cards, olga, board, monkeypatch):
    monkeypatch.setattr(pages, "A_PAGE", 1)
    day = date.today() + timedelta(days=9)
    Card.objects.filter(pk=cards["beta"].pk).update(due_day=day)
    assign(actor=web(olga), card_id=cards["Alpha"].pk, user_id=olga.pk)
    address = html_of(olga, table_of(board, "?sort=-title&columns=list.people.due.labels"))
    link = re.search(r'href="([^"]*format=csv)"', address)[1].replace("&amp;", "&")
    assert [row[:4] for row in read_csv(olga, link)] == [
        ["Title", "List", "Labels", "Assignees"],
        ["Čilek", "Doing", "", ""],
        ["beta", "To do", "Writing", "Olga"],
        ["Alpha", "To do", "Bug", "Ed,Olga"],
    ]
    assert [row[4] for row in read_csv(olga, link)][2] == day.isoformat()


def test_csv_has_checklists_as_the_page_shows_them(cards, ed, board):
    add_items(cards["Alpha"], done=3, of=5)
    address = table_of(board, "?format=csv&columns=checklist&sort=title")
    assert read_csv(ed, address) == [["Title", "Checklist"], ["Alpha", "3/5"], ["beta", ""], ["Čilek", ""]]


def test_csv_keeps_the_filter(cards, ed, board):
    assert [row[1] for row in read_csv(ed, table_of(board, "?q=alp&format=csv"))] == ["Title", "Alpha"]


@pytest.mark.parametrize("title", ["=1+1", "+1", "@SUM(1)", "'=1"])
def test_no_cell_of_csv_is_a_formula(olga, board, todo, title):
    create_card(actor=web(olga), list_id=todo.pk, title=title, assignee_ids=[olga.pk])
    label = create_label(actor=web(olga), board_id=board.pk, name=title)
    add_label(actor=web(olga), card_id=Card.objects.get().pk, label_id=label.pk)
    for path in (table_of(board), "/my/table"):
        _head, row = read_csv(olga, f"{path}?format=csv&columns=labels")
        assert row == [f"'{title}", f"'{title}"]


def test_csv_ends_at_its_bound_and_the_page_says_so(cards, ed, board, monkeypatch):
    monkeypatch.setattr(csv_file, "MOST", 2)
    monkeypatch.setattr(pages, "MOST", 2)
    assert len(read_csv(ed, table_of(board, "?format=csv"))) == 3
    assert ">A CSV file has the first 2 cards.<" in html_of(ed, table_of(board))


def test_the_file_is_named_after_the_board(ed, olga, board, cards):
    Board.objects.filter(pk=board.pk).update(title="../Größe: 1")
    given = browser(ed).get(table_of(board, "?format=csv"))["Content-Disposition"]
    assert given == "attachment; filename*=utf-8''Gr%C3%B6%C3%9Fe%201.csv"


def titles_in(user: User, path: str) -> set[str]:
    head, *rows = read_csv(user, path)
    return {row[head.index("Title")] for row in rows}


def test_csv_has_cards_that_are_done_and_still_stand_in_their_rows(cards, olga, board):
    assign(actor=web(olga), card_id=cards["Alpha"].pk, user_id=olga.pk)
    for path in (table_of(board, "?done=0&who=me"), "/my/table?"):
        assert titles_in(olga, f"{path}&format=csv") == {"Alpha"}
        assert titles_in(olga, f"{path}&format=csv&also={cards['beta'].pk}&also=x") == {"Alpha", "beta"}


def test_csv_has_no_further_card_that_one_cannot_see_or_of_another_board(cards, stan, board):
    own = create_board(actor=web(stan), title="Own")
    own_list = create_list(actor=web(stan), board_id=own.pk, title="To do")
    mine = create_card(actor=web(stan), list_id=own_list.pk, title="Mine")
    also = f"format=csv&also={mine.pk}&also={cards['beta'].pk}"
    assert titles_in(stan, f"/my/table?{also}") == {"Mine"}
    join(stan, board, Role.VIEWER)
    assert titles_in(stan, table_of(board, f"?q=alpha&{also}")) == {"Alpha", "beta"}
