"""The table of a board and of *My work*: what it shows to whom, in which order, and as CSV."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from boards.actions.boards.board import archive_board, create_board
from boards.actions.cards.archive import archive_card
from boards.actions.cards.card import complete_card, create_card
from boards.actions.cards.labels import add_label, create_label
from boards.actions.lists.list import archive_list
from boards.models import Board, Card, Membership
from boards.reading.table import Column
from conftest import web
from web.table import pages
from web.tests.browsing import SCRIPTED, browser, text_of
from web.tests.table_cards import add_items, cards, html_of, table_of

__all__ = ["cards"]


def titles(user: User, path: str, **headers: str) -> list[str]:
    return re.findall(r'<a class="title" id="due-[^>]*>([^<]*)<', html_of(user, path, **headers))


def heads(html: str) -> list[str]:
    return [name.strip() for name in re.findall(r'role="columnheader" [^>]*><a [^>]*>([^<]*)', html)]


def test_the_table_has_the_cards_in_the_order_of_the_board(cards, vera, board):
    assert titles(vera, table_of(board)) == ["beta", "Alpha", "Čilek"]
    page = text_of(browser(vera).get(table_of(board)))
    assert f"#2 Alpha {cards['Alpha'].list.title} Bug E Ed " in page


@pytest.mark.usefixtures("each_makes_statements")
@pytest.mark.parametrize(
    "sort, expected",
    [
        ("title", "Alpha beta Čilek"),
        ("-title", "Čilek beta Alpha"),
        ("number", "beta Alpha Čilek"),
        ("-number", "Čilek Alpha beta"),
        ("list", "beta Alpha Čilek"),
        ("-list", "Čilek Alpha beta"),
        ("labels", "Alpha beta Čilek"),
        ("-labels", "beta Alpha Čilek"),
        ("people", "Alpha beta Čilek"),
        ("-people", "beta Alpha Čilek"),
        ("due", "Alpha beta Čilek"),
        ("-due", "beta Alpha Čilek"),
        ("done", "beta Alpha Čilek"),
        ("created", "beta Alpha Čilek"),
        ("-created", "Čilek Alpha beta"),
        ("-changed", "beta Alpha Čilek"),
    ],
)
def test_it_is_sorted_by_any_column_up_and_down_and_cards_without_it_come_last(cards, ed, board, sort, expected):
    assert titles(ed, table_of(board, f"?sort={sort}")) == expected.split()


def test_a_column_says_how_much_of_the_checklists_is_done(cards, ed, vera, board):
    add_items(cards["Alpha"], done=3, of=4)
    add_items(cards["Alpha"], done=0, of=1)
    assert "Checklist" not in heads(html_of(ed, table_of(board)))
    for user, path in ((vera, table_of(board)), (ed, "/my/table")):
        html = html_of(user, f"{path}?columns=due.checklist.created&sort=-checklist")
        assert heads(html) == ["Title", "Due", "Checklist", "Created"]
        assert '<td role="cell" class="of-checklist">3/5</td>' in html
        assert html.count('class="of-checklist"></td>') == (2 if user is vera else 0)


def test_checklists_are_sorted_by_the_share_that_is_done_then_by_their_length(olga, ed, board, todo):
    for done, of in ((2, 6), (0, 9), (1, 3), (0, 0), (1, 2), (33, 100)):
        card = create_card(actor=web(olga), list_id=todo.pk, title=f"{done}/{of}", assignee_ids=[ed.pk])
        add_items(card, done=done, of=of)
    up = ["0/9", "33/100", "1/3", "2/6", "1/2", "0/0"]
    for path in (table_of(board), "/my/table"):
        assert titles(ed, f"{path}?sort=checklist") == up
        assert titles(ed, f"{path}?sort=-checklist") == [*reversed(up[:-1]), "0/0"]


@pytest.mark.usefixtures("each_makes_statements")
@pytest.mark.parametrize(
    "query", ["?sort=position", "?sort=-", "?sort=board", "?page=x", "?page=99", "?columns=x", "?q=&sort="]
)
def test_what_nobody_knows_counts_as_the_default(cards, ed, board, query):
    assert titles(ed, table_of(board, query)) == ["beta", "Alpha", "Čilek"]


def test_the_head_of_a_column_sorts_by_it_and_then_the_other_way(cards, ed, board):
    html = html_of(ed, table_of(board, "?sort=due&done=0"))
    assert f'aria-sort="ascending"\n              ><a href="{table_of(board)}?done=0&amp;sort=-due"' in html
    assert f'<a href="{table_of(board)}?done=0&amp;sort=title"' in html
    assert html.count("aria-sort") == 1


def test_the_filter_of_the_board_narrows_it_and_both_views_keep_it(cards, ed, board):
    address = table_of(board, f"?who=me&done=0&who={cards['beta'].created_by_id}")
    assert titles(ed, address) == ["Alpha"]
    assert "1 of 3 cards" in text_of(browser(ed).get(address))
    other = f"?who=me&amp;who={cards['beta'].created_by_id}&amp;done=0"
    assert f'href="/board/{board.pk}{other}"' in html_of(ed, address)
    assert f'href="{table_of(board)}{other}"' in html_of(ed, address.replace("/table", ""))


def test_the_form_of_the_filter_keeps_order_and_columns(cards, ed, board):
    html = html_of(ed, table_of(board, "?sort=-due&columns=due&done=0"))
    form = re.search(r'<form class="filter-form".*?</form>', html, re.DOTALL)[0]
    assert f'action="{table_of(board)}"' in form
    assert (
        '<input type="hidden" name="sort" value="-due"><input type="hidden" name="columns" value="title.due">' in form
    )
    assert f'href="{table_of(board)}?sort=-due&amp;columns=title.due"' in form


def test_the_form_of_the_columns_keeps_filter_and_order(cards, ed, board):
    html = html_of(ed, table_of(board, "?sort=-due&done=0&who=me"))
    form = re.search(r'<details class="menu start columns">.*?</form>', html, re.DOTALL)[0]
    assert re.findall(r'type="hidden" name="(.*?)" value="(.*?)"', form) == [
        ("who", "me"),
        ("done", "0"),
        ("sort", "-due"),
        ("columns", "title"),
    ]


def test_a_filter_with_too_long_a_text_is_refused_in_words(cards, ed, board):
    answer = browser(ed).get(table_of(board, f"?q={'x' * 600}"))
    assert answer.status_code == browser(ed).get(f"/board/{board.pk}?q={'x' * 600}").status_code == 422


def test_the_address_names_the_columns_and_the_browser_keeps_them(cards, ed, board):
    client = browser(ed)
    assert "Due" in heads(client.get(table_of(board)).content.decode())
    chosen = client.get(table_of(board, "?columns=title&columns=created&columns=number")).content.decode()
    assert heads(chosen) == ["Number", "Title", "Created"]
    assert "columns=number.title.created" in chosen
    assert heads(client.get(table_of(board)).content.decode()) == ["Number", "Title", "Created"]
    assert heads(client.get(table_of(board, "?columns=title")).content.decode()) == ["Title"]
    assert heads(client.get("/my/table").content.decode())[:2] == ["Title", "Board"]


def test_a_broken_cookie_shows_the_usual_columns(cards, ed, board):
    client = browser(ed)
    client.cookies["board_table_columns"] = "<script>.x"
    assert heads(client.get(table_of(board)).content.decode())[:3] == ["Number", "Title", "List"]


def test_archived_cards_and_those_of_archived_lists_are_not_shown(cards, olga, board):
    archive_card(actor=web(olga), card_id=cards["Alpha"].pk)
    archive_list(actor=web(olga), list_id=cards["Čilek"].list_id)
    assert titles(olga, table_of(board)) == ["beta"]
    assert "Alpha" not in html_of(olga, table_of(board, "?format=csv"))


def test_viewers_get_no_control_that_would_be_refused(cards, vera, ed, board):
    controls = re.compile(r'class="done-check|row-more|data-edit|of-select|class="selection')
    assert controls.search(html_of(ed, table_of(board)))
    assert not controls.search(html_of(vera, table_of(board)))


def test_the_table_of_an_archived_board_is_only_looked_at(cards, olga, board):
    archive_board(actor=web(olga), board_id=board.pk)
    html = html_of(olga, table_of(board))
    assert "Alpha" in html
    assert not re.search(r'class="done-check|row-more|data-edit|of-select|class="selection', html)


def test_strangers_and_people_who_were_removed_get_what_never_was(cards, stan, ed, board):
    never = browser(stan).get(f"/board/{stan.pk}/table")
    Membership.objects.filter(user=ed, board=board).delete()
    for query in ("", "?format=csv"):
        assert browser(ed).get(table_of(board, query)).status_code == 404
        answer = browser(stan).get(table_of(board, query))
        assert (answer.status_code, text_of(answer)) == (404, text_of(never))
    assert titles(ed, "/my/table") == []
    assert "Alpha" not in html_of(ed, "/my/table?format=csv")


def test_what_people_typed_is_escaped(olga, board, todo):
    Board.objects.filter(pk=board.pk).update(title="<u>Board")
    card = create_card(actor=web(olga), list_id=todo.pk, title="<b>One</b> & TITLE", assignee_ids=[olga.pk])
    label = create_label(actor=web(olga), board_id=board.pk, name="<i>Bug</i>")
    add_label(actor=web(olga), card_id=card.pk, label_id=label.pk)
    User.objects.filter(pk=olga.pk).update(name="<s>Olga")
    for path in (table_of(board), "/my/table"):
        html = html_of(olga, path)
        assert "&lt;b&gt;One&lt;/b&gt; &amp; TITLE" in html
        assert not re.search("<b>One|<i>Bug|<s>Olga|<u>Board", html)


def test_an_empty_table_says_what_to_do(olga, vera, stan, board, cards):
    empty = create_board(actor=web(stan), title="Empty", template="kanban")
    assert "This board has no cards yet." in text_of(browser(stan).get(table_of(empty)))
    assert "No card matches these filters." in text_of(browser(vera).get(table_of(board, "?q=nothing")))
    assert "No open cards are assigned to you." in text_of(browser(stan).get("/my/table"))


def test_many_cards_come_page_by_page_and_keep_what_was_asked(cards, ed, board, monkeypatch):
    monkeypatch.setattr(pages, "A_PAGE", 2)
    first = html_of(ed, table_of(board, "?sort=title"))
    assert titles(ed, table_of(board, "?sort=title")) == ["Alpha", "beta"]
    assert f'rel="next" href="{table_of(board)}?sort=title&amp;page=2"' in first
    assert titles(ed, table_of(board, "?sort=title&page=2")) == ["Čilek"]
    assert f'rel="prev" href="{table_of(board)}?sort=title"' in html_of(ed, table_of(board, "?sort=title&page=2"))


def test_scripts_get_the_rows_alone(cards, ed, board):
    for path in (table_of(board), "/my/table"):
        answer = browser(ed).get(path, **SCRIPTED)
        assert answer["X-Answer"] == "fragments"
        assert answer.content.decode().startswith('<div id="table-rows"')


@pytest.mark.parametrize("count", [2, 200])
def test_a_page_costs_as_many_statements_for_two_cards_as_for_many(
    olga, ed, board, todo, count, django_assert_num_queries
):
    label = create_label(actor=web(olga), board_id=board.pk, name="Mine")
    for place in range(count):
        due = {"due_at": timezone.now() + timedelta(days=place)}
        card = create_card(actor=web(ed), list_id=todo.pk, title=f"{place}", assignee_ids=[ed.pk, olga.pk], **due)
        add_label(actor=web(olga), card_id=card.pk, label_id=label.pk)
        add_items(card, done=1, of=2)
    client = browser(ed)
    # session, user, board, boards, number, ids, rows with their labels and people; filter: members, labels, view
    with django_assert_num_queries(10):
        assert client.get(table_of(board, "?sort=labels")).content.count(b'role="rowheader"') == min(count, 100)
    with django_assert_num_queries(11):  # and the number without the filter
        client.get(table_of(board, "?done=0&sort=-people"))
    with django_assert_num_queries(8):  # filter: labels, saved ones
        client.get("/my/table?sort=checklist&columns=checklist")
    with django_assert_num_queries(5):
        client.get(table_of(board, "?format=csv"))


def test_my_table_has_the_work_of_all_boards_as_the_list_has_it(olga, ed, board, cards):
    other = create_board(actor=web(ed), title="Another", template="kanban")
    create_card(actor=web(ed), board_id=other.pk, title="Mine")
    second = create_card(actor=web(ed), board_id=other.pk, title="Zeta", assignee_ids=[ed.pk])
    assert titles(ed, "/my/table") == ["Alpha", "Zeta"]
    assert titles(ed, "/my/table?sort=board") == ["Zeta", "Alpha"]
    assert titles(ed, "/my/table?which=created&sort=title") == ["Mine", "Zeta"]
    complete_card(actor=web(ed), card_id=second.pk)
    assert titles(ed, "/my/table") == ["Alpha"]


@pytest.mark.usefixtures("each_makes_statements")
@pytest.mark.parametrize("column", Column)
def test_cards_that_are_equal_in_a_column_keep_one_order(olga, board, todo, column, monkeypatch):
    for _number in range(6):
        create_card(actor=web(olga), list_id=todo.pk, title="Same", assignee_ids=[olga.pk])
    Card.objects.update(created_at=timezone.now(), updated_at=timezone.now())
    monkeypatch.setattr(pages, "A_PAGE", 2)
    path = "/my/table" if column == Column.BOARD else table_of(board)
    found = [
        one
        for page in "123"
        for one in re.findall(r'<tr role="row" id="row-([^"]*)"', html_of(olga, f"{path}?sort={column}&page={page}"))
    ]
    assert len({*found}) == len(found) == 6
