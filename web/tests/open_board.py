"""One open page of a board in Chromium. The tests play the server's end of its socket."""

import json
import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, WebSocketRoute, expect

from accounts.models import User
from boards.models import Board, Card, Label, List, Offer
from boards.reader import MEMBERS
from boards.reading.pending import with_shared
from boards.reading.tiles import tiles_of
from taskboard.tests.browsers import give_back, lend_context, open_tab, refused_by_policy, tabs, wait_until_wired
from taskboard.tests.waiting import wait_on_page
from web.fragments import render_board_head, render_labels, render_list, render_offer, render_tile


class OpenBoard:
    """One open page of a board, and the server's end of its socket."""

    def __init__(
        self,
        chrome: Browser,
        url: str,
        client,
        user: User,
        board: Board,
        *,
        card: Card | None = None,
        scripts: bool = True,
        clock: bool = False,  # whether the test controls the page's clock
        touch: bool = False,
    ) -> None:
        self.user, self.board, self.asked = user, board, []
        self.socket: WebSocketRoute | None = None
        self.refuses: int | None = None  # the code to close new sockets with
        self.is_silent = False  # whether new sockets get no beats
        self.context = context = lend_context(
            chrome, url, java_script_enabled=scripts, reduced_motion="reduce", has_touch=touch
        )
        context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": url}])
        self.page: Page = open_tab(context)
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.refused = refused_by_policy(self.page)
        if clock:
            self.page.clock.install()
        self.page.route_web_socket(re.compile("/ws/board/"), self.connected)
        self.page.goto(card.get_absolute_url() if card else board.get_absolute_url())
        if scripts:
            wait_until_wired(self.page)

    def connected(self, socket: WebSocketRoute) -> None:
        self.asked.append(parse_qs(urlsplit(socket.url).query)["since"][0])
        self.socket = socket
        if self.refuses:
            socket.close(code=self.refuses)
        elif not self.is_silent:
            self.beat()

    def wait_for_connections(self, number: int) -> None:
        """Wait until the page has connected at least so often."""
        wait_on_page(self.page, lambda: len(self.asked) >= number, lambda: f"it connected {len(self.asked)} times")

    def beat(self, *, spread: int = 0) -> None:
        self.socket.send(json.dumps({"beat": 12, "spread": spread, "user": str(self.user.pk)}))

    @property
    def tabs(self) -> list[Page]:
        return tabs(self.context)

    @property
    def bar(self) -> Locator:
        return self.page.locator(".live-bar")

    def reload(self, **also: object) -> None:
        """Tell the page to read everything anew."""
        version = Board.objects.get(pk=self.board.pk).version
        self.socket.send(json.dumps({"board": str(self.board.pk), "version": version, "reload": True} | also))

    def list(self, row: List):
        return self.page.locator(f"#list-{row.pk}")

    def tile(self, card: Card):
        return self.page.locator(f"#card-{card.pk}")

    def edit_description(self) -> Locator:
        """Open the description of the open card, which is empty, in the editor."""
        self.page.locator("[data-part=description] summary").click()
        text = self.page.get_by_role("textbox", name="Description")
        expect(text).to_be_focused()
        expect(text).to_have_attribute("contenteditable", "true")
        return text

    def tell(self, *changed, removed=(), since=None, version=None) -> None:
        """Send what changed, as fragments of the rows in their present state."""
        if version is None:
            version = Board.objects.get(pk=self.board.pk).version
        since = self.board.version if since is None else since
        message = {"board": str(self.board.pk), "since": since, "version": version}
        things = [{"kind": kind, "id": str(row.pk), "html": html} for kind, row, html in map(fragment, changed)]
        gone = [{"kind": kind, "id": str(row.pk)} for kind, row in removed]
        self.socket.send(json.dumps(message | {"changed": things, "removed": gone}))


def fragment(row):
    if isinstance(row, Card):
        [tile] = tiles_of([row.pk])
        return "card", row, render_tile(tile)
    if isinstance(row, List):
        return "list", row, render_list(List.objects.get(pk=row.pk), [], view=MEMBERS)
    if isinstance(row, Label):  # all labels come together
        return "labels", row.board, render_labels(Label.objects.filter(board=row.board_id))
    if isinstance(row, Offer):
        return "offer", row, render_offer(row)
    board = with_shared(row.pk)
    return "board", board, render_board_head(board, MEMBERS)


@pytest.fixture
def opened(chrome, live_server, client, board):
    pages = []

    def open_board(user, **options) -> OpenBoard:
        client.force_login(user)
        board.refresh_from_db()
        pages.append(OpenBoard(chrome, live_server.url, client, user, board, **options))
        return pages[-1]

    yield open_board
    for page in pages:
        give_back(page.context)
    for page in pages:
        assert page.errors == page.refused == []
