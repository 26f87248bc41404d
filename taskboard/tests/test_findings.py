"""docs/security.md and CHANGELOG.md name a test or a decision for each finding. These exist."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.once

ROOT = Path(__file__).resolve().parents[2]
NAMED = re.compile(r"`((?:[\w-]+/)*[\w.-]+\.(?:py|md))(?:::(\w+))?`")


@pytest.mark.parametrize("document", ["docs/security.md", "CHANGELOG.md"])
def test_every_test_and_decision_that_is_named_exists(document: str) -> None:
    missing = []
    for path, test in NAMED.findall((ROOT / document).read_text()):
        found = ROOT / path
        if not found.exists() or (test and f"def {test}(" not in found.read_text()):
            missing.append((path, test))
    assert missing == []


def test_every_finding_names_a_test_or_a_decision() -> None:
    rows = list(rows_with_tests((ROOT / "docs/security.md").read_text()))
    assert len(rows) > 100
    assert [row for row in rows if not NAMED.search(row)] == []


def rows_with_tests(text: str) -> Iterator[str]:
    """Yield the rows of the tables whose last column is for tests."""
    for table in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        header, _line, *rows = table.splitlines()
        if header.split("|")[-2].strip().startswith("Test"):
            yield from rows


def test_whatever_was_mended_names_a_test_or_a_decision_or_says_why_not() -> None:
    mended = (ROOT / "CHANGELOG.md").read_text().partition("### Mended")[2].partition("\n#")[0]
    lines = [line for line in mended.splitlines() if line.startswith("- ")]
    assert len(lines) > 50
    assert [line for line in lines if not NAMED.search(line) and "(none: " not in line] == []
