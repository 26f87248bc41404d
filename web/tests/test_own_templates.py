"""The pages of templates of one's own."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from playwright.sync_api import expect

from boards.models import Board, Card, OwnTemplate
from boards.tests.world import template_of
from web.tests.browsing import browser, text_of


def test_a_template_is_saved_chosen_renamed_and_deleted(ed, board, todo, card):
    client = browser(ed)
    assert f"/board/{board.pk}/template" in client.get(board.get_absolute_url()).content.decode()
    answer = client.post(f"/board/{board.pk}/template", {"name": "Usual", "cards": "1"})
    saved = OwnTemplate.objects.get()
    assert answer.url == f"/boards/new?template={saved.pk}"
    page = client.get(answer.url)
    assert f'value="{saved.pk}" checked' in page.content.decode()
    assert "Usual To do · 1 card" in text_of(page)
    made = client.post("/boards/new", {"title": "Again", "template": str(saved.pk), "color": "3"})
    assert Card.objects.get(board__title="Again").title == card.title
    assert made.url == Board.objects.get(title="Again").get_absolute_url()
    assert client.post(f"/template/{saved.pk}", {"name": "Better"}).url == "/boards/new"
    assert "Better" in text_of(client.get("/boards/new"))
    assert "Delete this template?" in text_of(client.get(f"/template/{saved.pk}/deletion"))
    assert client.post(f"/template/{saved.pk}/deletion").url == "/boards/new"
    assert not OwnTemplate.objects.exists()


def test_nobody_else_sees_a_template(olga, ed, board):
    theirs = template_of(ed)
    client = browser(olga)
    assert "Usual" not in text_of(client.get(f"/boards/new?template={theirs.pk}"))
    for address in (f"/template/{theirs.pk}", f"/template/{theirs.pk}/deletion"):
        assert client.get(address).status_code == client.post(address, {"name": "Mine"}).status_code == 404
    form = {"title": "New", "template": str(theirs.pk), "color": "3"}
    assert client.post("/boards/new", form).status_code == 404
    assert (OwnTemplate.objects.count(), Board.objects.count()) == (1, 1)


def test_a_name_that_is_missing_is_asked_for_again(ed, board):
    client = browser(ed)
    for address in (f"/board/{board.pk}/template", f"/template/{template_of(ed).pk}"):
        answer = client.post(address, {"name": " "})
        assert answer.status_code == 422
        assert "Name must not be empty." in text_of(answer)


def test_the_page_of_new_boards_takes_one_statement_for_all_templates(ed):
    client, taken = browser(ed), []
    for _number in range(3):
        template_of(ed)
        with CaptureQueriesContext(connection) as queries:
            client.get("/boards/new")
        taken.append(len(queries))
    assert taken[1] == taken[2]


@pytest.mark.django_db(transaction=True)
def test_a_board_is_saved_as_a_template_from_its_menu_and_created_from_it(show, ed, board, todo, card):
    page = show(board.get_absolute_url(), ed)
    page.get_by_label("Board menu").click()
    page.get_by_role("link", name="Save as template").click()
    page.get_by_label("Name").fill("Usual")
    page.get_by_label("Save cards too").check()
    page.get_by_role("button", name="Save template").click()
    expect(page.get_by_role("radio", name="Usual")).to_be_checked()
    page.get_by_label("Title").fill("Next launch")
    page.get_by_role("button", name="Create board").click()
    expect(page.get_by_role("heading", name="Next launch")).to_be_visible()
    expect(page.locator(".card .title")).to_contain_text(card.title)
