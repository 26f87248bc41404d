"""Start Chromium for tests of pages.

It is started once for all tests of a process, and lends contexts whose cache holds the scripts already: a new context fetches
and compiles them all again, which takes longer than most tests.
"""

import asyncio
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Error,
    Page,
    Playwright,
    expect,
    sync_playwright,
)

from taskboard.tests.needs import asked_for, found_chromium
from taskboard.tests.waiting import wait_on_page

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--window-size=1280,720",  # of pages that are lent
]
ANCHOR = "/livez"  # isolates its window, as pages do: from any other one they would leave its process
HAS_CLOCK = "() => '__pwClock' in globalThis"  # whether a test has replaced the clock of the context, for good

expect.set_options(timeout=30_000)  # as long as everything else of Playwright waits: a busy machine is no failure


@dataclass
class Started:
    playwright: Playwright
    browser: Browser
    loop: asyncio.AbstractEventLoop


@dataclass
class Kept:
    """A context that is lent again, and its page that stays open, so that the process of the pages stays too."""

    context: BrowserContext
    anchor: Page
    address: str


_started: list[Started] = []  # at most one
_kept: defaultdict[tuple[object, ...], list[Kept]] = defaultdict(list)  # those that are not lent, by what makes them
_lent: dict[BrowserContext, tuple[tuple[object, ...], Kept]] = {}


@contextmanager
def started_chromium() -> Iterator[Browser]:
    """Yield the browser of this process, whose event loop runs in the thread of the tests.

    Django refuses to use the database in a thread that runs an event loop, but this loop does not touch the database.
    After the block the loop stands still, so that other tests may run loops of their own.
    """
    before = asyncio._get_running_loop()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
        started = start()
        asyncio._set_running_loop(started.loop)
        try:
            yield started.browser
        finally:
            asyncio._set_running_loop(before)


def start() -> Started:
    asked_for("chromium")
    if _started and not _started[0].browser.is_connected():
        end_browser()
    if not _started:
        playwright = sync_playwright().start()
        browser = playwright.chromium.launch(executable_path=found_chromium(), args=ARGUMENTS)
        _started.append(Started(playwright, browser, asyncio.get_running_loop()))
    return _started[0]


def end_browser() -> None:
    """End the browser of this process, if there is one."""
    _kept.clear()
    _lent.clear()
    while _started:
        started = _started.pop()
        asyncio._set_running_loop(started.loop)
        started.browser.close()
        started.playwright.stop()


def lend_context(browser: Browser, url: str, **options: object) -> BrowserContext:
    """Return a context as good as new, for pages of the service at `url`. `give_back` takes it when its test has ended."""
    made_by = (browser, url, *sorted(options.items()))
    while _kept[made_by]:
        kept = _kept[made_by].pop()
        try:
            if clean(kept):
                break
        except Error:
            pass  # it was closed by its test, or lost its process
        with suppress(Error):
            kept.context.close()
    else:
        kept = new(browser, url, **options)
    _lent[kept.context] = made_by, kept
    return kept.context


def give_back(context: BrowserContext) -> None:
    made_by, kept = _lent.pop(context)
    with suppress(Error):
        for page in tabs(context, kept.anchor):
            page.close()
    _kept[made_by].append(kept)


def open_tab(context: BrowserContext) -> Page:
    """Return a new page of a context that was lent.

    The anchor opens it, so that both share a process: one of its own would have to start, and compile all scripts again.
    """
    with context.expect_page() as opened:
        _lent[context][1].anchor.evaluate("() => { open().opener = null }")
    return opened.value


def resize(page: Page, width: int, height: int) -> None:
    """Give the window of a page that was lent this size inside.

    Playwright would pretend the size, and Chromium empties the memory of its process where that begins: all pages of the
    context would fetch and compile their scripts again.
    """
    session = page.context.new_cdp_session(page)
    window = session.send("Browser.getWindowForTarget")["windowId"]
    session.send("Browser.setWindowBounds", {"windowId": window, "bounds": {"width": width, "height": height}})
    session.detach()
    wait_on_page(page, lambda: page.evaluate("[innerWidth, innerHeight]") == [width, height])


def tabs(context: BrowserContext, anchor: Page | None = None) -> list[Page]:
    """Return the open pages of a context that was lent."""
    anchor = anchor or _lent[context][1].anchor
    return [page for page in context.pages if page != anchor]


def new(browser: Browser, url: str, **options: object) -> Kept:
    context = browser.new_context(base_url=url, no_viewport=True, **options)  # see resize
    anchor = context.new_page()
    anchor.goto(ANCHOR)
    return Kept(context, anchor, url)


def clean(kept: Kept) -> bool:
    """Take away what the last test left in the context, except its cache. Return whether that was possible."""
    if kept.anchor.evaluate(HAS_CLOCK):
        return False
    kept.context.set_offline(False)
    kept.context.clear_permissions()
    kept.context.clear_cookies()
    session = kept.context.new_cdp_session(kept.anchor)
    session.send("Storage.clearDataForOrigin", {"origin": kept.address, "storageTypes": "all"})
    session.detach()
    return True


def wait_until_wired(page: Page, selector: str = "main") -> None:
    """Wait until the scripts of the page have found what they act on."""
    page.wait_for_function("(selector) => document.querySelector(`${selector}[data-wired]`)", arg=selector)


def refused_by_policy(page: Page) -> list[str]:
    """Return a list that grows with each thing that the Content-Security-Policy refuses on this page from now on."""
    refused: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        if "Content Security Policy" in message.text:
            refused.append(f"{page.url}: {message.text}")

    page.on("console", hear)
    return refused


@pytest.fixture(scope="module")
def chrome(chromium: str) -> Iterator[Browser]:
    """The browser of this process."""
    with started_chromium() as browser:
        yield browser
