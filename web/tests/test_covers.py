"""The cover colour of a card: on its tile, in its dialog, for several cards at once."""

import re
from datetime import date

import pytest
from django.template.loader import render_to_string
from django.utils import translation
from playwright.sync_api import expect

from boards.actions.cards.archive import archive_card
from boards.actions.cards.card import create_card, update_card
from boards.actions.undo import undo_change
from boards.errors import Invalid
from boards.models import Card
from boards.reading import history
from boards.tests.world import last
from conftest import web
from web.tests.browsing import SCRIPTED, browser, text_of


@pytest.fixture
def second(olga, todo):
    return create_card(actor=web(olga), list_id=todo.pk, title="Second")


def test_a_cover_is_recorded_by_its_name_and_taken_back(ed, card, board):
    actor = web(ed)
    update_card(actor=actor, card_id=card.pk, cover_hue=4)
    [line] = history.lines(board.activities.filter(version=last(board).version))
    assert line.details == ["Cover color: – → Green"]
    undo_change(actor=actor, board_id=board.pk, number=last(board).version)
    assert Card.objects.get(pk=card.pk).cover_hue is None


@pytest.mark.parametrize("hue", [0, 13, -1])
def test_a_cover_is_one_of_the_twelve_colours(ed, card, hue):
    with pytest.raises(Invalid, match="number from 1 to 12"):
        update_card(actor=web(ed), card_id=card.pk, cover_hue=hue)


def test_the_next_occurrence_has_the_cover(ed, card):
    values = {"due_day": date(2030, 1, 31), "recurrence": "weekly", "cover_hue": 2}
    update_card(actor=web(ed), card_id=card.pk, **values)
    assert archive_card(actor=web(ed), card_id=card.pk).next.cover_hue == 2


def test_forms_set_the_cover_of_one_card_and_of_several(ed, board, card, second):
    client = browser(ed)
    answer = client.post(f"/card/{card.pk}/cover", {"cover": "3"}, **SCRIPTED)
    assert '<div class="cover hue-3" role="img" aria-label="Cover color: Yellow">' in answer.content.decode()
    both = client.post(f"/board/{board.pk}/cards", {"card": [card.pk, second.pk], "cover": "5"}, **SCRIPTED)
    assert "Cover set on 2 cards." in text_of(both)
    assert {*Card.objects.values_list("cover_hue", flat=True)} == {5}
    client.post(f"/board/{board.pk}/cards", {"card": [card.pk, second.pk], "cover": ""}, **SCRIPTED)
    assert {*Card.objects.values_list("cover_hue", flat=True)} == {None}


def test_a_picture_on_a_cover_is_not_called_a_picture_of_a_person():
    with translation.override("de"):
        shown = render_to_string("web/partials/card/card_cover_name.html", {"card": {"cover_attachment_id": 1}})
    assert ">Bild<" in shown


@pytest.mark.parametrize("sent", ["13", "0", "red", "-1"])
def test_a_cover_that_is_no_colour_is_refused_in_words(ed, board, card, sent):
    for address, form in ((f"/card/{card.pk}/cover", {}), (f"/board/{board.pk}/cards", {"card": card.pk})):
        answer = browser(ed).post(address, {**form, "cover": sent}, **SCRIPTED)
        assert answer.status_code == 422
        assert "Cover color must be a number from 1 to 12." in text_of(answer)


@pytest.mark.django_db(transaction=True)
def test_a_cover_is_chosen_in_the_menu_of_a_tile_and_in_the_open_card(opened, ed, card, second):
    shown = opened(ed)
    cover = shown.tile(card).locator(".cover")
    shown.tile(card).hover()
    shown.page.get_by_role("button", name=f"Actions for {card.title}").click()
    shown.page.get_by_role("menuitem", name="Set cover color").click()
    dialog = shown.page.get_by_role("dialog", name="Cover color")
    dialog.get_by_role("button", name="Green").click()
    expect(dialog).to_be_hidden()
    expect(cover).to_have_class(re.compile("hue-4"))

    shown.tile(card).locator(".title").click()
    shown.page.locator("#choose-cover").click()
    expect(shown.page.locator("#cover-4")).to_have_attribute("aria-pressed", "true")
    shown.page.locator("#cover-1").click()
    expect(shown.page.locator("[data-part=cover] .cover-name")).to_have_text("Red")
    expect(cover).to_have_class(re.compile("hue-1"))
    shown.page.locator("#no-cover").click()
    expect(cover).to_have_count(0)
    expect(shown.page.locator("[data-part=cover] .none")).to_be_visible()
