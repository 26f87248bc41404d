from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum


class FindingState(StrEnum):
    OK = "ok"
    NOTE = "note"  # may be as the operator wants it
    WRONG = "wrong"


@dataclass(frozen=True)
class Finding:
    state: FindingState
    what: str
    do: str = ""


def by_state(found: Iterable[Finding]) -> dict[str, list[Finding]]:
    """Return the findings for a page, worst first."""
    findings = list(found)
    return {
        "faults": [finding for finding in findings if finding.state == FindingState.WRONG],
        "notes": [finding for finding in findings if finding.state == FindingState.NOTE],
        "sound": [finding for finding in findings if finding.state == FindingState.OK],
    }


Check = Callable[[], Iterator[Finding]]


def ok(what: str) -> Finding:
    return Finding(FindingState.OK, what)


def note(what: str, do: str) -> Finding:
    return Finding(FindingState.NOTE, what, do)


def wrong(what: str, do: str) -> Finding:
    return Finding(FindingState.WRONG, what, do)
