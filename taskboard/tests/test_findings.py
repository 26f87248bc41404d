"""docs/security.md names a test or a decision for each promise. Those, and what the changelog names, exist."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from web.live.routing import gate

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


def test_every_promise_names_a_test_or_a_decision() -> None:
    rows = list(rows_with_tests((ROOT / "docs/security.md").read_text()))
    assert len(rows) > 80
    assert [row for row in rows if not NAMED.search(row)] == []
    assert [row for row in rows if "docs/to-do.md" in row and "not yet: " not in row] == []


def rows_with_tests(text: str) -> Iterator[str]:
    """Yield the rows of the tables whose last column is for tests."""
    for table in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        header, _line, *rows = table.splitlines()
        if header.split("|")[-2].strip().startswith("Test"):
            yield from rows


def test_the_changelog_is_for_readers_and_leads_to_the_tests() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text()
    assert "(docs/security.md)" in changelog
    assert "/tests/" not in changelog


# Who else than it is for is refused at each address of sockets. Those of HTTP are in test_every_address.py.
SOCKETS = {
    "ws/me": ["web/tests/test_bell.py::test_without_a_session_there_is_no_bell"],
    "ws/board/<str:board_id>": [
        "web/tests/test_socket.py::test_a_socket_without_a_valid_session_is_closed_with_4401",
        "web/tests/test_socket.py::test_a_stranger_is_closed_with_4403",
    ],
    "ws/public/<str:key>": ["web/tests/test_public_live.py::test_a_wrong_key_gets_none"],
}


def test_every_address_of_sockets_has_a_test_that_refuses() -> None:
    router = gate.application
    routes = [str(route.pattern) for route in router.routes]
    assert routes == [*SOCKETS, ""]  # the last one takes what is left, and refuses
    for path, _separator, test in (named.partition("::") for tests in SOCKETS.values() for named in tests):
        assert f"def {test}(" in (ROOT / path).read_text()
