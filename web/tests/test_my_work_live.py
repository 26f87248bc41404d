"""*My work* live, on a real server: its socket, and two people in Chromium."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from taskboard.tests.browsers import give_back, lend_context, open_tab, wait_until_wired
from taskboard.tests.people import Person, Socket
from taskboard.tests.served_people import ed, olga, people, stan
from taskboard.tests.servers import PATIENCE

__all__ = ["ed", "olga", "people", "stan"]


@pytest.fixture
def board(olga: Person, ed: Person) -> dict[str, Any]:
    board = olga.new_board()
    olga.invite(board, ed)
    return board


def state(socket: Socket) -> str:
    """Wait until the socket tells the state of its user's boards."""
    while "work" not in (message := socket.message()):
        assert message.keys() & {"beat", "unread"}, message
    return message["work"]


def test_a_page_is_told_when_one_of_its_users_boards_has_changed(olga, ed, board):
    with ed.open_path("/ws/me?work=before") as socket:
        first = state(socket)
        olga.new_card(board)
        assert state(socket) != first


def test_a_page_that_is_up_to_date_is_told_nothing_until_something_changes(olga, ed, board):
    with ed.open_path("/ws/me?work=before") as socket:
        seen = state(socket)
    with ed.open_path(f"/ws/me?work={seen}&beats") as socket:
        assert "beat" in socket.message()
        olga.new_card(board)
        assert state(socket) != seen


def test_changes_of_boards_of_others_change_nothing(olga, stan, board):
    with stan.open_path("/ws/me?work=before") as socket:
        seen = state(socket)
    olga.new_card(board)
    with stan.open_path("/ws/me?work=before") as socket:
        assert state(socket) == seen


def test_a_page_is_told_when_its_user_is_let_in_and_when_they_are_removed(olga, stan, board):
    with stan.open_path("/ws/me?work=before") as socket:
        before = state(socket)
        olga.invite(board, stan, role="viewer")
        assert state(socket) != before
        olga.post(f"/board/{board['id']}/members/{stan.id}/removal")
        assert state(socket) == before


@contextmanager
def page_of(chrome: Browser, person: Person, path: str, wired: str = "main") -> Iterator[Page]:
    context = lend_context(chrome, person.url)
    context.add_cookies([{"name": "sessionid", "value": person.session, "url": person.url}])
    page = open_tab(context)
    page.set_default_timeout(PATIENCE * 1000)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(path)
    expect(page.locator(f"{wired}[data-wired]")).to_be_attached()
    yield page
    give_back(context)
    assert errors == []


def test_ed_works_through_his_cards_while_olga_gives_him_more(chrome, olga, ed, board):
    """By keys from end to end, with a second browser live beside it."""
    card = olga.new_card(board, "Write the announcement", dueDate="2030-01-02")
    olga.post(f"/card/{card['id']}/assignees", add=ed.id)
    with page_of(chrome, ed, "/my") as his, page_of(chrome, olga, board["url"]) as hers:
        titles = his.locator("#my-rows .title")
        expect(titles).to_have_text(["Write the announcement"])
        other = olga.new_card(board, "Call the printer", dueDate="2030-01-01")
        olga.post(f"/card/{other['id']}/assignees", add=ed.id)
        expect(titles).to_have_text(["Call the printer", "Write the announcement"])
        his.keyboard.press("ArrowDown")
        expect(titles.first).to_be_focused()
        his.keyboard.press("c")
        expect(hers.locator(f"#card-{other['id']}.done")).to_be_visible()
        his.keyboard.press("j")
        his.keyboard.press("d")
        his.get_by_label("Due date", exact=True).and_(his.locator("input")).fill("2020-02-03")
        his.keyboard.press("Enter")
        expect(his.get_by_role("heading", name="Overdue")).to_be_visible()
        expect(hers.locator(f"#card-{card['id']} .due.late")).to_be_visible()
        his.keyboard.press("n")
        his.keyboard.type("Order paper\n")
        expect(hers.locator(".card", has_text="Order paper")).to_be_visible()
        olga.post(f"/board/{board['id']}/members/{ed.id}/removal")
        expect(titles.filter(has_text="announcement")).to_have_count(0)
        expect(titles.filter(has_text="Order paper")).to_have_count(0)


