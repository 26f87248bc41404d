"""The endpoint over HTTP: what the view adds to the core."""

import json

import pytest
import time_machine
from django.db import OperationalError
from django.test import Client

from accounts.tokens import create_token
from boards.models import Activity
from mcpserver import core
from mcpserver.tools import boards

PATH = "/api/v1/mcp"


@pytest.fixture
def client(olga):
    value = create_token(olga, "laptop")[1]
    return Client(raise_request_exception=False, enforce_csrf_checks=True, headers={"Authorization": f"Bearer {value}"})


def send(client, method, **options):
    params = options.pop("params", {})
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    return client.post(PATH, message, content_type="application/json", **options)


def call(client, tool, **arguments):
    return send(client, "tools/call", params={"name": tool, "arguments": arguments})


def test_a_tool_called_over_http_acts_with_the_token(client, todo):
    answer = call(client, "create_task", listId=str(todo.pk), title="Grüße")
    assert answer.status_code == 200
    assert answer["Content-Type"] == "application/json"
    assert "Grüße" in json.loads(answer.json()["result"]["content"][0]["text"])["task"]["title"]
    line = Activity.objects.get(verb="card.created")
    assert (line.door, line.token_name) == ("agent", "laptop")


def test_a_call_without_a_token_is_refused(client, subtests):
    for method in ("initialize", "ping", "tools/list", "tools/call", "nonsense"):
        for headers in ({"Authorization": ""}, {"Authorization": "Bearer tbk_nonsense"}):
            with subtests.test(method=method, headers=headers):
                answer = send(client, method, headers=headers)
                assert (answer.status_code, answer["WWW-Authenticate"]) == (401, "Bearer")
                assert answer.json().keys() == {"error"}


def test_a_session_does_not_stand_for_a_token(olga):
    browser = Client()
    browser.force_login(olga)
    assert send(browser, "ping").status_code == 401


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:9"])
def test_a_page_of_another_origin_is_refused_before_anything_else(client, origin):
    answer = client.get(PATH, headers={"Origin": origin, "Authorization": ""})
    assert answer.status_code == 403
    assert "Origin" in answer.json()["error"]


def test_our_own_origin_and_listed_ones_are_accepted(client, settings):
    settings.CORS_ALLOWED_ORIGINS = ["https://agents.example"]
    for origin in ("http://testserver", settings.BASE_URL, "https://agents.example"):
        assert send(client, "ping", headers={"Origin": origin}).status_code == 200


def test_a_listed_page_may_send_the_headers_of_the_protocol(client, settings):
    settings.CORS_ALLOWED_ORIGINS, settings.CORS_URLS_REGEX = ["https://agents.example"], "^/api/v1/"
    headers = {"Origin": "https://agents.example", "Access-Control-Request-Method": "POST"}
    answer = client.options(PATH, headers=headers)
    assert answer.status_code == 200
    allowed = answer["Access-Control-Allow-Headers"].split(", ")
    assert {"authorization", "content-type", "mcp-protocol-version"} <= set(allowed)


def test_a_body_with_an_encoding_is_refused(client):
    answer = send(client, "ping", headers={"Content-Encoding": "gzip"})
    assert (answer.status_code, "Content-Encoding" in answer.json()["error"]) == (415, True)


@pytest.mark.parametrize("method", ["get", "delete", "put", "head", "options"])
def test_only_post_is_accepted(client, method):
    answer = getattr(client, method)(PATH)
    assert (answer.status_code, answer["Allow"]) == (405, "POST")


@time_machine.travel("2026-05-04 12:00Z", tick=False)
def test_calls_have_a_limit_of_their_own(client, settings):
    settings.LIMITS = {**settings.LIMITS, "mcp-call": "2/m", "mcp": "3/m"}
    answers = [call(client, "list_boards") for _time in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert [answer["RateLimit-Remaining"] for answer in answers] == ["1", "0", "0"]
    assert int(answers[2]["Retry-After"]) >= 1
    assert "2 a minute" in answers[2].json()["error"]
    assert [send(client, "ping").status_code for _time in range(4)] == [200, 200, 200, 429]
    assert client.get("/api/v1/me").status_code == 200


def test_an_invalid_message_is_not_counted(client, settings):
    settings.LIMITS = {**settings.LIMITS, "mcp": "1/m"}
    for _time in range(3):
        answer = client.post(PATH, "nonsense", content_type="application/json")
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, -32700)
    assert send(client, "ping").status_code == 200


def test_a_crash_is_a_500_that_is_logged_and_reveals_nothing(client, monkeypatch, caplog):
    monkeypatch.setattr(boards, "boards_with_lists", lambda user: {}["the secret"])
    answer = call(client, "list_boards")
    assert answer.status_code == 500
    assert answer.json().keys() == {"error"}
    assert b"secret" not in answer.content
    assert "RateLimit-Remaining" in answer
    assert "/api/v1/mcp crashed" in caplog.text


def test_a_database_that_is_gone_is_a_503(client, monkeypatch, caplog):
    def gone(user):
        raise OperationalError("connection to server at 10.0.0.1 failed")

    monkeypatch.setattr(boards, "boards_with_lists", gone)
    answer = call(client, "list_boards")
    assert (answer.status_code, answer["Retry-After"]) == (503, "1")
    assert b"10.0.0.1" not in answer.content


def test_checks_come_in_the_documented_order(client):
    """Each call corrects the fault that the one before was refused for."""
    request = {"path": PATH, "data": b"{", "content_type": "text/plain"}
    headers = {"Origin": "null", "Authorization": "", "Accept": "image/png"}
    steps = [
        ("get", {}, {}, 403),
        ("get", {}, {"Origin": "http://testserver"}, 405),
        ("post", {}, {}, 401),
        ("post", {}, {"Authorization": client.defaults["HTTP_AUTHORIZATION"], "Content-Length": ""}, 411),
        ("post", {}, {"Content-Length": "1048577"}, 413),
        ("post", {}, {"Content-Length": "1"}, 415),
        ("post", {"content_type": "application/json"}, {}, 406),
        ("post", {}, {"Accept": "*/*"}, 400),
        ("post", {"data": b'{"jsonrpc": "2.0", "method": "x"}'}, {"Content-Length": "33"}, 202),
    ]
    for method, changed, mended, status in steps:
        request |= changed
        headers |= mended
        answer = client.generic(method.upper(), **request, headers=headers)
        assert answer.status_code == status, (method, request, headers)


def test_a_message_without_an_answer_gets_neither_body_nor_type(client):
    answer = client.post(
        PATH, {"jsonrpc": "2.0", "method": "notifications/initialized"}, content_type="application/json"
    )
    assert (answer.status_code, answer.content) == (202, b"")
    assert "Content-Type" not in answer


def test_an_answer_can_be_sent_as_one_event(client):
    answer = send(client, "ping", headers={"Accept": core.EVENTS})
    assert answer["Content-Type"] == core.EVENTS
    assert answer.content == b'event: message\ndata: {"jsonrpc":"2.0","id":1,"result":{}}\n\n'
