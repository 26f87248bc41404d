"""The inbox in Chromium: the card beside the list, its keys, and rows that come while it is open. The tests play the server's
end of its socket.
"""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.utils import timezone
from playwright.sync_api import Locator, Page, expect

from boards.actions.cards.card import create_card
from boards.actions.cards.comments import add_comment
from boards.models import Activity, Card, Comment
from boards.reader import Reader
from conftest import run_jobs, web
from notifications.inbox.entries import mark_card_read, unread_count
from notifications.models import Notification
from operating.models import Banner
from taskboard.tests.axe import complaints_in_both_themes
from taskboard.tests.browsers import wait_until_wired
from taskboard.tests.waiting import wait_on_page
from web.tests.held import Held
from web.tests.looking import box
from web.tests.own_line import PageWithLine

pytestmark = pytest.mark.django_db(transaction=True)

# What a page says of itself while another tab is in front of it, and when it is in front again
HIDE = """hidden => {
  Object.defineProperty(document, "hidden", { configurable: true, value: hidden })
  document.dispatchEvent(new Event("visibilitychange"))
}"""
TITLES = ("First", "Second", "Third")  # in the inbox


class Inbox(PageWithLine):
    def open(self, path: str, wired: str = "main") -> None:
        super().open(path, "[data-behaviour=start-news]" if path == "/" else wired)

    @property
    def pane(self) -> Locator:
        return self.page.locator("#inbox-pane")

    @property
    def field(self) -> Locator:
        return self.pane.get_by_role("textbox", name="New comment")

    def row(self, title: str) -> Locator:
        return self.page.locator("#inbox-rows .notification").filter(has_text=title)

    def link(self, title: str) -> Locator:
        return self.row(title).locator(".told")

    def ring(self, user) -> None:
        """Tell the page that a notification has changed, as the server does."""
        run_jobs()
        self.socket.send(json.dumps({"unread": unread_count(Reader(user))}))

    def chosen(self, title: str) -> None:
        expect(self.pane.locator("h2")).to_contain_text(title)
        expect(self.link(title)).to_have_attribute("aria-current", "true")


@pytest.fixture
def cards(olga, ed, board, todo) -> dict[str, Card]:
    run_jobs()
    Notification.objects.all().delete()
    made = {}
    for title in reversed(TITLES):
        made[title] = create_card(actor=web(olga), list_id=todo.pk, title=title, assignee_ids=[ed.pk])
        run_jobs()
    return made


@pytest.fixture
def inbox(show, ed, cards):
    def open_inbox(path: str = "/notifications", *, width: int = 1280, height: int = 800) -> Inbox:
        return Inbox(show, ed, path, width=width, height=height)

    return open_inbox


def test_a_chosen_row_shows_its_card_at_an_address_of_its_own_and_is_read(inbox, cards, ed):
    shown = inbox()
    shown.link("Second").click()
    shown.chosen("Second")
    expect(shown.row("Second")).not_to_have_class(re.compile("unread"))
    expect(shown.page).to_have_url(re.compile(f"card={cards['Second'].pk}"))
    assert not Notification.objects.filter(user=ed, card_id=cards["Second"].pk, read_at=None).exists()
    assert unread_count(Reader(ed)) == 2
    shown.link("Third").click()
    shown.chosen("Third")
    shown.page.go_back()
    shown.chosen("Second")
    shown.page.go_back()
    expect(shown.pane).to_contain_text("Choose a notification")
    shown.page.go_forward()
    shown.chosen("Second")
    shown.open(shown.page.url)
    shown.chosen("Second")


@pytest.mark.parametrize(("path", "script"), [("/notifications", "inbox-rows"), ("/", "start-news")])
def test_news_that_come_before_the_script_of_the_rows_are_shown(inbox, olga, ed, todo, path, script):
    shown = inbox(path)
    held = Held(shown.page, re.compile(rf"/{script}[^/]*\.js"))
    PageWithLine.open(shown, path, ".bell")
    held.wait_for(1)
    create_card(actor=web(olga), list_id=todo.pk, title="Late", assignee_ids=[ed.pk])
    shown.ring(ed)
    expect(shown.page.locator(".bell-count")).to_be_visible()
    held.let_on()
    expect(shown.page.locator("#inbox-rows, #start-news")).to_contain_text("Late")


