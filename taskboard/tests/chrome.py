"""Chromium for pages whose server runs in the tests' own process. A conftest.py that imports the fixture offers it."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from taskboard.tests.needs import chromium

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


@pytest.fixture(scope="module")
def chrome() -> Iterator[Browser]:
    """Playwright's loop runs in the thread of the tests, beside whose database it does no harm."""
    with pytest.MonkeyPatch.context() as patch, sync_playwright() as playwright:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        yield browser
        browser.close()
