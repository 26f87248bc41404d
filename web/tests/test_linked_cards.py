"""Links to cards in texts show title, number and state, to those who may see these cards."""

from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from playwright.sync_api import expect

from boards.actions.boards.board import create_board
from boards.actions.cards.archive import archive_card
from boards.actions.cards.card import complete_card, create_card, update_card
from boards.actions.cards.comments import add_comment
from boards.models import List
from conftest import web
from web.tests.browsing import SCRIPTED


@pytest.fixture
def elsewhere(stan):
    """A card on a board of Stan's own."""
    board = create_board(actor=web(stan), title="Secret plans", template="kanban")
    return create_card(actor=web(stan), list_id=List.objects.filter(board=board).first().pk, title="Buy the moon")


def asked(client, user, *cards, here=None):
    client.force_login(user)
    return client.get(reverse("linked_cards"), {"card": [card.pk for card in cards], "here": here or ""}, **SCRIPTED)


def test_a_reader_gets_title_number_and_state(client, vera, ed, card, todo):
    done = create_card(actor=web(ed), list_id=todo.pk, title="Done one")
    gone = create_card(actor=web(ed), list_id=todo.pk, title="Old one")
    complete_card(actor=web(ed), card_id=done.pk)
    archive_card(actor=web(ed), card_id=gone.pk)
    text = asked(client, vera, card, done, gone, here=card.board_id).content.decode()
    assert text.count("<template") == 3
    assert card.title in text
    assert f"#{card.number}" in text
    assert text.count(">Done<") == text.count(">Archived<") == 1
    assert card.board.title not in text


def test_cards_that_the_reader_cannot_see_are_left_out(client, vera, stan, card, elsewhere):
    text = asked(client, vera, card, elsewhere).content.decode()
    assert "moon" not in text
    assert "Secret" not in text
    text = asked(client, stan, card, elsewhere).content.decode()
    assert card.title not in text
    assert "Buy the moon" in text
    assert "Secret plans" in text


def test_titles_are_escaped(client, ed, vera, todo):
    odd = create_card(actor=web(ed), list_id=todo.pk, title="<script>alert(1)</script>")
    assert "<script>" not in asked(client, vera, odd).content.decode()


def test_anything_else_than_ids_finds_nothing(client, vera):
    client.force_login(vera)
    answer = client.get(reverse("linked_cards"), {"card": ["x", "' or 1", ""], "here": "y"}, **SCRIPTED)
    assert (answer.status_code, answer.content) == (200, b"")


def test_too_many_cards_at_once_are_refused(client, vera):
    client.force_login(vera)
    assert client.get(reverse("linked_cards"), {"card": ["x"] * 51}, **SCRIPTED).status_code == 422


def test_more_cards_take_no_more_statements(client, vera, ed, todo):
    def statements(cards):
        with CaptureQueriesContext(connection) as found:
            asked(client, vera, *cards)
        return len(found)

    cards = [create_card(actor=web(ed), list_id=todo.pk, title=str(number)) for number in range(6)]
    statements(cards)
    assert statements(cards[:2]) == statements(cards)


# In the browser


@pytest.mark.django_db(transaction=True)
def test_bare_links_show_the_card_and_others_keep_their_text(opened, live_server, ed, todo, elsewhere, card):
    other = create_card(actor=web(ed), list_id=todo.pk, title="Paint the fence")
    complete_card(actor=web(ed), card_id=other.pk)
    here, away = (f"{live_server.url}{one.get_absolute_url()}" for one in (other, elsewhere))
    update_card(actor=web(ed), card_id=card.pk, description=f"First {here} then [this]({here}), not {away}")
    add_comment(actor=web(ed), card_id=card.pk, text=f"See {here}")
    page = opened(ed, card=card).page
    links = page.locator("[data-part=description] .prose a")
    expect(links.nth(0)).to_have_class("card-link")
    asked = []
    page.on("request", lambda request: asked.append(request.url) if "linked-cards" in request.url else None)
    page.reload()
    expect(links.nth(0)).to_have_text(f"Paint the fence #{other.number} Done")
    expect(links.nth(1)).to_have_text("this")
    expect(links.nth(1)).to_have_attribute("title", f"Paint the fence #{other.number} Done")
    expect(links.nth(2)).to_have_text(away)
    expect(page.locator(".comment .prose a")).to_have_text(f"Paint the fence #{other.number} Done")
    assert len(asked) == 1
    links.nth(0).click()
    expect(page.locator("#card-title")).to_have_text("Paint the fence")
    expect(page).to_have_url(here)
    page.go_back()
    expect(page.locator("#card-title")).to_have_text(card.title)


@pytest.mark.django_db(transaction=True)
def test_more_links_than_one_request_takes_are_all_shown(opened, live_server, ed, todo, card):
    other = create_card(actor=web(ed), list_id=todo.pk, title="Paint the fence")
    here = f"{live_server.url}{other.get_absolute_url()}"
    of_nothing = (f"{here.partition('?')[0]}?card={uuid4()}" for _number in range(50))
    update_card(actor=web(ed), card_id=card.pk, description="\n".join([*of_nothing, here]))
    page = opened(ed, card=card).page
    expect(page.locator("[data-part=description] .prose .card-link")).to_contain_text("Paint the fence")
