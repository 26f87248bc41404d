"""The order in which Tab goes through what opens over a board."""

from itertools import groupby

import pytest
from playwright.sync_api import expect

from boards.actions.cards.card import create_card
from conftest import web
from web.tests.test_keys import focus_order, press

pytestmark = pytest.mark.django_db(transaction=True)


def test_tab_goes_through_the_cover_colors_in_their_order(opened, ed, card):
    shown = opened(ed)
    shown.tile(card).locator(".title").focus()
    press(shown, "Tab", "Enter")
    shown.page.get_by_role("menuitem", name="Set cover color").click()
    dialog = shown.page.get_by_role("dialog", name="Cover color")
    expect(dialog).to_be_visible()
    names = dialog.locator("button").evaluate_all("all => all.map((one) => one.ariaLabel ?? one.textContent.trim())")
    assert names[1:3] == ["Red", "Orange"]
    assert focus_order(shown, len(names) - 1) == names[1:]


def test_tab_goes_from_the_search_of_a_filter_through_its_choices(opened, ed, card):
    shown = opened(ed)
    press(shown, "f")
    expect(shown.page.locator("#filter-panel [type=search]")).to_be_focused()
    names = focus_order(shown, 6)
    assert (names[0], names[-1]) == ("Me", "Today")


def test_tab_goes_from_the_search_of_the_palette_to_its_close_button_and_round(opened, ed, card):
    shown = opened(ed)
    press(shown, "j", "Control+k")
    expect(shown.page.locator("#command-palette [role=option]:visible").first).to_be_visible()
    assert focus_order(shown, 1) == ["Close"]
    press(shown, "Shift+Tab")
    expect(shown.page.locator("#command-palette input")).to_be_focused()


def test_tab_goes_through_the_dates_of_several_cards_to_the_buttons(opened, ed, todo, card):
    create_card(actor=web(ed), list_id=todo.pk, title="Another")
    shown = opened(ed)
    press(shown, "j", "x", "j", "x", "d")
    expect(shown.page.locator("#due-dialog:modal [name=due]")).to_be_focused()
    stops = focus_order(shown, 13)  # each part of a date and of a time is a stop, also AM and PM
    days = ["Today", "Tomorrow", "Next week"]
    assert [name for name, _same in groupby(stops)] == ["Due date", "Due time", *days, "Save", "Remove date", "Cancel"]
