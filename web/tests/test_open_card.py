"""A card opens over its board, in Chromium, on lines that are slow or dead."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from boards.actions.cards.card import create_card, update_card
from boards.actions.cards.checklists import add_item, create_checklist
from boards.actions.cards.comments import add_comment
from boards.actions.lists.list import archive_list, rename_list
from boards.models import Activity, Board, ChecklistItem, Comment
from conftest import web
from taskboard.tests.interception import intercept
from web.tests.held import A_CARD, Held
from web.tests.looking import box, style

pytestmark = pytest.mark.django_db(transaction=True)

A_SHEET_OF_CARDS = re.compile(r"/card-content\.css")


def test_a_card_opens_at_once_with_its_title_and_then_with_everything(opened, ed, card):
    shown = opened(ed)
    held = Held(shown.page, A_CARD)
    shown.tile(card).locator(".title").click()
    dialog = shown.page.locator("dialog:modal")
    expect(dialog.locator("h1")).to_have_text("Write the announcement")
    expect(dialog.locator("h1")).to_be_focused()
    expect(dialog.locator("[aria-busy]")).to_have_count(1)
    expect(shown.page).to_have_title(re.compile("^Write the announcement · Launch"))
    held.let_on()
    expect(dialog.locator("#open-card h1")).to_be_focused()
    expect(dialog.locator("[aria-busy]")).to_have_count(0)
    expect(shown.page).to_have_url(re.compile(re.escape(card.get_absolute_url())))


def test_a_card_that_is_opened_while_the_browser_goes_back_from_another_stays_open(opened, ed, card, todo):
    other = create_card(actor=web(ed), list_id=todo.pk, title="Fold it")
    shown = opened(ed)
    shown.tile(card).locator(".title").click()
    expect(shown.page).to_have_url(re.compile(re.escape(card.get_absolute_url())))
    shown.page.evaluate(
        """(card) => {
          const back = history.back.bind(history)
          history.back = () => {
            back()
            document.querySelector("main.board").dispatchEvent(new CustomEvent("board:open", { detail: { card } }))
          }
        }""",
        str(other.pk),
    )
    shown.page.keyboard.press("Escape")
    expect(shown.page).to_have_url(re.compile(re.escape(other.get_absolute_url())))
    expect(shown.page.locator("dialog:modal #open-card h1")).to_have_text("Fold it")


def test_the_second_click_of_a_double_click_does_not_close_the_card_that_has_opened_beside_it(opened, ed, card):
    shown = opened(ed)
    at = box(shown.tile(card).locator(".title"))
    shown.page.mouse.dblclick(at["left"] + 10, at["top"] + 8)
    expect(shown.page.locator("dialog:modal #open-card h1")).to_be_focused()
    assert at["left"] + 10 < box(shown.page.locator("dialog:modal"))["left"]
    shown.page.mouse.click(at["left"] + 10, at["top"] + 100)
    expect(shown.page.locator("dialog:modal")).to_have_count(0)


@pytest.fixture
def half_an_item(opened, ed, card):
    """Return Ed's page of a card with an item that he has not added yet."""
    create_checklist(actor=web(ed), card_id=card.pk, title="Steps")
    shown = opened(ed)
    shown.tile(card).locator(".title").click()
    shown.page.get_by_text("Add item").click()
    shown.page.keyboard.type("Half an item")
    return shown


def test_going_back_asks_before_the_text_of_a_small_form_is_lost(half_an_item, board, card):
    page = half_an_item.page
    question = page.get_by_role("alertdialog", name="Discard changes?")
    page.go_back()
    question.get_by_role("button", name="Keep editing").click()
    expect(page.get_by_label("New item in Steps")).to_have_value("Half an item")
    expect(page).to_have_url(re.compile(re.escape(card.get_absolute_url())))
    page.go_back()
    question.get_by_role("button", name="Discard").click()
    expect(page.locator("dialog:modal")).to_have_count(0)
    expect(page).to_have_url(re.compile(f"/board/{board.pk}$"))
    page.go_forward()
    expect(page.locator("dialog:modal #open-card h1")).to_have_text(card.title)


def test_going_back_twice_asks_once(half_an_item, card):
    page = half_an_item.page
    for _time in range(2):
        page.go_back()
        expect(page.get_by_role("alertdialog")).to_have_count(1)
    page.get_by_role("button", name="Keep editing").click()
    expect(page.get_by_role("alertdialog")).to_have_count(0)
    expect(page.get_by_label("New item in Steps")).to_have_value("Half an item")
    expect(page).to_have_url(re.compile(re.escape(card.get_absolute_url())))


