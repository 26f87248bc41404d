"""The bytes that an answer may have."""

from collections.abc import Iterable, Iterator
from typing import Any

from mcpserver.messages import encode

ROOM = 40_000
FRAME = 200  # of ROOM, kept for what surrounds the tasks


def that_fit(things: Iterable[dict[str, Any]], room: int, at_least: int = 0) -> Iterator[dict[str, Any]]:
    """Yield things from the first on, as many as fit into `room` bytes, but `at_least` so many."""
    for place, thing in enumerate(things):
        room -= len(encode(thing)) + 1
        if place >= at_least and room < 0:
            return
        yield thing
