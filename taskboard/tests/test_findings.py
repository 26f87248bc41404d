"""docs/security.md and CHANGELOG.md name a test or a decision for each finding. These exist."""

import re
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
    rows = [line for line in (ROOT / "docs/security.md").read_text().splitlines() if line.startswith("| ")]
    findings = [row for row in rows if not row.startswith("| Finding")]
    assert findings
    assert [row for row in findings if not NAMED.search(row)] == []
