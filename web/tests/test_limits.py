"""Limits of lists: in the head of the list, and as a warning for who puts a card too many there."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from playwright.sync_api import expect

from boards.actions.cards.archive import archive_card
from boards.actions.cards.card import create_card
from boards.actions.cards.moves import move_card
from boards.actions.lists.list import limit_list
from boards.models import Board, List
from conftest import web
from web.cards.limits import warnings
from web.tests.browsing import SCRIPTED, browser, text_of


@pytest.fixture
def cards(olga, todo):
    return [create_card(actor=web(olga), list_id=todo.pk, title=title) for title in ("Roof", "Wall", "Door")]


def head_of(page, row) -> str:
    [head] = re.findall(rf'<h2 id="name-{row.pk}">.*?(?=<details)', page.content.decode(), flags=re.DOTALL)
    return " ".join(re.sub("<[^>]+>", " ", head).split())


def test_the_head_says_how_many_cards_there_are_and_how_many_there_should_be(ed, board, todo, cards):
    limit_list(actor=web(ed), list_id=todo.pk, card_limit=3)
    page = browser(ed).get(f"/board/{board.pk}")
    assert head_of(page, todo) == "To do 3 of 3 Cards: 3, limit: 3"
    assert "count over" not in page.content.decode()
    limit_list(actor=web(ed), list_id=todo.pk, card_limit=2)
    page = browser(ed).get(f"/board/{board.pk}")
    assert head_of(page, todo) == "To do 3 of 2 Cards: 3, limit: 2, over the limit"
    assert "count over" in page.content.decode()


def test_with_a_filter_the_limit_counts_all_cards_of_the_list(ed, board, todo, cards):
    limit_list(actor=web(ed), list_id=todo.pk, card_limit=2)
    page = browser(ed).get(f"/board/{board.pk}?q=roof")
    assert head_of(page, todo) == "To do 1 of 3 Cards: 1 of 3, limit: 2, over the limit"


def test_a_form_sets_a_limit_and_removes_it(ed, todo):
    for sent, stored in ((" 5 ", 5), ("", None)):
        assert browser(ed).post(f"/list/{todo.pk}/limit", {"limit": sent}).url == f"/board/{todo.board_id}"
        assert List.objects.get(pk=todo.pk).card_limit == stored


@pytest.mark.parametrize("sent", ["0", "-1", "1000", "99999999", "3.5", "three", "²"])
def test_a_limit_that_is_no_number_is_refused_in_words(ed, todo, sent):
    answer = browser(ed).post(f"/list/{todo.pk}/limit", {"limit": sent}, **SCRIPTED)
    assert answer.status_code == 422
    assert "Card limit must be a whole number from 1 to 999, or empty." in text_of(answer)


def test_the_page_of_a_list_has_the_form_for_readers_without_scripts(ed, vera, todo):
    limit_list(actor=web(ed), list_id=todo.pk, card_limit=7)
    assert f'formaction="/list/{todo.pk}/limit"' in browser(ed).get(f"/list/{todo.pk}").content.decode()
    page = browser(vera).get(f"/list/{todo.pk}")
    assert "formaction" not in page.content.decode()
    assert "limit: 7" in text_of(page)


def test_who_takes_a_list_over_its_limit_is_told_so(ed, board, todo, doing, cards):
    limit_list(actor=web(ed), list_id=doing.pk, card_limit=1)
    client = browser(ed)

    def move(card, **also):
        form = {"card": card.pk, "list": doing.pk, "where": "bottom", **also}
        return text_of(client.post(f"/board/{board.pk}/cards", form, **SCRIPTED))

    assert "over its limit" not in move(cards[0])
    assert "“Doing” is over its limit: 2 of 1." in move(cards[1])
    assert "over its limit" not in move(cards[1], where="top"), "it was there before"
    added = client.post(f"/list/{doing.pk}/cards", {f"new-{doing.pk}": "More"}, **SCRIPTED)
    assert "“Doing” is over its limit: 3 of 1." in text_of(added)
    placed = client.post(f"/card/{cards[2].pk}/place", {"list": doing.pk, "where": "top"}, **SCRIPTED)
    assert "“Doing” is over its limit: 4 of 1." in text_of(placed)


def test_moves_by_keys_restored_cards_and_copies_warn_too(ed, board, todo, doing, cards):
    limit_list(actor=web(ed), list_id=doing.pk, card_limit=1)
    limit_list(actor=web(ed), list_id=todo.pk, card_limit=1)
    client, over = browser(ed), "“Doing” is over its limit: {} of 1."

    def answer(address, **form):
        return text_of(client.post(address, form, **SCRIPTED))

    for card in cards[:2]:
        said = answer(f"/board/{board.pk}/cards", card=card.pk, list=doing.pk, where="bottom", quiet="1")
    assert over.format(2) in said
    assert "Moved to" not in said
    assert over.format(3) in answer(f"/card/{cards[0].pk}/copy")
    for restore in (
        lambda: answer(f"/card/{cards[0].pk}/archival", archived="0"),
        lambda: answer(f"/board/{board.pk}/cards", card=cards[0].pk, archived="0"),
    ):
        archive_card(actor=web(ed), card_id=cards[0].pk)
        assert over.format(3) in restore()
        assert over.format(3) not in restore(), "it was restored already"
    assert "“Doing” was copied. · “Doing” is over its limit: 3 of 1." in answer(f"/list/{doing.pk}/copy")
    answer(f"/list/{doing.pk}/archival", archived="1")
    assert over.format(3) in answer(f"/list/{doing.pk}/archival", archived="0")


def test_restored_cards_of_many_lists_are_warned_of_in_as_many_statements(ed, board, todo, doing, cards):
    move_card(actor=web(ed), card_id=cards[0].pk, list_id=doing.pk)
    taken = []
    for rows in ([todo], [todo, doing]):
        for row in rows:
            limit_list(actor=web(ed), list_id=row.pk, card_limit=1)
        with CaptureQueriesContext(connection) as queries:
            found = warnings(List.objects.all())
        taken.append((len(found), len(queries)))
    create_card(actor=web(ed), list_id=doing.pk, title="Fourth")
    with CaptureQueriesContext(connection) as queries:
        assert len(warnings(List.objects.all())) == 2
    assert {number for _found, number in taken} == {len(queries)} == {2}


@pytest.mark.django_db(transaction=True)
def test_a_limit_is_set_in_the_head_follows_what_others_do_and_is_taken_back(opened, olga, ed, todo, cards):
    shown = opened(ed)
    count = shown.list(todo).locator(".count")
    shown.list(todo).get_by_label("Menu for list").click()
    shown.page.get_by_role("button", name="Set card limit").click()
    field = shown.page.get_by_role("spinbutton", name="Card limit")
    expect(field).to_be_focused()
    expect(shown.list(todo).get_by_role("heading", name="To do")).to_be_in_viewport()
    assert shown.list(todo).locator("h2").bounding_box()["width"] > 20, "the title stays in sight"
    field.press_sequentially("3")
    field.press("Enter")
    expect(count).to_have_text(re.compile(r"3 of 3\s*Cards: 3, limit: 3\s*$"))
    expect(count).not_to_have_class(re.compile("over"))

    late = create_card(actor=web(olga), list_id=todo.pk, title="One too many")
    shown.tell(late)
    expect(count).to_have_text(re.compile("4 of 3.*over the limit"))
    expect(count.locator(".icon")).to_be_visible()
    archive_card(actor=web(olga), card_id=late.pk)
    shown.tell(removed=[("card", late)])
    expect(count).to_have_text(re.compile(r"3 of 3\s*Cards: 3, limit: 3\s*$"))

    shown.page.keyboard.press("Control+z")
    expect(count).to_have_text("3")
    assert List.objects.get(pk=todo.pk).card_limit is None


def test_undo_that_brings_a_card_back_to_a_full_list_warns(ed, board, todo, doing, cards):
    limit_list(actor=web(ed), list_id=todo.pk, card_limit=2)
    for act in (lambda: archive_card(actor=web(ed), card_id=cards[0].pk), lambda: move(ed, cards[1], doing)):
        act()
        number = Board.objects.get(pk=board.pk).version
        answer = browser(ed).post(f"/board/{board.pk}/undo", {"change": f"{board.pk}:{number}"}, **SCRIPTED)
        assert "“To do” is over its limit: 3 of 2." in text_of(answer)
    renamed = browser(ed).post(f"/card/{cards[0].pk}/title", {"title": "Dome"}, **SCRIPTED)
    answer = browser(ed).post(f"/board/{board.pk}/undo", {"change": renamed["X-Changes"]}, **SCRIPTED)
    assert "over its limit" not in text_of(answer)


def move(user, card, row) -> None:
    move_card(actor=web(user), card_id=card.pk, list_id=row.pk)