def test_arrows_go_from_row_to_row_and_enter_chooses_one(inbox, ed):
    shown = inbox()
    for key, title in (("ArrowDown", "First"), ("ArrowDown", "Second"), ("j", "Third"), ("ArrowDown", "Third")):
        shown.page.keyboard.press(key)
        expect(shown.link(title)).to_be_focused()
    shown.page.keyboard.press("ArrowUp")
    expect(shown.link("Second")).to_be_focused()
    assert unread_count(Reader(ed)) == 3
    shown.page.keyboard.press("Enter")
    shown.chosen("Second")


def test_e_marks_read_and_goes_on_to_the_next(inbox, cards, ed):
    shown = inbox()
    shown.page.keyboard.press("ArrowDown")
    shown.page.keyboard.press("e")
    expect(shown.row("First")).not_to_have_class(re.compile("unread"))
    expect(shown.link("Second")).to_be_focused()
    expect(shown.pane).to_contain_text("Choose a notification")
    wait_on_page(shown.page, lambda: unread_count(Reader(ed)) == 2, lambda: "it is unread")
    shown.page.keyboard.press("Enter")
    shown.chosen("Second")
    shown.page.keyboard.press("e")
    shown.chosen("Third")
    wait_on_page(shown.page, lambda: unread_count(Reader(ed)) == 0, lambda: "they are unread")


@pytest.mark.parametrize("key", ["e", "ArrowDown", "j"])
def test_keys_do_nothing_while_somebody_types(inbox, cards, key):
    shown = inbox(f"/notifications?card={cards['First'].pk}")
    shown.field.press(key)
    expect(shown.field).to_be_focused()
    shown.chosen("First")


def test_a_card_is_marked_as_unread_again_and_as_read(inbox, cards, ed):
    shown = inbox(f"/notifications?card={cards['First'].pk}")
    shown.pane.get_by_role("button", name="Mark as unread").click()
    expect(shown.row("First")).to_have_class(re.compile("unread"))
    expect(shown.pane.get_by_role("button", name="Mark as read")).to_be_visible()
    assert unread_count(Reader(ed)) == 3
    shown.pane.get_by_role("button", name="Mark as read").click()
    expect(shown.row("First")).not_to_have_class(re.compile("unread"))
    expect(shown.pane.get_by_role("button", name="Mark as unread")).to_be_visible()
    assert unread_count(Reader(ed)) == 2


def test_what_is_put_off_leaves_the_list(inbox, cards):
    shown = inbox()
    shown.row("Second").hover()
    shown.row("Second").get_by_label("Actions").click()
    shown.row("Second").get_by_role("button", name="Tomorrow").click()
    expect(shown.row("Second")).to_have_count(0)
    expect(shown.page.locator(".toast")).to_contain_text("You'll see this again on")


def test_a_comment_is_written_in_place(inbox, cards, ed):
    shown = inbox()
    shown.link("First").click()
    shown.field.fill("It **holds**")
    shown.field.press("Control+Enter")
    expect(shown.pane.locator("article strong")).to_have_text("holds")
    expect(shown.field).to_have_value("")
    expect(shown.field).to_be_focused()
    assert Comment.objects.get(card=cards["First"]).author == ed


def test_a_comment_that_is_refused_stays_in_its_field(inbox, cards):
    shown = inbox(f"/notifications?card={cards['First'].pk}")
    shown.field.fill("x" * 20_001)
    shown.pane.get_by_role("button", name="Comment").click()
    expect(shown.pane.get_by_role("alert")).to_contain_text("characters")
    assert len(shown.field.input_value()) == 20_001
    assert not Comment.objects.exists()


def test_what_was_written_is_offered_again_when_its_card_is(inbox, cards):
    shown = inbox(f"/notifications?card={cards['First'].pk}")
    shown.field.fill("Half a")
    shown.page.wait_for_function("() => Object.values(localStorage).some((kept) => kept.includes('Half a'))")
    shown.link("Second").click()
    shown.chosen("Second")
    shown.link("First").click()
    shown.pane.get_by_role("button", name="Restore").click()
    expect(shown.field).to_have_value("Half a")


