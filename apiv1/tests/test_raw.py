"""Raw bytes to the production servers, `bin/serve` and gunicorn, each with one thread and with several.

They run on a SQLite file of their own, whatever the other tests run on: nothing here depends on the database.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from http.client import responses

import pytest

from apiv1.tests.stacks import Answer, Line, embedded, gunicorn
from taskboard.tests.prepared import prepared_cast
from taskboard.tests.served import environment_on_sqlite
from taskboard.tests.servers import Running

__all__ = ["environment_on_sqlite"]

STACKS = {
    "embedded": embedded,
    "gunicorn": gunicorn,
    "gunicorn-threads": lambda environment: gunicorn(environment, "--threads", "4"),
}
JSON = {"Content-Type": "application/json"}
ME, BOARDS, CARDS = "/api/v1/me", "/api/v1/boards", "/api/v1/cards"


@pytest.fixture(scope="module")
def tokens(environment) -> tuple[list[str], list[str]]:
    """Return ten tokens of Paula's, and ten that make views crash."""
    cast = prepared_cast(environment)
    return cast["paula"]["tokens"], cast["broken"]["tokens"]


@dataclass
class Stack:
    running: Running
    tokens: list[str]
    crashing_tokens: list[str]

    def request(self, method: str, path: str, body: bytes | None = None, **headers: str) -> bytes:
        """Return a valid request with a valid token. `headers` replaces headers, and None leaves one out."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        given = {"Host": "127.0.0.1", "Authorization": f"Bearer {self.tokens[0]}", **named}
        if body is not None:
            given = {**JSON, "Content-Length": str(len(body)), **given}
        lines = [
            f"{method} {path} HTTP/1.1",
            *(f"{name}: {value}" for name, value in given.items() if value is not None),
        ]
        return "\r\n".join([*lines, "", ""]).encode("latin-1") + (body or b"")

    @property
    def good(self) -> bytes:
        return self.request("GET", ME)

    def answer(self, request: bytes, method: str = "GET") -> Answer:
        with Line(self.running) as line:
            line.send(request)
            answer = line.read(method)
            assert answer is not None, "no answer"
            return answer

    def boards(self) -> bytes:
        return self.answer(self.request("GET", BOARDS)).body


@pytest.fixture(scope="module", params=STACKS)
def stack(request, environment, tokens) -> Iterator[Stack]:
    with STACKS[request.param](environment) as running:
        yield Stack(running, *tokens)


def answer_before_a_good_call(stack: Stack, refused: bytes) -> Answer:
    """Return the answer to `refused`. A good call behind it must be answered, or the connection must be closed."""
    with Line(stack.running) as line:
        line.send(refused, stack.good)
        first, second = line.read(), line.read()
        assert first is not None
        assert second is None or (second.status, b"Paula" in second.body) == (200, True)
        return first


def test_calls_one_after_the_other_on_one_connection_are_answered(stack):
    assert answer_before_a_good_call(stack, stack.good).status == 200


def test_a_chunked_body_is_refused(stack):
    head = stack.request("POST", CARDS, **JSON, Transfer_Encoding="chunked")
    answer = answer_before_a_good_call(stack, head + b'e\r\n{"title": "x"}\r\n0\r\n\r\n')
    assert (answer.status, "Content-Length" in answer.error) == (411, True)


def test_a_call_without_body_and_length_is_refused(stack):
    answer = answer_before_a_good_call(stack, stack.request("POST", CARDS, **JSON))
    assert (answer.status, "Content-Length" in answer.error) == (411, True)


def test_a_body_that_nobody_reads_is_not_taken_for_a_call(stack):
    smuggled = stack.request("POST", BOARDS, b'{"title": "Smuggled"}')
    for path, token, status in ((BOARDS, None, 401), ("/api/v1/nothing", "Bearer x", 404), (ME, None, 401)):
        refused = stack.request("POST", path, smuggled, Authorization=token)
        assert answer_before_a_good_call(stack, refused).status == status
    refused = stack.request("POST", BOARDS, smuggled, Content_Type="text/plain")
    assert answer_before_a_good_call(stack, refused).status == 415
    refused = stack.request("PUT", BOARDS, smuggled)
    assert answer_before_a_good_call(stack, refused).status == 405
    assert b"Smuggled" not in stack.boards()


@pytest.mark.parametrize("size", [1024 * 1024 + 1, 2_000_000])
def test_a_body_over_one_mebibyte_is_refused(stack, size):
    answer = answer_before_a_good_call(stack, stack.request("POST", CARDS, b" " * size))
    assert (answer.status, "1 MiB" in answer.error) == (413, True)


def test_a_body_of_one_mebibyte_is_read(stack):
    answer = stack.answer(stack.request("POST", CARDS, b" " * 1024 * 1024))
    assert (answer.status, "JSON" in answer.error) == (400, True)


@pytest.mark.parametrize("body", [b"[" * 1_000_000, b'{"a":' * 200_000, b'[{"":' * 150_000])
def test_absurd_nesting_is_refused_in_every_kind_of_thread(stack, body):
    assert "nested" in answer_before_a_good_call(stack, stack.request("POST", CARDS, body)).error


def test_a_body_that_is_cut_off_creates_nothing(stack):
    cut = stack.request("POST", BOARDS, b'{"title": "Cut off"', Content_Length="500")
    with Line(stack.running) as line:
        line.send(cut)
    assert b"Cut off" not in stack.boards()


@pytest.mark.parametrize("path", [ME, BOARDS, "/api/v1/openapi.json", "/api/v1/nothing"])
def test_head_has_the_headers_of_get_and_no_body(stack, path):
    get = stack.answer(stack.request("GET", path))
    with Line(stack.running) as line:
        line.send(stack.request("HEAD", path), stack.good)
        head, following = line.read("HEAD"), line.read()
    assert head.status == get.status
    assert head.headers["content-type"] == get.headers["content-type"]
    assert head.headers["content-length"] == str(len(get.body))
    assert following is None or following.status == 200


def test_204_has_neither_body_nor_type_nor_length(stack):
    token = {"Authorization": f"Bearer {stack.tokens.pop()}"}
    with Line(stack.running) as line:
        line.send(stack.request("DELETE", "/api/v1/token", **token), stack.request("GET", ME, **token))
        revoked, following = line.read(), line.read()
    assert revoked.status == 204
    assert not {"content-type", "content-length", "transfer-encoding"} & set(revoked.headers)
    assert following is None or following.status == 401


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", 'a b"<>', "@", "127.0.0.1:99999:1"])
def test_a_host_that_is_not_ours_is_refused(stack, host):
    answer = stack.answer(stack.request("GET", ME, Host=host))
    assert answer.status == 400
    assert answer.error


def test_a_request_without_a_host_is_refused(stack):
    answer = stack.answer(stack.request("GET", ME, Host=None))
    assert answer.status == 400
    assert answer.error == "Send one Host header with the name of the service."


def test_a_crash_is_an_error_like_any_other(stack):
    crashing = {"Authorization": f"Bearer {stack.crashing_tokens[0]}"}
    answer = answer_before_a_good_call(stack, stack.request("POST", BOARDS, b'{"title": "Lost"}', **crashing))
    assert (answer.status, "operator" in answer.error) == (500, True)


def test_a_status_has_its_name(stack):
    first, second = (
        stack.request("POST", BOARDS, body, Idempotency_Key="named") for body in (b'{"title": "A"}', b'{"title": "B"}')
    )
    assert stack.answer(first).reason == "Created"
    assert stack.answer(second).reason == responses[422]  # Python 3.13 calls it otherwise


def test_http_1_0_is_answered(stack):
    answer = stack.answer(stack.good.replace(b"HTTP/1.1", b"HTTP/1.0"))
    assert (answer.status, b"Paula" in answer.body) == (200, True)


def test_a_whole_url_may_take_the_place_of_the_path(stack):
    assert stack.answer(stack.request("GET", f"http://127.0.0.1{ME}")).status == 200
    assert stack.answer(stack.request("GET", "http://127.0.0.1/api/v1/nothing?a=b")).error


def test_a_whole_url_is_judged_by_its_own_host_whatever_the_header_says(stack):
    assert stack.answer(stack.request("GET", f"http://evil.example{ME}")).status == 400
    assert stack.answer(stack.request("GET", f"http://127.0.0.1{ME}", Host="evil.example")).status == 200


def test_http_1_1_without_a_host_is_refused(stack):
    assert stack.answer(stack.request("GET", ME, Host=None)).error
    assert stack.answer(stack.request("GET", ME, Host=None).replace(b"HTTP/1.1", b"HTTP/1.0")).status == 200


def test_two_hosts_are_refused(stack):
    twice = stack.good.replace(b"Host: 127.0.0.1", b"Host: 127.0.0.1\r\nHost: evil.example")
    assert stack.answer(twice).status == 400


def test_a_head_of_60_kilobytes_is_answered(stack):
    for headers in ({"X_Long": "x" * 60_000}, {f"X-{number}": "x" * 6_000 for number in range(10)}):
        answer = answer_before_a_good_call(stack, stack.request("GET", ME, **headers))
        assert answer.status in (200, 400, 431)


def test_a_client_that_expects_100_continue_gets_it(stack):
    with Line(stack.running) as line:
        line.send(stack.request("POST", BOARDS, Content_Length="2", Expect="100-continue", **JSON))
        go_on = line.read()
        line.send(b"{}")
        answer = line.read()
    assert (go_on.status, answer.status, "title" in answer.error) == (100, 400, True)


TYPES = [
    "application/json; charset*=nonsense'en'x",
    "application/json; charset*=utf-8''%ff",
    "application/json; charset=rot13",
    "multipart/form-data",
    "multipart/form-data; boundary=",
    "application/x-www-form-urlencoded",
    ';;="',
    "é",
    "x" * 3000,
]


@pytest.mark.parametrize("content_type", TYPES)
def test_a_content_type_that_cannot_be_parsed_is_refused_like_any_other(stack, content_type):
    answer = stack.answer(stack.request("POST", BOARDS, b"{}", Content_Type=content_type))
    assert (answer.status, "application/json" in answer.error) == (415, True)


def test_only_the_operator_says_where_the_service_is_mounted(stack):
    for name in ("Daphne_Root_Path", "SCRIPT_NAME", "X_Script_Name", "X_Forwarded_Prefix"):
        for value in ("/api", "/elsewhere", "é"):
            assert stack.answer(stack.request("GET", ME, **{name: value})).status == 200
    raw = stack.good.replace(b"\r\nHost", b"\r\nSCRIPT_NAME: /api\r\nHost")
    assert stack.answer(raw).status == 200


ABSURD = {
    "token of bytes": {"Authorization": "Bearer \xff\xfe"},
    "token of 10,000": {"Authorization": f"Bearer {'x' * 10_000}"},
    "control character": {"X-Note": "a\x0bb"},
    "bell": {"X-Note": "\x07"},
    "other line end": {"X-Note": "a\x85b"},
    "key of bytes": {"Idempotency-Key": "\xe9"},
    "300 headers": {f"X-{number}": "1" for number in range(300)},
    "cookies": {"Cookie": "=;;=; sessionid=" + "x" * 4000},
    "expectation": {"Expect": "miracles"},
    "forwarded": {"X-Forwarded-For": "no address", "X-Forwarded-Proto": "gopher", "Forwarded": "for=_;"},
    "range": {"Range": "bytes=5-2"},
    "date": {"If-Modified-Since": "yesterday", "If-None-Match": "*"},
    "method": {"X-HTTP-Method-Override": "DELETE", "X-Method-Override": "DELETE"},
    "upgrade": {"Connection": "Upgrade, HTTP2-Settings", "Upgrade": "h2c", "HTTP2-Settings": "AAMAAABkAAQ"},
}


@pytest.mark.parametrize("kind", ABSURD)
def test_absurd_headers_get_an_answer_or_an_error_in_json(stack, kind):
    for request in (
        stack.request("GET", ME, **ABSURD[kind]),
        stack.request("POST", BOARDS, b"{}", **ABSURD[kind]),
        stack.request("GET", "/api/v1/nothing", **ABSURD[kind]),
    ):
        answer = stack.answer(request)
        if answer.status == 200:
            assert b"Paula" in answer.body
        else:
            assert answer.status in (400, 401, 404, 417, 431)
            assert answer.error


ABSURD_LINES = {
    "no HTTP": b"hello\r\n\r\n",
    "spaces": b"GET  /api/v1/me  HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    "bytes in the path": b"GET /api/v1/\xff\xfe HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    "bytes in the query": b"GET /api/v1/me?\xff HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    "long address": b"GET /api/v1/me?" + b"x" * 8000 + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    "HTTP/9": b"GET /api/v1/me HTTP/9.9\r\nHost: 127.0.0.1\r\n\r\n",
    "two lengths": b"POST /api/v1/cards HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{} ",
    "length and chunks": b"POST /api/v1/cards HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 2\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "length below nothing": b"POST /api/v1/cards HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: -1\r\n\r\n",
    "header without colon": b"GET /api/v1/me HTTP/1.1\r\nHost: 127.0.0.1\r\nnonsense\r\n\r\n",
    "folded header": b"GET /api/v1/me HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: b\r\n c\r\n\r\n",
    "NUL": b"GET /api/v1/me HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: \x00\r\n\r\n",
}


@pytest.mark.parametrize("kind", ABSURD_LINES)
def test_malformed_http_is_never_answered_with_a_page(stack, kind):
    answer = stack.answer(ABSURD_LINES[kind])
    assert answer.status in (400, 401, 404, 414, 501, 505)
    assert b"<html" not in answer.body.lower()
    assert answer.body == b"" or answer.error
    assert stack.answer(stack.good).status == 200
