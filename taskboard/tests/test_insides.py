"""Holds docs/insides.md: the list of every place, but tests and benchmarks, that uses what a package does not promise to keep."""

import ast
import json
import os
import re
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from taskboard.tests.servers import ROOT

PAGE = ROOT / "docs" / "insides.md"
NOT_OURS = ("node_modules", "data", "__pycache__")
FAIL_BY_THEMSELVES = {"tests", "benchmarks", "conftest.py"}
OWN = {path.stem if path.is_file() else path.name for path in ROOT.glob("[a-z]*")} | {""}

# Underscored names that are documented, as those of a namedtuple. `_meta` promises only the functions in FIELDS_OF_META.
PUBLIC = {"_asdict", "_db", "_default_manager", "_exit", "_fields", "_make", "_meta", "_replace"}
FIELDS_OF_META = {"get_field", "get_fields"}
# Names without an underscore that no package documents, and which nobody uses by accident.
UNDOCUMENTED = {
    "CursorWrapper",
    "MigrationExecutor",
    "MigrationRecorder",
    "adoptStreamPort",
    "base_send",
    "basic_error",
    "block_size",
    "buildProtocol",
    "capfirst",
    "channel_layer_alias",
    "constant_time_compare",
    "date_format",
    "extract_block_quote",
    "features",
    "finalize_tokens",
    "get_finders",
    "in_atomic_block",
    "internal",
    "kill_all_applications",
    "lazy_line_starts",
    "lookup_spawns_duplicates",
    "lookup_val",
    "model_ngettext",
    "ops",
    "parse_link_href",
    "registerProducer",
    "requestFactory",
    "salted_hmac",
    "settings_dict",
    "split_domain_port",
    "sql_with_params",
    "try_save",
    "url_has_allowed_host_and_scheme",
    "validate_host",
}


class Row(NamedTuple):
    package: str
    files: list[str]
    used: list[str]
    noticed: list[str]  # files


class Reach(NamedTuple):
    line: int
    what: str


def code_in(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def rows() -> Iterator[Row]:
    package = ""
    for line in PAGE.read_text().splitlines():
        if line.startswith("## "):
            package = line.removeprefix("## ")
        elif line.startswith("| `"):
            where, used, noticed = line.strip("|").split(" | ")
            yield Row(package, code_in(where), code_in(used), [name for name in code_in(noticed) if "/" in name])


def packages() -> list[tuple[str, str]]:
    """Name and version, as the headings say them."""
    headings = {row.package.lower() for row in rows()}
    return [(name, version) for name, _space, version in (heading.rpartition(" ") for heading in sorted(headings))]


@cache
def pinned() -> dict[str, str]:
    packages = tomllib.loads((ROOT / "uv.lock").read_text())["package"]
    node = json.loads((ROOT / "package.json").read_text())
    return {package["name"]: package["version"] for package in packages} | node["dependencies"]


@cache
def sources() -> dict[str, ast.Module]:
    """Our Python files, by name."""
    return {str(path.relative_to(ROOT)): ast.parse(path.read_text()) for path in sorted(python_files())}


def python_files() -> Iterator[Path]:
    for folder, folders, files in os.walk(ROOT):
        folders[:] = [name for name in folders if not name.startswith(".") and name not in NOT_OURS]
        yield from (Path(folder, name) for name in files if name.endswith(".py"))


@cache
def own_names() -> set[str]:
    """What our code defines itself."""
    return {name for tree in sources().values() for node in ast.walk(tree) for name in defined_by(node)}


def defined_by(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.Assign(targets=targets):
            yield from (one for target in targets for part in ast.walk(target) if (one := stored(part)))
        case ast.AnnAssign(target=target):
            yield stored(target)


def stored(target: ast.AST) -> str:
    match target:
        case ast.Name(id=name) | ast.Attribute(value=ast.Name(id="self"), attr=name):
            return name
    return ""


def reaches(tree: ast.Module) -> Iterator[Reach]:
    """Where code reaches into a package: by what it imports, by an attribute, or by putting something in its place."""
    foreign = {*foreign_names(tree)}
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(module=module, level=0, names=names) if is_foreign(module or ""):
                parts = [*(module or "").split("."), *(alias.name for alias in names)]
                yield from (Reach(node.lineno, part) for part in parts if is_private(part) or part in UNDOCUMENTED)
            case ast.Attribute(value=ast.Attribute(attr="_meta"), attr=name) if name not in FIELDS_OF_META:
                yield Reach(node.lineno, f"_meta.{name}")
            case ast.Attribute(value=value, attr=name) if is_inside(name, value):
                yield Reach(node.lineno, name)
            case ast.Assign(targets=[ast.Attribute(value=ast.Name(id=owner)) as target]) if owner in foreign:
                yield Reach(node.lineno, f"{ast.unparse(target)} =")
            case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=owner)) as target]) if owner in foreign:
                yield Reach(node.lineno, f"{ast.unparse(target)} =")
            case ast.Call(func=ast.Attribute(attr="setattr"), args=[patched, *_rest]) if is_patched(patched, foreign):
                yield Reach(node.lineno, f"setattr({ast.unparse(patched)})")
            case ast.FunctionDef(name=name) | ast.Name(id=name) if name in UNDOCUMENTED:
                yield Reach(node.lineno, name)


