"""Nothing of a board stays on the open pages of somebody who has lost it, in Chromium. The tests play the server's end of the
socket; test_my_work_live.py has a real server.
"""

import json
import re
from collections.abc import Callable

import pytest
from django.utils import timezone
from playwright.sync_api import Locator, expect

from boards.actions.boards.board import archive_board, create_board
from boards.actions.cards.card import create_card
from boards.actions.people.members import remove_member
from boards.models import Board, Card
from boards.reader import Reader
from conftest import join, run_jobs, web
from notifications.inbox.entries import unread_count
from notifications.models import Notification
from taskboard.tests.browsers import wait_until_wired
from taskboard.tests.interception import intercept
from web.tests.held import let_others_come
from web.tests.own_line import PageWithLine

pytestmark = pytest.mark.django_db(transaction=True)


class Shown(PageWithLine):
    def open(self, path: str, wired: str = "main") -> None:
        super().open(path, {"/": "[data-behaviour=start-news]", "/help": ".bell"}.get(path, wired))

    def ring(self, user) -> None:
        """Tell the page how many are unread, as the server does when the user has lost a board."""
        self.socket.send(json.dumps({"unread": unread_count(Reader(user))}))

    @property
    def rows(self) -> Locator:
        return self.page.locator("#inbox-rows .told")

    @property
    def pane(self) -> Locator:
        return self.page.locator("#inbox-pane")


@pytest.fixture
def kept(olga, ed) -> Board:
    """A board that Ed does not lose, unlike *Launch*."""
    kept = create_board(actor=web(olga), title="Kept", template="kanban")
    join(ed, kept, "editor")
    return kept


@pytest.fixture
def cards(olga, ed, board, todo, kept) -> list[Card]:
    """Cards that are due for Ed, of which he was told; that of the board that he loses is the newer one."""
    run_jobs()
    Notification.objects.all().delete()
    made = []
    for one in (kept, board):
        due = {"assignee_ids": [ed.pk], "due_at": timezone.now()}
        made.append(create_card(actor=web(olga), board_id=one.pk, title=f"Flyer of {one.title}", **due))
        run_jobs()
    return made


@pytest.fixture
def opened(show, ed, cards):
    return lambda path: Shown(show, ed, path)


@pytest.fixture
def lose(olga, ed, board) -> Callable[[], None]:
    return lambda: remove_member(actor=web(olga), board_id=board.pk, user_id=ed.pk)


def test_rows_of_the_inbox_go_and_the_focus_goes_to_the_next_one(opened, ed, lose):
    shown = opened("/notifications")
    expect(shown.rows).to_have_count(2)
    shown.rows.first.focus()
    lose()
    shown.ring(ed)
    expect(shown.rows).to_have_count(1)
    expect(shown.rows).to_contain_text("Flyer of Kept")
    expect(shown.rows).to_be_focused()


def test_the_inbox_no_longer_offers_to_show_the_board_alone(opened, ed, lose):
    shown = opened("/notifications")
    offered = shown.page.locator("select[name=board] > option")
    expect(offered).to_have_text(["All boards", "Kept", "Launch"])
    lose()
    shown.ring(ed)
    expect(offered).to_have_text(["All boards", "Kept"])


def test_what_was_read_before_keeps_its_place_when_another_board_is_lost(opened, ed, cards, lose):
    shown = opened("/notifications")
    Notification.objects.filter(card_id=cards[0].pk).update(read_at=timezone.now())
    lose()
    shown.ring(ed)
    expect(shown.rows).to_have_count(1)
    expect(shown.rows).to_contain_text("Flyer of Kept")


def test_an_inbox_that_is_empty_then_says_so(opened, ed, cards, lose):
    Notification.objects.filter(card_id=cards[0].pk).delete()
    shown = opened("/notifications")
    expect(shown.rows).to_have_count(1)
    lose()
    shown.ring(ed)
    expect(shown.page.locator("#inbox-rows")).to_contain_text("all caught up")


def test_the_card_beside_the_inbox_goes_and_the_page_has_the_focus(opened, ed, cards, lose):
    shown = opened(f"/notifications?card={cards[1].pk}")
    shown.pane.get_by_role("link", name="Open card").focus()
    lose()
    shown.ring(ed)
    expect(shown.pane).to_contain_text("Choose a notification")
    expect(shown.page).to_have_url(re.compile("/notifications$"))
    expect(shown.page.locator("#main")).to_be_focused()
    expect(shown.page.locator(".toast")).to_have_count(0)


def test_a_comment_that_is_being_written_stays_to_be_copied(opened, ed, cards, lose):
    shown = opened(f"/notifications?card={cards[1].pk}")
    field = shown.pane.get_by_role("textbox", name="New comment")
    field.fill("Half a")
    lose()
    with shown.page.expect_response(re.compile(f"card={cards[1].pk}$")) as answer:
        shown.ring(ed)
    assert answer.value.status == 404
    expect(shown.rows).to_have_count(1)
    expect(field).to_have_value("Half a")


def test_rows_go_from_the_open_pane_of_the_bell_and_the_focus_goes_to_the_next_one(opened, ed, lose):
    shown = opened("/help")
    shown.page.locator(".bell > summary").click()
    rows = shown.page.locator(".bell-panel .told")
    expect(rows).to_have_count(2)
    rows.first.focus()
    lose()
    shown.ring(ed)
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("Flyer of Kept")
    expect(rows).to_be_focused()


