"""Time from the API's answer to the last open page, with 1 and 200 sockets on one board. REST creates the cards.

    .venv/bin/python -m benchmarks.live [cards a figure]

gunicorn answers the API, one Daphne process holds the sockets, and both use PostgreSQL and Redis. A time of 0 means
that the page had the card before the API's answer was read.
"""

import json
import os
import select
import socket
import statistics
import sys
import threading
import time
from base64 import b64encode
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from uuid import UUID

from uuid_utils.compat import uuid7

from benchmarks import load, servers
from benchmarks.rest import make_data
from benchmarks.results import record


def session_cookie(user_id: object) -> str:
    """Make a signed-in session of this account; return its cookie."""
    from django.conf import settings
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore

    from accounts.models import User

    user = User.objects.get(pk=user_id)
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    return f"{settings.SESSION_COOKIE_NAME}={session.session_key}"


class Page:
    """The socket of an open page. It does as little as it can, because it shares the processors with what is measured."""

    def __init__(self, port: int, board: object, cookie: str, name: str = "") -> None:
        self.socket = socket.create_connection(("127.0.0.1", port))
        since = 999_999_999  # ahead: the first message is a short "reload"
        self.socket.sendall(
            f"GET /ws/board/{board}?since={since}&page={name} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: {cookie}\r\n"
            f"Origin: http://127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {b64encode(os.urandom(16)).decode()}\r\n\r\n".encode()
        )
        head = b""
        while b"reload" not in head:
            part = self.socket.recv(65536)
            if not part:
                raise RuntimeError(f"refused: {head!r}")
            head += part

    def fileno(self) -> int:
        return self.socket.fileno()

    def close(self) -> None:
        self.socket.close()


def wait_for_all(poll: select.epoll, pages: dict[int, Page]) -> float:
    """Return when the last of the pages had its message, which is one packet."""
    waiting = set(pages)
    while waiting:
        ready = poll.poll(10)
        if not ready:
            raise RuntimeError(f"{len(waiting)} pages got nothing for 10 s")
        for number, _event in ready:
            if b'"changed"' in pages[number].socket.recv(65536):  # not who is here
                waiting.discard(number)
    return time.perf_counter()


@contextmanager
def going_about(user: object, page: str) -> Iterator[None]:
    """Let one page open and close a card all the time, which all pages are told."""
    from web.open_pages import tell_page

    over = threading.Event()

    def go() -> None:
        while not over.wait(0.2):
            tell_page(page, UUID(str(user)), None if time.time() % 2 < 1 else uuid7(), "")

    walking = threading.Thread(target=go)
    walking.start()
    yield
    over.set()
    walking.join()


def measure(
    http: int, ws: int, data: dict[str, object], cookie: str, viewers: int, cards: int, *, named: bool = False
) -> list[float]:
    """Return for each card the milliseconds from the API's answer to the last socket that got it.

    Pages that are `named` are told who is here, and one of them goes from card to card meanwhile.
    """
    names = [f"{number:016}" if named else "" for number in range(viewers)]
    pages = {page.fileno(): page for page in (Page(ws, data["board"], cookie, name) for name in names)}
    with going_about(data["user"], names[0]) if named else nullcontext():
        return timed(http, data, pages, cards)


def timed(http: int, data: dict[str, object], pages: dict[int, Page], cards: int) -> list[float]:
    poll, api, times = select.epoll(), load.Http(http), []
    for number in pages:
        poll.register(number, select.EPOLLIN)
    with ThreadPoolExecutor(1) as watching:
        for number in range(cards):
            body = json.dumps({"title": f"Card {number}", "listId": str(data["list"])}).encode()
            request = load.request("POST", "/api/v1/cards", str(data["value"]), body)
            last = watching.submit(wait_for_all, poll, pages)
            api.send(request, 201)
            answered = time.perf_counter()
            times.append(max(0.0, last.result() - answered) * 1000)
            time.sleep(0.05)
    for page in pages.values():
        page.close()
    return times


def main(cards: int) -> None:
    with servers.database(), servers.gunicorn() as http, servers.daphne() as ws:
        data = make_data()
        cookie = session_cookie(data["user"])
        for viewers, named in ((1, False), (200, False), (200, True), (200, False), (200, True)):
            times = measure(http, ws, data, cookie, viewers, cards, named=named)
            cuts = statistics.quantiles(times, n=100)
            also = ", told who is here" if named else ""
            print(f"{viewers:4} open pages{also}: p50 {cuts[49]:6.1f} ms  p99 {cuts[98]:6.1f} ms  of {cards} cards")
            figures = {"p50": f"{cuts[49]:.1f} ms", "p99": f"{cuts[98]:.1f} ms"}
            record("live", f"{viewers} open page{'s' if viewers > 1 else ''}{also}", figures)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
