"""Tabs of people at a service that runs as a process, and what they see on boards."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, WebSocket

from taskboard.tests.people import Person
from taskboard.tests.servers import PATIENCE

Tab = Callable[..., Page]


@pytest.fixture
def tab(chrome: Browser) -> Iterator[Tab]:
    """Open tabs, in a new browser of `person` or in a given one. An error in any of them fails the test."""
    contexts: list[BrowserContext] = []
    troubles: list[str] = []

    def open_tab(person: Person | None = None, context: BrowserContext | None = None) -> Page:
        if context is None:
            context = chrome.new_context(locale="en-GB", timezone_id="Europe/Berlin")
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
        *("WebSocket connection to", "Failed to fetch dynamically imported module"),
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
