"""Texts that bin/messages does not find are shown in English to everybody."""

import ast
from collections.abc import Iterator
from pathlib import Path

from taskboard.tests.test_imports import MAY_IMPORT, ROOT

MARKS = {"_", "gettext", "ngettext", "pgettext", "npgettext"}


def test_no_text_is_marked_within_an_f_string() -> None:
    places = [place for app in MAY_IMPORT for path in own_modules(ROOT / app) for place in marked_within(path)]
    assert places == []


def test_such_a_text_is_found(tmp_path: Path) -> None:
    path = tmp_path / "words.py"
    path.write_text("a = f\"{count} {_('cards')}\"\nb = f'{_}'\n")
    assert marked_within(path) == [f"{path}:1"]


def own_modules(room: Path) -> Iterator[Path]:
    """Yield the modules of a room, but for those of programs that tests install in folders of their own."""
    return (path for path in room.rglob("*.py") if not {".venv", "node_modules"} & set(path.parts))


def marked_within(path: Path) -> list[str]:
    found = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.JoinedStr)]
    return [f"{path}:{node.lineno}" for node in found if any(name in MARKS for name in called(node))]


def called(node: ast.JoinedStr) -> Iterator[str]:
    for child in ast.walk(node):
        if isinstance(child, ast.Call) and isinstance(child.func, ast.Name):
            yield child.func.id