def test_the_pane_of_the_bell_is_empty_without_the_last_row(opened, ed, cards, lose):
    Notification.objects.filter(card_id=cards[0].pk).delete()
    shown = opened("/help")
    shown.page.locator(".bell > summary").click()
    expect(shown.page.locator(".bell-panel .told")).to_have_count(1)
    shown.page.locator(".bell-panel .told").focus()
    lose()
    shown.ring(ed)
    expect(shown.page.locator(".bell-panel")).to_contain_text("all caught up")
    expect(shown.page.locator(".bell > summary")).to_be_focused()


@pytest.mark.parametrize("is_archived", [False, True])
def test_tiles_and_due_cards_go_from_the_start_page(opened, olga, ed, board, lose, is_archived):
    shown = opened("/")
    tiles, due = shown.page.locator(".board-tile > .title"), shown.page.locator(".due-row > .title")
    expect(tiles).to_have_text(["Launch", "Kept"])
    expect(due).to_have_count(2)
    tiles.first.focus()
    if is_archived:
        archive_board(actor=web(olga), board_id=board.pk)
    else:
        lose()
    shown.ring(ed)
    shown.ring(ed)  # the first count may be that of the page
    expect(tiles).to_have_text(["Kept"])
    expect(tiles).to_be_focused()
    expect(due).to_have_text(["Flyer of Kept"])


@pytest.mark.parametrize("path", ["/my", "/my/table"])
def test_what_was_marked_as_done_goes_from_my_work_with_its_board(opened, cards, lose, path):
    shown = opened(path)
    rows = shown.page.locator(":is(#my-rows, #table-rows) .title")
    shown.page.locator(f"#row-{cards[1].pk} .done-check").click()
    expect(shown.page.locator(".toast")).to_be_visible()
    expect(rows).to_have_count(2)
    lose()
    shown.socket.send(json.dumps({"work": f"{timezone.now().timestamp()}"}))
    expect(rows).to_have_text(["Flyer of Kept"])


def test_news_of_a_lost_board_go_also_below_the_pointer(opened, ed, lose):
    shown = opened("/")
    news = shown.page.locator("#start-news .told")
    expect(news).to_have_count(2)
    news.first.hover()
    news.first.focus()
    lose()
    shown.ring(ed)
    expect(news.filter(has_text="Flyer of Launch")).to_have_count(0)
    expect(news.filter(has_text="Flyer of Kept")).to_be_focused()


def test_options_go_from_an_open_palette_and_the_chosen_one_stays(opened, ed, lose):
    shown = opened("/help")
    wait_until_wired(shown.page, "#command-palette")
    shown.page.keyboard.press("Control+k")
    shown.page.keyboard.type("flyer")
    found = shown.page.locator("#command-palette [data-found]").get_by_role("option")
    expect(found).to_have_text([re.compile("of Launch"), re.compile("of Kept"), re.compile("All results")])
    shown.page.keyboard.press("ArrowDown")
    lose()
    shown.ring(ed)
    expect(found).to_have_text([re.compile("of Kept"), re.compile("All results")])
    expect(found.first).to_have_attribute("aria-selected", "true")
    expect(shown.page.locator("#command-palette input")).to_be_focused()


def test_results_go_from_the_field_of_the_head_and_the_chosen_one_stays(opened, ed, lose):
    shown = opened("/help")
    field = shown.page.locator(".topbar > .jump > input")
    field.fill("flyer")
    found = shown.page.locator("#head-options").get_by_role("option")
    expect(found).to_have_text([re.compile("of Launch"), re.compile("of Kept"), re.compile("All results")])
    shown.page.keyboard.press("ArrowDown")
    shown.page.keyboard.press("ArrowDown")
    lose()
    shown.ring(ed)
    expect(found).to_have_text([re.compile("of Kept"), re.compile("All results")])
    expect(found.first).to_have_attribute("aria-selected", "true")
    expect(field).to_be_focused()


def test_what_the_field_of_the_head_said_of_an_error_stays_when_somebody_is_told_of_a_board(opened, ed, lose):
    shown = opened("/help")
    asked = []
    intercept(shown.page, "**/jump?*", lambda route: (asked.append(route), route.abort()))
    shown.page.locator(".topbar > .jump > input").fill("flyer")
    sentence = shown.page.locator(".jump > .found > p")
    expect(sentence).to_contain_text("Could not reach the server")
    lose()
    shown.ring(ed)
    let_others_come(shown.page)
    expect(sentence).to_contain_text("Could not reach the server")
    assert len(asked) == 1


def test_options_that_come_meanwhile_wait_for_the_next_letter(opened, olga, ed, kept):
    shown = opened("/help")
    wait_until_wired(shown.page, "#command-palette")
    shown.page.keyboard.press("Control+k")
    shown.page.keyboard.type("flyer")
    found = shown.page.locator("#command-palette [data-found]").get_by_role("option")
    expect(found).to_have_count(3)
    create_card(actor=web(olga), board_id=kept.pk, title="Flyer")
    with shown.page.expect_response(re.compile("/jump")):
        shown.ring(ed)
    expect(found).to_have_count(3)
