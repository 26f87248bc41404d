"""What the project installs is pinned exactly, to the last package that another one needs."""

import re
from importlib.metadata import requires

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from taskboard.tests.servers import ROOT

FILES = ("requirements.txt", "requirements-dev.txt")
PIN = re.compile(r"[A-Za-z0-9._-]+(\[[a-z,]+\])?==[0-9][0-9a-z.]*(; .+)?")


def lines(name: str) -> list[str]:
    text = (ROOT / name).read_text()
    return [line for line in text.splitlines() if line and not line.startswith(("#", "-r "))]


def pins(name: str) -> dict[str, Requirement]:
    found = [Requirement(line) for line in (*lines("requirements.txt"), *lines(name))]
    return {canonicalize_name(requirement.name): requirement for requirement in found}


def needed_by(pinned: Requirement) -> list[Requirement]:
    needs = [Requirement(text) for text in requires(pinned.name) or []]
    extras = [{"extra": extra} for extra in ("", *pinned.extras)]
    return [need for need in needs if need.marker is None or any(need.marker.evaluate(extra) for extra in extras)]


@pytest.mark.parametrize("name", FILES)
def test_every_line_is_an_exact_version(name: str) -> None:
    loose = [line for line in lines(name) if not PIN.fullmatch(line)]
    assert not loose


@pytest.mark.parametrize("name", FILES)
def test_what_a_package_needs_is_pinned_too(name: str) -> None:
    pinned = pins(name)
    here = [requirement for requirement in pinned.values() if not requirement.marker or requirement.marker.evaluate()]
    missing = {need.name for one in here for need in needed_by(one) if canonicalize_name(need.name) not in pinned}
    assert not missing


def test_every_package_has_its_reason_written_down() -> None:
    reasons = (ROOT / "docs" / "decisions" / "dependencies.md").read_text().lower()
    direct = [
        line for name in FILES for line in (ROOT / name).read_text().partition("# What these need")[0].splitlines()
    ]
    names = [re.split(r"[\[=]", line)[0] for line in direct if line and not line.startswith(("#", "-r "))]
    missing = [name for name in names if f"`{name.lower()}`" not in reasons]
    assert not missing
