"""The endpoint answers at /mcp exactly as at its older address."""

import json

import pytest
import time_machine
from django.test import Client

from accounts.tokens import create_token
from mcpserver.eras import CAPABILITIES, MODERN, VERSION

OLD, SHORT = "/api/v1/mcp", "/mcp"
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
META = {VERSION: MODERN, CAPABILITIES: {}}
DISCOVER = {"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": {"_meta": META}}
CALL = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "list_boards"}}
NOTE = {"jsonrpc": "2.0", "method": "notifications/initialized"}
AS_MODERN = {"MCP-Protocol-Version": MODERN, "Mcp-Method": "server/discover"}


@pytest.fixture
def value(olga):
    return create_token(olga, "laptop")[1]


@pytest.fixture
def client(value):
    return Client(raise_request_exception=False, enforce_csrf_checks=True, headers={"Authorization": f"Bearer {value}"})


def post(client, path, message=PING, **options):
    return client.post(path, message, content_type=options.pop("content_type", "application/json"), **options)


@pytest.mark.parametrize(
    "status, method, options",
    [
        (200, "POST", {"data": PING}),
        (200, "POST", {"data": DISCOVER, "headers": AS_MODERN}),
        (404, "POST", {"data": DISCOVER | {"method": "x"}, "headers": AS_MODERN | {"Mcp-Method": "x"}}),
        (202, "POST", {"data": NOTE}),
        (200, "POST", {"data": PING, "headers": {"Accept": "text/event-stream"}}),
        (400, "POST", {"data": "nonsense"}),
        (400, "POST", {"data": PING, "headers": {"Host": "evil.example"}}),
        (403, "POST", {"data": PING, "headers": {"Origin": "https://evil.example"}}),
        (405, "GET", {}),
        (405, "DELETE", {}),
        (405, "OPTIONS", {}),
        (401, "POST", {"data": PING, "headers": {"Authorization": ""}}),
        (406, "POST", {"data": PING, "headers": {"Accept": "text/html"}}),
        (411, "POST", {"data": PING, "headers": {"Content-Length": ""}}),
        (413, "POST", {"data": PING, "headers": {"Content-Length": "1048577"}}),
        (415, "POST", {"data": "{}", "content_type": "text/plain"}),
    ],
)
def test_the_answer_is_the_same_at_both_addresses(client, status, method, options):
    data = options.get("data", "")
    body = data if isinstance(data, str) else json.dumps(data)
    kind = options.get("content_type", "application/json")
    old, short = (
        client.generic(method, path, body, content_type=kind, headers=options.get("headers")) for path in (OLD, SHORT)
    )
    assert old.status_code == status
    assert short.status_code == status
    assert short.content == old.content.replace(OLD.encode(), SHORT.encode())
    left_out = {"ratelimit-remaining", "ratelimit-reset"}
    told = [{name: one for name, one in answer.items() if name.lower() not in left_out} for answer in (old, short)]
    assert told[0] == told[1]


def test_it_takes_no_cookie_and_sets_none(olga, value):
    browser = Client()
    browser.force_login(olga)
    assert post(browser, SHORT).status_code == 401
    answer = post(Client(), SHORT, headers={"Authorization": f"Bearer {value}", "Cookie": "sessionid=x"})
    assert (answer.status_code, answer["Cache-Control"], len(answer.cookies)) == (200, "no-store", 0)


@time_machine.travel("2026-05-04 12:00Z", tick=False)
def test_both_addresses_count_together(client, settings):
    settings.LIMITS = {**settings.LIMITS, "mcp-call": "2/m", "mcp": "1/m"}
    assert [post(client, path, CALL).status_code for path in (OLD, SHORT, SHORT, OLD)] == [200, 200, 429, 429]
    assert [post(client, path).status_code for path in (SHORT, OLD)] == [200, 429]


def test_a_crash_is_a_500_in_json(client, monkeypatch):
    monkeypatch.setattr("mcpserver.views.handle", lambda *arguments: {}["the secret"])
    answer = post(client, SHORT)
    assert (answer.status_code, answer.json().keys()) == (500, {"error"})


@pytest.mark.parametrize("path", [OLD, SHORT])
def test_a_listed_page_may_ask_with_the_headers_of_both_eras(client, settings, path):
    settings.CORS_ALLOWED_ORIGINS, settings.CORS_URLS_REGEX = ["https://agents.example"], settings.CORS_PATHS
    asked = {"Origin": "https://agents.example", "Access-Control-Request-Method": "POST"}
    answer = client.options(path, headers=asked)
    assert answer.status_code == 200
    allowed = answer["Access-Control-Allow-Headers"].split(", ")
    assert {"authorization", "content-type", "mcp-protocol-version", "mcp-method", "mcp-name"} <= set(allowed)


def test_the_short_address_has_no_other_spelling(client):
    assert [post(client, path).status_code for path in ("/mcp/", "/mcp/x", "/MCP", "/mcpx")] == [404] * 4
