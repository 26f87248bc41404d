"""Several tiles that are selected and changed together, and the circle that marks one as done, in Chromium."""

import re

import pytest
from playwright.sync_api import expect

from boards.actions.cards.card import create_card
from boards.actions.cards.labels import create_label
from boards.models import Activity, Card
from conftest import web
from taskboard.tests.interception import intercept
from taskboard.tests.waiting import wait_on_page
from web.tests.browsing import SCRIPTED, browser, text_of
from web.tests.held import Held, held_changes
from web.tests.looking import box
from web.tests.open_board import OpenBoard
from web.tests.test_drag import drop, lift, middle, shown_titles, titles

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def cards(todo, doing, olga):
    return [create_card(actor=web(olga), list_id=todo.pk, title=title) for title in "ABCDE"]


def choose(shown: OpenBoard, card, key: str = "Control") -> None:
    """Click the tile with this key: Control toggles it, Shift selects it."""
    tile = shown.tile(card)
    is_selected = key == "Shift" or "selected" not in (tile.get_attribute("class") or "")
    tile.click(modifiers=[key])
    expect(tile).to_contain_class("selected") if is_selected else expect(tile).not_to_contain_class("selected")


def test_tiles_are_selected_by_click_and_key_and_a_bar_says_how_many(opened, ed, cards):
    shown = opened(ed)
    bar, selected = shown.page.locator(".selection"), shown.page.locator(".card.selected")
    choose(shown, cards[0])
    expect(bar.locator("[role=status]")).to_have_text("1 card selected")
    choose(shown, cards[2], "Shift")
    expect(bar.locator("[role=status]")).to_have_text("3 cards selected")
    choose(shown, cards[1])
    shown.tile(cards[4]).locator(".title").focus()
    shown.page.keyboard.press("x")
    expect(selected.locator(".title")).to_have_text(["A #1, selected", "C #3, selected", "E #5, selected"])
    shown.page.keyboard.press("Escape")
    expect(selected).to_have_count(0)
    expect(bar).not_to_be_visible()
    assert len(shown.tabs) == 1


def test_the_bar_sets_a_due_date_on_all_that_are_selected(opened, ed, cards):
    shown = opened(ed)
    for card in (cards[0], cards[3]):
        choose(shown, card)
    shown.page.locator(".selection").get_by_role("button", name="Due date").click()
    expect(shown.page.locator("#due-dialog")).to_contain_text("2 cards selected")
    shown.page.get_by_label("Due date", exact=True).fill("2035-03-01")
    shown.page.keyboard.press("Enter")
    expect(shown.page.locator(".card .due")).to_have_count(2)


def test_selected_tiles_are_dragged_together_and_taken_back_by_one_undo(opened, ed, todo, doing, cards):
    shown = opened(ed)
    held = held_changes(shown.page)
    for card in (cards[3], cards[0]):
        choose(shown, card)
    lift(shown, shown.tile(cards[3]))
    expect(shown.page.locator(".drag-copy")).to_have_attribute("data-number", "2")
    drop(shown, *middle(shown.list(doing)))
    assert (shown_titles(shown, todo), shown_titles(shown, doing)) == ("BCE", "AD")
    before = Activity.objects.count()
    held.let_on()
    wait_on_page(shown.page, lambda: Activity.objects.count() == before + 2)
    expect(shown.page.locator(".card.selected")).to_have_count(2)
    shown.page.keyboard.press("Control+z")
    expect(shown.list(doing).locator(".card")).to_have_count(0)
    assert (titles(todo), shown_titles(shown, todo)) == ("ABCDE", "ABCDE")


def test_selected_cards_are_labelled_assigned_moved_done_and_archived(opened, ed, olga, board, doing, cards):
    create_label(actor=web(olga), board_id=board.pk, name="Bug")
    shown = opened(ed)
    bar, toast = shown.page.locator(".selection"), shown.page.locator(".toast").last
    for card in cards[:2]:
        choose(shown, card)
    for menu, item, words in (
        ("Label", "Bug", "Label added to 2 cards."),
        ("Label", "Remove label Bug", "Label removed from 2 cards."),
        ("Assign", "Olga", "2 cards assigned."),
        ("Move", "Doing", "2 cards moved to Doing"),
    ):
        bar.locator("summary", has_text=menu).click()
        bar.get_by_role("button", name=item).first.click()
        expect(toast).to_contain_text(words)
        assert box(toast)["bottom"] < box(bar)["top"]
    shown.page.keyboard.press("d")
    dates = shown.page.get_by_role("dialog", name="Set due date")
    expect(dates).to_have_accessible_description("2 cards selected")
    dates.get_by_label("Due date").fill("2030-01-31")
    dates.get_by_role("button", name="Save").click()
    expect(toast).to_contain_text("Due date set on 2 cards.")
    bar.get_by_role("button", name="Mark as done").click()
    expect(shown.list(doing).locator(".card.done.selected")).to_have_count(2)
    reopen = bar.get_by_role("button", name="Reopen")
    expect(reopen).to_be_focused()
    reopen.click()
    expect(shown.list(doing).locator(".card.done")).to_have_count(0)
    bar.get_by_role("button", name="Mark as done").click()
    expect(reopen).to_be_visible()
    bar.get_by_role("button", name="Archive").click()
    expect(toast).to_contain_text("2 cards archived.")
    expect(bar).not_to_be_visible()
    card = Card.objects.get(pk=cards[0].pk)
    assert (card.list, card.completed_at is not None, list(card.assignees.all())) == (doing, True, [olga])


