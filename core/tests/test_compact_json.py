import pytest

from core.http.compact_json import NotJson, dumps, loads


def test_json_is_written_without_spaces_and_without_escaping_other_alphabets():
    assert dumps({"title": "計画", "items": [1, None]}) == '{"title":"計画","items":[1,null]}'


def test_what_dumps_writes_loads_reads():
    assert loads(dumps({"title": "計画"}).encode()) == {"title": "計画"}


@pytest.mark.parametrize(
    "body", [b"", b"{", b"NaN", b'{"a": Infinity}', b"-Infinity", b"\xff", b"'a'", "{}".encode("utf-16")]
)
def test_a_body_that_is_not_json_is_refused_with_a_sentence(body):
    with pytest.raises(NotJson, match="The body is not valid JSON in UTF-8"):
        loads(body)


def test_a_body_that_is_nested_too_deeply_is_refused_with_a_sentence():
    with pytest.raises(NotJson, match="nested too deeply"):
        loads(b"[" * 100_000)


@pytest.mark.parametrize("body", [b'{"a": 1, "a": 1}', b'[{"b": {"a": 1, "c": 2, "a": null}}]'])
def test_a_field_that_is_there_twice_is_refused_by_name(body):
    with pytest.raises(NotJson, match="'a' twice"):
        loads(body)
