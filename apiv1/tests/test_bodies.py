import gzip
import json

import pytest

from apiv1.tests.calls import is_refused, without_length
from boards.models import Board

BOARDS = "/api/v1/boards"
JSON = {"Content-Type": "application/json"}
MIB = 1024 * 1024


def of_size(size):
    """Return a valid body of this many bytes, most of them in a field that is ignored."""
    empty = json.dumps({"title": "Garden", "padding": ""})
    return json.dumps({"title": "Garden", "padding": "x" * (size - len(empty))})


def test_a_call_without_a_length_is_refused(as_olga):
    assert is_refused(without_length(as_olga, BOARDS, headers=JSON), 411, "Content-Length")


def test_a_body_of_one_mebibyte_is_read(as_olga):
    assert as_olga.post(BOARDS, content=of_size(MIB), headers=JSON).status_code == 201


def test_a_larger_body_is_refused(as_olga):
    assert is_refused(as_olga.post(BOARDS, content=of_size(MIB + 1), headers=JSON), 413, "1 MiB")
    assert not Board.objects.exists()


GOOD_TYPES = [
    "application/json",
    "Application/JSON",
    "application/json; charset=utf-8",
    'application/json;charset="UTF-8"',
    "application/json; profile=x",
]


@pytest.mark.parametrize("content_type", GOOD_TYPES)
def test_json_is_accepted(as_olga, content_type):
    answer = as_olga.post(BOARDS, content='{"title": "Grün"}'.encode(), headers={"Content-Type": content_type})
    assert answer.status_code == 201
    assert answer.json()["board"]["title"] == "Grün"


OTHER_TYPES = [
    "text/plain",
    "text/json",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/jsonp",
    "application/vnd.api+json",
    "application/json; charset=latin-1",
    "application/json; charset=nonsense",
    ";;;",
    "",
]


@pytest.mark.parametrize("content_type", OTHER_TYPES)
def test_any_other_type_is_refused(as_olga, content_type):
    answer = as_olga.post(BOARDS, content='{"title": "Garden"}', headers={"Content-Type": content_type})
    assert is_refused(answer, 415, "application/json")
    assert not Board.objects.exists()


def test_a_body_without_a_type_is_refused(as_olga):
    assert is_refused(as_olga.post(BOARDS, content='{"title": "Garden"}'), 415, "application/json")


@pytest.mark.parametrize("coding", ["gzip", "br", "identity", "x"])
def test_a_body_with_an_encoding_is_refused(as_olga, coding):
    body = gzip.compress(b'{"title": "Garden"}') if coding == "gzip" else b'{"title": "Garden"}'
    answer = as_olga.post(BOARDS, content=body, headers=JSON | {"Content-Encoding": coding})
    assert is_refused(answer, 415, "Content-Encoding")
    assert answer.headers["Accept-Encoding"] == "identity"
    assert not Board.objects.exists()


NO_JSON = {
    "nothing": b"",
    "spaces": b"  \n",
    "cut off": b'{"title": "Gar',
    "single quotes": b"{'title': 'Garden'}",
    "form": b"title=Garden",
    "comment": b'{"title": "Garden"} // mine',
    "two": b'{"title": "A"}{"title": "B"}',
    "trailing comma": b'{"title": "Garden",}',
    "latin-1": '{"title": "Grün"}'.encode("latin-1"),
    "utf-16": '{"title": "Garden"}'.encode("utf-16"),
    "not a number": b'{"title": "Garden", "x": NaN}',
    "infinity": b'{"title": "Garden", "x": -Infinity}',
    "number of 5,000 digits": b'{"title": "Garden", "x": ' + b"9" * 5000 + b"}",
    "raw control character": b'{"title": "Gar\x01den"}',
    "raw newline": b'{"title": "Gar\nden"}',
    "nested arrays": b'{"title": "Garden", "x": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "nested objects": b'{"x":' * 100_000 + b"1" + b"}" * 100_000,
    "nested without end": b"[" * 1_000_000,
}


@pytest.mark.parametrize("kind", NO_JSON)
def test_invalid_json_is_refused(as_olga, kind):
    assert is_refused(as_olga.post(BOARDS, content=NO_JSON[kind], headers=JSON), 400, "body")
    assert not Board.objects.exists()


@pytest.mark.parametrize("content", ["null", "true", "7", '"title"', "[]", '[{"title": "Garden"}]'])
def test_json_other_than_an_object_is_refused(as_olga, content):
    assert is_refused(as_olga.post(BOARDS, content=content, headers=JSON), 400, "object")
    assert not Board.objects.exists()
