"""The arrays of objects that a format takes from JSON, those that it leaves on purpose, and a count of all others."""

import re
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from boards.losses import Loss
from importer.report import Report

NAMED = 100  # kinds of unknown rows that the report tells apart
DEEPEST = 12  # levels in which `look_through` looks for rows; no service nests its own deeper
LONGEST_NAME = 100

PART, LEFT = "part", "left"


@dataclass(frozen=True)
class KnownRows:
    """The rows that a format knows. A path has the name `item` for the items of an array, and * for any member's name."""

    things: Mapping[str, str]  # taken, each a thing of a kind (importer/report.py)
    parts: Collection[str] = ()  # taken together with the thing that they belong to, or counted by the format itself
    left: Mapping[str, str] = field(default_factory=dict)  # left on purpose with all that is in them, and why

    def kind(self, path: str) -> str:
        """Return the kind of things, or PART, or LEFT; "" for rows that nobody knows."""
        if path in self._plain:
            return self._plain[path]
        return next((kind for pattern, kind in self._patterns if pattern.fullmatch(path)), "")

    @cached_property
    def _plain(self) -> dict[str, str]:
        return {**dict.fromkeys(self.left, LEFT), **dict.fromkeys(self.parts, PART), **self.things}

    @cached_property
    def _patterns(self) -> list[tuple[re.Pattern[str], str]]:
        """Return the paths with a *, as patterns."""
        return [
            (re.compile(re.escape(path).replace(r"\*", r"[^.]*")), kind)
            for path, kind in self._plain.items()
            if "*" in path
        ]


class RowCounter:
    """Counts the rows of a file: things by their kinds, and unknown rows by their paths, without looking into these."""

    def __init__(self, table: KnownRows, report: Report) -> None:
        self._table, self._report = table, report
        self._unknown: Counter[str] = Counter()
        self._passed = 0  # how deep the row stands whose inside is not looked at

    def begin(self, path: str, depth: int) -> None:
        """Count the object that begins there, with `depth` open values around it."""
        if not self._passed and not self._saw(path):
            self._passed = depth + 1

    def end(self, depth: int) -> None:
        if depth < self._passed:
            self._passed = 0

    def look_through(self, value: Any, path: str = "", depth: int = 0) -> None:
        """Count the rows of a value that was read as a whole, with `depth` values around it."""
        if depth > DEEPEST:
            return
        if isinstance(value, dict):
            for name, one in value.items():
                if isinstance(one, dict | list):
                    self.look_through(one, _below(path, name[:LONGEST_NAME]), depth + 1)
        elif isinstance(value, list):
            at = _below(path, "item")
            for one in value:
                if isinstance(one, list) or (isinstance(one, dict) and self._saw(at)):
                    self.look_through(one, at, depth + 1)

    def tell(self) -> None:
        """Count what nobody knows as lost. Called at the end of a file."""
        for path, number in self._unknown.items():
            self._report.lose(Loss.UNKNOWN_ROWS, f"{_shown(path)} ({number})", number)
        self._unknown.clear()

    def _saw(self, path: str) -> bool:
        """Count a row, and tell whether to look into it."""
        kind = self._table.kind(path)
        if not kind:
            self._unknown[path if path in self._unknown or len(self._unknown) < NAMED else "…"] += 1
        elif kind not in (PART, LEFT):
            self._report.find(kind)
        return kind not in ("", LEFT)


def _below(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _shown(path: str) -> str:
    """Return a path for people: `cards[].stamps`."""
    return f".{path}".removesuffix(".item").replace(".item", "[]").lstrip(".")
