"""Moving the items of a card's checklists, and making one a card, in Chromium."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from boards.actions.cards.checklists import add_item, create_checklist, delete_item, move_item
from boards.actions.ordering import BOTTOM
from boards.models import Card, Checklist
from conftest import web
from taskboard.tests.waiting import wait_on_page
from web.tests.looking import box
from web.tests.open_board import OpenBoard

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def steps(card, ed) -> Checklist:
    steps = create_checklist(actor=web(ed), card_id=card.pk, title="Steps")
    for text in "ABC":
        add_item(actor=web(ed), checklist_id=steps.pk, text=text)
    return steps


@pytest.fixture
def later(card, steps, ed) -> Checklist:
    later = create_checklist(actor=web(ed), card_id=card.pk, title="Later")
    add_item(actor=web(ed), checklist_id=later.pk, text="X")
    return later


def texts(checklist: Checklist) -> str:
    return "".join(checklist.items.order_by("position").values_list("text", flat=True))


def saved(page: Page, checklist: Checklist, expected: str) -> None:
    wait_on_page(page, lambda: texts(checklist) == expected, lambda: texts(checklist))


def items(page: Page, checklist: Checklist) -> Locator:
    return page.locator(f"[data-part=items-{checklist.pk}] > .item > .text")


def item(page: Page, text: str) -> Locator:
    return page.locator("#open-card .item").filter(has=page.locator(f"> .text:text-is('{text}')"))


def open_card(opened, user, card: Card) -> OpenBoard:
    shown = opened(user, card=card)
    expect(shown.page.locator("[data-part=checklist-list][data-wired]")).to_be_attached()
    return shown


def test_an_item_is_dragged_to_a_place_in_another_checklist(opened, ed, card, steps, later):
    page = open_card(opened, ed, card).page
    start, end = box(item(page, "A").locator(".text")), box(item(page, "X"))
    page.mouse.move(start["left"] + 20, (start["top"] + start["bottom"]) / 2)
    page.mouse.down()
    page.mouse.move(start["left"] + 24, start["bottom"] + 8)
    expect(page.locator("#card-dialog > .drag-copy")).to_be_visible()
    page.mouse.move(start["left"] + 24, end["bottom"] - 2)
    page.mouse.up()
    expect(items(page, later)).to_have_text(["X", "A"])
    saved(page, later, "XA")
    expect(items(page, steps)).to_have_text(["B", "C"])
    expect(page.locator("details.edit[open]")).to_have_count(0)  # letting go was no click on the text


def test_alt_and_an_arrow_move_the_focused_item_over_the_end_of_its_checklist(opened, ed, card, steps, later):
    page = open_card(opened, ed, card).page
    tick = item(page, "B").get_by_role("checkbox")
    tick.focus()
    page.keyboard.press("Alt+ArrowDown")
    expect(items(page, steps)).to_have_text(["A", "C", "B"])
    page.keyboard.press("Alt+ArrowDown")
    expect(items(page, later)).to_have_text(["B", "X"])
    expect(page.locator("#card-dialog > .visually-hidden[role=status]")).to_have_text("Moved to Later, 1 of 2")
    saved(page, later, "BX")
    expect(tick).to_be_focused()


def test_what_others_move_is_moved_on_an_open_card_while_a_text_is_being_written(opened, olga, ed, card, steps):
    shown = open_card(opened, ed, card)
    page = shown.page
    item(page, "C").locator("> .text").click()
    page.get_by_role("textbox", name="Item text").fill("C, and more")
    first = steps.items.order_by("position").first()
    move_item(actor=web(olga), item_id=first.pk, checklist_id=steps.pk, place=BOTTOM)
    shown.tell(card)
    expect(items(page, steps)).to_have_text(["B", "C", "A"])
    expect(page.get_by_role("textbox", name="Item text")).to_have_value("C, and more")
    expect(page.get_by_role("textbox", name="Item text")).to_be_focused()


def test_an_item_that_was_deleted_meanwhile_returns_with_a_message(opened, olga, ed, card, steps):
    page = open_card(opened, ed, card).page
    delete_item(actor=web(olga), item_id=steps.items.get(text="A").pk)
    item(page, "A").get_by_role("checkbox").focus()
    page.keyboard.press("Alt+ArrowDown")
    expect(page.get_by_role("alert")).to_contain_text("This does not exist")
    expect(items(page, steps)).to_have_text(["A", "B", "C"])
    assert texts(steps) == "BC"


def test_an_item_becomes_a_card_with_the_text_as_it_is_written_and_the_next_item_has_the_focus(
    opened, ed, card, todo, steps
):
    shown = open_card(opened, ed, card)
    page = shown.page
    item(page, "B").locator("> .text").click()
    page.get_by_role("textbox", name="Item text").fill("B, soon")
    page.get_by_role("button", name="Convert to card").click()
    expect(items(page, steps)).to_have_text(["A", "C"])
    expect(page.get_by_role("status").filter(has_text="“B, soon”")).to_contain_text("Undo")
    expect(item(page, "C").get_by_role("checkbox")).to_be_focused()
    expect(shown.list(todo).locator(".card")).to_have_text([re.compile(card.title), re.compile("B, soon")])
