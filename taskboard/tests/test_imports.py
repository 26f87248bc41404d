"""Check the tables of docs/architecture.md: which app may import which, and that imports inside an app only go down."""

import ast
import re
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]

# Modules of apiv1 that every endpoint under /api/ uses, in whichever app it is.
ENDPOINT = ["apiv1.base", "apiv1.bodies", "apiv1.errors", "apiv1.fields", "apiv1.schema"]

MAY_IMPORT: dict[str, list[str]] = {
    "core": [],
    "security": ["core"],
    "accounts": ["core", "security"],
    "boards": ["core", "security"],
    "jobs": ["core", "boards"],
    "notifications": ["core", "security", "accounts", "boards", "jobs"],
    "web": ["core", "security", "accounts", "boards", "notifications"],
    "apiv1": ["core", "security", "accounts", "boards", "notifications"],
    "cliauth": ["core", "security", "accounts", *ENDPOINT, "apiv1.tokens"],
    "exporter": ["core", "security", "accounts", "boards", "jobs", "notifications", *ENDPOINT, "apiv1.authentication"],
    "importer": ["core", "security", "accounts", "boards", "jobs", "notifications"],
    "mcpserver": ["core", "security", "accounts", "boards", *ENDPOINT]
    + ["apiv1.authentication", "apiv1.idempotency", "apiv1.boards.shapes"],
    "account_deletion": ["core", "security", "accounts", "boards", "notifications", "exporter"],
    "taskboard": ["core", "security", "accounts", "boards", "jobs", "notifications", "web"]
    + ["apiv1", "cliauth", "exporter", "importer", "account_deletion", "mcpserver"],
    "operating": ["core", "security", "accounts", "boards", "jobs", "notifications", "apiv1", "cliauth", "exporter"]
    + ["importer", "account_deletion", "taskboard"],
}


class Floor(NamedTuple):
    name: str
    modules: list[str]  # each with its submodules
    may_import: list[str]  # names of floors


# The floors of the apps that are divided into floors, from the top down.
FLOORS: dict[str, list[Floor]] = {
    "boards": [
        Floor("admin", ["admin", "apps"], ["actions", "reading", "ground", "models", "helpers"]),
        Floor("actions", ["actions"], ["ground", "models", "helpers"]),
        Floor("reading", ["reading"], ["ground", "models", "helpers"]),
        Floor(
            "ground", ["access", "actor", "board_templates", "hints", "statements", "word_index"], ["models", "helpers"]
        ),
        Floor("models", ["models"], ["helpers"]),
        Floor(
            "helpers",
            [
                "backgrounds",
                "colours",
                "dates",
                "errors",
                "losses",
                "outlines",
                "reader",
                "recurrence",
                "richtext",
                "text",
            ],
            [],
        ),
    ],
    "web": [
        Floor(
            "urls",
            ["urls", "apps"],
            ["public", "search", "table", "attachments", "boards", "my", "cards", "inbox", "live"],
        ),
        Floor("public", ["public"], ["attachments", "boards", "cards", "http", "parts"]),
        Floor("search", ["search"], ["boards", "my", "http", "parts"]),
        Floor("table", ["table"], ["boards", "my", "http", "parts"]),
        Floor("attachments", ["attachments"], ["cards", "http", "parts"]),
        Floor("boards", ["boards"], ["my", "cards", "http", "parts"]),
        Floor("my", ["my"], ["cards", "http", "parts"]),
        Floor("cards", ["cards"], ["http", "parts"]),
        Floor("inbox", ["inbox"], ["cards", "http", "parts"]),
        Floor("live", ["live"], ["parts"]),
        Floor("http", ["http"], ["parts"]),
        Floor(
            "parts",
            ["changes", "due", "filter_bar", "fragments", "history", "open_pages", "templatetags", "unlocking"],
            [],
        ),
    ],
}


class Import(NamedTuple):
    place: str  # file and line
    importer: str
    imported: str


def imports() -> Iterator[Import]:
    """Return imports of our modules in our code, except in tests and for the type checker only."""
    for app in MAY_IMPORT:
        for path in sorted((ROOT / app).rglob("*.py")):
            name = path.relative_to(ROOT)
            if "tests" not in name.parts:
                yield from imports_of(ast.parse(path.read_text()), name)


def imports_of(tree: ast.Module, name: Path) -> Iterator[Import]:
    package = name.parent.parts
    module = ".".join(package if name.stem == "__init__" else (*package, name.stem))
    for node in running_code(tree):
        if isinstance(node, ast.Import):
            found = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = [*package[: len(package) - node.level + 1]] if node.level else []
            source = ".".join([*base, *([node.module] if node.module else [])])
            found = [f"{source}.{alias.name}" if is_module(source, alias.name) else source for alias in node.names]
        else:
            continue
        yield from (Import(f"{name}:{node.lineno}", module, one) for one in found if one.split(".")[0] in MAY_IMPORT)


