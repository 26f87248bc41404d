import os

import pytest
from django.db import InterfaceError, OperationalError
from redis import ConnectionError as RedisGone

from apiv1.errors import STATUS
from apiv1.tests.calls import is_refused
from boards.errors import DomainError
from boards.models import Board

METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"]
ALLOWED = {
    "/api/v1/me": {"GET", "HEAD"},
    "/api/v1/boards": {"GET", "HEAD", "POST"},
    "/api/v1/cards": {"GET", "HEAD", "POST"},
    "/api/v1/cards/batch": {"POST"},
    "/api/v1/cards/1": {"GET", "HEAD", "PATCH", "DELETE"},
    "/api/v1/cards/1/archive": {"POST"},
    "/api/v1/token": {"DELETE"},
    "/api/v1/openapi.json": {"GET", "HEAD"},
    "/api/docs": {"GET", "HEAD"},
}
UNKNOWN = [
    "/api/",
    "/api/v1",
    "/api/v1/",
    "/api/v1/me/",
    "/api/v1/boards/",
    "/api/v1/Me",
    "/api/v1/cards/1/2",
    "/api/v2/me",
    "/api/v1//me",
    "/api/v1/me.json",
    "/api/v1/%00",
    "/api/v1/%ff%fe",
    "/api/%0a",
    "/api/..%2f",
    "/api/<script>",
    f"/api/{'x' * 2000}",
]


@pytest.mark.parametrize("path", UNKNOWN)
def test_an_unknown_path_is_an_error_like_any_other(anyone, path):
    for method in ("GET", "POST", "DELETE", "OPTIONS"):
        assert is_refused(anyone.request(method, path), 404, "/api/docs")


@pytest.mark.parametrize("path", ALLOWED)
def test_a_wrong_method_is_refused_and_the_allowed_ones_are_named(as_olga, path):
    for method in set(METHODS) - ALLOWED[path]:
        answer = as_olga.request(method, path)
        assert is_refused(answer, 405, method, *ALLOWED[path])
        assert set(answer.headers["Allow"].split(", ")) == ALLOWED[path]


def test_head_is_refused_where_get_is(as_olga):
    answer = as_olga.head("/api/v1/cards/batch")
    assert (answer.status_code, answer.content) == (405, b"")
    assert answer.headers["Content-Type"] == "application/json"


@pytest.mark.parametrize("accepted", ["text/html", "text/html,*/*;q=0.1", "application/xml", "image/png", ""])
def test_answers_are_json_whatever_the_accept_header_says(as_olga, accepted):
    headers = {"Accept": accepted}
    assert as_olga.get("/api/v1/me", headers=headers).headers["Content-Type"] == "application/json"
    assert is_refused(as_olga.put("/api/v1/me", headers=headers), 405)
    assert is_refused(as_olga.get("/api/nothing", headers=headers), 404)
    assert as_olga.get("/api/v1/me?format=api", headers=headers).headers["Content-Type"] == "application/json"


def test_a_crash_is_an_error_like_any_other_and_is_logged(as_olga, monkeypatch, caplog):
    monkeypatch.setattr("apiv1.boards.views.boards_with_lists", lambda user: 1 / 0)
    assert is_refused(as_olga.get("/api/v1/boards"), 500, "operator")
    assert "ZeroDivisionError" in caplog.text
    assert "/api/v1/boards" in caplog.text


def test_a_crash_before_any_view_is_an_error_like_any_other(as_olga, monkeypatch):
    monkeypatch.setattr("taskboard.middleware.NoContent.__call__", lambda middleware, request: 1 / 0)
    assert is_refused(as_olga.get("/api/v1/me"), 500)


def test_a_crash_in_debug_mode_is_not_a_page_either(as_olga, monkeypatch, settings):
    settings.DEBUG = True
    monkeypatch.setattr("apiv1.boards.views.boards_with_lists", lambda user: 1 / 0)
    assert is_refused(as_olga.get("/api/v1/boards", headers={"Accept": "text/html"}), 500)


def test_a_crash_changes_nothing(as_olga, monkeypatch):
    monkeypatch.setattr("boards.actions.change.Change.finish", lambda change: 1 / 0)
    assert is_refused(as_olga.post("/api/v1/boards", json={"title": "Garden"}), 500)
    assert not Board.objects.exists()


@pytest.mark.parametrize(
    "trouble",
    [
        OperationalError("locked"),
        InterfaceError("closed"),
        *([RedisGone("refused")] if "REDIS_URL" in os.environ else []),  # without it nothing asks Redis
    ],
)
def test_a_database_that_does_not_answer_is_a_503_that_says_to_try_again(as_olga, monkeypatch, trouble):
    def fail(user):
        raise trouble

    monkeypatch.setattr("apiv1.boards.views.boards_with_lists", fail)
    answer = as_olga.get("/api/v1/boards")
    assert is_refused(answer, 503, "Try again")
    assert answer.headers["Retry-After"] == "1"


def test_a_host_that_is_not_ours_is_refused(as_olga):
    for path in ("/api/v1/me", "/api/v1/nothing", "/api/docs"):
        assert is_refused(as_olga.get(path, headers={"Host": "evil.example"}), 400, "host name")


def test_more_query_parameters_than_are_read_are_refused(as_olga):
    assert is_refused(as_olga.get(f"/api/v1/cards?{'label&' * 1001}"), 400, "cannot be read")


def test_every_domain_error_has_a_status():
    assert set(DomainError.__subclasses__()) <= set(STATUS)


def test_other_pages_keep_their_own_errors(anyone):
    assert "text/html" in anyone.get("/nothing").headers["Content-Type"]


def test_errors_tell_browsers_not_to_guess_the_type(anyone):
    assert anyone.get("/api/v1/me").headers["X-Content-Type-Options"] == "nosniff"
