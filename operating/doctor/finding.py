from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from core.text.command_lines import for_this_installation


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
    return _finding(FindingState.OK, what)


def note(what: str, do: str) -> Finding:
    return _finding(FindingState.NOTE, what, do)


def wrong(what: str, do: str) -> Finding:
    return _finding(FindingState.WRONG, what, do)


def _finding(state: FindingState, what: str, do: str = "") -> Finding:
    return Finding(state, for_this_installation(what), for_this_installation(do))