def test_a_card_that_is_opened_in_the_moment_it_was_closed_waits_until_the_browser_has_gone_back(opened, ed, card):
    """Before the event `close`, which comes in a task of its own."""
    shown = opened(ed)
    shown.tile(card).locator(".title").click()
    expect(shown.page).to_have_url(re.compile(re.escape(card.get_absolute_url())))
    shown.page.evaluate(
        """(card) => {
          const dialog = document.getElementById("card-dialog"), back = history.back.bind(history)
          const open = new CustomEvent("board:open", { detail: { card } })
          dialog.close = () => {
            HTMLDialogElement.prototype.close.call(dialog)
            queueMicrotask(() => document.querySelector("main.board").dispatchEvent(open))
          }
          history.back = () => { window.goBack = back }
        }""",
        str(card.pk),
    )
    shown.page.keyboard.press("Escape")
    shown.page.wait_for_function("() => Boolean(window.goBack)")
    assert shown.page.evaluate("fetch(location).then(() => document.getElementById('card-dialog').open)") is False
    shown.page.evaluate("goBack()")
    expect(shown.page.locator("dialog:modal #open-card h1")).to_have_text(card.title)
    expect(shown.page).to_have_url(re.compile(re.escape(card.get_absolute_url())))


def test_a_card_that_is_closed_before_it_has_come_stays_closed(opened, ed, card):
    shown = opened(ed)
    held = Held(shown.page, A_CARD)
    shown.tile(card).locator(".title").click()
    expect(shown.page.locator("dialog:modal")).to_be_visible()
    held.wait_for(1)
    shown.page.keyboard.press("Escape")
    expect(shown.page.locator("dialog:modal")).to_have_count(0)
    expect(shown.tile(card).locator(".title")).to_be_focused()
    shown.page.unroute(A_CARD)
    shown.tile(card).locator(".title").click()
    expect(shown.page.locator("dialog:modal #open-card")).to_have_count(1)
    expect(shown.page).to_have_url(re.compile(re.escape(card.get_absolute_url())))


@pytest.mark.parametrize("fault", ["no connection", "bad gateway"])
def test_a_card_that_cannot_be_read_is_told(opened, ed, card, fault):
    shown = opened(ed)
    intercept(
        shown.page,
        A_CARD,
        lambda route: route.abort() if fault == "no connection" else route.fulfill(status=502, body="x"),
    )
    shown.tile(card).locator(".title").click()
    expect(shown.page.locator(".toast")).to_contain_text("Could not reach the server.")
    expect(shown.page.locator("dialog[open]")).to_have_count(0)
    expect(shown.page).to_have_url(re.compile(f"/board/{card.board_id}$"))
    shown.page.unroute(A_CARD)
    shown.tile(card).locator(".title").click()
    expect(shown.page.locator("dialog:modal #open-card")).to_have_count(1)


def test_a_card_is_shown_when_its_style_sheets_have_come_too(opened, ed, card):
    shown = opened(ed)
    sheets = Held(shown.page, A_SHEET_OF_CARDS)
    with shown.page.expect_response(A_CARD):
        shown.tile(card).locator(".title").click()
    sheets.wait_for(1)
    expect(shown.page.locator("dialog:modal [aria-busy] h1")).to_have_text("Write the announcement")
    expect(shown.page.locator("#open-card")).to_have_count(0)
    sheets.let_on()
    expect(shown.page.locator("dialog:modal #open-card")).to_have_count(1)
    assert style(shown.page.locator("#open-card .section-name").first, "display") == "flex"
    shown.page.get_by_label("Close card").click()
    shown.tile(card).locator(".title").click()
    expect(shown.page.locator("dialog:modal #open-card")).to_have_count(1)
    assert len(sheets) == 0


def test_a_card_whose_style_sheets_do_not_come_is_told_and_opens_when_they_do(opened, ed, card):
    shown = opened(ed)
    intercept(shown.page, A_SHEET_OF_CARDS, lambda route: route.abort())
    shown.tile(card).locator(".title").click()
    expect(shown.page.locator(".toast")).to_have_count(1)
    expect(shown.page.locator("dialog[open]")).to_have_count(0)
    shown.page.unroute(A_SHEET_OF_CARDS)
    shown.tile(card).locator(".title").click()
    expect(shown.page.locator("dialog:modal #open-card")).to_have_count(1)
    assert all(error.startswith("Failed to fetch the style sheet") for error in shown.errors)
    shown.errors.clear()


def test_a_page_that_comes_with_an_open_card_comes_with_its_style_sheets(opened, ed, card):
    shown = opened(ed, card=card)
    assert style(shown.page.locator("#open-card .section-name").first, "display") == "flex"
    assert shown.page.locator("head link[href*=card-content]").count() == 1
    shown.page.get_by_label("Close card").click()
    shown.tile(card).locator(".title").click()
    expect(shown.page.locator("dialog:modal #open-card")).to_have_count(1)
    assert shown.page.locator("head link[href*=card-content]").count() == 1


def test_what_others_change_while_a_card_is_on_its_way_is_shown(opened, ed, olga, card):
    shown = opened(ed)
    held = Held(shown.page, A_CARD, most=1)
    shown.tile(card).locator(".title").click()
    route = held.next()
    early = route.fetch()
    update_card(actor=web(olga), card_id=card.pk, title="Read it aloud")
    shown.tell(card)
    expect(shown.tile(card)).to_contain_text("Read it aloud")
    route.fulfill(response=early)
    expect(shown.page.locator("dialog:modal #open-card h1")).to_have_text("Read it aloud")


