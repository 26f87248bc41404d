"""A view that fails: 503 while the database is away, in the form that the client can show; otherwise 500."""

import errno
import os

import pytest
from django.db import InterfaceError, OperationalError
from django.test import Client
from redis import RedisError

from accounts.models import User
from boards.models import Board
from boards.reader import Reader

AWAY = [
    OperationalError("connection refused"),
    InterfaceError("closed"),
    *([RedisError("refused")] if "REDIS_URL" in os.environ else []),  # without it nothing asks Redis
]


@pytest.fixture
def browser(olga: User) -> Client:
    browser = Client(raise_request_exception=False)
    browser.force_login(olga)
    return browser


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch):
    """Make every page and form that reads a board fail."""

    def fail_with(error: Exception) -> None:
        def fail(*args: object) -> None:
            raise error

        monkeypatch.setattr(Reader, "membership", fail)
        monkeypatch.setattr(Reader, "membership_sql", fail)

    return fail_with


@pytest.mark.parametrize("error", AWAY, ids=lambda error: type(error).__name__)
def test_a_page_says_that_it_will_be_back(browser: Client, board: Board, failing, error: Exception) -> None:
    failing(error)
    answer = browser.get(f"/board/{board.pk}?card=1", headers={"Accept-Language": "en"})
    assert (answer.status_code, answer["Retry-After"]) == (503, "1")
    assert "<h1>Temporarily unavailable</h1>" in answer.text
    assert f'href="/board/{board.pk}?card=1"' in answer.text


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
@pytest.mark.parametrize(
    "headers, words", [({}, "<h1>No space left</h1>"), ({"HX-Request": "true"}, "The service has no space left")]
)
def test_a_form_for_which_the_disk_has_no_room_is_told_so(
    browser, board, failing, caplog, number, headers, words
) -> None:
    failing(OSError(number, os.strerror(number)))
    answer = browser.get(f"/board/{board.pk}", headers={"Accept-Language": "en", **headers})
    assert (answer.status_code, words in answer.text) == (507, True)
    assert [record.message for record in caplog.records if "could not be written" in record.message] != []


def test_the_page_asks_nothing_of_the_database(client: Client, django_assert_num_queries, monkeypatch) -> None:
    def fail(*args: object) -> None:
        raise OperationalError("connection refused")

    monkeypatch.setattr("accounts.sign_in.sessions.store.SessionStore.load", fail)
    client.raise_request_exception = False
    client.cookies["sessionid"] = "0123456789abcdef0123456789abcdef"
    assert client.get("/").status_code == 503


def test_a_form_of_the_page_gets_a_sentence_in_its_place(browser: Client, board: Board, failing) -> None:
    failing(AWAY[0])
    answer = browser.get(f"/board/{board.pk}", headers={"HX-Request": "true", "Accept-Language": "en"})
    assert (answer.status_code, answer["Retry-After"], answer["X-Answer"]) == (503, "1", "fragments")
    assert 'class="refusal"' in answer.text
    assert "<html" not in answer.text


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}], ids=["plain", "script"])
def test_a_form_that_is_sent_is_told_to_come_back_and_nothing_repeats_it(
    browser: Client, board: Board, monkeypatch: pytest.MonkeyPatch, headers: dict[str, str]
) -> None:
    def fail(*args: object) -> None:
        raise AWAY[0]

    monkeypatch.setattr("boards.actions.locks.lock_board", fail)
    answer = browser.post(
        f"/board/{board.pk}/title", {"board-title": "New"}, headers={"Accept-Language": "en", **headers}
    )
    assert (answer.status_code, answer["Retry-After"]) == (503, "1")
    assert ("<html" in answer.text) is not bool(headers)
    assert f"/board/{board.pk}" not in answer.text
    board.refresh_from_db()
    assert board.title != "New"


def test_a_call_gets_json(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object) -> None:
        raise AWAY[0]

    monkeypatch.setattr("accounts.sign_in.sessions.store.SessionStore.load", fail)
    client.raise_request_exception = False
    client.cookies["sessionid"] = "0123456789abcdef0123456789abcdef"
    answer = client.get("/api/export")
    assert (answer.status_code, answer["Retry-After"]) == (503, "1")
    assert list(answer.json()) == ["error"]


def test_a_fault_of_ours_stays_500_with_its_traceback(browser: Client, board: Board, failing, caplog) -> None:
    failing(ValueError("a fault"))
    answer = browser.get(f"/board/{board.pk}", headers={"Accept-Language": "en"})
    assert answer.status_code == 500
    assert "<h1>Something went wrong</h1>" in answer.text
    assert any(line.exc_info for line in caplog.records)
