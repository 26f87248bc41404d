"""People who use a service that runs as a process: they send what their browsers and scripts would."""

import json
import re
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from taskboard.tests.prepared import prepared_cast
from taskboard.tests.servers import PLAIN_HTTP
from taskboard.tests.settle import PASSWORD
from taskboard.tests.waiting import PATIENCE, wait_until

CSRF = "x" * 32
# Sockets of a browser. It sends no pings: a client that does gives up where no answer comes within twenty seconds.
LIKE_A_BROWSER: dict[str, Any] = {"proxy": None, "max_size": None, "ping_interval": None}


@dataclass
class Person:
    url: str
    id: str
    email: str
    tokens: list[str]
    session: str
    socket_url: str = ""  # address of the process that serves sockets, if it is another one
    name: str = field(default="", kw_only=True)

    @property
    def token(self) -> str:
        return self.tokens[0]

    @cached_property
    def browser(self) -> httpx.Client:
        client = httpx.Client(base_url=self.url, **PLAIN_HTTP)
        for name, value in {"csrftoken": CSRF, "sessionid": self.session}.items():
            client.cookies.set(name, value, domain=client.base_url.host)
        return client

    @cached_property
    def script(self) -> httpx.Client:
        headers = {"Authorization": f"Bearer {self.token}"}
        return httpx.Client(base_url=self.url, headers=headers, **PLAIN_HTTP)

    def post(self, path: str, **form: Any) -> httpx.Response:
        """Send a form by the browser, again if the service says that it is busy. An error fails the test."""
        answer = wait_until(lambda: self._taken(path, form), f"{path} is busy")
        assert answer.status_code in (200, 204, 302, 303), (path, answer.status_code, answer.text[:500])
        return answer

    def _taken(self, path: str, form: dict[str, Any]) -> httpx.Response | None:
        """Send a form; return the answer unless it says that the service is busy."""
        headers = {"X-CSRFToken": self.browser.cookies["csrftoken"]}
        answer = self.browser.post(path, data=form, headers=headers)
        return None if answer.status_code == 503 else answer

    def new_board(self, title: str = "Launch", template: str = "kanban") -> dict[str, Any]:
        return self._create("boards", title=title, template=template)["board"]

    def new_card(self, board: dict[str, Any], title: str = "A card", **fields: str) -> dict[str, Any]:
        return self._create("cards", boardId=board["id"], title=title, **fields)["card"]

    def invite(self, board: dict[str, Any], other: "Person", role: str = "editor") -> None:
        """Invite a member of the cast, who accepts."""
        self.post(f"/board/{board['id']}/invitations", email=other.email, role=role)
        invitation = re.search(r'action="(/invitation/[^"]+)"', other.browser.get("/invitations").text)
        assert invitation is not None
        other.post(invitation[1], answer="accept")

    def _create(self, what: str, **body: str) -> dict[str, Any]:
        answer = self.script.post(f"/api/v1/{what}", json=body)
        assert answer.status_code == 201, (answer.status_code, answer.text[:500])
        return answer.json()

    @contextmanager
    def elsewhere(self) -> "Iterator[Person]":
        """Return the same person with another browser, signed in there by the form."""
        with closing(replace(self, session="")) as other:
            other.post("/sign-in", login=self.email, password=PASSWORD)
            yield other.at_present()

    def at_present(self) -> "Person":
        """Return the person with the session that the browser has now."""
        self.session = self.browser.cookies["sessionid"]
        return self

    def close(self) -> None:
        self.browser.close()
        self.script.close()

    def open(self, board: dict[str, Any], since: object = None, **options: Any) -> "AbstractContextManager[Socket]":
        query = "" if since is None else f"?since={since}"
        return self.open_path(f"/ws/board/{board['id']}{query}", **options)

    @contextmanager
    def open_path(self, path: str, *, session: str | None = None, **options: Any) -> "Iterator[Socket]":
        url = self.socket_url or self.url
        cookie = self.session if session is None else session
        headers = {"Cookie": f"sessionid={cookie}"} if cookie else {}
        options = {"origin": url, "additional_headers": headers, **LIKE_A_BROWSER, **options}
        with connect(url.replace("http:", "ws:") + path, **options) as connection:
            yield Socket(connection)


class Socket:
    """The socket of an open page."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection

    def text(self) -> str:
        return self.connection.recv(timeout=PATIENCE)

    def message(self) -> dict[str, Any]:
        return json.loads(self.text())

    def until(self, version: int) -> list[dict[str, Any]]:
        """Receive the messages that bring the page to `version`; return them."""
        messages = [self.message()]
        while messages[-1]["version"] < version:
            messages.append(self.message())
        return messages

    def is_cut(self) -> bool:
        """Assert that the connection ends without another message."""
        with pytest.raises(ConnectionClosed):
            self.text()
        return True

    def close_code(self) -> int:
        """Return the code that the server closes the connection with, whatever it sends before."""
        with pytest.raises(ConnectionClosed) as closed:
            self.until(sys.maxsize)
        assert closed.value.rcvd is not None, "the connection was lost"
        return closed.value.rcvd.code


@contextmanager
def settle(environment: dict[str, str], url: str, *names: str) -> Iterator[dict[str, Person]]:
    """Yield members of the cast of a prepared database by name, each with a token and a signed-in browser."""
    held = prepared_cast(environment)
    with ExitStack() as open_ones:
        yield {name: open_ones.enter_context(closing(Person(url, **held[name], name=name))) for name in names}


def titles(message: dict[str, Any]) -> list[str]:
    """Return the titles of the cards in a message, as their tiles show them."""
    cards = [thing["html"] for thing in message["changed"] if thing["kind"] == "card"]
    return [html.partition('class="title')[2].partition(">")[2].partition("<")[0].strip() for html in cards]
