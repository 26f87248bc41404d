"""Unsaved text is kept in the browser and offered again, in Chromium."""

import re

import pytest
from playwright.sync_api import Page, expect

from boards.actions.cards.card import create_card, update_card
from boards.actions.lists.list import rename_list
from boards.models import Comment
from boards.richtext import to_markdown
from conftest import web
from taskboard.tests.browsers import wait_until_wired
from taskboard.tests.waiting import wait_on_page
from web.tests.held import Held

pytestmark = pytest.mark.django_db(transaction=True)

NAME = "draft {0.pk} {1.pk} new comment"


def kept(page: Page) -> int:
    return page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('draft ')).length")


def kept_text(page: Page) -> str | None:
    return page.evaluate(
        "JSON.parse(Object.entries(localStorage).find(([key]) => key.startsWith('draft '))?.[1] ?? '{}').fields?.text"
    )


def wait_until_kept(page: Page, count: int) -> None:
    """Wait for the pause after which a text is kept."""
    wait_on_page(page, lambda: kept(page) == count, lambda: f"{kept(page)} drafts are kept, not {count}")


def come_back(page: Page) -> None:
    """Leave the page as a lost session or a closed tab does, without being asked, and open it again."""
    page.once("dialog", lambda question: question.accept())
    page.reload()
    expect(page.locator("main[data-wired]")).to_be_visible()


def test_a_draft_survives_a_reload_says_that_the_text_changed_and_is_gone_when_saved(opened, olga, ed, card):
    shown = opened(ed, card=card)
    page, text = shown.page, shown.edit_description()
    page.keyboard.type("**Half** a thought")
    expect(text.locator("strong")).to_have_text("Half")
    come_back(page)
    offer = page.locator(".draft")
    expect(offer).to_contain_text("You have unsaved text from")
    expect(offer.get_by_text("changed since")).to_be_hidden()
    update_card(actor=web(olga), card_id=card.pk, description="Olga's words")
    page.reload()
    expect(offer.get_by_text("The saved text has changed since.")).to_be_visible()
    offer.get_by_role("button", name="Restore").click()
    expect(page.locator(".ProseMirror strong")).to_have_text("Half")
    expect(offer).to_have_count(0)
    page.keyboard.press("Control+Enter")
    expect(page.locator(".editor")).to_have_count(0)
    card.refresh_from_db()
    assert to_markdown(card.description) == "**Half** a thought"
    assert kept(page) == 0


def test_drafts_of_comments_are_kept_and_gone_when_sent_and_after_sign_out(opened, ed, card):
    shown = opened(ed, card=card)
    page = shown.page
    page.locator("#new-comment").fill("Not sent yet")
    come_back(page)
    expect(page.locator(".draft")).to_have_count(1)
    page.locator(".draft").get_by_role("button", name="Restore").click()
    expect(page.locator("#new-comment")).to_have_value("Not sent yet")
    page.keyboard.press("Control+Enter")
    expect(page.locator("article.comment")).to_have_count(1)
    assert (Comment.objects.get().body, kept(page)) == ("Not sent yet", 0)
    page.locator("#new-comment").fill("Another")
    page.get_by_label("Close card").focus()
    wait_until_kept(page, 1)
    page.once("dialog", lambda question: question.accept())
    page.goto("/")
    page.locator("header details.menu > summary").filter(has_text="Your account").click()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("link", name="Sign in").first).to_be_visible()
    assert kept(page) == 0


def test_nothing_is_offered_that_was_discarded_or_is_old_or_of_somebody_else(opened, olga, ed, card):
    shown = opened(ed, card=card)
    page = shown.page
    page.locator("#new-comment").fill("Never mind")
    wait_until_kept(page, 1)
    page.get_by_label("Close card").click()
    page.get_by_role("button", name="Discard").click()
    expect(page.locator("dialog:modal")).to_have_count(0)
    assert kept(page) == 0
    for user, at in ((ed, 0), (olga, 8e15)):
        draft = {"at": at, "base": 0, "fields": {"text": "Words"}}
        page.evaluate(
            "([name, draft]) => { localStorage[name] = JSON.stringify(draft) }", [NAME.format(user, card), draft]
        )
    shown.tile(card).locator(".title").click()
    expect(page.locator("#new-comment")).to_be_visible()
    wait_until_kept(page, 1)
    expect(page.locator(".draft")).to_have_count(0)


def test_without_room_to_keep_drafts_a_text_is_saved_all_the_same(opened, ed, card):
    shown = opened(ed, card=card)
    page = shown.page
    page.evaluate("Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError') }; 0")
    text = shown.edit_description()
    page.keyboard.type("Words")
    expect(text).to_have_text("Words")
    page.keyboard.press("Control+Enter")
    expect(page.locator("[data-part=description] > .prose")).to_have_text("Words")


def test_going_back_answers_the_question_and_keeps_the_text_as_a_draft(opened, ed, card):
    shown = opened(ed)
    page = shown.page
    shown.tile(card).locator(".title").click()
    expect(page.locator(".new-comment[data-wired]")).to_be_visible()
    page.locator("#new-comment").press_sequentially("Half a thought")
    page.get_by_label("Close card").click()
    expect(page.get_by_role("alertdialog")).to_be_visible()
    wait_until_kept(page, 1)
    page.go_back()
    expect(page.locator("dialog:modal")).to_have_count(0)
    shown.tile(card).locator(".title").click()
    page.locator(".draft").get_by_role("button", name="Restore").click()
    expect(page.locator("#new-comment")).to_have_value("Half a thought")


