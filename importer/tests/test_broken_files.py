"""Files with random damage: either they are read, with losses counted, or refused in words. Nothing else ever comes out of `read`."""

import copy
import json
import re
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boards.richtext import from_markdown, to_markdown
from importer.formats import FORMATS
from importer.formats.html_text import markdown_of
from importer.formats.source import Format, Source, Unreadable
from importer.report import Report
from importer.tests import vikunja_export
from importer.tests.reading import FILES, boards_of

JSONS = {name: json.loads((FILES / f"{name}.json").read_text()) for name in ("trello", "wekan")}
VALUES: dict[str, Any] = {
    **JSONS,
    "trello, a single card": {
        "idList": "l",
        "idBoard": "b",
        **JSONS["trello"]["cards"][1],
        "labels": [{"color": "red"}],
    },
    "vikunja": vikunja_export.data(),
    "vikunja, before 0.21": vikunja_export.of_before_021(),
}
TABLES = sorted(path.name for path in FILES.iterdir() if path.suffix in (".csv", ".tsv", ".txt"))
TIMES = re.compile(r'"2\d{3}-\d\d-\d\dT[^"]*"')
ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=20),
    st.sampled_from(
        [
            "javascript:alert(1)",
            "../../etc/passwd",
            "9999-12-31T23:59:59-23:00",
            "0000-00-00",
            "\ud800",
            "\x00",
            "😀" * 50,
        ]
    ),
    st.lists(st.integers(), max_size=3),
    st.dictionaries(st.sampled_from(["id", "_id", "text", "value"]), st.integers(), max_size=2),
    st.just([[[[]]]]),
)


def read_quietly(form: Format, content: bytes, **choices: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        path.write_bytes(content)
        source = Source(path, "file", time_zone="Europe/Zurich", choices=choices, salt=b"x" * 22)
        for act in (lambda: form.looks_like(source), lambda: form.questions(source), lambda: _read(form, source)):
            with suppress(Unreadable):
                act()


def _read(form: Format, source: Source) -> None:
    report = Report()
    for _board in boards_of(form, source, report):
        json.dumps(report.as_json())


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [path] if path else []
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inside:
        found += places(one, (*path, key))
    return found


PLACES = {name: places(value) for name, value in VALUES.items()}


@pytest.mark.parametrize("name", VALUES)
@settings(max_examples=150)
@given(data=st.data())
def test_a_value_of_another_kind_ends_in_words(name: str, data: st.DataObject) -> None:
    value = json.loads(json.dumps(VALUES[name]))
    for path in data.draw(st.lists(st.sampled_from(PLACES[name]), min_size=1, max_size=6)):
        around = value
        try:
            for key in path[:-1]:
                around = around[key]
            around[path[-1]] = copy.deepcopy(data.draw(ODD))  # the next place may lie in it
        except (KeyError, IndexError, TypeError):
            continue  # something above it was replaced
    format = name.partition(",")[0]
    read_quietly(FORMATS[format], zipped(value) if format == "vikunja" else json.dumps(value).encode())


@pytest.mark.parametrize("name", VALUES)
def test_moments_that_are_after_9999_in_the_zone_can_be_read(name: str) -> None:
    text = TIMES.sub('"9999-12-31T23:30:00Z"', json.dumps(VALUES[name]))
    format = name.partition(",")[0]
    read_quietly(FORMATS[format], zipped(json.loads(text)) if format == "vikunja" else text.encode())


def zipped(value: Any) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        return vikunja_export.write(Path(folder) / "export.zip", value).read_bytes()


@pytest.mark.parametrize("name", [*(f"{name}.json" for name in JSONS), *TABLES])
@settings(max_examples=40)
@given(data=st.data())
def test_bytes_that_are_wrong_or_missing_end_in_words(name: str, data: st.DataObject) -> None:
    content = bytearray((FILES / name).read_bytes())
    for _time in range(data.draw(st.integers(0, 4))):
        place = data.draw(st.integers(0, len(content) - 1))
        content[place : place + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=4))
        content = content or bytearray(b"x")
    cut = data.draw(st.integers(0, len(content)))
    form = FORMATS[name.removesuffix(".json")] if name.endswith(".json") else FORMATS["csv"]
    read_quietly(form, bytes(content[: cut if data.draw(st.booleans()) else len(content)]))


@pytest.mark.parametrize("name", TABLES)
@settings(max_examples=40)
@given(data=st.data())
def test_any_answers_to_the_questions_end_in_words(name: str, data: st.DataObject) -> None:
    questions = FORMATS["csv"].questions(Source(FILES / name, name))
    answers = {
        one.name: data.draw(st.sampled_from([choice.value for choice in one.choices] or ["x"])) for one in questions
    }
    read_quietly(FORMATS["csv"], (FILES / name).read_bytes(), **answers)


TAGS = re.findall(r"\w+", "a b blockquote br code div h2 hr img label li ol p pre script strong table td tr ul")
SOUP = st.one_of(
    st.sampled_from([f"<{slash}{tag}>" for tag in TAGS for slash in ("", "/")]),
    st.sampled_from(
        ["<li data-checked=true>", "<a href=https://a.example>", "# x", "1. x", "- ", "> ", "*x*", "`", " ", "\n"]
    ),
)


@settings(max_examples=300)
@given(parts=st.lists(SOUP, max_size=12))
def test_any_html_becomes_markdown_that_is_read_as_it_was_meant(parts: list[str]) -> None:
    markdown = markdown_of(f"<p>{''.join(parts)}")
    assert to_markdown(from_markdown(markdown)) == markdown
