"""Steps in an unnamed temporary file, to be read as often as there are forms: the snapshot need not stay open for that."""

import json
import tempfile
from collections.abc import Iterator
from types import TracebackType
from typing import Self

from core.http.compact_json import dumps
from exporter.walking import Step


class Tape:
    """A line of JSON for each step. It is read when everything is on it, from one place at a time."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile("w+", encoding="utf-8", newline="")  # noqa: SIM115  closed by __exit__

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def add(self, step: Step) -> None:
        self._file.write(dumps(step))
        self._file.write("\n")

    def __iter__(self) -> Iterator[Step]:
        self._file.seek(0)
        for line in self._file:
            yield Step(*json.loads(line))
