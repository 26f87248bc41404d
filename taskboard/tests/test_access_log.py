"""The access log: whom, what and which id it names, and how that id reaches other lines and tasks."""

import logging
import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django_tasks_db.models import DBTaskResult

from accounts.models import User
from accounts.tokens import create_token
from boards.models import Board
from conftest import run_jobs
from core.http.request_ids import request_id, working_for
from jobs.tests import chores
from taskboard.logs import Lines

MADE = re.compile(r"[0-9a-f]{16}")
PASSWORD = "seven wild swans"

pytestmark = pytest.mark.django_db


@pytest.fixture
def logged(settings: Any, caplog: pytest.LogCaptureFixture) -> Client:
    turn_on(settings)
    caplog.handler.setFormatter(Lines())
    caplog.set_level(logging.INFO, "taskboard.access")
    return Client(raise_request_exception=False)


def turn_on(settings: Any) -> None:
    first, *others = settings.MIDDLEWARE
    settings.MIDDLEWARE = [first, "taskboard.access_log.AccessLog", *others]


def facts(caplog: pytest.LogCaptureFixture) -> dict[str, Any]:
    """Return the facts of the only line of the access log."""
    [record] = [record for record in caplog.records if record.name == "taskboard.access"]
    assert isinstance(record.args, dict)
    return record.args


def bearer(user: User) -> tuple[str, dict[str, str]]:
    token, value = create_token(user, "script")
    return str(token.pk), {"Authorization": f"Bearer {value}"}


def test_a_call_is_a_line_with_account_token_route_and_status(logged: Client, olga: User, caplog) -> None:
    token, headers = bearer(olga)
    assert logged.get("/api/v1/me", headers=headers).status_code == 200
    found = facts(caplog)
    assert found.pop("ms") >= 0
    assert found == {
        "address": "127.0.0.1",
        "method": "GET",
        "route": "api/v1/me",
        "status": 200,
        "account": str(olga.pk),
        "token": token,
    }


def test_a_call_of_an_agent_names_account_and_token(logged: Client, olga: User, caplog) -> None:
    token, headers = bearer(olga)
    call = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    assert logged.post("/api/v1/mcp", call, "application/json", headers=headers).status_code == 200
    assert (facts(caplog)["account"], facts(caplog)["token"]) == (str(olga.pk), token)


def test_a_page_names_the_account_that_is_signed_in(logged: Client, olga: User, board: Board, caplog) -> None:
    logged.force_login(olga)
    logged.get(f"/board/{board.pk}?q=secret")
    assert (facts(caplog)["account"], facts(caplog)["token"]) == (str(olga.pk), "")
    assert facts(caplog)["route"] == "board/<id:board_id>"
    assert str(board.pk) not in caplog.text
    assert "secret" not in caplog.text


def test_a_sign_in_names_the_account_that_it_opened(logged: Client, olga: User, caplog) -> None:
    olga.set_password(PASSWORD)
    olga.save()
    assert logged.post("/sign-in", {"login": olga.email, "password": PASSWORD}).status_code == 302
    assert facts(caplog)["account"] == str(olga.pk)
    assert olga.email not in caplog.text


@pytest.mark.parametrize("path", ["/sign-in", "/healthz", "/api/v1/me", "/no/such"])
def test_who_is_not_signed_in_has_no_account(logged: Client, caplog, path: str) -> None:
    logged.get(path)
    assert (facts(caplog)["account"], facts(caplog)["token"]) == ("", "")


def test_a_refused_token_is_not_named(logged: Client, olga: User, caplog) -> None:
    _token, headers = bearer(olga)
    User.objects.update(is_active=False)
    assert logged.get("/api/v1/me", headers=headers).status_code == 401
    assert (facts(caplog)["account"], facts(caplog)["token"]) == ("", "")


@pytest.mark.parametrize(
    "path, route",
    [
        ("/password/reset/1a-bcd-0123456789abcdef", None),
        ("/account/email/MQ:1abc:signature", None),
        ("/join/0123456789abcdef", "join/<str:key>"),
        ("/cli?code=WDJB-MJHT", "cli"),
        ("/join/0123456789abcdef/no/such", "-"),
    ],
)
def test_the_access_log_lets_nobody_in(logged: Client, caplog, path: str, route: str | None) -> None:
    logged.get(path)
    assert route in (None, facts(caplog)["route"])
    for secret in ("bcd-0123456789abcdef", "1abc:signature", "0123456789abcdef", "WDJB"):
        assert secret not in caplog.text


