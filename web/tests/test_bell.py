"""The bell: its sockets on a real server, and two people in Chromium."""

from contextlib import suppress
from typing import Any

import pytest
from playwright.sync_api import expect
from websockets.exceptions import ConnectionClosed

from taskboard.tests.people import Person, Socket
from taskboard.tests.served_people import ed, olga, people, stan
from taskboard.tests.servers import PATIENCE

__all__ = ["ed", "olga", "people", "stan"]


@pytest.fixture
def board(olga: Person, ed: Person) -> dict[str, Any]:
    board = olga.new_board()
    olga.invite(board, ed)
    ed.post("/notifications", upto="2999-01-01T00:00:00Z")
    return board


def unread(socket: Socket, number: int) -> bool:
    """Wait until the socket says so."""
    while (message := socket.message()).get("unread") != number:
        assert "beat" in message or "unread" in message or "here" in message or "since" in message, message
    return True


def mention(card: dict[str, Any], by: Person, of: Person) -> None:
    by.post(f"/card/{card['id']}/comments", text=f"Look, [@{of.name}](mention:{of.id})")


@pytest.mark.parametrize("address", ["/ws/me?beats&bell", "/ws/board/{board}?since=0&beats&bell"])
def test_a_page_is_told_how_many_are_unread_as_they_come_and_are_read(olga, ed, board, address):
    card = olga.new_card(board)
    with ed.open_path(address.format(board=board["id"])) as socket:
        assert unread(socket, 0)
        mention(card, olga, ed)
        assert unread(socket, 1)
        ed.post("/notifications", upto="2999-01-01T00:00:00Z")
        assert unread(socket, 0)


def test_a_page_is_told_of_each_change_even_if_as_many_are_unread(olga, ed, board):
    card = olga.new_card(board)
    with ed.open_path("/ws/me?bell") as socket:
        assert unread(socket, 0)
        mention(card, olga, ed)
        assert unread(socket, 1)
        mention(card, olga, ed)  # in the row of the first one
        assert unread(socket, 1)


def test_a_page_is_told_when_a_board_of_its_user_is_deleted(olga, ed, board):
    card = olga.new_card(board)
    mention(card, olga, ed)
    with ed.open_path("/ws/me?bell") as socket:
        assert unread(socket, 1)
        olga.post(f"/board/{board['id']}/deletion", title=board["title"])
        assert unread(socket, 0)


def test_a_page_is_told_when_a_board_of_its_user_is_archived(olga, ed, board):
    with ed.open_path("/ws/me?bell") as socket:
        assert unread(socket, 0)
        olga.post(f"/board/{board['id']}/archival", archived="1")
        assert unread(socket, 0)


def test_another_persons_page_is_told_nothing(olga, ed, stan, board):
    card = olga.new_card(board)
    with stan.elsewhere() as there, there.open_path("/ws/me?bell") as socket:
        assert unread(socket, 0)
        with ed.open_path("/ws/me?bell") as other:
            mention(card, olga, ed)
            assert unread(other, 1)
        there.post("/sign-out")
        assert set(messages_until_the_end(socket)) <= {'{"unread":0}'}  # again when Redis confirms a subscription late


def test_without_a_session_there_is_no_bell(ed):
    with ed.open_path("/ws/me?bell", session="") as socket:
        assert socket.close_code() == 4401


def test_the_socket_of_a_page_closes_when_its_session_ends(people):
    vera = people["vera"]
    with vera.open_path("/ws/me?bell") as socket:
        assert unread(socket, 0)
        vera.post("/sign-out")
        messages_until_the_end(socket)


def messages_until_the_end(socket: Socket) -> list[str]:
    """Return what the server sends until it closes the connection."""
    messages: list[str] = []
    with suppress(ConnectionClosed):
        while True:
            messages.append(socket.text())
    return messages


def test_olga_mentions_ed_and_his_open_page_counts_up_he_opens_it_and_it_is_read(chrome, olga, ed, board):
    card = olga.new_card(board, "Write the announcement")
    page = chrome.new_page(base_url=ed.url)
    page.set_default_timeout(PATIENCE * 1000)
    page.context.add_cookies([{"name": "sessionid", "value": ed.session, "url": ed.url}])
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto("/")
    count = page.locator(".bell-count")
    expect(page.locator(".bell[data-wired]")).to_be_attached()
    expect(count).to_be_hidden()
    mention(card, olga, ed)
    expect(count).to_have_text("1 unread")
    page.locator(".bell > summary").click()
    page.locator(".bell-panel .told").click()
    expect(page.locator("#open-card h1")).to_have_text("Write the announcement")
    expect(count).to_be_hidden()
    page.locator("#open-card .following > summary").click()
    page.locator("#open-card .following-choices").get_by_text("Mute").click()
    expect(page.locator(".toast")).to_contain_text("You muted this card.")
    mention(card, olga, ed)
    expect(page.locator("#open-card [data-part=comments] article")).to_have_count(2)
    expect(count).to_be_hidden()
    assert errors == []
    page.close()


def test_what_is_told_of_a_card_that_ed_has_open_is_read(chrome, olga, ed, board):
    card, other = (olga.new_card(board, title) for title in ("Write the announcement", "Another"))
    page = chrome.new_page(base_url=ed.url)
    page.set_default_timeout(PATIENCE * 1000)
    page.context.add_cookies([{"name": "sessionid", "value": ed.session, "url": ed.url}])
    page.goto(card["url"])
    expect(page.locator("#open-card h1")).to_have_text("Write the announcement")
    with page.expect_response(f"**/card/{card['id']}/notifications") as answer:
        mention(card, olga, ed)
    assert answer.value.json() == {"unread": 0}
    expect(page.locator(".bell-count")).to_be_hidden()
    mention(other, olga, ed)
    expect(page.locator(".bell-count")).to_have_text("1 unread")
    page.close()
