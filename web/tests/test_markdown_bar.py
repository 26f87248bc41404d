"""The toolbar below the plain field of a comment, in Chromium."""

import pytest
from playwright.sync_api import Locator, Page, expect

from boards.actions.cards.comments import add_comment
from boards.models import Comment
from conftest import web
from web.tests.looking import box

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def page(opened, ed, card) -> Page:
    page = opened(ed, card=card).page
    page.locator("#new-comment").click()
    expect(bar(page)).to_be_visible()
    return page


def bar(page: Page) -> Locator:
    return page.locator(".new-comment").get_by_role("toolbar", name="Formatting")


def press(page: Page, name: str) -> None:
    bar(page).get_by_role("button", name=name).click()


def select(page: Page, words: str) -> None:
    page.locator("#new-comment").evaluate(
        "(field, words) => field.setSelectionRange(field.value.indexOf(words), field.value.indexOf(words) + words.length)",
        words,
    )


def test_buttons_write_markdown_around_what_is_selected_and_the_browser_undoes_it(page):
    field = page.locator("#new-comment")
    page.keyboard.type("One two")
    select(page, "two")
    press(page, "Bold")
    expect(field).to_have_value("One **two**")
    press(page, "Italic")
    expect(field).to_have_value("One **_two_**")
    press(page, "Italic")
    press(page, "Bold")
    expect(field).to_have_value("One two")
    press(page, "Inline code")
    expect(field).to_have_value("One `two`")
    page.keyboard.press("Control+z")
    expect(field).to_have_value("One two")
    page.keyboard.press("End")
    press(page, "Bold")
    page.keyboard.type("!")
    expect(field).to_have_value("One two**!**")


def test_lines_become_a_list_and_plain_lines_again(page):
    field = page.locator("#new-comment")
    field.fill("One\nTwo\nThree")
    select(page, "ne\nTw")
    press(page, "Bulleted list")
    expect(field).to_have_value("- One\n- Two\nThree")
    press(page, "Bulleted list")
    expect(field).to_have_value("One\nTwo\nThree")
    select(page, "One\nTwo")
    press(page, "Inline code")
    expect(field).to_have_value("```\nOne\nTwo\n```\nThree")


def test_a_link_leaves_the_part_selected_that_is_missing(page):
    field = page.locator("#new-comment")
    page.keyboard.type("See it")
    select(page, "it")
    page.keyboard.press("Control+k")
    page.keyboard.type("https://example.org")
    expect(field).to_have_value("See [it](https://example.org)")
    expect(page.locator("dialog:modal")).to_have_count(1)
    select(page, "https://example.org")
    field.fill("https://example.org")
    select(page, "https://example.org")
    press(page, "Link")
    page.keyboard.type("there")
    expect(field).to_have_value("[there](https://example.org)")


def test_a_mention_offers_the_members(page, vera):
    page.keyboard.type("Ask")
    press(page, "Mention a member")
    page.get_by_role("option", name="Vera").click()
    expect(page.locator("#new-comment")).to_have_value("Ask @Vera ")
    page.get_by_role("button", name="Comment", exact=True).click()
    expect(page.locator("article.comment .mention")).to_have_text("@Vera")


def test_the_toolbar_is_one_stop_of_the_keyboard_and_names_its_keys(page):
    buttons = bar(page).get_by_role("button")
    expect(buttons.first).to_have_attribute("title", "Bold (Ctrl+B)")
    expect(buttons.nth(3)).to_have_attribute("title", "Bulleted list")
    page.keyboard.type("One")
    page.keyboard.press("Alt+F10")
    expect(buttons.first).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Tab")
    expect(page.locator(".new-comment .primary")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(buttons.nth(1)).to_be_focused()
    page.keyboard.press("End")
    page.keyboard.press("ArrowRight")
    expect(buttons.first).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#new-comment")).to_be_focused()
    expect(page.get_by_role("alertdialog")).to_have_count(0)


def test_on_a_phone_it_is_one_row_that_fits(page):
    page.set_viewport_size({"width": 390, "height": 800})
    places = [box(button) for button in bar(page).get_by_role("button").all()]
    assert len({at["top"] for at in places}) == 1
    assert all(at["bottom"] - at["top"] >= 44 and at["right"] - at["left"] >= 44 for at in places)
    assert places[-1]["right"] <= 390 - 16


def test_it_is_there_while_a_comment_is_edited_and_gone_in_the_full_editor(opened, ed, card):
    add_comment(actor=web(ed), card_id=card.pk, text="Words")
    page = opened(ed, card=card).page
    page.get_by_label("Edit comment").click()
    form = page.locator("article.comment form")
    tools = form.locator(".markdown-bar")
    tools.get_by_role("button", name="Bold").click()
    page.keyboard.type("more")
    expect(page.get_by_label("Comment text")).to_have_value("Words**more**")
    form.get_by_role("button", name="As formatted text").click()
    expect(form.locator(".ProseMirror strong")).to_have_text("more")
    expect(tools).to_be_hidden()
    form.get_by_role("button", name="As Markdown").click()
    expect(tools).to_be_visible()
    form.get_by_role("button", name="Save").click()
    expect(page.locator("article.comment > .stack > .prose strong")).to_have_text("more")
    assert Comment.objects.get().body == "Words**more**"


def test_a_viewer_who_may_not_comment_has_none(opened, vera, card):
    page = opened(vera, card=card).page
    page.keyboard.press("Tab")
    expect(page.locator(".markdown-bar, #new-comment")).to_have_count(0)
