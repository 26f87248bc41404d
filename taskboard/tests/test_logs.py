"""Keys of addresses, which open accounts and boards, are in no log, whatever fails; unknown hosts are a line now and then."""

import logging
import re
import time

import pytest
from django.http import HttpRequest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.urls.converters import IntConverter

from core.outage import Throttle
from taskboard.logs import BEFORE_KEYS, UnknownHost, WithoutKeys, without_keys
from web.live.routing import gate

KEY = "Zq3-" + "k" * 39
LENGTHS = {"picture": 32}  # where the pattern of an address wants another length than 43
# Parameters that are no secret: ids, and names of files and tables.
HARMLESS = {"rest", "app_label", "object_id", "content_type_id", "url", "path", "uuid", "id"}
HARMLESS |= {"board_id", "list_id", "card_id", "label_id", "user_id", "comment_id", "checklist_id", "item_id"}
HARMLESS |= {"picture"}  # of a board, which its members and holders of its link alone get
HARMLESS |= {"attachment_id"}  # of REST, where other texts than ids are not found


class Broken:
    """Middleware: every view fails, and the error names what it was called with."""

    def __init__(self, get_response):
        self.get_response = get_response

    def __call__(self, request: HttpRequest):
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view, args, kwargs):
        raise RuntimeError(f"cannot show {request.get_full_path()}")


def routes(resolver=None, before: str = "/"):
    for entry in (resolver or get_resolver()).url_patterns:
        if isinstance(entry, URLResolver):
            yield from routes(entry, before + str(entry.pattern))
        elif isinstance(entry, URLPattern):
            yield entry, before + str(entry.pattern)


def parameters(entry: URLPattern) -> set[str]:
    """Return the parameters that are texts: neither ids of rows nor numbers."""
    if hasattr(entry.pattern, "converters") and entry.pattern.converters:
        found = entry.pattern.converters.items()
        return {name for name, kind in found if not isinstance(kind, IntConverter) and "Id" not in type(kind).__name__}
    return set(entry.pattern.regex.groupindex)


def secret_addresses() -> dict[str, str]:
    """Return an address with KEY for each route that takes a text, by the route."""
    found = {}
    for entry, route in routes():
        texts = parameters(entry) - HARMLESS
        if texts and not route.startswith("/admin/"):
            path = re.sub(r"\(\?P<uidb36>[^)]*\)-", f"{KEY[:4]}-", route)
            path = re.sub(r"\(\?P<\w+>(?:[^()\[\]]|\[[^\]]*\])*\)", KEY, path).replace("^", "").replace("$", "")
            path = re.sub(rf"<str:(?:{'|'.join(HARMLESS)})>", "no-secret", path)
            path = re.sub(r"<str:\w+>", KEY, path)
            path = re.sub(r"<(?:id|int|uuid):\w+>", "01900000-0000-7000-8000-000000000000", path)
            assert KEY in path, route
            found[route] = path.replace(KEY, KEY[: LENGTHS.get(entry.name or "", len(KEY))])
    return found


ADDRESSES = secret_addresses()


def test_the_table_has_the_addresses_with_keys_that_we_know():
    assert {prefix for prefix in BEFORE_KEYS if any(path.startswith(prefix) for path in ADDRESSES.values())} == {
        *BEFORE_KEYS
    }


@pytest.mark.parametrize("path", ADDRESSES.values(), ids=ADDRESSES.keys())
def test_a_fault_at_an_address_with_a_key_writes_the_key_nowhere(path, settings, caplog, db):
    settings.MIDDLEWARE = [
        "taskboard.access_log.AccessLog",
        *settings.MIDDLEWARE,
        "taskboard.tests.test_logs.Broken",
    ]
    caplog.handler.addFilter(WithoutKeys())
    caplog.set_level(logging.INFO)
    assert Client(raise_request_exception=False).get(path).status_code == 500
    assert "Internal Server Error" in caplog.text or "crashed" in caplog.text
    assert "cannot show" in caplog.text
    assert KEY[:32] not in caplog.text
    assert KEY[:32] not in " ".join(record.getMessage() for record in caplog.records)


@pytest.mark.parametrize(
    "address", ["/join/{}/", "/public/{}/no/such", "/cli?code={}", "/sign-in/oidc/callback?a=1&code={}"]
)
def test_an_address_that_nothing_answers_and_a_code_in_a_query_lose_their_key(address):
    assert KEY not in without_keys(f"GET {address.format(KEY)} HTTP/1.1")


def test_sockets_with_keys_are_known():
    taken = [str(route.pattern) for route in gate.application.routes if "key" in str(route.pattern)]
    assert taken == ["ws/public/<str:key>"]
    assert KEY not in without_keys(f"WebSocket CONNECT /ws/public/{KEY}?since=3")


@pytest.mark.parametrize("text", ["{'%s': (550, b'no such mailbox')}", "Key (email)=(%s) already exists.", "<%s>"])
def test_mail_addresses_are_removed_from_what_servers_and_databases_say(text):
    assert without_keys(text % "olga@example.com") == text % "..."


def test_the_handler_of_the_service_has_the_filter(settings):
    assert "without keys" in settings.LOGGING["handlers"]["stderr"]["filters"]


def test_what_has_no_key_stays_as_it_is():
    for text in ("/board/1/public-link", "/static/js/join.js", "first/second", "/password/reset", "100% of /public"):
        assert without_keys(text) == text


def test_unknown_hosts_are_a_line_now_and_then_that_names_the_setting(monkeypatch: pytest.MonkeyPatch, caplog) -> None:
    now = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    monkeypatch.setattr(UnknownHost, "lines", Throttle(15))
    client = Client(raise_request_exception=False)
    for number in range(5):
        assert client.get("/sign-in", headers={"Host": f"scanner-{number}.example"}).status_code == 400
    now[0] += 15
    client.get("/sign-in", headers={"Host": "evil\nline"})
    lines = [record for record in caplog.records if record.name == "django.security.DisallowedHost"]
    assert [line.levelname for line in lines] == ["WARNING", "WARNING"]
    assert not any(line.exc_info for line in lines)
    assert lines[0].getMessage() == (
        "refused 1 request for a host that is not in TASKBOARD_ALLOWED_HOSTS, the last one for 'scanner-0.example'"
    )
    assert lines[1].getMessage().startswith("refused 5 requests")
    assert "\n" not in lines[1].getMessage()
