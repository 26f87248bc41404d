"""Packages are pinned exactly, to the last one that another one needs, with the hashes of their files."""

import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path
from runpy import run_path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name, parse_sdist_filename, parse_wheel_filename
from packaging.version import Version

from taskboard.tests.servers import ROOT

SERVICE, S3 = "requirements.txt", "requirements-s3.txt"
EXPORTED = {SERVICE: ["--no-dev"], S3: ["--only-group", "s3"]}

EXACT = re.compile(r"[A-Za-z0-9._-]+(\[[a-z,]+\])?==[0-9][0-9a-z.]*")
PIN = re.compile(rf"{EXACT.pattern}( ; .+?)?( --hash=sha256:[0-9a-f]{{64}})+")
INDEX = {"registry": "https://pypi.org/simple"}
FILE = re.compile(r"https://files\.pythonhosted\.org/packages/[0-9a-f/]+/([^/]+)")

PYTHONS = ("3.11.0", "3.11.9", "3.12.0", "3.13.0", "3.14.0")
SYSTEMS = (("linux", "Linux"), ("darwin", "Darwin"), ("win32", "Windows"))

Marks = dict[str, str]  # values of environment markers


def machine(python: str, platform: str, system: str) -> Marks:
    versions = {"python_full_version": python, "python_version": python.rpartition(".")[0]}
    return {**versions, "sys_platform": platform, "platform_system": system, "extra": ""}


def lines(file: str) -> list[str]:
    """Return the lines of a requirements file, each with its hashes."""
    text = re.sub(r" \\\n +", " ", (ROOT / file).read_text())
    return [line for line in text.splitlines() if line and not line.lstrip().startswith("#")]


def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text())


def of_the_service() -> list[Requirement]:
    return [Requirement(text) for text in project()["project"]["dependencies"]]


def of_a_group(name: str) -> list[Requirement]:
    return [Requirement(text) for text in project()["dependency-groups"][name] if isinstance(text, str)]


def locked() -> list[dict[str, Any]]:
    """Return the packages of the lock, without Taskboard itself."""
    packages = tomllib.loads((ROOT / "uv.lock").read_text())["package"]
    return [package for package in packages if package["source"] != {"virtual": "."}]


def files_of(package: dict[str, Any]) -> list[dict[str, Any]]:
    return [*package.get("wheels", []), *([package["sdist"]] if "sdist" in package else [])]


def pins(file: str) -> list[Requirement]:
    return [Requirement(line.partition(" --hash")[0]) for line in lines(file)]


@cache
def pins_of_development() -> list[Requirement]:
    """Return what uv installs of the lock, for all machines."""
    text = uv("export", "--frozen", "--no-emit-project", "--no-hashes", "--no-annotate").stdout
    return [Requirement(line) for line in text.splitlines() if not line.startswith("#")]


def uv(*arguments: str, folder: Path = ROOT) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "uv", *arguments, "--offline", "--python", sys.executable]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60)


def holds(requirement: Requirement, marks: Marks) -> bool:
    return requirement.marker is None or requirement.marker.evaluate(marks)


def lacking(wanted: list[Requirement], pins: list[Requirement], marks: Marks) -> Iterator[str]:
    """Yield what such a machine needs and is not pinned, or is pinned to an unsuitable version."""
    pinned = {canonicalize_name(pin.name): pin for pin in pins if holds(pin, marks)}
    todo, seen = [*wanted], set()
    while todo:
        need = todo.pop()
        pin = pinned.get(canonicalize_name(need.name))
        if pin is None or not satisfied(need, pin):
            yield str(need)
        elif (key := (pin.name, frozenset(need.extras))) not in seen:
            seen.add(key)
            todo += needed_by(pin, need.extras, marks)


def needed_by(pin: Requirement, extras: set[str], marks: Marks) -> list[Requirement]:
    try:
        needs = [Requirement(text) for text in requires(pin.name) or []]
    except PackageNotFoundError:
        assert not holds(pin, {"extra": ""}), f"{pin} is not installed"
        return []  # only other machines install it
    return [need for need in needs if any(holds(need, {**marks, "extra": extra}) for extra in ("", *extras))]


def satisfied(need: Requirement, pin: Requirement) -> bool:
    return need.specifier.contains(str(pin.specifier).removeprefix("=="), prereleases=True)


def test_every_direct_requirement_is_an_exact_version() -> None:
    groups = project()["dependency-groups"].values()
    texts = [*project()["project"]["dependencies"], *(text for group in groups for text in group)]
    loose = [text for text in texts if isinstance(text, str) and not EXACT.fullmatch(text)]
    assert loose == ["python-dateutil>=2.9,<5"], "botocore wants an older one than the lock has"


