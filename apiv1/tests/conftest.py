"""REST as scripts use it: every call goes over HTTP, to one server in a thread of this process."""

import threading
from collections.abc import Callable, Iterator

import httpx
import pytest
from django.db.backends.utils import CursorWrapper
from django.test.testcases import QuietWSGIRequestHandler

from accounts.models import User
from apiv1.tests.calls import token_of
from conftest import person

QuietWSGIRequestHandler.disable_nagle_algorithm = True  # otherwise every answer on a keep-alive connection waits 40 ms
TRANSACTION_MARKS = ("BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE")


@pytest.fixture
def base_url(live_server) -> Iterator[str]:
    before = set(threading.enumerate())  # among them those that wait for a browser that is kept for later tests
    yield live_server.url
    for thread in set(threading.enumerate()) - before:
        if "process_request_thread" in thread.name:
            thread.join(10)  # it may still tidy up after its last answer


@pytest.fixture
def connect(base_url: str) -> Iterator[Callable[..., httpx.Client]]:
    """Make clients that keep their connection until the test ends."""
    opened: list[httpx.Client] = []

    def connect(token: str | None = None, **options: object) -> httpx.Client:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        plain = {
            "base_url": base_url,
            "trust_env": False,
            "verify": False,
            "timeout": 60,
        }  # no verification: reading the certificates is slow
        opened.append(httpx.Client(headers=headers, **plain, **options))
        return opened[-1]

    yield connect
    for client in opened:
        client.close()


@pytest.fixture
def anyone(connect) -> httpx.Client:
    """A client without a token."""
    return connect()


@pytest.fixture
def as_olga(connect, olga: User) -> httpx.Client:
    return connect(token_of(olga))


@pytest.fixture
def as_ed(connect, ed: User) -> httpx.Client:
    return connect(token_of(ed))


@pytest.fixture
def as_vera(connect, vera: User) -> httpx.Client:
    return connect(token_of(vera))


@pytest.fixture
def as_stan(connect, stan: User) -> httpx.Client:
    return connect(token_of(stan))


@pytest.fixture
def paula(base_url) -> User:
    """Paula is on the paid plan: many tokens, any number of boards."""
    return person("paula", plan_id="pro")


@pytest.fixture
def as_paula(connect, paula: User) -> httpx.Client:
    return connect(token_of(paula))


@pytest.fixture
def unlimited(settings) -> None:
    settings.LIMITS = None


@pytest.fixture
def statements(monkeypatch) -> list[str]:
    """Collect the SQL that the server runs from here on, in any thread, without the statements of transactions."""
    seen: list[str] = []
    execute = CursorWrapper.execute

    def recorded(self, sql, params=None):
        if not sql.lstrip().upper().startswith(TRANSACTION_MARKS):
            seen.append(sql)
        return execute(self, sql, params)

    monkeypatch.setattr(CursorWrapper, "execute", recorded)
    return seen
