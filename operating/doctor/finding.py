from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum


class State(StrEnum):
    OK = "ok"
    NOTE = "note"  # may be as the operator wants it
    WRONG = "wrong"


@dataclass(frozen=True)
class Finding:
    state: State
    what: str
    do: str = ""


Check = Callable[[], Iterator[Finding]]


def ok(what: str) -> Finding:
    return Finding(State.OK, what)


def note(what: str, do: str) -> Finding:
    return Finding(State.NOTE, what, do)


def wrong(what: str, do: str) -> Finding:
    return Finding(State.WRONG, what, do)
