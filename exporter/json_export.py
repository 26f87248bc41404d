"""The export as JSON, written piece by piece."""

from collections.abc import Iterable, Iterator
from typing import IO, Any

from boards.reader import Reader
from core.http.compact_json import dumps
from exporter.snapshot import snapshot
from exporter.streams import open_streams
from exporter.walking import COMMENT, Step, head_of, steps

PARTS = {1: "boards", 2: "lists", 3: "cards", 4: "comments"}  # the names of the arrays, by how deep they stand
LAST = "attachments"  # the member of a card that stands behind its comments


def write_export(reader: Reader, file: IO[str]) -> None:
    """Write everything on every board that the reader can access, as of one moment. docs/export.schema.json has the form."""
    with snapshot() as using, open_streams(reader, using) as streams:
        file.writelines(json_of(head_of(reader.user), steps(streams)))


def json_of(head: dict[str, Any], steps: Iterable[Step]) -> Iterator[str]:
    """Yield the JSON of the object `head` with its boards."""
    yield opened(head, 1)
    ends, is_empty = [closed(head)], True  # of the objects that are open
    for step in steps:
        while len(ends) > step.depth:
            yield ends.pop()
            is_empty = False
        if not is_empty:
            yield "," if step.depth == COMMENT else ",\n"
        if step.depth == COMMENT:
            yield dumps(step.content)
            is_empty = False
        else:
            ends.append(closed(step.content))
            yield opened(step.content, len(ends))
            is_empty = True
    yield from reversed(ends)


def opened(content: dict[str, Any], depth: int) -> str:
    """Return the beginning of an object, up to the array in it that stands this deep."""
    before = {name: value for name, value in content.items() if name != LAST}
    return f'{dumps(before)[:-1]},"{PARTS[depth]}":['


def closed(content: dict[str, Any]) -> str:
    """Return the end of that array and of the object."""
    return f'],"{LAST}":{dumps(content[LAST])}}}' if LAST in content else "]}"
