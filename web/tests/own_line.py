"""A page without a board, whose connection (`/ws/me`) the test plays."""

import re

from playwright.sync_api import WebSocketRoute

from taskboard.tests.browsers import ANCHOR, wait_until_wired
from taskboard.tests.waiting import wait_on_page
from web.tests.looking import Show


class PageWithLine:
    def __init__(self, show: Show, user, path: str, **options: object) -> None:
        self._sockets: list[WebSocketRoute] = []
        self.page = show(ANCHOR, user, wired="", **options)  # that one has no connection
        self.page.route_web_socket(re.compile("/ws/me"), self._connect)
        self.open(path)

    def open(self, path: str, wired: str = "main") -> None:
        self._sockets.clear()
        self.page.goto(path)
        wait_until_wired(self.page, wired)
        wait_on_page(self.page, lambda: len(self._sockets) > 0, lambda: "no socket")

    @property
    def socket(self) -> WebSocketRoute:
        """The newest one."""
        return self._sockets[-1]

    def _connect(self, socket: WebSocketRoute) -> None:
        self._sockets.append(socket)
