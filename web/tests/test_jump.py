"""The command palette and "Move to…" get their offers over HTTP."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.work_filters import save_filter
from boards.actions.boards.board import create_board
from boards.actions.cards.card import create_card
from boards.actions.lists.list import create_list
from boards.tests.world import template_of
from conftest import web
from web.tests.browsing import SCRIPTED, browser, text_of


def ask(user, path, **query):
    return browser(user).get(path, query, **SCRIPTED)


def ids(answer) -> list[str]:
    return re.findall(r' id="((?:to|into)-[^"]+)"', answer.content.decode())


def test_boards_and_cards_are_offered_with_their_addresses(ed, board, card):
    answer = ask(ed, "/jump", q="announce", board=str(board.pk))
    assert answer["X-Answer"] == "fragments"
    assert ids(answer) == [f"to-card-{card.pk}"]
    assert f'data-href="{card.get_absolute_url()}"' in answer.content.decode()
    assert f"#{card.number} · To do" in text_of(answer)
    assert f'data-href="{board.get_absolute_url()}"' in ask(ed, "/jump", q="launch").content.decode()


def test_the_first_offers_are_those_of_the_search_page_in_its_order(olga, ed, board, todo):
    other = create_board(actor=web(olga), title="Plans of the launch")
    there = create_list(actor=web(olga), board_id=other.pk, title="List")
    for row, title in ((todo, "Prepare the launch"), (there, "Launch party"), (todo, "Tell Ed")):
        create_card(actor=web(olga), list_id=row.pk, title=title, description="Before the launch")
    for query, number in (("launch", 5), ("the launch", 4), ("ed", 2), ("tell", 1)):
        page = re.findall(r' id="hit-([^"]+)"', browser(olga).get("/search", {"q": query}).content.decode())
        assert len(page) == number
        for here in ({}, {"board": str(board.pk)}):
            offered = [one.rpartition("to-")[2].partition("-")[2] for one in ids(ask(olga, "/jump", q=query, **here))]
            assert offered[:number] == page


def test_a_board_whose_title_begins_with_the_letters_comes_before_cards_that_do_not(olga, board, todo):
    cards = [create_card(actor=web(olga), list_id=todo.pk, title=f"Plan the launch {number}") for number in range(2)]
    kinds = [one.rpartition("-")[0][:8] for one in ids(ask(olga, "/jump", q="launch"))]
    assert kinds == ["to-board", "to-card-", "to-card-"]
    create_card(actor=web(olga), list_id=todo.pk, title="Launch party")
    assert ids(ask(olga, "/jump", q="launch"))[1] == f"to-board-{board.pk}"
    assert ids(ask(olga, "/jump", q="the launch"))[0] == f"to-card-{cards[1].pk}"


def test_without_letters_only_boards_are_offered(ed, board, card):
    assert ids(ask(ed, "/jump", board=str(board.pk))) == [f"to-board-{board.pk}"]


def test_a_stranger_is_offered_nothing_of_a_board_not_even_by_naming_it(stan, board, card, todo):
    for query in ("", "launch", "write", f"#{card.number}", "wrtann"):
        assert ids(ask(stan, "/jump", q=query, board=str(board.pk))) == []
    assert ids(ask(stan, "/destinations", q="", board=str(board.pk))) == []


def test_a_viewer_is_offered_no_list_to_move_cards_to(vera, ed, board, todo):
    assert ids(ask(ed, "/destinations", board=str(board.pk))) == [f"into-{todo.pk}"]
    assert ids(ask(vera, "/destinations", board=str(board.pk))) == []


def test_what_is_typed_is_shown_as_text(olga, board):
    made = create_board(actor=web(olga), title="<b>&amp;")
    create_list(actor=web(olga), board_id=made.pk, title="<i>")
    assert "&lt;b&gt;&amp;amp;" in ask(olga, "/jump", q="<b>").content.decode()
    assert "&lt;i&gt;" in ask(olga, "/destinations", q="<i>").content.decode()


@pytest.mark.parametrize("path", ["/jump", "/destinations"])
@pytest.mark.parametrize("query", ["x" * 501, "a\0b"])
def test_absurd_letters_are_refused_with_a_sentence(ed, path, query):
    answer = ask(ed, path, q=query)
    assert answer.status_code == 422
    assert text_of(answer)


def test_the_palette_offers_my_filters_of_my_work_by_letters_on_every_page(ed, vera, board):
    save_filter(ed, "Mine by board", "which=assigned&by=board")
    option = 'data-href="/my?which=assigned&amp;by=board"'
    asked = [(ed, ""), (ed, "mine"), (ed, "x"), (vera, "mine")]
    assert [option in ask(user, "/jump", q=letters).content.decode() for user, letters in asked] == [
        False,
        True,
        False,
        False,
    ]


@pytest.mark.parametrize("path", ["/jump", "/destinations"])
def test_a_board_that_is_no_id_counts_as_none(ed, board, path):
    assert ask(ed, path, q="launch", board="1").status_code == 200


@pytest.mark.parametrize("path", ["/jump", "/destinations"])
def test_a_browser_that_opens_the_address_gets_a_page(ed, path):
    assert browser(ed).get(path).url == "/"


def test_the_statements_do_not_grow_with_what_is_offered(ed, olga, board, todo, card, django_assert_max_num_queries):
    for number in range(5):
        create_card(actor=web(ed), list_id=todo.pk, title=f"Write {number}")
        create_list(actor=web(ed), board_id=board.pk, title=f"List {number}")
        template_of(ed)
        save_filter(ed, f"Write {number}", "which=created&by=due")
    client = browser(ed)
    with django_assert_max_num_queries(14):
        assert client.get("/jump", {"q": "write", "board": str(board.pk)}, **SCRIPTED).status_code == 200
    with django_assert_max_num_queries(5):
        assert client.get("/destinations", {"board": str(board.pk)}, **SCRIPTED).status_code == 200


def test_boards_from_templates_of_ones_own_are_offered_by_letters(ed, olga):
    made = template_of(ed)
    offer = f'data-href="/boards/new?template={made.pk}"'
    for letters in ("usual", "new board"):
        answer = ask(ed, "/jump", q=letters).content.decode()
        assert offer in answer
        assert "New board from “Usual”" in answer
    assert offer not in ask(ed, "/jump", q="other").content.decode()
    assert offer not in ask(ed, "/jump").content.decode(), "without letters there are boards and filters"
    assert offer not in ask(olga, "/jump", q="usual").content.decode()


def test_letters_are_sought_from_the_beginning_of_a_title_and_each_at_its_first_place(ed, board, card):
    """So a title that nearly has them many times is read once."""
    with CaptureQueriesContext(connection) as asked:
        assert ids(ask(ed, "/jump", q="wrtann", board=str(board.pk))) == [f"to-card-{card.pk}"]
    pattern = "^" + "".join(f"[^{sign}]*{sign}" for sign in "wrtann")
    assert any(f"'{pattern}'" in query["sql"] for query in asked.captured_queries)