def test_the_lock_is_what_the_project_asks_for(processes: None, tmp_path: Path) -> None:
    checked = uv("lock", "--check")
    assert checked.returncode == 0, checked.stderr
    for name in ("pyproject.toml", "uv.lock"):
        shutil.copy(ROOT / name, tmp_path)
    asked = (tmp_path / "pyproject.toml").read_text()
    (tmp_path / "pyproject.toml").write_text(asked.replace("pytest-timeout==2.4.0", "pytest-timeout==2.3.1"))
    assert uv("lock", "--check", folder=tmp_path).returncode != 0


def test_every_file_of_the_lock_has_a_hash_and_comes_from_the_public_index() -> None:
    """No other index, no folder of a machine, and no file of another package."""
    for package in locked():
        assert package["source"] == INDEX
        assert files_of(package), package["name"]
        for file in files_of(package):
            name = FILE.fullmatch(file["url"])[1]
            read = parse_wheel_filename if name.endswith(".whl") else parse_sdist_filename
            assert read(name)[:2] == (package["name"], Version(package["version"]))
            assert re.fullmatch("sha256:[0-9a-f]{64}", file["hash"])


@pytest.mark.parametrize("name", EXPORTED)
def test_what_pip_installs_is_what_the_lock_says(processes: None, name: str) -> None:
    exported = uv("export", "--frozen", *EXPORTED[name], "--no-emit-project")
    assert exported.returncode == 0, exported.stderr
    assert without_head((ROOT / name).read_text()) == without_head(exported.stdout)


def without_head(text: str) -> str:
    """Return an exported file without its first comment, the command that made it."""
    return re.sub(r"\A(#.*\n)+", "", text)


@pytest.mark.parametrize("name", EXPORTED)
def test_the_head_of_a_file_names_its_command_alone(name: str) -> None:
    """uv's own names the folders of whoever ran it."""
    head = "# bin/requirements made this from uv.lock.\n"
    assert (ROOT / name).read_text() == head + without_head((ROOT / name).read_text())


@pytest.mark.parametrize("name", EXPORTED)
def test_every_package_is_an_exact_version_with_hashes(name: str) -> None:
    assert not [line[:80] for line in lines(name) if not PIN.fullmatch(line)]
    assert not re.search(r"://|index-url|find-links|# from|/(home|root|tmp|usr|opt)/", (ROOT / name).read_text())


def test_every_direct_requirement_is_pinned_on_every_machine() -> None:
    pinned = {(canonicalize_name(pin.name), pin.specifier) for pin in pins(SERVICE) if pin.marker is None}
    loose = [one.name for one in of_the_service() if (canonicalize_name(one.name), one.specifier) not in pinned]
    assert loose == ["python-dateutil"], "of which botocore wants an older one than we do"


def test_the_extra_of_the_package_is_the_group_of_the_lock() -> None:
    assert project()["project"]["optional-dependencies"]["s3"] == project()["dependency-groups"]["s3"]


@pytest.mark.parametrize("platform, system", SYSTEMS)
@pytest.mark.parametrize("python", PYTHONS)
def test_the_requirements_of_packages_are_pinned_too(python: str, platform: str, system: str) -> None:
    assert not {*lacking(of_the_service(), pins(SERVICE), machine(python, platform, system))}


@pytest.mark.parametrize("platform, system", SYSTEMS)
@pytest.mark.parametrize("python", PYTHONS)
def test_the_requirements_of_tools_are_pinned_too(processes: None, python: str, platform: str, system: str) -> None:
    wanted = [*of_the_service(), *of_a_group("dev")]
    assert not {*lacking(wanted, pins_of_development(), machine(python, platform, system))}


def test_every_package_has_its_reason_written_down() -> None:
    reasons = (ROOT / "docs" / "decisions" / "dependencies.md").read_text().lower()
    wanted = [*of_the_service(), *of_a_group("dev"), *of_a_group("s3")]
    assert not [one.name for one in wanted if f"`{one.name.lower()}`" not in reasons]


def test_the_list_of_all_packages_is_what_is_pinned(capsys: pytest.CaptureFixture[str]) -> None:
    sbom = run_path(str(ROOT / "bin" / "sbom"))
    assert sbom["main"](["--check"]) == 0, capsys.readouterr().out
    listed = {(one["name"], one["version"]) for one in sbom["bill"]()["components"]}
    assert {(canonicalize_name(pin.name), str(pin.specifier)[2:]) for pin in pins(SERVICE)} <= listed
    assert ("lucide-static", "1.62.0") in listed
    assert "axe-core" not in dict(listed), "a tool of the tests"


def test_another_list_of_packages_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys) -> None:
    sbom = run_path(str(ROOT / "bin" / "sbom"))
    (other := tmp_path / "sbom.json").write_text("{}")
    monkeypatch.setitem(sbom["main"].__globals__, "FILE", other)
    assert sbom["main"](["--check"]) == 1
    assert "Run bin/sbom" in capsys.readouterr().out
