import pytest
from django.core.cache import cache
from django.db import OperationalError, connection
from django.test import Client


@pytest.mark.django_db
def test_the_service_is_ok_with_database_and_cache(client: Client, django_assert_num_queries) -> None:
    with django_assert_num_queries(1):
        answer = client.get("/healthz")
    assert answer.status_code == 200
    assert answer.json() == {"status": "ok"}


@pytest.mark.django_db
def test_the_answer_starts_no_session_and_is_not_cached(client: Client) -> None:
    answer = client.get("/healthz")
    assert not answer.cookies
    assert "no-store" in answer["Cache-Control"]


@pytest.mark.django_db
def test_head_answers_without_a_body(client: Client) -> None:
    answer = client.head("/healthz")
    assert (answer.status_code, answer.content) == (200, b"")


@pytest.mark.django_db
def test_a_post_is_refused(client: Client) -> None:
    assert client.post("/healthz").status_code == 405


def test_the_service_is_unavailable_without_a_database(client: Client, monkeypatch: pytest.MonkeyPatch, caplog) -> None:
    def away() -> None:
        raise OperationalError("connection refused by db.internal")

    monkeypatch.setattr(connection, "cursor", away)
    answer = client.get("/healthz")
    assert answer.status_code == 503
    assert answer.json() == {"status": "unavailable", "database": False, "cache": True}
    assert "db.internal" in caplog.text


def test_a_session_cookie_does_not_hide_that_the_database_is_down(client: Client, monkeypatch) -> None:
    def away() -> None:
        raise OperationalError("connection refused")

    monkeypatch.setattr(connection, "cursor", away)
    client.cookies["sessionid"] = "0123456789abcdef0123456789abcdef"
    assert client.get("/healthz").status_code == 503


@pytest.mark.django_db
def test_the_service_is_unavailable_without_a_cache(client: Client, monkeypatch: pytest.MonkeyPatch, caplog) -> None:
    def away(*args: object, **options: object) -> None:
        raise ConnectionError("connection refused by cache.internal")

    monkeypatch.setattr(cache, "set", away, raising=False)
    answer = client.get("/healthz")
    assert answer.status_code == 503
    assert answer.json() == {"status": "unavailable", "database": True, "cache": False}
    assert "cache.internal" in caplog.text


@pytest.mark.django_db
def test_a_cache_that_stores_nothing_counts_as_unavailable(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "get", lambda key: None, raising=False)
    assert client.get("/healthz").json()["cache"] is False