def test_the_inbox_grows_above_the_row_that_is_read(inbox, cards, olga, ed, todo):
    for number in range(12):
        create_card(actor=web(olga), list_id=todo.pk, title=f"Older {number}.", assignee_ids=[ed.pk])
    run_jobs()
    shown = inbox(height=500)
    shown.link("First").focus()
    shown.link("First").scroll_into_view_if_needed()
    before = box(shown.row("First"))
    create_card(actor=web(olga), list_id=todo.pk, title="Newest", assignee_ids=[ed.pk])
    shown.ring(ed)
    expect(shown.row("Newest")).to_have_count(1)
    expect(shown.page.locator(".notification").first).to_contain_text("Newest")
    expect(shown.link("First")).to_be_focused()
    assert box(shown.row("First")) == before


def test_the_first_row_comes_to_an_empty_inbox(inbox, cards, olga, ed, todo):
    Notification.objects.all().delete()
    shown = inbox()
    expect(shown.page.locator("#inbox-rows")).to_contain_text("all caught up")
    create_card(actor=web(olga), list_id=todo.pk, title="Newest", assignee_ids=[ed.pk])
    shown.ring(ed)
    shown.link("Newest").click()
    shown.chosen("Newest")


def test_what_came_since_the_page_is_marked_as_read_with_all(inbox, cards, olga, ed, todo):
    shown = inbox()
    create_card(actor=web(olga), list_id=todo.pk, title="Newest", assignee_ids=[ed.pk])
    shown.ring(ed)
    expect(shown.link("Newest")).to_be_visible()
    shown.page.get_by_role("button", name="Mark all as read").click()
    expect(shown.page.locator(".toast")).to_contain_text("4 marked as read.")
    assert unread_count(Reader(ed)) == 0


def test_news_of_the_chosen_card_are_shown_and_read_and_its_row_stays(inbox, cards, olga, ed):
    shown = inbox(f"/notifications?card={cards['Second'].pk}")
    shown.field.fill("Half a")
    before = box(shown.row("Second"))
    add_comment(actor=web(olga), card_id=cards["Second"].pk, text="And now?")
    shown.ring(ed)
    expect(shown.pane.locator("article")).to_contain_text("And now?")
    expect(shown.row("Second")).to_contain_text("Olga commented · And now?")
    expect(shown.row("Second")).not_to_have_class(re.compile("unread"))
    expect(shown.field).to_have_value("Half a")
    assert box(shown.row("Second")) == before
    assert unread_count(Reader(ed)) == 2


def test_news_of_the_chosen_card_are_not_read_before_somebody_sees_the_page(inbox, cards, olga, ed):
    shown = inbox(f"/notifications?card={cards['Second'].pk}")
    shown.page.evaluate(HIDE, True)
    add_comment(actor=web(olga), card_id=cards["Second"].pk, text="And now?")
    shown.ring(ed)
    expect(shown.row("Second")).to_contain_text("And now?")
    assert unread_count(Reader(ed)) == 3
    shown.page.evaluate(HIDE, False)
    expect(shown.pane.locator("article")).to_contain_text("And now?")
    wait_on_page(shown.page, lambda: unread_count(Reader(ed)) == 2, lambda: "it is unread")
    shown.ring(ed)
    expect(shown.row("Second")).not_to_have_class(re.compile("unread"))


def test_what_is_marked_as_unread_stays_so_when_the_count_comes_before_the_answer(inbox, cards, ed):
    shown = inbox(f"/notifications?card={cards['First'].pk}")
    expect(shown.row("First")).not_to_have_class(re.compile("unread"))
    read = []
    shown.page.on("request", lambda request: read.append(request.url) if "/card/" in request.url else None)
    answers = Held(shown.page, re.compile("/notification/"), method="POST")
    shown.pane.get_by_role("button", name="Mark as unread").click()
    answers.wait_for(1)
    shown.socket.send(json.dumps({"unread": 3}))
    expect(shown.page.locator(".bell-count")).to_contain_text("3")
    answers.let_on()
    expect(shown.row("First")).to_have_class(re.compile("unread"))
    assert not [url for url in read if url.endswith("/notifications")]
    assert unread_count(Reader(ed)) == 3


