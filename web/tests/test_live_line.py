"""An open page keeps its connection, in Chromium. The tests play the server's end of the socket."""

import re

import pytest
from playwright.sync_api import expect

from boards.actions.cards.archive import archive_card
from boards.actions.cards.card import create_card, update_card
from boards.models import Board, Card
from boards.statements import read_last_change
from conftest import web
from taskboard.tests.interception import intercept
from web.tests.held import A_CARD, Held
from web.tests.open_board import OpenBoard

pytestmark = pytest.mark.django_db(transaction=True)

AT_ONCE = 1100  # milliseconds, within which a page comes back the first time
LOST = "No connection."


def cut(shown: OpenBoard, code: int = 4500) -> None:
    shown.socket.close(code=code)
    shown.page.wait_for_function("() => true")  # a round trip: the page has seen it


def test_a_page_on_a_quiet_board_comes_back_at_once_however_often_it_is_cut(opened, vera, todo):
    shown = opened(vera, clock=True)
    for number in range(8):
        cut(shown)
        shown.page.clock.run_for(AT_ONCE)
        expect(shown.bar).to_be_hidden()
        assert len(shown.asked) == number + 2


def test_a_page_that_is_accepted_and_closed_again_and_again_waits_longer_and_longer(opened, vera, todo):
    shown = opened(vera, clock=True)
    shown.page.evaluate("() => { Math.random = () => 0.25 }")  # the longest wait ends within a quarter
    shown.refuses = 4500
    cut(shown)
    tries = []
    for _quarter in range(4):
        before = len(shown.asked)
        for _second in range(30):
            shown.page.clock.run_for(1000)
        tries.append(len(shown.asked) - before)
    expect(shown.bar).to_contain_text(LOST)
    assert tries[0] <= 25, tries
    assert 1 <= tries[3] <= 4, tries


def test_pages_of_a_full_server_spread_themselves_when_they_come_back(opened, vera, todo):
    shown = opened(vera, clock=True)
    shown.page.evaluate("() => { Math.random = () => 0.5 }")
    shown.beat(spread=20)
    cut(shown)
    shown.page.clock.run_for(5_000)
    assert len(shown.asked) == 1
    shown.page.clock.run_for(6_000)
    expect(shown.bar).to_be_hidden()
    assert len(shown.asked) == 2


def test_a_page_that_finds_a_full_server_away_comes_again_after_about_the_same_time(opened, vera, todo):
    shown = opened(vera, clock=True)
    shown.page.evaluate("() => { Math.random = () => 0.99 }")
    shown.beat(spread=20)
    shown.refuses = 4500
    cut(shown)
    shown.page.clock.run_for(20_000)
    expect(shown.bar).to_contain_text(LOST)
    assert len(shown.asked) == 2
    shown.refuses = None
    shown.page.clock.run_for(23_000)
    expect(shown.bar).to_be_hidden()
    assert len(shown.asked) == 3


def test_a_silent_connection_is_made_again_within_thirty_seconds(opened, vera, todo):
    shown = opened(vera, clock=True)
    for _beat in range(4):
        shown.page.clock.run_for(12_000)
        shown.beat()
        expect(shown.bar).to_be_hidden()
    assert len(shown.asked) == 1
    shown.is_silent = True
    shown.page.clock.run_for(30_000)
    assert len(shown.asked) == 2
    expect(shown.bar).to_contain_text(LOST)
    shown.beat()
    expect(shown.bar).to_be_hidden()


def test_a_reload_that_fails_is_said_and_tried_again_and_no_card_is_missing(opened, olga, vera, board, todo, card):
    shown = opened(vera, clock=True)
    made = create_card(actor=web(olga), list_id=todo.pk, title="After")
    intercept(shown.page, re.compile(r"/lists\b"), lambda route: route.fulfill(status=502, body="<h1>Bad Gateway</h1>"))
    shown.is_silent = True
    with shown.page.expect_response(re.compile(r"/lists\b")):
        shown.reload()
    shown.beat()
    shown.page.clock.run_for(AT_ONCE)
    shown.page.clock.run_for(AT_ONCE)
    expect(shown.bar).to_contain_text(LOST)
    expect(shown.page.locator(f"main[data-version='{board.version}']")).to_be_visible()
    assert shown.asked == [str(board.version)] * len(shown.asked)
    assert len(shown.asked) > 1
    shown.page.unroute(re.compile(r"/lists\b"))
    shown.reload()
    expect(shown.tile(made)).to_have_count(1)
    shown.beat()
    expect(shown.bar).to_be_hidden()
    expect(shown.page.locator(f"main[data-version='{Board.objects.get().version}']")).to_be_visible()


def test_changes_that_come_during_a_reload_are_shown_after_it(opened, olga, vera, board, todo):
    shown = opened(vera)
    held = Held(shown.page, re.compile(r"/lists\b"))
    shown.reload()
    held.wait_for(1)
    made = create_card(actor=web(olga), list_id=todo.pk, title="Meanwhile")
    shown.tell(made)
    held.next().fulfill(
        headers={"X-Answer": "fragments"},
        body=f'<template data-everything data-version="{board.version}" data-change=""></template>'
        f'<section class="list" id="list-{todo.pk}" data-position="0" data-version="0"><header></header>'
        f'<span class="count"></span><ol></ol></section>',
    )
    expect(shown.tile(made)).to_have_count(1)


