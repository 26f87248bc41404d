"""docs/api.md: its examples are run as a reader would run them, and its tables are compared with the code."""

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.conf import settings

from apiv1 import urls
from apiv1.schema import MEANINGS
from apiv1.tests.calls import token_of
from boards.actions.boards.board import create_board
from boards.models import Card
from conftest import web

GUIDE = (Path(settings.BASE_DIR) / "docs" / "api.md").read_text()
DAY = (Path(settings.BASE_DIR) / "apiv1" / "tests" / "generators" / "day.py").read_text()
FENCED = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BETWEEN = "\x1e"  # what the script prints after each example


@dataclass
class Example:
    commands: str
    kind: str = ""  # the language of the answer's code block, as in json
    answer: str = ""


def examples() -> list[Example]:
    found: list[Example] = []
    for kind, text in FENCED.findall(GUIDE):
        if kind == "sh":
            found.append(Example(text))
        else:
            found[-1].kind, found[-1].answer = kind, text
    return found


def shape(value: object) -> object:
    """Return keys and types, for a list those of its first item: what the guide's answer promises of a real one."""
    if isinstance(value, dict):
        return {name: shape(part) for name, part in value.items()}
    if isinstance(value, list):
        return [shape(part) for part in value[:1]]
    return type(value).__name__


def numberless(text: str) -> str:
    return re.sub(r"(?<=: )\d+", "N", text)


@pytest.fixture
def printed(curl, base_url, olga, tmp_path):
    """Return what each example prints. One shell runs all of them."""
    create_board(actor=web(olga), title="An older board", template="kanban")
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    script = f"printf '{BETWEEN}'\n".join(example.commands for example in examples())
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    surroundings = {"PATH": path, "BASE_URL": base_url, "TOKEN": token_of(olga), "TMPDIR": str(temporary)}
    run = subprocess.run(
        ["bash", "-euo", "pipefail"], input=script, env=surroundings, cwd=tmp_path, text=True, capture_output=True
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert [path for path in tmp_path.rglob("*") if path != temporary] == []
    return run.stdout.split(BETWEEN)


def test_every_example_answers_as_the_guide_shows(printed):
    assert len(printed) == len(examples()) >= 10
    for example, answer in zip(examples(), printed, strict=True):
        if example.kind == "json":
            assert shape(json.loads(answer)) == shape(json.loads(example.answer)), example.commands
        else:
            assert numberless(answer) == numberless(example.answer), example.commands


def test_answers_for_people_to_read_end_with_a_line_break(printed):
    assert [answer for answer in printed if answer and not answer.endswith("\n")] == []


def test_the_cards_of_the_examples_are_on_the_board_that_they_create(printed):
    assert set(Card.objects.values_list("board__title", flat=True)) == {"Garden"}


def test_the_example_of_an_error_shows_the_real_sentence(printed):
    pairs = [pair for pair in zip(examples(), printed, strict=True) if pair[0].answer.startswith('{"error"')]
    assert len(pairs) == 1
    for example, answer in pairs:
        assert answer == example.answer


CALLS = re.compile(
    r'api (GET|POST|PATCH|DELETE) "?(/[^\s"?]*)'  # by the function that the guide defines
    r'|curl [^|)]*?\$BASE_URL(/api/[^\s"?]*)'
)


def calls_in(commands: str) -> set[tuple[str, str]]:
    """Return (method, path) of the calls of an example; in a path each variable of the shell is {}."""
    found = set()
    if "api() {" in commands:
        return found
    commands = commands.replace("\\\n", " ")
    for match in CALLS.finditer(commands):
        method, path, address = match.groups()
        rest = commands[match.start() :].split("\n")[0]
        given = re.search(r"-X (\w+)", rest)
        method = method or (given[1] if given else "POST" if " -d '{" in rest else "GET")
        found.add(
            (
                method.lower(),
                re.sub(
                    r"\$\w+|/cards/\d+$",
                    lambda one: "{}" if one[0][0] == "$" else "/cards/{}",
                    (path and f"/api/v1{path}") or address,
                ),
            )
        )
    return found


def test_every_call_has_an_example(anyone):
    shown = set().union(*(calls_in(example.commands) for example in examples()))
    paths = anyone.get("/api/v1/openapi.json").json()["paths"]
    calls = {(method, re.sub("{.*?}", "{}", path)) for path, methods in paths.items() for method in methods}
    assert shown == calls


def test_the_day_of_a_generated_client_makes_the_calls_of_each_section(anyone):
    paths = anyone.get("/api/v1/openapi.json").json()["paths"]
    names = {
        (method, re.sub("{.*?}", "{}", path)): re.sub("([A-Z])", r"_\1", operation["operationId"]).lower()
        for path, methods in paths.items()
        for method, operation in methods.items()
    }
    _before, *parts = re.split(r"^## (.*)$", GUIDE, flags=re.MULTILINE)
    shown = {}
    for title, text in zip(parts[::2], parts[1::2], strict=True):
        if calls := calls_in("".join(part for kind, part in FENCED.findall(text) if kind == "sh")):
            shown[title] = {names[call] for call in calls}
    _before, *parts = re.split(r'^with section\("(.*)"\):$', DAY, flags=re.MULTILINE)
    made = {
        title: set(re.findall(r'(?:call|respond|refused)\((?:\d+, )?"(\w+)"', text))
        for title, text in zip(parts[::2], parts[1::2], strict=True)
    }
    assert list(made) == list(shown)
    assert {title: missing for title in shown if (missing := shown[title] - made[title])} == {}


SAID_TOGETHER = {
    "read": "every other GET",
    "write": "every other POST, PATCH and DELETE",
    "boards": "`POST /api/v1/boards`, and copies of boards",
}


def test_every_limit_is_documented():
    for pattern in urls.urlpatterns:
        for method, name in getattr(getattr(pattern.callback, "cls", None), "counted_as", {}).items():
            limit = settings.LIMITS[name].removesuffix("/m")
            path = re.sub("<.*?>", "{id}", str(pattern.pattern))
            row = SAID_TOGETHER.get(name, f"`{method} /{path}`")
            assert f"| {row} | {limit} |" in GUIDE, row


def test_every_status_is_explained():
    for status in {*MEANINGS, 405, 500, 503}:
        assert f"\n| {status} | " in GUIDE
