from collections.abc import Callable, Iterator
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


Check = Callable[[], Iterator[Finding]]


def ok(what: str) -> Finding:
    return Finding(FindingState.OK, what)


def note(what: str, do: str) -> Finding:
    return Finding(FindingState.NOTE, what, do)


def wrong(what: str, do: str) -> Finding:
    return Finding(FindingState.WRONG, what, do)