def test_a_menu_of_the_bar_lies_above_the_message_of_the_last_change(opened, ed, doing, cards):
    shown = opened(ed)
    bar = shown.page.locator(".selection")
    choose(shown, cards[0])
    opener, menu = bar.locator("summary", has_text="Move"), bar.locator("details[open] > .items")
    message = shown.page.locator(".toast")
    opener.click()
    menu.get_by_role("button", name="Doing").click()
    expect(message).to_contain_text("Moved to Doing")
    opener.click()
    expect(menu).to_be_visible()
    over, under = box(menu), box(message)
    x = (max(over["left"], under["left"]) + min(over["right"], under["right"])) / 2
    y = (max(over["top"], under["top"]) + min(over["bottom"], under["bottom"])) / 2
    assert over["top"] < y < over["bottom"]
    assert shown.page.evaluate("([x, y]) => document.elementFromPoint(x, y).closest('.items') !== null", [x, y])


def test_the_menus_hold_the_lists_labels_and_people_of_the_board(vera, olga, board, todo):
    create_label(actor=web(olga), board_id=board.pk, name="Bug")
    answer = browser(vera).get(f"/board/{board.pk}/cards", **SCRIPTED)
    for words in ("To do", "Bug", "Olga", "Ed", "Vera"):
        assert words in text_of(answer)
    assert browser(vera).get(f"/board/{board.pk}/cards").url == board.get_absolute_url()


def test_menus_of_the_bar_that_did_not_come_are_asked_for_again_with_the_next_tile(opened, ed, cards):
    shown = opened(ed)
    intercept(shown.page, re.compile("/board/[^/]+/cards$"), lambda route: route.abort(), times=1)
    choose(shown, cards[0])
    expect(shown.page.locator(".toasts")).to_contain_text("Could not reach the server.")
    choose(shown, cards[1])
    expect(shown.page.locator(".selection summary", has_text="Move")).to_be_visible()


def test_a_viewer_selects_nothing(opened, vera, cards):
    shown = opened(vera)
    with shown.page.context.expect_page() as tab:
        shown.tile(cards[0]).click(modifiers=["Control"])
    tab.value.close()
    expect(shown.page.locator(".card.selected")).to_have_count(0)


def test_a_circle_on_the_tile_marks_its_card_as_done_at_once(opened, ed, cards):
    shown = opened(ed)
    held = held_changes(shown.page)
    shown.tile(cards[0]).hover()
    shown.tile(cards[0]).get_by_role("button", name="Mark as done").click()
    expect(shown.tile(cards[0])).to_have_class(re.compile("done"))
    held.let_on()
    expect(shown.page.locator(".toast")).to_contain_text("Marked as done.")
    assert Card.objects.get(pk=cards[0].pk).completed_at
    shown.tile(cards[1]).hover()
    expect(shown.page.locator(".done-circle")).to_have_count(1)
    shown.tile(cards[0]).hover()
    shown.tile(cards[0]).get_by_role("button", name="Reopen").click()
    held.let_on()
    expect(shown.page.locator(".toast").last).to_contain_text("Reopened.")


def test_the_first_click_with_ctrl_selects_even_if_what_selects_comes_late(opened, ed, cards):
    shown = opened(ed)
    held = Held(shown.page, "**/selection.js")
    shown.tile(cards[0]).click(modifiers=["Control"])
    expect(shown.page.locator(".card.selected")).to_have_count(0)
    held.let_on()
    expect(shown.page.locator(".card.selected")).to_have_count(1)
    assert len(shown.tabs) == 1


def test_keys_that_come_before_what_selects_are_done_in_their_order(opened, ed, todo, cards):
    shown = opened(ed)
    held = Held(shown.page, "**/selection.js")
    for key in "jxjxe":
        shown.page.keyboard.press(key)
    assert titles(todo) == "ABCDE"
    held.let_on()
    expect(shown.list(todo).locator(".card")).to_have_count(3)
    assert titles(todo) == "CDE"


def test_fingers_reach_the_menu_the_circle_and_several_tiles(opened, ed, olga, todo, doing, cards):
    shown = opened(ed, touch=True)
    tile, bar = shown.tile(cards[0]), shown.page.locator(".selection")
    for name in ("Actions for A", "Mark as done"):
        at = box(tile.get_by_role("button", name=name))
        assert (at["right"] - at["left"], at["bottom"] - at["top"]) == (44, 44)
    # The first thing on the page: what hears it has not been loaded yet.
    tile.get_by_role("button", name="Mark as done").tap()
    expect(shown.page.locator(".toast")).to_contain_text("Marked as done.")
    shown.tell(cards[0])
    expect(tile.get_by_role("button", name="Reopen")).to_be_visible()
    tile.get_by_role("button", name="Actions for A").tap()
    shown.page.get_by_role("menuitem", name="Select card").tap()
    expect(bar.locator("[role=status]")).to_have_text("1 card selected")
    for card in (cards[1], cards[2], cards[1]):
        shown.tile(card).locator(".title").tap()
    shown.tile(cards[3]).get_by_role("button", name="Mark as done").tap()  # is part of the tile while it selects
    expect(bar.locator("[role=status]")).to_have_text("3 cards selected")
    bar.get_by_role("button", name="Archive").tap()
    expect(shown.page.locator(".toast").last).to_contain_text("3 cards archived.")
    assert titles(todo) == "BE"
    shown.tile(cards[1]).locator(".title").tap()
    expect(shown.page.locator("#open-card")).to_be_visible()


def test_fingers_of_viewers_have_a_menu_and_no_circle(opened, vera, cards):
    shown = opened(vera, touch=True)
    expect(shown.tile(cards[0]).get_by_role("button", name="Actions for A")).to_be_visible()
    expect(shown.page.locator(".done-circle:visible")).to_have_count(0)
