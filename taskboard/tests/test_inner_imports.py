"""Check that imports stand at the top of their module: those inside functions are few and listed, with their reasons."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from taskboard.tests.test_imports import MAY_IMPORT, ROOT, breaks_the_table, imports_of

# Modules that are imported inside functions, by file and function. A comment at each says why it cannot stand at the top.
# `ready` of an app may import as well: Django calls it once all models are there.
INSIDE = {
    "operating/backup/process.py": {"main": ["operating.backup.kept"]},
    "taskboard/command_line.py": {"main": ["taskboard.django_commands"]},
    "taskboard/environment.py": {"bucket": ["botocore.config"]},
    "web/live/visitors.py": {"_session": ["import_module"]},
}
MOST_INSIDE = 9
REASON = re.compile(r"# (?!type: |noqa)")


class Inside(NamedTuple):
    """An import inside a function."""

    function: str
    line: int
    module: str


def inside(tree: ast.AST, function: str = "") -> Iterator[Inside]:
    """Return imports inside functions, also those by the name of the module, except in `ready` of an app."""
    for node in ast.iter_child_nodes(tree):
        match node:
            case ast.FunctionDef(name="ready", args=ast.arguments(args=[ast.arg("self")])):
                continue
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield from inside(node, function or name)
                continue
            case ast.Import(names=names) if function:
                yield from (Inside(function, node.lineno, one.name) for one in names)
            case ast.ImportFrom(module=module) if function:
                yield Inside(function, node.lineno, module or ".")
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in ("import_module", "__import__"):
                yield Inside(function, node.lineno, name)
        yield from inside(node, function)


def own_files() -> Iterator[Path]:
    """Return our code without tests, migrations and benchmarks."""
    for top in (*ROOT.glob("*.py"), *(ROOT / name for name in (*MAY_IMPORT, "bin", "clients"))):
        for path in [top] if top.is_file() else sorted(top.rglob("*.py")):
            if not {"tests", "migrations"} & {*path.relative_to(ROOT).parts}:
                yield path


def for_types_only(tree: ast.AST) -> Iterator[ast.stmt]:
    """Return the imports of `if TYPE_CHECKING`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            yield from node.body


def must_be_for_types_only(statement: ast.stmt, name: Path) -> bool:
    """Tell whether the table forbids this import, or only the stubs of a package have its names."""
    if isinstance(statement, ast.ImportFrom) and all(alias.name.startswith("_") for alias in statement.names):
        return True
    found = list(imports_of(ast.Module([statement], []), name))
    return bool(found) and all(breaks_the_table(one) for one in found)


def test_few_imports_stand_inside_functions_and_each_is_listed_here() -> None:
    found: dict[str, dict[str, list[str]]] = {}
    for path in own_files():
        for one in inside(ast.parse(path.read_text())):
            functions = found.setdefault(str(path.relative_to(ROOT)), {})
            functions.setdefault(one.function, []).append(one.module)
    assert found == INSIDE, "write the import at the top; if it cannot stand there, list it with INSIDE"
    assert sum(len(modules) for functions in found.values() for modules in functions.values()) <= MOST_INSIDE


@pytest.mark.parametrize("file", INSIDE)
def test_an_import_inside_a_function_says_why(file: str) -> None:
    lines = (ROOT / file).read_text().splitlines()
    for function in INSIDE[file]:
        first = min(one.line for one in inside(ast.parse("\n".join(lines))) if one.function == function)
        assert any(REASON.search(line) for line in lines[first - 2 : first]), f"{file}:{first}"


def test_nothing_replaces_a_module() -> None:
    assert [str(path) for path in own_files() if "sys.modules" in path.read_text()] == []


def test_only_types_that_cannot_be_imported_are_for_the_type_checker_alone() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{statement.lineno}"
        for path in own_files()
        for statement in for_types_only(ast.parse(path.read_text()))
        if not must_be_for_types_only(statement, path.relative_to(ROOT))
    ]
    assert not found, f"import these at the top: {found}"


@pytest.mark.parametrize(
    "code, found",
    [
        ("def late():\n    import json", [("late", "json")]),
        ("class Late:\n    def read(self):\n        if self:\n            from json import loads", [("read", "json")]),
        ("async def late():\n    def later():\n        from json import loads", [("late", "json")]),
        ("def late(name):\n    return importlib.import_module(name)", [("late", "import_module")]),
        ("FOUND = import_module(NAME)", [("", "import_module")]),
        ("def ready():\n    import json", [("ready", "json")]),
        ("class App(AppConfig):\n    def ready(self):\n        import json", []),
        ("import json\ntry:\n    import tomllib\nexcept ImportError:\n    tomllib = None", []),
    ],
)
def test_an_import_inside_a_function_is_found(code: str, found: list[tuple[str, str]]) -> None:
    assert [(one.function, one.module) for one in inside(ast.parse(code))] == found


@pytest.mark.parametrize(
    "statement, verdict",
    [
        ("from accounts.models import User", True),
        ("from django.contrib.auth.models import _User", True),
        ("from boards.reader import Reader", False),
        ("from pathlib import Path", False),
    ],
)
def test_a_type_of_boards_that_could_be_imported_is_found(statement: str, verdict: bool) -> None:
    [node] = ast.parse(statement).body
    assert must_be_for_types_only(node, Path("boards/example.py")) is verdict
