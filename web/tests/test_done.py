"""The button "Done" of an open card, in Chromium: it shows at once what the server has not agreed to yet."""

import re
from datetime import date

import pytest
from playwright.sync_api import expect

from boards.actions.cards.archive import archive_card
from boards.actions.cards.card import complete_card, create_card, reopen_card, update_card
from boards.actions.cards.comments import add_comment
from boards.models import Card
from conftest import web
from web.tests.held import held_changes
from web.tests.looking import box, style

pytestmark = pytest.mark.django_db(transaction=True)


def expect_done(shown, card, is_done: bool) -> None:
    """Expect the button, the title and the tile of the open card to say so."""
    button = shown.page.locator("#completion")
    expect(button).to_have_accessible_name("Reopen" if is_done else "Mark as done")
    expect(button.locator(".icon")).to_have_css("opacity", "1" if is_done else "0")
    expect(shown.page.locator("#card-title")).to_have_class("done" if is_done else "")
    expect(shown.tile(card)).to_have_class(re.compile(r"\bdone\b" if is_done else r"^(?!.*\bdone\b)"))


def is_done(card) -> bool:
    return Card.objects.get(pk=card.pk).completed_at is not None


@pytest.fixture
def pressed(opened, ed, card):
    """Ed's page after a click on the button, and the request that waits."""
    shown = opened(ed, card=card)
    held = held_changes(shown.page)
    shown.page.locator("#completion").click()
    shown.page.mouse.move(0, 0)  # a button under the pointer has a check anyway
    return shown, held


def test_a_card_is_shown_as_done_at_once_and_again_as_open(pressed, card):
    shown, held = pressed
    expect_done(shown, card, True)
    held.wait_for(1)
    assert not is_done(card)
    held.let_on()
    expect(shown.page.locator(".toast")).to_contain_text("Marked as done.")
    expect(shown.page.locator(".stamp")).to_contain_text("Done")
    expect_done(shown, card, True)
    assert is_done(card)
    shown.page.locator("#completion").click()
    shown.page.mouse.move(0, 0)
    expect_done(shown, card, False)
    expect(shown.page.locator(".stamp")).to_be_hidden()
    held.let_on()
    expect(shown.page.locator(".toast").last).to_contain_text("Reopened.")
    expect_done(shown, card, False)
    assert not is_done(card)


@pytest.mark.parametrize("key", ["Enter", "Space", "c"])
def test_the_focus_stays_on_the_button_and_keys_do_the_same(opened, ed, card, key):
    shown = opened(ed, card=card)
    held = held_changes(shown.page)
    button = shown.page.locator("#completion")
    button.press(key)
    expect_done(shown, card, True)
    expect(button).to_be_focused()
    held.let_on()
    expect(shown.page.locator(".stamp")).to_be_visible()
    expect(button).to_be_focused()
    expect_done(shown, card, True)


def test_what_is_refused_is_taken_back_with_the_words_of_the_refusal(pressed, olga, card):
    shown, held = pressed
    archive_card(actor=web(olga), card_id=card.pk)
    held.let_on()
    expect(shown.page.locator(".toast")).to_contain_text("This card is archived.")
    expect_done(shown, card, False)


def test_two_presses_of_which_none_reaches_the_server_leave_it_as_it_was(pressed, card):
    shown, held = pressed
    shown.page.locator("#completion").click()
    shown.page.mouse.move(0, 0)
    expect_done(shown, card, False)
    held.next().abort()
    held.next().abort()
    expect(shown.page.locator(".toast")).to_contain_text("Could not reach the server.")
    expect(shown.page.locator("[data-ahead]")).to_have_count(0)
    expect_done(shown, card, False)


@pytest.mark.parametrize("is_accepted", [True, False])
def test_what_others_change_meanwhile_is_shown_around_it(pressed, olga, card, is_accepted):
    shown, held = pressed
    update_card(actor=web(olga), card_id=card.pk, title="Another title")
    add_comment(actor=web(olga), card_id=card.pk, text="Olga has a word")
    shown.tell(card)
    expect(shown.page.locator("#card-title")).to_have_text("Another title")
    expect(shown.page.locator("article.comment")).to_contain_text("Olga has a word")
    expect_done(shown, card, True)
    held.let_on() if is_accepted else held.next().abort()
    expect(shown.page.locator(".toast")).to_be_visible()
    expect_done(shown, card, is_accepted)
    expect(shown.tile(card)).to_contain_text("Another title")
    assert is_done(card) is is_accepted