def test_a_comment_that_is_answered_late_leaves_the_card_that_was_chosen_since(inbox, cards, ed):
    shown = inbox(f"/notifications?card={cards['First'].pk}")
    answers = Held(shown.page, re.compile("/comments$"), method="POST")
    shown.field.fill("It holds")
    shown.page.wait_for_function("() => Object.values(localStorage).some((kept) => kept.includes('It holds'))")
    shown.field.press("Control+Enter")
    answers.wait_for(1)
    shown.link("Second").click()
    shown.chosen("Second")
    shown.link("Third").focus()
    loaded = []
    shown.page.on("request", lambda request: loaded.append(request.url))
    answers.let_on()
    shown.page.wait_for_function("() => !Object.values(localStorage).some((kept) => kept.includes('It holds'))")
    expect(shown.link("Third")).to_be_focused()
    assert not [url for url in loaded if "card=" in url and "rows" not in url]
    assert Comment.objects.get().card == cards["First"]


def test_the_last_row_that_is_put_off_leaves_an_empty_inbox(inbox, cards):
    Notification.objects.exclude(card_id=cards["First"].pk).delete()
    shown = inbox()
    shown.row("First").hover()
    shown.row("First").get_by_label("Actions").click()
    shown.row("First").get_by_role("button", name="Tomorrow").click()
    expect(shown.page.locator("#inbox-rows")).to_contain_text("all caught up")
    expect(shown.page.locator("#main")).to_be_focused()


def test_a_menu_stays_open_while_its_row_has_news(inbox, cards, olga, ed):
    shown = inbox()
    shown.row("Second").hover()
    shown.row("Second").get_by_label("Actions").click()
    add_comment(actor=web(olga), card_id=cards["Second"].pk, text="And now?")
    create_card(actor=web(olga), list_id=cards["First"].list_id, title="Newest", assignee_ids=[ed.pk])
    shown.ring(ed)
    expect(shown.row("Newest")).to_have_count(1)
    expect(shown.row("Second").get_by_role("button", name="Tomorrow")).to_be_visible()
    shown.page.keyboard.press("Escape")
    expect(shown.row("Second")).to_contain_text("And now?")


def test_a_row_that_is_read_elsewhere_looks_read(inbox, cards, ed):
    shown = inbox()
    expect(shown.row("Second")).to_have_class(re.compile("unread"))
    mark_card_read(Reader(ed), cards["Second"].pk)
    shown.ring(ed)
    expect(shown.row("Second")).not_to_have_class(re.compile("unread"))
    expect(shown.row("First")).to_have_class(re.compile("unread"))


@pytest.mark.parametrize("width", [768, 390])
def test_where_there_is_no_room_a_row_leads_to_its_card(inbox, cards, width):
    shown = inbox(width=width)
    shown.link("Second").click()
    expect(shown.page).to_have_url(re.compile(f"/board/.*card={cards['Second'].pk}"))
    wait_until_wired(shown.page)
    expect(shown.page.locator("#open-card h1")).to_have_text("Second")


def test_the_address_of_a_chosen_card_shows_it_alone_on_a_phone(inbox, cards):
    shown = inbox(f"/notifications?card={cards['Second'].pk}", width=390)
    expect(shown.pane).to_be_visible()
    expect(shown.row("First")).to_be_hidden()
    shown.pane.get_by_role("link", name="Inbox").click()
    expect(shown.row("First")).to_be_visible()


@pytest.mark.parametrize("width", [1440, 390])
def test_axe_finds_nothing_in_the_inbox_with_a_card(inbox, axe, cards, olga, width):
    Card.objects.filter(pk=cards["First"].pk).update(due_at=timezone.now())
    add_comment(actor=web(olga), card_id=cards["First"].pk, text="Look")
    shown = inbox(f"/notifications?card={cards['First'].pk}", width=width)
    assert complaints_in_both_themes(shown.page) == []


def test_the_inbox_fills_the_window_below_a_banner(inbox, cards):
    Banner.objects.create(text="The service is away on Sunday.")
    shown = inbox(f"/notifications?card={cards['First'].pk}", width=1440)
    assert box(shown.page.locator("#main"))["bottom"] == 800
    assert shown.page.evaluate("document.documentElement.scrollHeight") == 800


@contextmanager
def handled(page: Page) -> Iterator[None]:
    """Wait until the start page has handled an answer for which the block makes it ask, or which it lets on."""
    with page.expect_request_finished(lambda request: request.url.endswith("/")):
        yield
    page.evaluate("fetch('/help').then((answer) => answer.text())")  # which comes after that


