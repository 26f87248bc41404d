"""The message bar of a board, in Chromium: one message, what it says, and how long it stays."""

import re

import pytest
from playwright.sync_api import expect

from boards.actions.cards.archive import archive_card
from boards.actions.cards.card import create_card
from conftest import web
from taskboard.tests.axe import complaints
from web.tests.looking import box
from web.tests.open_board import OpenBoard

pytestmark = pytest.mark.django_db(transaction=True)


def message(shown: OpenBoard):
    return shown.page.locator(".toast")


def fail(shown: OpenBoard) -> None:
    shown.page.evaluate("import('/static/js/kit/toasts.js').then(({ showError }) => showError('It failed.'))")
    expect(message(shown)).to_contain_text("It failed.")


def test_archiving_by_a_key_names_the_card_and_offers_to_undo_it(opened, ed, card):
    shown = opened(ed)
    shown.tile(card).hover()
    shown.page.keyboard.press("e")
    expect(message(shown).locator("span")).to_have_text("“Write the announcement” · Archived.")
    message(shown).get_by_role("button", name="Undo").click()
    expect(shown.tile(card)).to_have_count(1)


def test_a_long_title_is_cut_in_a_message(opened, ed, todo):
    long = create_card(actor=web(ed), list_id=todo.pk, title="Word " * 90)
    shown = opened(ed)
    shown.tile(long).hover()
    shown.page.keyboard.press("e")
    expect(message(shown).locator("span")).to_have_text(re.compile(r"^“(Word )+.{0,4}…” · Archived\.$"))
    assert len(message(shown).locator("span").inner_text()) < 80


def test_the_newest_message_replaces_the_one_before(opened, ed, todo, card):
    other = create_card(actor=web(ed), list_id=todo.pk, title="Other")
    shown = opened(ed)
    for archived in (card, other):
        shown.tile(archived).hover()
        shown.page.keyboard.press("e")
        expect(message(shown)).to_contain_text(f"“{archived.title}” · Archived.")
        expect(message(shown)).to_have_count(1)


def test_an_error_stays_until_it_is_closed_and_is_told_at_once(opened, ed, card):
    shown = opened(ed, clock=True)
    fail(shown)
    shown.page.clock.run_for(60_000)
    expect(shown.page.get_by_role("alert")).to_contain_text("It failed.")
    message(shown).get_by_role("button", name="Close").click()
    shown.page.clock.run_for(1000)
    expect(message(shown)).to_have_count(0)


def test_a_message_that_still_has_the_focus_waits_after_the_pointer_left(opened, ed, card):
    shown = opened(ed, clock=True)
    shown.tile(card).hover()
    shown.page.keyboard.press("c")
    message(shown).get_by_role("button", name="Undo").focus()
    message(shown).hover()
    shown.page.mouse.move(0, 0)
    shown.page.clock.run_for(60_000)
    expect(message(shown)).to_be_visible()
    shown.page.evaluate("document.activeElement.blur()")
    shown.page.clock.run_for(9000)
    expect(message(shown)).to_have_count(0)


def test_what_an_answer_says_twice_is_one_message_with_its_button(opened, ed, card):
    shown = opened(ed)
    shown.page.goto(f"{card.board.get_absolute_url()}?done=0")
    expect(shown.page.locator("main[data-wired]")).to_be_visible()
    shown.tile(card).hover()
    shown.page.keyboard.press("c")
    expect(message(shown)).to_have_count(1)
    expect(message(shown)).to_contain_text(
        "The card doesn't match the filter and is hidden. · “Write the announcement”"
    )
    message(shown).get_by_role("button", name="Undo").click()
    expect(shown.tile(card)).to_have_count(1)


def test_the_archive_links_to_what_was_restored_and_restores_a_second_card(show, ed, board, todo, card):
    other = create_card(actor=web(ed), list_id=todo.pk, title="Other")
    for archived in (card, other):
        archive_card(actor=web(ed), card_id=archived.pk)
    page = show(f"/board/{board.pk}/archive", ed, wired="")
    for restored in (card, other):
        page.get_by_role("button", name=f"Restore {restored.title}").click()
        expect(page.locator(".toast > span")).to_have_text(f"“{restored.title}” · Restored.")
    page.locator(".toast").get_by_role("link", name="Open card").click()
    expect(page).to_have_url(re.compile(f"card={other.pk}"))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_bar_is_above_the_foot_of_a_phone_and_can_be_read(show, ed, card, axe, theme):
    page = show(card.board.get_absolute_url(), ed, width=360, height=740, theme=theme)
    page.evaluate("document.documentElement.style.setProperty('--foot', '56px')")
    page.evaluate("import('/static/js/kit/toasts.js').then(({ showError }) => showError('It failed.'))")
    expect(page.locator(".toast")).to_be_visible()
    assert box(page.locator(".toast"))["bottom"] <= 740 - 56
    assert complaints(page) == []
