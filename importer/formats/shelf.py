"""Keep values on disk until a format needs them, as cards come before or after their comments in a file."""

import json
from collections import defaultdict
from collections.abc import Iterator
from tempfile import TemporaryFile
from typing import Any


class Shelf:
    """JSON values by kind and owner, such as a card's id, in an unnamed file. Only their positions are in memory."""

    def __init__(self) -> None:
        self._file = TemporaryFile()  # noqa: SIM115  # __exit__ closes it
        self._places: dict[tuple[str, str], list[tuple[int, int]]] = defaultdict(list)
        self._end = 0

    def __enter__(self) -> "Shelf":
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()

    def put(self, kind: str, owner: str, value: Any) -> None:
        data = json.dumps(value, separators=(",", ":")).encode()
        self._file.seek(self._end)
        self._file.write(data)
        self._places[kind, owner].append((self._end, len(data)))
        self._end += len(data)

    def take(self, kind: str, owner: str) -> Iterator[Any]:
        """Yield the values of this owner, in order, and forget their positions."""
        for begin, size in self._places.pop((kind, owner), ()):
            self._file.seek(begin)
            yield json.loads(self._file.read(size))

    def count(self, kind: str, owner: str) -> int:
        return len(self._places.get((kind, owner), ()))

    def left(self, kind: str) -> int:
        """Return how many values of a kind nobody took."""
        return sum(len(places) for (found, _owner), places in self._places.items() if found == kind)
