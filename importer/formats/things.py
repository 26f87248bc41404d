"""Read objects of an untrusted JSON file: values of a wrong type are counted and read as missing."""

import math
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from boards.dates import Due, parse_due, parse_due_date
from boards.errors import Invalid
from boards.losses import Loss
from importer.report import Report

UTC_ZONE = ZoneInfo("UTC")


class Thing:
    """An object and its position, "cards[3]". It remembers which of its members were asked for (see `tell_rest`)."""

    def __init__(self, value: Any, where: str, report: Report, zone: ZoneInfo = UTC_ZONE) -> None:
        self.where, self.report, self._zone = where, report, zone
        self._seen: set[str] = set()
        self._told: set[str] = set()
        if not isinstance(value, dict):
            if value is not None:
                report.lose(Loss.UNREADABLE_VALUE, where)
            value = {}
        self.value: dict[str, Any] = value

    def __bool__(self) -> bool:
        return bool(self.value)

    def at(self, name: str) -> str:
        """Return where a member stands."""
        return f"{self.where}.{name}" if self.where else name

    def raw(self, name: str) -> Any:
        self._seen.add(name)
        return self.value.get(name)

    def text(self, name: str) -> str:
        """Return a text of any number of lines. Numbers are written out."""
        value = self.raw(name)
        if isinstance(value, str):
            return value
        if isinstance(value, int | float) and not isinstance(value, bool):
            return str(value).removesuffix(".0")
        return self._nothing(name, value, "")

    def line(self, name: str) -> str:
        return one_line(self.text(name))

    def key(self, name: str) -> str:
        """Return an id: a text or a whole number."""
        return self.line(name)[:200]

    def flag(self, name: str) -> bool:
        value = self.raw(name)
        return value if isinstance(value, bool) else self._nothing(name, value, False)

    def number(self, name: str) -> float | None:
        value = self.raw(name)
        if isinstance(value, int | float) and not isinstance(value, bool):
            try:
                number = float(value)
            except OverflowError:
                return self._nothing(name, value, None)
            return number if math.isfinite(number) else self._nothing(name, value, None)
        return self._nothing(name, value, None)

    def whole(self, name: str) -> int | None:
        number = self.number(name)
        return None if number is None or abs(number) > 2**53 else int(number)

    def moment(self, name: str) -> datetime | None:
        """Return an ISO 8601 time in UTC."""
        return self._date(name, lambda text: parse_due(text, self._zone))

    def due(self, name: str) -> Due | None:
        """Return an ISO 8601 time, or a whole day."""
        return self._date(name, lambda text: parse_due_date(text, self._zone))

    def thing(self, name: str) -> "Thing":
        return Thing(self.raw(name), self.at(name), self.report, self._zone)

    def things(self, name: str) -> Iterator["Thing"]:
        for place, value in enumerate(self._array(name)):
            yield Thing(value, f"{self.at(name)}[{place}]", self.report, self._zone)

    def keys(self, name: str) -> list[str]:
        """Return a list of ids, each once."""
        found: dict[str, None] = {}
        for place, value in enumerate(self._array(name)):
            if isinstance(value, str | int) and not isinstance(value, bool):
                found[one_line(str(value))[:200]] = None
            elif value is not None:
                self.report.lose(Loss.UNREADABLE_VALUE, f"{self.at(name)}[{place}]")
        return list(found)

    def tell_rest(self, ignored: Iterable[str]) -> None:
        """Count every member that has content and was never asked for, but for `ignored`: ids, caches, settings of a view.

        Rows are counted one by one, in formats/rows.py.
        """
        for name in sorted(self.value.keys() - self._seen - frozenset(ignored)):
            if self.value[name] and not _are_rows(self.value[name]):
                self.report.lose(Loss.FIELD_LEFT_OUT, self.at(name))

    def _array(self, name: str) -> list[Any]:
        value = self.raw(name)
        return value if isinstance(value, list) else self._nothing(name, value, [])

    def _date(self, name: str, read: Any) -> Any:
        value = self.raw(name)
        if value is None or value == "":
            return None
        try:
            return read(value)
        except Invalid:
            self._tell(Loss.UNREADABLE_DATE, name)
            return None

    def _nothing(self, name: str, value: Any, nothing: Any) -> Any:
        """Count a value that is neither of the right type nor absent."""
        if value is not None:
            self._tell(Loss.UNREADABLE_VALUE, name)
        return nothing

    def _tell(self, loss: Loss, name: str) -> None:
        """Count a fault of a member once, however often it is read."""
        if name not in self._told:
            self._told.add(name)
            self.report.lose(loss, self.at(name))


def _are_rows(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, dict) for one in value)


def one_line(text: str) -> str:
    return " ".join(text.split())


def firsts(things: Iterable[Thing], name: str = "id") -> Iterator[tuple[str, Thing]]:
    """Yield things with their keys. Of those with the same key the first is taken, those without one are left out; both counted."""
    seen: set[str] = set()
    for one in things:
        key = one.key(name)
        if not key:
            one.report.lose(Loss.ROW_LEFT_OUT, one.where)
        elif key in seen:
            one.report.lose(Loss.DUPLICATE, one.where)
        else:
            seen.add(key)
            yield key, one
