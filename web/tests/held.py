"""Requests of a page that do not go on before the test lets them."""

import re

from playwright.sync_api import Page, Route

from taskboard.tests.interception import intercept
from taskboard.tests.waiting import wait_on_page

A_CARD = re.compile(r"//[^/]+/card/")  # the address of an open card; scripts have a folder of this name


class Held:
    """The requests to an address that a page sends from now on, in their order.

    `method` holds only those of that method; `most` only the first so many.
    """

    def __init__(
        self, page: Page, address: str | re.Pattern[str], *, method: str | None = None, most: int | None = None
    ) -> None:
        self._page, self._method, self._most = page, method, most
        self._number = 0  # of those that were held
        self._routes: list[Route] = []
        intercept(page, address, self._hear)

    def _hear(self, route: Route) -> None:
        if self._method not in (None, route.request.method) or self._number == self._most:
            route.continue_()
        else:
            self._number += 1
            self._routes.append(route)

    def __len__(self) -> int:
        """Return how many wait now, as far as the browser has told."""
        return len(self._routes)

    def wait_for(self, number: int) -> None:
        """Wait until at least so many wait."""
        wait_on_page(self._page, lambda: len(self) >= number, lambda: f"{len(self)} requests wait, not {number}")

    def next(self) -> Route:
        """Take out the first of those that wait, as soon as there is one."""
        self.wait_for(1)
        return self._routes.pop(0)

    def let_on(self) -> None:
        self.next().continue_()


def held_changes(page: Page) -> Held:
    """Hold each change of cards that the page sends from now on."""
    return Held(page, re.compile("/cards$"), method="POST")


def let_others_come(page: Page) -> None:
    """Let answers come that were asked for before."""
    page.evaluate("async () => { for (let times = 0; times < 5; times++) await fetch('/livez') }")
