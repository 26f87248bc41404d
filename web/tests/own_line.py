"""A page without a board, whose connection (`/ws/me`) the test plays."""

import re

from playwright.sync_api import Page, WebSocketRoute

from taskboard.tests.browsers import wait_until_wired
from taskboard.tests.waiting import wait_on_page


class PageWithLine:
    def __init__(self, page: Page, path: str) -> None:
        self.page = page
        self._sockets: list[WebSocketRoute] = []
        page.route_web_socket(re.compile("/ws/me"), self._connect)
        self.open(path)

    def open(self, path: str, wired: str = "main") -> None:
        self.page.goto(path)
        wait_until_wired(self.page, wired)
        wait_on_page(self.page, lambda: len(self._sockets) > 0, lambda: "no socket")

    @property
    def socket(self) -> WebSocketRoute:
        """The newest one."""
        return self._sockets[-1]

    def _connect(self, socket: WebSocketRoute) -> None:
        self._sockets.append(socket)