def test_somebody_who_reopens_it_before_the_answer_has_come_has_the_last_word(pressed, olga, card):
    shown, held = pressed
    request = held.next()
    answer = request.fetch()
    reopen_card(actor=web(olga), card_id=card.pk)
    with shown.page.expect_response(re.compile("[?]since=")):
        shown.tell(card)
    expect_done(shown, card, True)
    request.fulfill(response=answer)
    expect_done(shown, card, False)


def test_a_card_that_somebody_else_finished_stays_done_where_the_own_press_is_lost(pressed, olga, card):
    shown, held = pressed
    complete_card(actor=web(olga), card_id=card.pk)
    shown.tell(card)
    expect(shown.page.locator(".stamp")).to_be_visible()
    held.next().abort()
    expect(shown.page.locator(".toast")).to_contain_text("Could not reach the server.")
    expect_done(shown, card, True)


def test_a_card_that_is_closed_and_opened_again_meanwhile_is_still_shown_as_done(pressed, card):
    shown, held = pressed
    shown.page.keyboard.press("Escape")
    expect(shown.page.locator("dialog:modal")).to_have_count(0)
    shown.tile(card).locator(".title").click()
    expect_done(shown, card, True)
    held.let_on()
    expect(shown.page.locator(".toast")).to_contain_text("Marked as done.")
    expect_done(shown, card, True)


def test_a_card_that_is_opened_after_a_press_on_its_tile_is_shown_as_done(opened, ed, card):
    shown = opened(ed)
    held = held_changes(shown.page)
    shown.tile(card).hover()
    shown.tile(card).get_by_role("button", name="Mark as done").click()
    held.wait_for(1)
    shown.tile(card).locator(".title").click()
    expect_done(shown, card, True)
    held.let_on()
    expect(shown.page.locator(".toast")).to_contain_text("Marked as done.")
    expect(shown.page.locator("[data-ahead]")).to_have_count(0)
    expect_done(shown, card, True)


def test_undo_takes_it_back(pressed, card):
    shown, held = pressed
    held.let_on()
    shown.page.locator(".toast").get_by_role("button", name="Undo").click()
    expect(shown.page.locator(".toast").last).to_contain_text("Undone")
    expect_done(shown, card, False)
    assert not is_done(card)


def test_ctrl_z_before_the_answer_takes_back_this_and_not_what_was_before(opened, ed, card):
    shown = opened(ed, card=card)
    shown.page.get_by_label("Edit title").click()
    shown.page.get_by_label("Card title").fill("Mine")
    shown.page.keyboard.press("Enter")
    expect(shown.page.locator("#card-title")).to_have_text("Mine")
    held = held_changes(shown.page)
    shown.page.locator("#completion").click()
    shown.page.mouse.move(0, 0)
    expect_done(shown, card, True)
    shown.page.keyboard.press("Control+z")
    held.let_on()
    expect(shown.page.locator(".toast").last).to_contain_text("Undone")
    expect_done(shown, card, False)
    expect(shown.page.locator("#card-title")).to_have_text("Mine")
    assert not is_done(card)


def test_a_done_tile_under_the_pointer_shows_one_check(opened, ed, card):
    complete_card(actor=web(ed), card_id=card.pk)
    shown = opened(ed)
    tile = shown.tile(card)
    sign, height = tile.locator(".fact.met > .icon"), box(tile)
    expect(sign).to_be_visible()
    tile.hover()
    expect(tile.locator(".done-circle .icon")).to_be_visible()
    expect(sign).to_be_hidden()
    assert box(tile) == height
    shown.page.locator(".boardbar h1").hover()
    shown.page.keyboard.down("Alt")  # takes the circle away
    expect(sign).to_be_visible()


def test_fingers_see_the_date_of_a_card_that_is_done(opened, ed, card):
    update_card(actor=web(ed), card_id=card.pk, due_day=date(2037, 3, 4))
    complete_card(actor=web(ed), card_id=card.pk)
    shown = opened(ed, touch=True)
    due = shown.tile(card).locator(".due")
    expect(shown.page.locator("html.touched")).to_be_visible()
    expect(due).to_contain_text("Mar 4, 2037")
    assert style(due, "clip-path") == "none"


def test_fingers_see_no_line_for_the_sign_that_the_circle_of_a_done_card_is(opened, ed, todo, card):
    other = create_card(actor=web(ed), list_id=todo.pk, title=card.title)
    complete_card(actor=web(ed), card_id=card.pk)
    shown = opened(ed, touch=True)
    expect(shown.page.locator("html.touched")).to_be_visible()
    done, undone = box(shown.tile(card)), box(shown.tile(other))
    assert done["bottom"] - done["top"] == undone["bottom"] - undone["top"]
