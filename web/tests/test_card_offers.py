"""Buttons under the title of a card for what it lacks: its start date, and how it repeats."""

import re
from datetime import date

import pytest
from playwright.sync_api import expect

from boards.actions.cards.card import update_card
from boards.models import Card
from conftest import web
from web.tests.browsing import browser
from web.tests.looking import box


def offered(user, card) -> list[str]:
    page = browser(user).get(card.get_absolute_url()).content.decode()
    [offers] = re.findall(r'<div class="offers.*?</div>', page, re.DOTALL)
    return re.findall(r"data-(start|repeat)>", offers)


def test_a_card_offers_what_it_lacks_and_may_have(ed, card):
    assert offered(ed, card) == ["start"]
    update_card(actor=web(ed), card_id=card.pk, due_day=date(2037, 3, 4))
    assert offered(ed, card) == ["start", "repeat"]
    update_card(actor=web(ed), card_id=card.pk, recurrence="weekly")
    assert offered(ed, card) == ["start"]
    update_card(actor=web(ed), card_id=card.pk, start_day=date(2037, 3, 1))
    assert offered(ed, card) == []


def test_a_viewer_is_offered_nothing(ed, vera, card):
    update_card(actor=web(ed), card_id=card.pk, due_day=date(2037, 3, 4))
    assert offered(vera, card) == []


@pytest.mark.django_db(transaction=True)
def test_the_start_date_is_set_by_keyboard_from_its_button_which_then_goes(opened, ed, card):
    page = opened(ed, card=card).page
    button, field = page.get_by_role("button", name="Start date"), page.locator("#due-menu [name=startDate]")
    button.focus()
    page.keyboard.press("Enter")
    expect(field).to_be_focused()
    page.keyboard.press("Escape")
    expect(field).to_be_hidden()
    expect(button).to_be_focused()
    page.keyboard.press("Enter")
    field.fill("2037-03-01")
    page.keyboard.press("Enter")
    expect(page.locator("#choose-due [data-show=start]")).to_have_count(1)
    expect(button).to_have_count(0)
    expect(page.locator("#choose-due")).to_be_focused()
    assert Card.objects.get(pk=card.pk).start_day == date(2037, 3, 1)


@pytest.mark.django_db(transaction=True)
def test_a_card_that_gets_a_due_date_offers_to_repeat_until_it_does(opened, ed, card):
    page = opened(ed, card=card).page
    button, choice = page.get_by_role("button", name="Repeat"), page.get_by_label("Repeats")
    expect(page.get_by_role("button", name="Start date")).to_be_visible()
    expect(button).to_have_count(0)
    page.locator("#choose-due").click()
    page.get_by_role("button", name="Tomorrow").click()
    button.click()
    expect(choice).to_be_focused()
    choice.select_option("weekly")
    expect(button).to_have_count(0)
    expect(choice).to_be_focused()
    assert Card.objects.get(pk=card.pk).recurrence == "weekly"


@pytest.mark.django_db(transaction=True)
def test_the_buttons_stand_in_the_row_of_those_for_checklist_and_file(show, ed, card):
    update_card(actor=web(ed), card_id=card.pk, due_day=date(2037, 3, 4))
    page = show(card.get_absolute_url(), ed)
    names = ("Attach files", "Add checklist", "Start date", "Repeat")
    row = [page.locator(".main").get_by_text(name, exact=True) for name in names]
    assert len({box(one)["top"] for one in row}) == 1
    page.set_viewport_size({"width": 390, "height": 800})
    expect(row[3]).to_be_hidden()  # the chips offer it
    expect(page.get_by_label("Repeats")).to_be_visible()
