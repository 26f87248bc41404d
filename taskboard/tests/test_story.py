"""Boards that are open in several browsers, and what happens to them when connections and the service are lost."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from taskboard.tests.people import Person, settle
from taskboard.tests.prepared import prepared_data, prepared_services
from taskboard.tests.proxy import Proxy
from taskboard.tests.served import running
from taskboard.tests.served_people import olga, people
from taskboard.tests.servers import free_port, serving
from taskboard.tests.tabs import card, follow, has_stayed, list_named, tab

__all__ = ["olga", "people", "running", "tab"]


@pytest.fixture(scope="module")
def environment(any_database: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    with prepared_services() as services:
        yield {**services, "TASKBOARD_DATA": str(prepared_data(tmp_path_factory.mktemp("data")))}


@pytest.fixture
def board(olga: Person) -> dict[str, Any]:
    return olga.new_board()


def test_a_second_browser_sees_what_the_first_renames_and_moves(olga, people, board, tab):
    ed = people["ed"]
    olga.invite(board, ed)
    olga.new_card(board, "Write it")
    hers, his = tab(olga), tab(ed)
    follow(hers, olga, board)
    follow(his, ed, board)

    column = list_named(hers, "Done")
    column.get_by_label("Menu for list Done").click()
    column.get_by_text("Rename list").click()
    column.get_by_label("List title").fill("Finished")
    column.get_by_role("button", name="Save").click()
    expect(list_named(his, "Finished")).to_be_visible()

    card(his, "Write it").get_by_role("link").click()
    dialog = his.get_by_role("dialog")
    dialog.locator("#choose-place").click()
    dialog.get_by_label("Move to list").select_option(label="Finished")
    dialog.get_by_role("button", name="Move", exact=True).click()
    expect(list_named(hers, "Finished").locator(".card")).to_have_count(1)
    expect(list_named(hers, "To do").locator(".card")).to_have_count(0)
    expect(list_named(hers, "Finished").locator(".count")).to_have_text("1")

    olga.new_card(board, "Also of hers")
    expect(card(his, "Also of hers")).to_be_visible()
    assert has_stayed(hers)
    assert has_stayed(his)


def test_a_lost_connection_is_shown_quietly_and_missed_changes_arrive_afterwards(olga, board, tab, running):
    proxy = Proxy(running.url, 80)
    nearby = replace(olga, url=proxy.url)
    page = tab(nearby)
    follow(page, nearby, board)
    bar = page.locator(".live-bar")
    expect(bar).to_be_hidden()
    proxy.down()
    expect(bar).to_contain_text("No connection")
    olga.new_card(board, "Missed")
    proxy.up()
    expect(card(page, "Missed")).to_be_visible()
    expect(bar).to_be_hidden()
    assert has_stayed(page)
    page.context.close()
    proxy.down()


def test_arriving_changes_do_not_take_away_what_somebody_types(olga, board, tab):
    page = tab(olga)
    follow(page, olga, board)
    to_do = list_named(page, "To do")
    to_do.get_by_text("Add card").click()
    field = to_do.get_by_label("New card in To do")
    field.press_sequentially("Half a th")
    olga.new_card(board, "Arrives meanwhile")
    olga.post(f"/list/{board['lists'][0]['id']}/title", title="Later")
    expect(card(page, "Arrives meanwhile")).to_be_visible()
    later = list_named(page, "Later")
    expect(later).to_be_visible()
    page.keyboard.type("ought")
    field = later.locator("footer textarea")
    expect(field).to_have_value("Half a thought")
    expect(field).to_be_focused()
    later.get_by_role("button", name="Add", exact=True).click()
    expect(card(page, "Half a thought")).to_be_visible()
    assert has_stayed(page)


def test_an_open_page_closes_for_a_member_who_was_removed(olga, people, board, tab):
    ed = people["ed"]
    olga.invite(board, ed)
    page = tab(ed)
    follow(page, ed, board)
    olga.post(f"/board/{board['id']}/members/{ed.id}/removal")
    expect(page.locator(".live-bar")).to_contain_text("You no longer have access to this board.")
    expect(page.get_by_text("Add list")).to_be_hidden()


def drag_over(page: Page, title: str, name: str) -> None:
    """Lift a card by the mouse, and hold it over a list."""
    card(page, title).hover()
    page.mouse.down()
    at = list_named(page, name).locator("ol").bounding_box()
    assert at is not None
    page.mouse.move(at["x"] + 90, at["y"] + 10)
    page.mouse.move(at["x"] + 100, at["y"] + 12)
    expect(page.locator(".drag-copy")).to_be_visible()


def test_what_a_mouse_drags_into_a_list_that_changes_meanwhile_lies_there_in_both_browsers(olga, people, board, tab):
    ed = people["ed"]
    olga.invite(board, ed)
    olga.new_card(board, "Drag me")
    hers, his = tab(olga), tab(ed)
    follow(hers, olga, board)
    follow(his, ed, board)
    drag_over(his, "Drag me", "Done")
    olga.new_card(board, "Arrives meanwhile", listId=board["lists"][-1]["id"])
    expect(list_named(hers, "Done").locator(".card")).to_have_count(1)
    his.mouse.up()
    for page in (hers, his):
        expect(list_named(page, "Done").locator(".card")).to_have_count(2)
        expect(list_named(page, "To do").locator(".card")).to_have_count(0)


def test_a_drag_whose_connection_is_cut_goes_back_and_the_other_browser_sees_none_of_it(
    olga, people, board, tab, running
):
    ed, proxy = people["ed"], Proxy(running.url, 80)
    olga.invite(board, ed)
    olga.new_card(board, "Drag me")
    hers, his = tab(olga), tab(nearby := replace(ed, url=proxy.url))
    follow(hers, olga, board)
    follow(his, nearby, board)
    drag_over(his, "Drag me", "Done")
    proxy.down()
    his.mouse.up()
    expect(his.locator(".toast")).to_contain_text("Could not reach the server.")
    expect(card(list_named(his, "To do"), "Drag me")).to_be_visible()
    proxy.up()
    olga.new_card(board, "Afterwards")
    expect(card(his, "Afterwards")).to_be_visible()
    for page in (hers, his):
        expect(list_named(page, "Done").locator(".card")).to_have_count(0)
    his.context.close()
    proxy.down()


def test_what_somebody_types_outlives_a_kill_of_the_service_and_is_saved_after_its_return(processes, tmp_path, tab):
    environment = {"TASKBOARD_DATA": str(prepared_data(tmp_path / "data"))}
    port = free_port()
    with serving(environment, port=port) as first, settle(environment, first.url, "olga") as people:
        board = (olga := people["olga"]).new_board()
        olga.new_card(board, "Write it", description="Before")
        page, watching = tab(olga), tab(olga)
        for one in (page, watching):
            follow(one, olga, board)
            card(one, "Write it").get_by_role("link").click()
            expect(one.locator("#open-card [data-part=description] .prose")).to_have_text("Before")
        page.locator("#open-card [data-part=description] .prose p").first.click()
        text = page.locator("[contenteditable=true]")
        text.press("End")
        page.keyboard.type(" and")
        first.stop(9)
        expect(page.locator(".live-bar")).to_contain_text("No connection")
        page.keyboard.type(" after")
        page.keyboard.press("Control+Enter")
        expect(page.get_by_text("Could not reach the server.").first).to_be_visible()
        with serving(environment, port=port):
            expect(page.locator(".live-bar")).to_be_hidden()
            expect(text).to_have_text("Before and after")
            text.press("Control+Enter")
            for one in (page, watching):
                expect(one.locator("#open-card [data-part=description] .prose:visible")).to_have_text(
                    "Before and after"
                )
            expect(text).to_have_count(0)
            assert has_stayed(page)
