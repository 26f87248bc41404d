"""The saved filters of a board on its table."""

import re

import pytest
from playwright.sync_api import expect

from boards.actions.boards.board_views import save_filter
from boards.actions.cards.card import complete_card
from boards.models import BoardView
from conftest import web
from web.tests.browsing import browser
from web.tests.looking import is_in_window

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_filter_is_saved_applied_and_deleted_on_the_table(show, ed, olga, board, card):
    complete_card(actor=web(olga), card_id=card.pk)
    page = show(f"/board/{board.pk}/table?done=1", ed)
    menu, saved = page.locator(".filter-menu > summary"), page.locator(".saved-filters .apply")
    page.evaluate("window.isSame = true")
    menu.click()
    page.get_by_text("Save filter…").click()
    page.get_by_label("Filter name").fill("Finished")
    page.keyboard.press("Enter")
    expect(saved).to_have_text("Finished")
    expect(saved).to_have_attribute("aria-current", "true")
    assert page.evaluate("window.isSame")
    page.goto(f"/board/{board.pk}/table?done=0")
    menu.click()
    saved.click()
    page.wait_for_url(f"**/board/{board.pk}/table?done=1")
    expect(page.locator("#table-rows .title")).to_have_count(1)
    menu.click()
    page.get_by_label("delete filter Finished").click()
    page.get_by_role("button", name="Delete", exact=True).click()
    expect(saved).to_have_count(0)
    page.locator(".toast").get_by_role("button", name="Undo").click()
    expect(page.locator(".toast")).to_contain_text("“Finished” was restored")
    assert BoardView.objects.get(user=ed).filters == {"Finished": "done=1"}


@pytest.mark.parametrize("path", ["/board/{}/table", "/my/table"])
def test_a_saved_filter_leaves_the_table_its_order(show, ed, board, card, path):
    page = show(f"{path.format(board.pk)}?q=roof&sort=-title", ed)
    menu, saved = page.locator(".filter-menu > summary"), page.locator(".saved-filters .apply")
    menu.click()
    page.get_by_text("Save filter…").click()
    page.get_by_label("Filter name").fill("Roofs")
    page.keyboard.press("Enter")
    expect(saved).to_have_attribute("href", re.compile("q=roof&sort=-title$"))
    page.goto(f"{path.format(board.pk)}?sort=-number")
    menu.click()
    saved.click()
    page.wait_for_url("**q=roof&sort=-number")


def test_a_table_without_a_filter_offers_none_to_save(show, ed, board, card):
    save_filter(actor=web(ed), board_id=board.pk, name="Finished", query="done=1", replace=False)
    page = show(f"/board/{board.pk}/table", ed)
    page.locator(".filter-menu > summary").click()
    expect(page.locator(".saved-filters .apply")).to_be_visible()
    expect(page.get_by_text("Save filter…")).to_be_hidden()


def test_a_click_on_words_in_a_menu_keeps_it_open_and_one_beside_it_closes_it(show, ed, board, card):
    page = show(f"/board/{board.pk}/table", ed)
    page.keyboard.press("f")
    page.locator(".filter-menu .pick > span", has_text="Not done").click()
    expect(page.get_by_label("Not done")).to_be_checked()
    expect(page.get_by_label("Not done")).to_be_visible()
    page.locator("main").click(position={"x": 10, "y": 600})
    expect(page.get_by_label("Not done")).to_be_hidden()


def test_what_was_chosen_and_not_applied_is_forgotten_when_the_menu_closes(show, ed, board, card):
    page = show(f"/board/{board.pk}/table", ed)
    page.keyboard.press("f")
    page.get_by_label("Not done").check()
    page.keyboard.press("Escape")
    expect(page.get_by_label("Not done")).to_be_hidden()
    page.keyboard.press("f")
    expect(page.get_by_label("Not done")).not_to_be_checked()


def test_it_is_forgotten_too_where_the_menu_opens_again_at_once(show, ed, board, card):
    page = show(f"/board/{board.pk}/table", ed)
    page.keyboard.press("f")
    page.get_by_label("Not done").check()
    page.evaluate(
        """() => {
          for (const key of ["Escape", "f"])
            document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }))
        }"""
    )
    expect(page.get_by_label("Not done")).to_be_visible()
    expect(page.get_by_label("Not done")).not_to_be_checked()


def test_the_form_shows_the_filter_of_the_page_that_one_goes_back_to(show, ed, board, card):
    page = show(f"/board/{board.pk}/table", ed)
    page.keyboard.press("f")
    page.get_by_label("Not done").check()
    page.locator("#filter-text").press("Enter")
    page.wait_for_url("**done=0")
    page.go_back()
    page.wait_for_url("**/table")
    expect(page.get_by_label("Not done", exact=True)).not_to_be_checked()


def test_on_a_small_phone_the_menu_is_in_the_window(show, ed, board, card):
    page = show(f"/board/{board.pk}/table?done=0", ed)
    page.set_viewport_size({"width": 360, "height": 740})
    page.locator(".filter-menu > summary").click()
    assert is_in_window(page.locator(".filter-menu > .items"))


def test_without_scripts_a_filter_is_saved_from_the_table_and_leads_back_to_it(ed, board, card):
    address = f"http://testserver/board/{board.pk}/table?done=0"
    form = {"name": "Open", "query": "done=0"}
    answer = browser(ed).post(f"/board/{board.pk}/filters", form, HTTP_REFERER=address)
    assert answer.headers["Location"] == f"/board/{board.pk}/table?done=0"
    html = browser(ed).get(address).content.decode()
    assert 'href="?done=0"' in html