def test_the_text_of_a_new_card_comes_back_until_its_form_is_closed(opened, ed, todo):
    shown = opened(ed)
    page, field = shown.page, shown.list(todo).locator("textarea[name^=new-]")
    asked: list[str] = []
    page.on("dialog", lambda question: (asked.append(question.type), question.accept()))
    shown.list(todo).get_by_text("Add card").click()
    field.press_sequentially("Half a card")
    wait_until_kept(page, 1)
    page.reload()
    expect(page.locator("main[data-wired]")).to_be_visible()
    assert asked == []  # nothing would be lost
    expect(field).to_have_value("Half a card")
    shown.list(todo).locator(".buttons [data-leave]").click()
    wait_until_kept(page, 0)
    page.reload()
    expect(page.locator("main[data-wired]")).to_be_visible()
    expect(field).to_be_hidden()


def test_the_text_of_a_new_card_comes_back_with_its_list(opened, ed, todo):
    shown = opened(ed)
    page, field = shown.page, shown.list(todo).locator("textarea[name^=new-]")
    shown.list(todo).get_by_text("Add card").click()
    field.press_sequentially("Half a card tomorrow")
    wait_until_kept(page, 1)
    shown.list(todo).locator("header > .menu > summary").click()
    shown.list(todo).get_by_role("button", name="Archive list").click()
    expect(shown.list(todo)).to_have_count(0)
    page.locator(".toast").get_by_role("button", name="Undo").click()
    expect(field).to_have_value("Half a card tomorrow")
    expect(shown.list(todo).locator(".chip")).to_have_count(1)
    rename_list(actor=web(ed), list_id=todo.pk, title="Next")
    shown.tell(todo)
    expect(shown.list(todo).locator("h2")).to_have_text("Next")
    expect(field).to_have_value("Half a card tomorrow")


@pytest.fixture
def another_tab(opened, ed, card):
    """Two tabs with the same card: what is typed in the first is offered in the other."""
    shown = opened(ed, card=card)
    shown.page.locator("#new-comment").fill("First")
    wait_until_kept(shown.page, 1)
    other = shown.context.new_page()
    other.goto(card.get_absolute_url())
    wait_until_wired(other)
    expect(other.locator(".draft")).to_have_count(1)
    return shown.page, other


def test_a_comment_that_was_sent_is_not_offered_in_another_tab(another_tab):
    page, other = another_tab
    page.locator("#new-comment").press("Control+Enter")
    expect(page.locator("article.comment")).to_have_count(1)
    expect(other.locator(".draft")).to_have_count(0)
    other.get_by_label("Close card").click()
    expect(other.locator("dialog:modal")).to_have_count(0)
    assert kept(other) == 0


def test_what_is_typed_in_another_tab_stays_kept_when_a_comment_is_sent(another_tab):
    page, other = another_tab
    other.locator("#new-comment").fill("Second")
    wait_on_page(other, lambda: kept_text(other) == "Second")
    page.locator("#new-comment").press("Control+Enter")
    expect(page.locator("article.comment")).to_have_count(1)
    expect(other.locator(".draft")).to_have_count(0)
    wait_on_page(other, lambda: kept_text(other) == "Second")
    expect(other.locator("#new-comment")).to_have_value("Second")


def test_a_comment_whose_news_came_before_the_answer_is_no_longer_offered_after_it(opened, ed, card):
    shown = opened(ed, card=card)
    page = shown.page
    held = Held(page, re.compile("/comments$"), method="POST")
    page.locator("#new-comment").fill("First")
    wait_until_kept(page, 1)
    page.locator("#new-comment").press("Control+Enter")
    route = held.next()
    answer = route.fetch()
    shown.tell(card)
    expect(page.locator("article.comment")).to_have_count(1)
    expect(page.locator(".draft")).to_have_count(1)
    route.fulfill(response=answer)
    expect(page.locator(".draft")).to_have_count(0)
    assert kept(page) == 0


def test_a_comment_that_could_not_be_sent_after_its_card_was_closed_is_told_and_kept(opened, ed, card):
    shown = opened(ed, card=card)
    page = shown.page
    held = Held(page, re.compile("/comments$"), method="POST")
    page.locator("#new-comment").fill("Almost lost")
    page.locator("#new-comment").press("Control+Enter")
    route = held.next()
    wait_until_kept(page, 1)
    page.locator("#card-dialog [data-close-card]").first.click()
    expect(page.locator("#card-dialog")).not_to_be_visible()
    route.abort()
    expect(page.locator(".toast.bad")).to_contain_text("Could not reach the server.")
    assert kept_text(page) == "Almost lost"


def test_a_comment_that_is_on_its_way_is_not_sent_again(opened, ed, card):
    shown = opened(ed, card=card)
    page = shown.page
    held = Held(page, re.compile("/comments$"), method="POST")
    page.locator("#new-comment").fill("Once")
    for _press in range(2):
        page.locator("#new-comment").press("Control+Enter")
    held.let_on()
    expect(page.locator("article.comment")).to_have_count(1)
    page.locator("#new-comment").fill("Twice")
    page.locator("#new-comment").press("Control+Enter")
    held.let_on()
    expect(page.locator("article.comment")).to_have_count(2)
    assert {*Comment.objects.values_list("body", flat=True)} == {"Once", "Twice"}


def test_another_card_asks_before_what_is_not_saved_is_lost(opened, olga, ed, card, todo):
    other = create_card(actor=web(olga), list_id=todo.pk, title="Another")
    shown = opened(ed, card=card)
    page = shown.page
    page.locator("#new-comment").fill("Half a thought")
    page.locator("#card-title").focus()
    page.keyboard.press("Control+k")
    expect(page.locator("#command-palette:modal").get_by_role("combobox")).to_be_focused()
    page.keyboard.type("Another")
    page.locator(f"#to-card-{other.pk}").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Keep editing").click()
    expect(page.locator("#new-comment")).to_have_value("Half a thought")
