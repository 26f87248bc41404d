"""Start Chromium for tests of pages."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, sync_playwright

from taskboard.tests.needs import chromium

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


@contextmanager
def started_chromium() -> Iterator[Browser]:
    """Start a browser whose event loop runs in the thread of the tests.

    Django refuses to use the database in a thread that runs an event loop, but this loop does not touch the database.
    """
    with pytest.MonkeyPatch.context() as patch, sync_playwright() as playwright:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        yield browser
        browser.close()


def refused_by_policy(page: Page) -> list[str]:
    """Return a list that grows with each thing that the Content-Security-Policy refuses on this page from now on."""
    refused: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        if "Content Security Policy" in message.text:
            refused.append(f"{page.url}: {message.text}")

    page.on("console", hear)
    return refused


@pytest.fixture(scope="module")
def chrome() -> Iterator[Browser]:
    """A browser for pages whose server runs in the tests' own process. Import this fixture in a conftest.py to use it."""
    with started_chromium() as browser:
        yield browser
