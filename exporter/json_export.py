"""The export as JSON, written piece by piece."""

from collections.abc import Iterable, Iterator
from typing import IO, Any

from boards.reader import Reader
from core.http.compact_json import dumps
from exporter.snapshot import snapshot
from exporter.streams import open_streams
from exporter.walking import CARD, Step, head_of, steps

PARTS = {1: "boards", 2: "lists", 3: "cards"}  # the names of the arrays, by how deep they stand


def write_export(reader: Reader, file: IO[str]) -> None:
    """Write everything on every board that the reader can access, as of one moment. docs/export.schema.json has the form."""
    with snapshot() as using, open_streams(reader, using) as streams:
        file.writelines(json_of(head_of(reader.user), steps(streams)))


def json_of(head: dict[str, Any], steps: Iterable[Step]) -> Iterator[str]:
    """Yield the JSON of the object `head` with its boards."""
    yield opened(head, 1)
    depth, is_empty = 1, True
    for step in steps:
        while depth > step.depth:
            yield "]}"
            depth, is_empty = depth - 1, False
        if not is_empty:
            yield ",\n"
        if step.depth == CARD:
            yield dumps(step.content)
            is_empty = False
        else:
            depth, is_empty = step.depth + 1, True
            yield opened(step.content, depth)
    yield "]}" * depth


def opened(content: dict[str, Any], depth: int) -> str:
    """Return the beginning of an object, whose last member is the array that stands this deep."""
    return f'{dumps(content)[:-1]},"{PARTS[depth]}":['
