"""While `bin/serve` brings the tables up to date, requests are answered, and none is kept waiting for that."""

import socket
from collections.abc import Iterator

import httpx
import pytest
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from taskboard.serving import database, meanwhile
from taskboard.serving.address import listen
from taskboard.serving.meanwhile import MOST, Meanwhile
from taskboard.tests.servers import PLAIN_HTTP


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with listen("127.0.0.1", 0) as listener:
        yield listener


def url_of(listener: socket.socket, path: str) -> str:
    return f"http://127.0.0.1:{listener.getsockname()[1]}{path}"


def test_a_page_says_when_to_try_again_in_the_language_of_the_browser(listener: socket.socket) -> None:
    with Meanwhile(listener):
        answer = httpx.get(url_of(listener, "/board/1?card=2"), headers={"Accept-Language": "de"}, **PLAIN_HTTP)
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "1")
    assert "Datenbank" in answer.text


@pytest.mark.parametrize("size", [0, MOST])
def test_a_call_is_refused_in_json_and_its_body_is_read(listener: socket.socket, size: int) -> None:
    with Meanwhile(listener):
        answer = httpx.post(url_of(listener, "/api/v1/cards"), content=b"x" * size, **PLAIN_HTTP)
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "1")
    assert answer.json()["error"]


def test_only_what_a_browser_may_ask_for_again_by_itself_is_asked_for_again(listener: socket.socket) -> None:
    with Meanwhile(listener):
        answers = [httpx.request(method, url_of(listener, "/"), **PLAIN_HTTP) for method in ("GET", "POST")]
    assert ["Refresh" in answer.headers for answer in answers] == [True, False]


def test_silent_connections_end_for_new_ones_and_at_the_end(
    listener: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(meanwhile, "AT_ONCE", 1)
    monkeypatch.setattr(meanwhile.Unavailable, "timeout", None)
    with Meanwhile(listener), socket.create_connection(listener.getsockname()) as first:
        second = socket.create_connection(listener.getsockname())
        assert first.recv(1) == b""
    with second:
        assert second.recv(1) == b""


def test_the_process_is_alive_but_not_healthy(listener: socket.socket) -> None:
    with Meanwhile(listener):
        codes = [httpx.get(url_of(listener, path), **PLAIN_HTTP).status_code for path in ("/livez", "/healthz")]
    assert codes == [200, 503]


def test_afterwards_connections_wait_for_the_service(listener: socket.socket) -> None:
    with Meanwhile(listener):
        pass
    with socket.create_connection(listener.getsockname()):
        listener.settimeout(60)
        listener.accept()[0].close()


@pytest.mark.django_db
def test_only_a_start_that_migrates_answers_so(listener: socket.socket, monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[int] = []

    def migrate(*arguments: object, **options: object) -> None:
        found.append(httpx.get(url_of(listener, "/"), **PLAIN_HTTP).status_code)

    monkeypatch.setattr(database, "call_command", migrate)
    database.prepare_database(Meanwhile(listener))
    assert found == []
    MigrationRecorder(connection).record_unapplied("boards", "0001_initial")
    database.prepare_database(Meanwhile(listener))
    assert found == [503]