def test_the_page_drops_what_a_restored_backup_does_not_have(opened, olga, vera, board, todo, card):
    shown = opened(vera)
    made = create_card(actor=web(olga), list_id=todo.pk, title="After the backup")
    update_card(actor=web(olga), card_id=card.pk, title="Renamed after the backup")
    shown.tell(made, card)
    expect(shown.tile(card)).to_contain_text("Renamed after")
    made.delete()
    Card.objects.filter(pk=card.pk).update(title=card.title, version=card.version)
    Board.objects.filter(pk=board.pk).update(version=board.version)
    shown.reload(restored=True)
    expect(shown.tile(card)).to_contain_text(card.title)
    expect(shown.tile(made)).to_have_count(0)
    expect(shown.page.locator(f"main[data-version='{board.version}']")).to_be_visible()


def test_a_page_names_the_change_that_it_shows(opened, olga, vera, board, todo):
    shown = opened(vera)
    main = shown.page.locator("main")
    expect(main).to_have_attribute("data-change", str(read_last_change(board)))
    create_card(actor=web(olga), list_id=todo.pk, title="One more")
    shown.reload()
    expect(main).to_have_attribute("data-change", str(read_last_change(Board.objects.get())))


@pytest.mark.parametrize("notices", ["coming back to the tab", "an action that succeeds"])
def test_a_page_lives_again_after_its_reader_has_signed_in_in_another_tab(opened, ed, todo, notices):
    shown = opened(ed)
    shown.refuses = 4401
    cut(shown, 4401)
    expect(shown.bar).to_contain_text("You are signed out.")
    shown.page.evaluate("() => { dispatchEvent(new FocusEvent('focus')) }")
    expect(shown.bar).to_contain_text("You are signed out.")
    shown.refuses = None
    if notices == "coming back to the tab":
        shown.page.evaluate("() => { dispatchEvent(new FocusEvent('focus')) }")
    else:
        shown.list(todo).get_by_text("Add card").click()
        shown.list(todo).locator("textarea[name^=new-]").fill("Sent again")
        shown.page.keyboard.press("Enter")
        expect(shown.list(todo).locator(".title")).to_have_count(1)
    expect(shown.bar).to_be_hidden()
    expect(shown.page.locator("main")).to_have_attribute("data-role", "editor")


def test_a_page_is_opened_anew_when_somebody_else_has_signed_in(opened, ed, vera, board, todo, client):
    shown = opened(ed)
    cut(shown, 4401)
    client.force_login(vera)
    session = {"name": "sessionid", "value": client.cookies["sessionid"].value}
    shown.page.context.add_cookies([session | {"url": shown.page.url.partition("/board")[0]}])
    shown.user = vera
    shown.page.evaluate("() => { dispatchEvent(new FocusEvent('focus')) }")
    expect(shown.page.locator("main")).to_have_attribute("data-user", str(vera.pk))
    expect(shown.page.locator("main")).to_have_attribute("data-role", "viewer")


@pytest.mark.parametrize(
    "code, words",
    [(4500, LOST), (4401, "You are signed out."), (4404, "deleted or archived")],
)
def test_an_open_card_shows_what_is_the_matter_with_its_board(opened, ed, card, code, words):
    shown = opened(ed, card=card)
    shown.refuses = code
    cut(shown, code)
    bar = shown.page.locator("dialog:modal .live-bar")
    expect(bar).to_contain_text(words)
    expect(bar).to_be_in_viewport()
    shown.page.keyboard.press("Escape")
    expect(shown.page.locator(".board > .live-bar")).to_contain_text(words)


def test_nothing_of_a_board_stays_on_the_page_of_somebody_who_was_removed(opened, ed, card):
    shown = opened(ed, card=card)
    cut(shown, 4403)
    expect(shown.page.locator("dialog:modal")).to_have_count(0)
    expect(shown.page.locator(".board > .live-bar")).to_contain_text("You no longer have access")
    expect(shown.page.locator(".list, .card, #members *")).to_have_count(0)


def test_what_somebody_who_was_removed_has_typed_stays_to_be_copied(opened, ed, card):
    shown = opened(ed, card=card)
    shown.edit_description().press_sequentially("Half a sentence")
    cut(shown, 4403)
    bar = shown.page.locator("dialog:modal .live-bar")
    expect(bar).to_contain_text("You no longer have access")
    expect(bar).to_be_in_viewport()
    expect(shown.page.locator(".list")).to_have_count(0)
    expect(shown.page.get_by_role("textbox", name="Description")).to_have_text("Half a sentence")
    expect(shown.page.locator("dialog:modal [data-part=recurrence] select")).to_be_disabled()


def test_an_open_card_that_could_not_be_read_again_is_tried_again(opened, olga, ed, card):
    shown = opened(ed, card=card)
    shown.is_silent = True
    update_card(actor=web(olga), card_id=card.pk, title="Renamed")
    intercept(shown.page, A_CARD, lambda route: route.abort())
    shown.tell(card)
    expect(shown.bar).to_contain_text(LOST)
    assert shown.asked == [str(shown.board.version)] * len(shown.asked)
    shown.page.unroute(A_CARD)
    shown.tell(card)
    expect(shown.page.locator("dialog:modal h1")).to_have_text("Renamed")


def test_an_archived_card_stays_open(opened, olga, ed, card):
    shown = opened(ed, card=card)
    archive_card(actor=web(olga), card_id=card.pk)
    shown.tell(removed=[("card", card)])
    expect(shown.page.locator("dialog:modal")).to_contain_text("This card is archived")
