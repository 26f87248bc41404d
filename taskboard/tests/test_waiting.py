"""Tests wait for conditions, never for a time, and assert no elapsed time."""

import ast
from collections.abc import Iterator

import pytest

from taskboard.tests.servers import ROOT
from taskboard.tests.waiting import wait_until

PLACES = {
    "taskboard/tests/waiting.py",  # the pause between two looks
    "taskboard/tests/pages.py",  # pages come back when real ones do, after a while
    "taskboard/tests/late.py",  # makes scripts late
    "clients/tests/hurried/sitecustomize.py",  # makes the client's own pauses shorter
}
SLEEPS = {"sleep", "wait_for_timeout"}
CLOCKS = {"monotonic", "perf_counter", "process_time", "thread_time", "get_traced_memory", "getrusage"}


def sleeps(tree: ast.AST) -> Iterator[int]:
    """Return the lines that pause. A pause of 0 only lets other tasks go on."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name), args=[given, *_]) if name in SLEEPS:
                if ast.unparse(given) != "0":
                    yield node.lineno


def differences_of_clocks(tree: ast.AST) -> Iterator[int]:
    """Return the lines that look how much time or memory something took."""
    for node in ast.walk(tree):
        match node:
            case ast.BinOp(left=ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)), op=ast.Sub()):
                if name in CLOCKS:
                    yield node.lineno


@pytest.mark.parametrize("found_by", [sleeps, differences_of_clocks])
def test_no_test_pauses_or_looks_at_a_clock(found_by):
    files = [path for path in ROOT.glob("*/**/tests/**/*.py") if "node_modules" not in path.parts]
    named = {str(path.relative_to(ROOT)): path for path in files if ".venv" not in path.relative_to(ROOT).parts}
    assert len(named) > 300
    found = [
        f"{name}:{line}"
        for name, path in named.items()
        if name not in PLACES
        for line in found_by(ast.parse(path.read_text()))
    ]
    assert found == []


@pytest.mark.parametrize(
    "code, found_by",
    [
        ("time.sleep(0.1)", sleeps),
        ("await asyncio.sleep(1)", sleeps),
        ("page.wait_for_timeout(300)", sleeps),
        ("assert time.monotonic() - began < 15", differences_of_clocks),
    ],
)
def test_a_pause_and_a_look_at_a_clock_are_seen(code, found_by):
    tree = ast.parse(f"async def test():\n    {code}")
    assert list(found_by(tree)) == [2]


def test_what_never_comes_fails_with_what_was_there_instead(monkeypatch):
    monkeypatch.setattr("taskboard.tests.waiting.PATIENCE", 0.0)
    with pytest.raises(AssertionError, match="three of four"):
        wait_until(lambda: False, lambda: "three of four")