def test_news_come_to_an_open_start_page_and_nothing_moves_below_the_pointer(inbox, cards, olga, ed, todo):
    shown = inbox("/")
    asked: list[str] = []
    shown.page.on("request", lambda request: asked.append(request.url) if "hx-request" in request.headers else None)
    titles = shown.page.locator("#start-news .title")
    expect(titles).to_contain_text(TITLES)
    shown.ring(ed)  # what the server says when the page has connected
    create_card(actor=web(olga), list_id=todo.pk, title="Fourth", assignee_ids=[ed.pk])
    shown.ring(ed)
    expect(titles).to_contain_text(["Fourth", *TITLES])
    assert len(asked) == 1
    titles.last.hover()
    mark_card_read(Reader(ed), cards["First"].pk)
    with handled(shown.page):
        shown.ring(ed)
    expect(shown.page.locator(".bell-count")).to_contain_text("3")
    expect(titles).to_have_count(4)
    answers = Held(shown.page, re.compile("/$"), most=1)
    shown.page.get_by_role("heading", name="Your boards").hover()
    answers.wait_for(1)
    titles.last.hover()
    with handled(shown.page):
        answers.let_on()
    expect(titles).to_have_count(4)
    shown.page.get_by_role("heading", name="Your boards").hover()
    expect(titles).to_contain_text(["Fourth", "Second", "Third"])
    for card in Card.objects.all():
        mark_card_read(Reader(ed), card.pk)
    shown.ring(ed)
    expect(shown.page.locator("#start-news")).to_contain_text("Nothing new.")


def test_what_is_due_is_ticked_on_the_start_page_and_undo_takes_it_back(show, ed, cards):
    Card.objects.update(due_at=timezone.now())
    page = show("/", ed, wired=".due-rows")
    row = page.locator(".due-row").filter(has_text="First")
    row.get_by_role("button", name="Mark as done").click()
    expect(row.get_by_role("button", name="Reopen")).to_be_visible()
    expect(page.locator(".toast")).to_contain_text("First")
    assert Card.objects.get(pk=cards["First"].pk).completed_at is not None
    page.locator(".toast").get_by_role("button", name="Undo").click()
    expect(row.get_by_role("button", name="Mark as done")).to_be_visible()
    expect(page.locator(".toast")).to_contain_text("Undone")
    assert Card.objects.get(pk=cards["First"].pk).completed_at is None
    page.locator(".toast").get_by_role("button", name="Redo").click()
    expect(row.get_by_role("button", name="Reopen")).to_be_visible()


def test_a_tick_that_is_refused_is_taken_back_and_said(show, ed, cards, board):
    Card.objects.update(due_at=timezone.now())
    page = show("/", ed, wired=".due-rows")
    board.memberships.filter(user=ed).update(role="viewer")
    row = page.locator(".due-row").filter(has_text="First")
    row.get_by_role("button", name="Mark as done").click()
    expect(page.locator(".toast.bad")).to_be_visible()
    expect(row.get_by_role("button", name="Mark as done")).to_be_visible()
    expect(row).not_to_have_class(re.compile("done$"))


def test_a_card_that_is_ticked_twice_ends_as_after_the_second(show, ed, cards):
    Card.objects.update(due_at=timezone.now())
    page = show("/", ed, wired=".due-rows")
    held = Held(page, re.compile("."), method="POST", most=1)
    tick = page.locator(".due-row").filter(has_text="First").locator(".done-check")
    tick.click()
    held.wait_for(1)
    tick.click()
    page.evaluate("async () => (await fetch('/robots.txt')).text()")  # what was sent before it is on its way too
    held.let_on()

    def verbs():
        found = Activity.objects.filter(card_id=cards["First"].pk).order_by("version")
        return list(found.values_list("verb", flat=True))

    wait_on_page(page, lambda: verbs()[1:] == ["card.completed", "card.reopened"], verbs)


def test_a_card_that_is_ticked_twice_while_the_server_is_away_is_shown_as_it_was(show, ed, cards):
    Card.objects.update(due_at=timezone.now())
    page = show("/", ed, wired=".due-rows")
    row, toast = page.locator(".due-row").filter(has_text="First"), page.locator(".toast.bad")
    sent = Held(page, re.compile("."), method="POST")
    for _time in range(2):
        row.locator(".done-check").click()
    for _time in range(2):
        sent.next().abort()
        expect(toast).to_be_visible()
        toast.evaluate("(toast) => toast.remove()")
    expect(row.get_by_role("button", name="Mark as done")).to_be_visible()
    expect(row).not_to_have_class(re.compile("done$"))