@pytest.mark.parametrize("path", ["/", "/boards", "/api/v1/me", "/healthz", "/api/docs", "/robots.txt"])
def test_a_line_asks_the_database_nothing(settings: Any, olga: User, path: str) -> None:
    _token, headers = bearer(olga)
    counts = []
    for _turn in range(2):
        client = Client()
        client.force_login(olga)
        client.get(path, headers=headers)
        with CaptureQueriesContext(connection) as asked:
            client.get(path, headers=headers)
        counts.append(len(asked))
        turn_on(settings)
    assert counts[0] == counts[1]


def test_an_answer_has_the_id_of_its_lines(logged: Client, caplog) -> None:
    answer = logged.get("/sign-in")
    assert MADE.fullmatch(answer["X-Request-Id"])
    assert f" INFO taskboard.access [{answer['X-Request-Id']}]: 127.0.0.1 GET sign-in 200 " in caplog.text


def test_each_request_has_an_id_of_its_own(logged: Client) -> None:
    assert logged.get("/sign-in")["X-Request-Id"] != logged.get("/sign-in")["X-Request-Id"]


@pytest.mark.parametrize("given", ["a", "Ab_9-z", "f" * 200])
def test_a_trusted_proxy_chooses_the_id(logged: Client, settings: Any, given: str) -> None:
    settings.TRUSTED_PROXIES = 1
    assert logged.get("/sign-in", headers={"X-Request-Id": given})["X-Request-Id"] == given


@pytest.mark.parametrize("given", ["", "f" * 201, "a b", "a\nb", "a\n", "ä", "a,b", "a;b", "%00", "{"])
def test_an_id_that_is_not_well_formed_is_replaced(logged: Client, settings: Any, given: str) -> None:
    settings.TRUSTED_PROXIES = 1
    assert MADE.fullmatch(logged.get("/sign-in", HTTP_X_REQUEST_ID=given)["X-Request-Id"])


def test_without_a_trusted_proxy_nobody_chooses_the_id(logged: Client) -> None:
    assert MADE.fullmatch(logged.get("/sign-in", headers={"X-Request-Id": "chosen"})["X-Request-Id"])


def test_a_crash_has_the_id_too(logged: Client, settings: Any, caplog) -> None:
    settings.MIDDLEWARE = [*settings.MIDDLEWARE, "taskboard.tests.test_logs.Broken"]
    answer = logged.get("/sign-in")
    assert answer.status_code == 500
    assert f" ERROR django.request [{answer['X-Request-Id']}]: Internal Server Error" in caplog.text


def test_what_follows_a_request_has_no_id(logged: Client) -> None:
    logged.get("/sign-in")
    assert request_id.get() == ""


def test_off_there_is_neither_a_line_nor_an_id(client: Client, caplog) -> None:
    caplog.set_level(logging.INFO)
    assert "X-Request-Id" not in client.get("/sign-in")
    assert not [record for record in caplog.records if record.name == "taskboard.access"]


def test_the_lines_of_a_task_have_the_id_of_the_request_that_enqueued_it(caplog) -> None:
    caplog.handler.setFormatter(Lines())
    with working_for("abc"):
        chores.stumble.enqueue()
    run_jobs()
    assert " WARNING jobs.running [abc]: jobs.tests.chores.stumble failed and is tried again" in caplog.text
    assert request_id.get() == ""


def test_a_task_that_a_task_enqueues_keeps_the_id() -> None:
    with working_for("abc"):
        chores.enqueue_another.enqueue()
    run_jobs()
    assert {row.args_kwargs.get("request_id") for row in DBTaskResult.objects.all()} == {"abc"}


def test_a_task_of_no_request_has_no_id() -> None:
    chores.write.enqueue("hello")
    assert DBTaskResult.objects.get().args_kwargs == {"args": ["hello"], "kwargs": {}}


@pytest.mark.parametrize("kept", [{}, {"request_id": 7}, {"request_id": "a\nb"}, {"request_id": None}])
def test_a_task_of_an_older_version_runs_without_an_id(caplog, kept: dict[str, object]) -> None:
    caplog.handler.setFormatter(Lines())
    chores.stumble.enqueue()
    DBTaskResult.objects.update(args_kwargs={"args": [], "kwargs": {}, **kept})
    run_jobs()
    assert " WARNING jobs.running: jobs.tests.chores.stumble failed" in caplog.text


def test_a_request_gives_its_id_to_its_tasks(logged: Client, olga: User, settings: Any) -> None:
    settings.MAIL = {"EMAIL_HOST": "mail"}
    answer = logged.post("/password/reset", {"email": olga.email})
    assert {row.args_kwargs["request_id"] for row in DBTaskResult.objects.all()} == {answer["X-Request-Id"]}
