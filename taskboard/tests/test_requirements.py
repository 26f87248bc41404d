"""What the project installs is pinned exactly, to the last package that another one needs, with the hashes of its files."""

import re
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path
from runpy import run_path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from taskboard.tests.servers import ROOT

SERVICE, DEVELOPMENT = "requirements", "requirements-dev"
HERE = (SERVICE, DEVELOPMENT)  # the files that are installed where the tests run
S3 = "taskboard/tests/s3/requirements"
NAMES = (*HERE, "mcpserver/tests/peers/requirements", S3)

EXACT = re.compile(r"[A-Za-z0-9._-]+(\[[a-z,]+\])?==[0-9][0-9a-z.]*")
PIN = re.compile(rf"{EXACT.pattern}( ; .+?)?( --hash=sha256:[0-9a-f]{{64}})+")
BUILDS_ON = ["-r requirements.in", "-c requirements.txt"]

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


def wanted(name: str) -> list[Requirement]:
    return [Requirement(line) for line in lines(f"{name}.in") if line not in BUILDS_ON]


def pins(name: str) -> list[Requirement]:
    return [Requirement(line.partition(" --hash")[0]) for line in lines(f"{name}.txt")]


def holds(requirement: Requirement, marks: Marks) -> bool:
    return requirement.marker is None or requirement.marker.evaluate(marks)


def lacking(name: str, marks: Marks) -> Iterator[str]:
    """Yield what such a machine needs and is not pinned, or is pinned to an unsuitable version."""
    pinned = {canonicalize_name(pin.name): pin for pin in pins(name) if holds(pin, marks)}
    todo, seen = [*wanted(SERVICE), *wanted(name)], set()
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


@pytest.mark.parametrize("name", NAMES)
def test_every_direct_requirement_is_an_exact_version(name: str) -> None:
    loose = [line for line in lines(f"{name}.in") if line not in BUILDS_ON and not EXACT.fullmatch(line)]
    assert not loose


@pytest.mark.parametrize("name", NAMES)
def test_every_package_is_an_exact_version_with_hashes(name: str) -> None:
    loose = [line[:80] for line in lines(f"{name}.txt") if not PIN.fullmatch(line)]
    assert not loose


@pytest.mark.parametrize("name", NAMES)
def test_every_direct_requirement_is_pinned_on_every_machine(name: str) -> None:
    pinned = {(canonicalize_name(pin.name), pin.specifier) for pin in pins(name) if pin.marker is None}
    missing = [str(one) for one in wanted(name) if (canonicalize_name(one.name), one.specifier) not in pinned]
    assert not missing


@pytest.mark.parametrize("platform, system", SYSTEMS)
@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("name", HERE)
def test_the_requirements_of_packages_are_pinned_too(name: str, python: str, platform: str, system: str) -> None:
    missing = {*lacking(name, machine(python, platform, system))}
    assert not missing


def test_development_has_every_package_of_the_service() -> None:
    missing = set(lines(f"{SERVICE}.txt")) - set(lines(f"{DEVELOPMENT}.txt"))
    assert not missing


def test_buckets_are_tried_with_the_packages_that_services_install() -> None:
    missing = {(pin.name, pin.specifier) for pin in pins("requirements-s3")} - {
        (pin.name, pin.specifier) for pin in pins(S3)
    }
    assert not missing


@pytest.mark.parametrize("name", NAMES)
def test_the_files_name_no_index_and_no_folder(name: str) -> None:
    """The files name neither a package index nor a folder of a machine."""
    text = (ROOT / f"{name}.txt").read_text()
    assert text.startswith("# This file was autogenerated by uv via the following command:\n#    bin/requirements\n")
    assert not re.search(r"://|index-url|find-links|# from|/(home|root|tmp|usr|opt)/", text)


def test_every_package_has_its_reason_written_down() -> None:
    reasons = (ROOT / "docs" / "decisions" / "dependencies.md").read_text().lower()
    missing = [one.name for name in HERE for one in wanted(name) if f"`{one.name.lower()}`" not in reasons]
    assert not missing


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