def running_code(node: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and isinstance(child.test, ast.Name) and child.test.id == "TYPE_CHECKING":
            continue
        yield child
        yield from running_code(child)


def is_module(package: str, name: str) -> bool:
    folder = ROOT.joinpath(*package.split("."))
    return (folder / f"{name}.py").exists() or (folder / name / "__init__.py").exists()


def is_within(module: str, names: list[str]) -> bool:
    return any(module == name or module.startswith(f"{name}.") for name in names)


def breaks_the_table(one: Import) -> bool:
    app = one.importer.split(".")[0]
    return not is_within(one.imported, [app, *MAY_IMPORT[app]])


def floor_of(module: str) -> Floor | None:
    app, _dot, rest = module.partition(".")
    return next((floor for floor in FLOORS.get(app, ()) if is_within(rest, floor.modules)), None)


def goes_upward(one: Import) -> bool:
    above, below = floor_of(one.importer), floor_of(one.imported)
    if above is None or one.importer.split(".")[0] != one.imported.split(".")[0]:
        return False
    return below is None or (above != below and below.name not in above.may_import)


def told(found: list[Import]) -> str:
    return "\n".join(f"{one.place}: {one.importer} must not import {one.imported}" for one in found)


def test_apps_import_only_what_the_table_allows() -> None:
    found = [one for one in imports() if breaks_the_table(one)]
    assert not found, told(found)


def test_of_boards_only_the_admin_writes_the_security_log() -> None:
    """The admin is an interface, and interfaces write it. Actions are called by all of them."""
    found = [one for one in imports() if is_within(one.importer, ["boards"]) and is_within(one.imported, ["security"])]
    assert found
    assert all(is_within(one.importer, ["boards.admin"]) for one in found), told(found)


def test_imports_inside_an_app_go_down_only() -> None:
    found = [one for one in imports() if goes_upward(one)]
    assert not found, told(found)


@pytest.mark.parametrize("app", FLOORS)
def test_every_module_is_on_a_floor(app: str) -> None:
    files = (path.relative_to(ROOT) for path in (ROOT / app).rglob("*.py") if path.stem != "__init__")
    modules = [".".join(file.with_suffix("").parts) for file in files if not {"tests", "migrations"} & {*file.parts}]
    homeless = [module for module in modules if floor_of(module) is None]
    assert not homeless, f"add to FLOORS in {__file__}: {', '.join(homeless)}"


def test_everything_that_the_page_of_the_architecture_locates_is_there() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text()
    paths = re.findall(r"`(\w+/[\w/.-]+)`", page)
    assert len(paths) > 20
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_the_architecture_is_one_page_with_two_tables() -> None:
    """Names are to answer where a thing is. A longer page would hide that they do not."""
    lines = (ROOT / "docs" / "architecture.md").read_text().splitlines()
    assert len(lines) <= 60
    assert sum(line.startswith("|---") for line in lines) <= 2


def test_docs_have_the_same_table() -> None:
    """docs/architecture.md names every app and each app that it may import from."""
    page = (ROOT / "docs" / "architecture.md").read_text()
    for app, allowed in MAY_IMPORT.items():
        row = next((line for line in page.splitlines() if line.startswith(f"| `{app}/` |")), "")
        assert row, f"{app} has no row"
        named = row.rsplit("|", 2)[1]
        if app != "taskboard":
            missing = {one.split(".")[0] for one in allowed} - {*re.findall(r"\w+", named)}
            assert not missing, f"the row of {app} does not name {missing}"


@pytest.mark.parametrize(
    "line, verdict",
    [
        ("from accounts.models import User", True),
        ("import apiv1.cards.views", True),
        ("from taskboard import layers", True),
        ("from web.fragments import render_tile", True),
        ("def late():\n    from accounts import tokens", True),
        ("if TYPE_CHECKING:\n    from accounts.models import User", False),
        ("from boards.models import Board", False),
        ("from . import models", False),
        ("from django.db import models", False),
    ],
)
def test_a_forbidden_import_in_boards_is_found(line: str, verdict: bool) -> None:
    found = list(imports_of(ast.parse(line), Path("boards/example.py")))
    assert any(breaks_the_table(one) for one in found) is verdict


@pytest.mark.parametrize(
    "file, line, verdict",
    [
        ("boards/models/card.py", "from boards.actions.cards.card import create_card", True),
        ("boards/models/card.py", "from boards import access", True),
        ("boards/actions/cards/card.py", "from ...admin import boards", True),
        ("boards/actions/cards/card.py", "from boards.reading.tiles import tiles", True),
        ("boards/errors.py", "from boards.models import Card", True),
        ("web/boards/board.py", "from boards.actions.cards.card import create_card", False),
        ("boards/actions/cards/card.py", "from boards.hints import hint", False),
    ],
)
def test_an_import_upward_is_found(file: str, line: str, verdict: bool) -> None:
    assert any(goes_upward(one) for one in imports_of(ast.parse(line), Path(file))) is verdict


def test_scripts_do_not_import_each_other_in_a_circle() -> None:
    """The names of collected scripts hold a hash of their content, and that content the names of what they import."""
    found, folder = re.compile(r"""(?:from|import\()\s*"(\.{1,2}/[^"]+)\""""), ROOT / "static" / "js"
    scripts = {
        path: {(path.parent / name).resolve() for name in found.findall(path.read_text())}
        for path in folder.rglob("*.js")
    }
    assert folder / "board" / "place.js" in scripts[folder / "live" / "live-board.js"]
    TopologicalSorter(scripts).prepare()  # raises CycleError, which names the circle
