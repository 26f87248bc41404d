"""Requests of a page that is already open, answered by the test."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, Route

SENTINEL = "/robots.txt"


def intercept(
    page: Page, address: str | re.Pattern[str], handle: Callable[[Route], object], *, times: int | None = None
) -> None:
    """Like `page.route`, and in force when it returns.

    Chromium answers that requests are intercepted before it has told the page's process. Until then they go to the
    server: one of 150 that followed at once did, on a busy machine.
    """
    page.route(address, handle, times=times)
    page.route(f"**{SENTINEL}", lambda route: route.fulfill(body="intercepted"))
    page.evaluate(
        """async (sentinel) => {
            const answer = async () => (await fetch(sentinel, { cache: "no-store" })).text()
            while ((await answer()) !== "intercepted");
        }""",
        SENTINEL,
    )
    page.unroute(f"**{SENTINEL}")
