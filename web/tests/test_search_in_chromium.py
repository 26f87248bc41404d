"""The search in Chromium: the field of the head and its key, results while somebody types, and the keys of results."""

import re

import pytest
from playwright.sync_api import Page, expect

from boards.actions.cards.card import create_card
from conftest import web
from taskboard.tests.browsers import wait_until_wired
from web.tests.held import Held

pytestmark = pytest.mark.django_db(transaction=True)

HEAD = ".topbar > .jump > input"
PALETTE = "#command-palette"  # whose script hears the key


@pytest.fixture
def flyers(olga, todo):
    """Three cards, of which the last one is the best match for *flyer*."""
    return [create_card(actor=web(olga), list_id=todo.pk, title=title) for title in ("Draw a flyer", "Poster", "Flyer")]


def results(page: Page):
    return page.locator("#search-results .title")


def test_the_key_goes_to_the_field_of_every_head_and_enter_twice_opens_the_best_match(show, ed, board, flyers):
    page = show("/help", ed, wired=PALETTE)
    page.keyboard.press("/")
    expect(page.locator(HEAD)).to_be_focused()
    page = show(board.get_absolute_url(), ed, wired=PALETTE)
    page.keyboard.press("/")
    expect(page.locator(HEAD)).to_be_focused()
    page.keyboard.type("flyer/c")
    expect(page.locator(HEAD)).to_have_value("flyer/c")
    page.locator(HEAD).fill("flyer")
    page.keyboard.press("Enter")
    expect(results(page).first).to_have_text("Flyer")
    expect(results(page).first).to_be_focused()
    wait_until_wired(page, PALETTE)
    page.keyboard.press("/")
    expect(page.locator("#search-field")).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("#open-card h1")).to_have_text("Flyer")


def test_on_a_phone_the_foot_leads_to_the_search(show, ed, board, flyers):
    page = show(board.get_absolute_url(), ed, width=390)
    expect(page.locator(HEAD)).to_be_hidden()
    page.locator(".topbar").get_by_role("link", name="Search").click()
    expect(page.locator("#search-field")).to_be_focused()


def test_results_follow_what_is_typed_and_the_newest_answer_wins(show, ed, flyers):
    page = show("/search", ed)
    status, field = page.locator(".search-form").get_by_role("status"), page.locator("#search-field")
    field.fill("flyer")
    expect(results(page)).to_have_text(["Flyer", "Draw a flyer"])
    expect(status).to_have_text("2 results")
    expect(page).to_have_url(re.compile(r"/search\?q=flyer$"))
    expect(page).to_have_title("flyer · Search · Taskboard")
    held = Held(page, re.compile("q=flye$"), most=1)
    field.fill("flye")
    held.wait_for(1)
    with page.expect_event("requestfailed") as ended:
        field.fill("poster")
    assert ended.value.url.endswith("q=flye")
    expect(results(page)).to_have_text(["Poster"])
    field.fill("posters")
    expect(status).to_have_text("No results")
    page.get_by_label("With archived").check()
    expect(page).to_have_url(re.compile(r"q=posters&archived=1$"))
    field.fill("")
    expect(page.locator("#search-results")).to_contain_text("Search titles")


def test_arrows_go_through_the_results_and_escape_returns_to_the_field(show, ed, flyers):
    page = show("/search?q=flyer", ed)
    expect(results(page).first).to_be_focused()
    for key, place in (("ArrowDown", 1), ("ArrowDown", 1), ("k", 0), ("j", 1)):
        page.keyboard.press(key)
        expect(results(page).nth(place)).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#search-field")).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    expect(page.locator("#search-field")).to_be_focused()


def test_at_the_limit_the_page_says_how_long_to_wait_and_keeps_its_results(show, ed, flyers, settings):
    settings.LIMITS = {**settings.LIMITS, "search": "1/d"}
    page = show("/search?q=flyer", ed)
    page.locator("#search-field").fill("poster")
    expect(page.locator(".search-form").get_by_role("status")).to_have_text(re.compile("^Too many requests. Wait"))
    expect(results(page)).to_have_text(["Flyer", "Draw a flyer"])
