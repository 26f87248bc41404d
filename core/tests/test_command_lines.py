"""Texts that say what to run name the program of this installation."""

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.text.command_lines import for_this_installation
from taskboard.house import HERE, ROOMS

CALLS = {"for_this_installation", "ok", "note", "wrong", "row_of"}  # the others of which pass on to the first
SCRIPT = re.compile(r"bin/manage \w|bin/serve")
TEXT = "Run bin/manage migrate, or start bin/serve, which does."


def test_a_checkout_has_scripts() -> None:
    assert for_this_installation(TEXT) == TEXT


def test_packages_and_images_have_a_program(settings) -> None:
    settings.HAS_SCRIPTS = False
    assert for_this_installation(TEXT) == "Run taskboard migrate, or start taskboard serve, which does."


def test_an_image_is_built_without_the_scripts() -> None:
    assert "!bin" not in (HERE / ".dockerignore").read_text()


def unwrapped(node: ast.AST) -> Iterator[str]:
    """Yield the texts below the node that name a script, but for docstrings and what is handed to one of CALLS."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Call) and ast.unparse(child.func) in CALLS:
            continue
        if isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant):
            continue
        if isinstance(child, ast.Constant) and isinstance(child.value, str) and SCRIPT.search(child.value):
            yield child.value
        yield from unwrapped(child)


@pytest.mark.parametrize("room", ROOMS)
def test_every_text_is_written_for_the_installation(room: str) -> None:
    files = {path for path in (HERE / room).rglob("*.py") if "tests" not in path.parts}
    files.discard(Path(inspect.getfile(for_this_installation)))
    assert {path.name: found for path in files if (found := [*unwrapped(ast.parse(path.read_text()))])} == {}


def test_no_template_names_a_script() -> None:
    assert [str(path) for path in Path(HERE, "templates").rglob("*.*") if "bin/manage" in path.read_text()] == []