def test_ed_edits_a_table_while_olga_adds_to_it(chrome, olga, ed, board):
    """By keys from end to end, with a second browser live beside it."""
    card = olga.new_card(board, "Write the announcement")
    with page_of(chrome, ed, f"{board['url']}/table") as his, page_of(chrome, olga, board["url"]) as hers:
        titles = his.locator("#table-rows .title")
        expect(titles).to_have_text(["Write the announcement"])
        olga.new_card(board, "Call the printer")
        expect(titles).to_have_text(["Write the announcement", "Call the printer"])
        his.keyboard.press("j")
        his.keyboard.press("Enter")
        his.keyboard.type("Print the announcement\n")
        tile = hers.locator(f"#card-{card['id']}")
        expect(tile.locator(".title")).to_contain_text("Print the announcement")
        his.keyboard.press("ArrowLeft")
        his.keyboard.press("ArrowLeft")
        his.keyboard.press("Enter")
        expect(hers.locator(f"#card-{card['id']}.done")).to_be_visible()
        olga.post(f"/card/{card['id']}/title", title="Order the announcement")
        expect(titles.first).to_have_text("Order the announcement")
        olga.post(f"/board/{board['id']}/members/{ed.id}/removal")
        expect(titles).to_have_count(0)


def test_what_ed_has_found_follows_what_olga_does(chrome, olga, ed, board):
    card, other = olga.new_card(board, "Write a flyer"), olga.new_card(board, "Print the flyer")
    with page_of(chrome, ed, "/search?q=flyer") as his:
        titles = his.locator("#search-results .title")
        expect(titles).to_have_text(["Print the flyer", "Write a flyer"])
        olga.post(f"/card/{card['id']}/title", title="Draw a flyer")
        expect(titles).to_have_text(["Print the flyer", "Draw a flyer"])
        olga.post(f"/card/{other['id']}/completion", done="1")
        expect(his.locator(".hit.done .title")).to_have_text("Print the flyer")
        olga.post(f"/board/{board['id']}/members/{ed.id}/removal")
        expect(titles).to_have_count(0)


@pytest.mark.parametrize("path", ["/members/{ed}/removal", "/deletion"])
def test_open_pages_drop_a_board_that_ed_has_lost(chrome, olga, ed, board, path):
    """The start page, the inbox, the pane of the bell, and the palette on the page of the board itself."""
    card = olga.new_card(board, "Write a flyer", dueDate="2030-01-02")
    olga.post(f"/card/{card['id']}/assignees", add=ed.id)
    with ExitStack() as pages:
        start, inbox, bell, palette = (
            pages.enter_context(page_of(chrome, ed, address, wired=".bell"))
            for address in ("/", "/notifications", "/my", board["url"])
        )
        due = start.locator(".due-row").filter(has_text="flyer")
        told = inbox.locator("#inbox-rows .told").filter(has_text="flyer")
        bell.locator(".bell > summary").click()
        rung = bell.locator(".bell-panel .told").filter(has_text="flyer")
        wait_until_wired(palette, "#command-palette")
        palette.keyboard.press("Control+k")
        palette.keyboard.type("flyer")
        found = palette.locator("#command-palette [data-found]").get_by_role("option").filter(has_text="Write a flyer")
        shown = (due, start.locator("#start-news .told").filter(has_text="flyer"), told, rung, found)
        for rows in shown:
            expect(rows).to_have_count(1)
        olga.post(f"/board/{board['id']}{path.format(ed=ed.id)}", title=board["title"])
        for rows in shown:
            expect(rows).to_have_count(0)
