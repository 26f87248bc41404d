"""The main story in a browser: somebody signs up and makes a board, a script adds cards, and they appear by themselves."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, WebSocket, expect

from taskboard.tests.browsers import started_chromium
from taskboard.tests.people import Person, settle
from taskboard.tests.prepared import prepared_data, prepared_services
from taskboard.tests.proxy import Proxy
from taskboard.tests.servers import PATIENCE, PLAIN_HTTP, Running, faults, free_port, serving

pytestmark = pytest.mark.browser


Tab = Callable[..., Page]


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    with prepared_services() as services:
        yield {**services, "TASKBOARD_DATA": str(prepared_data(tmp_path_factory.mktemp("data")))}


@pytest.fixture(scope="module")
def running(environment: dict[str, str]) -> Iterator[Running]:
    with serving(environment) as running:
        yield running
        _code, _out, err = running.stop(15)
        assert faults(err) == []


@pytest.fixture(scope="module")
def people(running: Running, environment: dict[str, str]) -> Iterator[dict[str, Person]]:
    with settle(environment, running.url, "olga", "ed") as people:
        yield people


@pytest.fixture
def olga(people: dict[str, Person]) -> Person:
    return people["olga"]


@pytest.fixture
def board(olga: Person) -> dict[str, Any]:
    return olga.new_board()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with started_chromium() as browser:
        yield browser


@pytest.fixture
def tab(browser: Browser) -> Iterator[Tab]:
    """Open tabs, in a new browser of `person` or in a given one. An error in any of them fails the test."""
    contexts: list[BrowserContext] = []
    troubles: list[str] = []

    def open_tab(person: Person | None = None, context: BrowserContext | None = None) -> Page:
        if context is None:
            context = browser.new_context(locale="en-GB", timezone_id="Europe/Berlin")
            contexts.append(context)
        if person is not None:
            context.add_cookies([{"name": "sessionid", "value": person.session, "url": person.url}])
        page = context.new_page()
        page.set_default_timeout(PATIENCE * 1000 / 3)
        page.on("console", lambda said: troubles.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: troubles.append(str(error)))
        return page

    yield open_tab
    for context in contexts:
        context.close()
    expected = (  # while the service is away; a script that is not there has a 404 of its own
        *("ERR_CONNECTION_REFUSED", "ERR_CONNECTION_RESET", "ERR_SOCKET_NOT_CONNECTED", "ERR_EMPTY_RESPONSE"),
        *("WebSocket connection to", "htmx:afterRequest", "htmx:sendError"),
        "Failed to fetch dynamically imported module",
    )
    assert [trouble for trouble in troubles if not any(words in trouble for words in expected)] == []


def card(page: Page | Locator, title: str) -> Locator:
    return page.locator(".card").filter(has_text=title)


def list_named(page: Page, name: str) -> Locator:
    return page.locator("section.list[id]").filter(has=page.get_by_role("heading", name=name, exact=True))


def follow(page: Page, person: Person, board: dict[str, Any]) -> None:
    """Open the board and wait until it is live and has all its scripts. From now on the page must not be loaded again."""
    with page.expect_websocket():
        page.goto(f"{person.url}{board['url']}", wait_until="networkidle")
    page.evaluate("window.stayed = true")


def has_stayed(page: Page) -> bool:
    return page.evaluate("window.stayed === true")


def is_of_board(socket: WebSocket) -> bool:
    return "/ws/board/" in socket.url


def test_somebody_signs_up_makes_a_board_and_sees_the_cards_of_a_script_arrive(running, tab):
    page = tab()
    page.goto(running.url)
    page.get_by_role("link", name="Sign up").first.click()
    page.get_by_label("Email address").fill("nina@example.com")
    page.get_by_label("Name").fill("Nina")
    page.get_by_label("Password", exact=True).fill("correct horse battery")
    page.get_by_role("button", name="Create account").click()

    page.get_by_role("link", name="New board").click()
    page.get_by_label("Title").fill("Autumn launch")
    page.locator("label.template").filter(has_text="In progress").click()
    sockets: list[WebSocket] = []
    # The page before may still be opening the line of its bell, which ends with that page.
    page.on("websocket", lambda socket: sockets.append(socket) if is_of_board(socket) else None)
    with page.expect_websocket(is_of_board):
        page.get_by_role("button", name="Create board").click()
    expect(page.get_by_role("heading", name="Autumn launch")).to_be_visible()
    expect(list_named(page, "To do").locator(".count")).to_have_text("0")
    page.evaluate("window.stayed = true")
    board_id = page.url.rpartition("/")[2]

    other = tab(context=page.context)
    other.goto(f"{running.url}/settings/tokens")
    other.get_by_label("Name").fill("laptop")
    other.get_by_role("button", name="Create token").click()
    token = other.locator("#token-value").inner_text()
    other.reload()
    expect(other.locator("#token-value")).to_have_count(0)

    for number in (1, 2):
        answer = httpx.post(
            f"{running.url}/api/v1/cards",
            json={"boardId": board_id, "title": f"Card {number} of a script", "description": "- [ ] Try it"},
            headers={"Authorization": f"Bearer {token}"},
            **PLAIN_HTTP,
        )
        assert answer.status_code == 201, answer.text
        expect(card(page, f"Card {number} of a script")).to_be_visible()
    expect(list_named(page, "To do").locator(".count")).to_have_text("2")
    assert has_stayed(page)
    assert len(sockets) == 1


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


@pytest.mark.once
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


@pytest.mark.once
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


@pytest.mark.once
def test_what_somebody_types_outlives_a_kill_of_the_service_and_is_saved_after_its_return(tmp_path, tab):
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