def test_times_of_a_card_are_shown_as_how_long_ago_they_were_as_soon_as_it_is_open(opened, ed, card):
    comment = add_comment(actor=web(ed), card_id=card.pk, text="Done")
    Comment.objects.filter(pk=comment.pk).update(created_at=timezone.now() - timedelta(hours=2, minutes=10))
    shown = opened(ed)
    shown.tile(card).locator(".title").click()
    expect(shown.page.locator("article.comment .who time")).to_have_text("2 hours ago")


def test_older_changes_come_into_the_open_card(opened, ed, card):
    for number in range(12):
        update_card(actor=web(ed), card_id=card.pk, title=f"Title {number}")
    now = timezone.now()
    for place, row in enumerate(Activity.objects.filter(card_id=card.pk)):
        Activity.objects.filter(pk=row.pk).update(created_at=now - timedelta(minutes=place))
    shown = opened(ed)
    shown.tile(card).locator(".title").click()
    changes = shown.page.locator("dialog:modal .changes")
    expect(changes).to_have_count(10)
    address = shown.page.url
    shown.page.get_by_text("Show earlier changes").click()
    expect(changes).to_have_count(13)
    expect(changes.last).to_contain_text("Olga added the card")
    expect(shown.page.get_by_text("Show earlier changes")).to_have_count(0)
    assert shown.page.url == address


def test_whoever_lets_go_of_a_selection_beside_the_card_keeps_it_open(opened, ed, card):
    page = opened(ed, card=card).page
    title = page.locator("#card-title").bounding_box()
    page.mouse.move(title["x"] + 20, title["y"] + 10)
    page.mouse.down()
    page.mouse.move(5, title["y"] + 10, steps=4)
    page.mouse.up()
    expect(page.locator("#card-dialog:modal")).to_be_visible()
    page.mouse.click(5, 300)
    expect(page.locator("#card-dialog:modal")).to_have_count(0)


def test_the_first_click_after_a_sent_comment_is_not_lost_as_what_is_below_stays_until_then(opened, ed, card):
    add_comment(actor=web(ed), card_id=card.pk, text="First")
    shown = opened(ed)
    shown.tile(card).locator(".title").click()
    dialog = shown.page.locator("dialog:modal")
    dialog.locator("#new-comment").click()
    shown.page.keyboard.type("Second")
    dialog.get_by_role("button", name="Comment", exact=True).click()
    written = dialog.locator(".comment", has_text="Second")
    pencil = written.get_by_label("Edit comment")
    dialog.locator("#new-comment").focus()
    pencil.hover()
    shown.page.mouse.down()
    shown.page.mouse.up()
    expect(written.locator("details.edit:not(.remove)")).to_have_attribute("open", "")


def test_a_double_click_on_the_pencil_of_an_item_deletes_nothing(opened, ed, card):
    steps = create_checklist(actor=web(ed), card_id=card.pk, title="Steps")
    item = add_item(actor=web(ed), checklist_id=steps.pk, text="Water the ferns")
    shown = opened(ed)
    shown.tile(card).locator(".title").click()
    row = shown.page.locator(f"dialog:modal [data-part='item-{item.pk}']")
    row.hover()
    pencil = row.get_by_label("Edit Water the ferns").bounding_box()
    assert pencil
    shown.page.mouse.dblclick(pencil["x"] + pencil["width"] / 2, pencil["y"] + pencil["height"] / 2)
    expect(row.locator("details[open] [name=text]")).to_be_focused()
    expect(shown.page.locator(".toast")).to_have_count(0)
    assert [one.text for one in ChecklistItem.objects.all()] == ["Water the ferns"]


def test_a_comment_that_is_sent_before_the_scripts_of_its_field_come_throws_no_error(opened, ed, card):
    shown = opened(ed)
    script = Held(shown.page, re.compile("hold-still"))
    shown.tile(card).locator(".title").click()
    dialog = shown.page.locator("dialog:modal")
    dialog.locator("#new-comment").fill("Second")
    dialog.get_by_role("button", name="Comment", exact=True).click()
    expect(dialog.locator(".comment", has_text="Second")).to_have_count(1)
    script.let_on()
    expect(dialog.locator(".new-comment[data-wired]")).to_have_count(1)
    assert shown.errors == []


def test_an_open_card_follows_what_becomes_of_its_list(opened, ed, olga, card, todo):
    shown = opened(ed)
    shown.tile(card).locator(".title").click()
    dialog = shown.page.locator("dialog:modal #open-card")
    expect(dialog.get_by_text("To do").first).to_be_visible()
    rename_list(actor=web(olga), list_id=todo.pk, title="Someday")
    shown.tell(todo)
    expect(dialog.get_by_text("Someday").first).to_be_visible()
    archive_list(actor=web(olga), list_id=todo.pk)
    shown.tell(removed=[("list", todo), ("card", card)], since=Board.objects.get(pk=todo.board_id).version - 1)
    expect(dialog.get_by_text("This card is in an archived list.")).to_be_visible()