def foreign_names(tree: ast.Module) -> Iterator[str]:
    """What a file imports from packages, by the names it has there; without the settings, which tests may change."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and not node.level and is_foreign(node.module or ""):
            yield from (alias.asname or alias.name for alias in node.names if alias.name != "settings")
        elif isinstance(node, ast.Import):
            yield from (alias.asname or alias.name for alias in node.names if is_foreign(alias.name))


def is_foreign(module: str) -> bool:
    top = module.partition(".")[0]
    return top not in OWN and top not in sys.stdlib_module_names


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


def is_inside(name: str, value: ast.expr) -> bool:
    if name in UNDOCUMENTED:
        return True
    if not is_private(name) or name in PUBLIC:
        return False
    of_a_base_class = isinstance(value, ast.Call) and ast.unparse(value.func) == "super"
    return of_a_base_class or name not in own_names()


def is_patched(patched: ast.expr, foreign: set[str]) -> bool:
    if isinstance(patched, ast.Constant):
        return is_foreign(str(patched.value))
    names = {node.id for node in ast.walk(patched) if isinstance(node, ast.Name)}
    return bool(names & foreign)


def in_code(text: str) -> list[Reach]:
    return list(reaches(ast.parse(text)))


def test_every_place_is_on_the_list() -> None:
    told: dict[str, str] = defaultdict(str)
    for row in rows():
        for file in row.files:
            told[file] += " ".join(["", *row.used])
    trees = {file: tree for file, tree in sources().items() if FAIL_BY_THEMSELVES.isdisjoint(Path(file).parts)}
    found = [(file, one) for file, tree in trees.items() for one in reaches(tree) if not is_told(one, told[file])]
    words = "\n".join(f"{file}:{line} uses {what}" for file, (line, what) in found)
    assert not found, f"add to docs/insides.md, or do without:\n{words}"


def is_told(reach: Reach, used: str) -> bool:
    """Whether one of the names that it is about is said to be used in this file."""
    names = {*re.findall(r"\w+", reach.what)} - {"setattr", "type", "_meta"}
    return any(re.search(rf"\b{name}\b", used) for name in names)


def test_every_file_that_it_names_is_there() -> None:
    missing = {file for row in rows() for file in (*row.files, *row.noticed) if not (ROOT / file).exists()}
    assert not missing


def test_every_row_says_what_is_used_and_which_test_notices() -> None:
    empty = [row for row in rows() if not (row.files and row.used and row.noticed)]
    assert not empty


def test_what_it_says_is_used_is_in_the_files() -> None:
    for row in rows():
        texts = {file: text_of(ROOT / file) for file in row.files}
        gone = [name for name in row.used if not any(name in text for text in texts.values())]
        stale = [file for file, text in texts.items() if not any(name in text for name in row.used)]
        assert (gone, stale) == ([], []), row


def text_of(path: Path) -> str:
    return path.read_text() if path.is_file() else "".join(one.read_text() for one in path.rglob("*.html"))


def test_versions_are_those_that_are_pinned() -> None:
    """A new version is a reason to read its rows again, and to run what notices."""
    wrong = {name: version for name, version in packages() if pinned().get(name) != version}
    assert not wrong


@pytest.mark.parametrize(
    "line, seen",
    [
        ("from allauth.account.internal.flows import login", ["internal"]),
        ("from django.contrib.admin.filters import _Choices", ["_Choices"]),
        ("from rest_framework._private import thing", ["_private"]),
        ("request._request", ["_request"]),
        ("super()._set_content_type_params(meta)", ["_set_content_type_params"]),
        ("model._meta.concrete_fields", ["_meta.concrete_fields"]),
        ("connection.ops.quote_name(name)", ["ops"]),
        ("query.sql_with_params()", ["sql_with_params"]),
        ("from django.http.request import validate_host", ["validate_host"]),
        ("from django.db import connections\nconnections['x'] = 1", ["connections['x'] ="]),
        ("from gunicorn import util\nutil.write_error = print", ["util.write_error ="]),
        ("from django.db import connection\npatch.setattr(type(connection), 'x', 1)", ["setattr(type(connection))"]),
        ("patch.setattr('django.core.mail.send', print)", ["setattr('django.core.mail.send')"]),
        ("from django.utils.translation import gettext as _", []),
        ("from boards.reading import _helper", []),
        ("import os\nos._exit(0)", []),
        ("model._meta.get_field('email')", []),
        ("patch.setattr('boards.hints.hint', print)", []),
        ("from django.conf import settings\nsettings.DEBUG = True", []),
    ],
)
def test_a_reach_is_seen(line: str, seen: list[str]) -> None:
    assert [what for _line, what in in_code(line)] == seen
