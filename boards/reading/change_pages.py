"""Pages of folded changes of several boards. A page reads a bounded number of changes, and tells each thing once.

What happens between two pages neither doubles nor hides anything: the spans are fixed by the first page. A thing that
changed on both sides of MOST changes of its board comes once for each side.
"""

from collections.abc import Callable, Collection
from typing import Any, NamedTuple
from uuid import UUID

from boards.models import Activity
from boards.reading.changes import Span, first_part, read_spans
from boards.reading.folding import FoldedLine, fold

MOST = 1000  # changes that one page reads


class Place(NamedTuple):
    """The beginning of a page: in the span number `at`, of which the changes up to `done` are told.

    With `upto`, those up to it are folded. Of their lines the ones whose last change is at most `told` are told, except the
    `left` last ones: one change can make several lines.
    """

    spans: list[Span]
    at: int
    done: int
    upto: int | None = None
    told: int = 0
    left: int = 0

    def packed(self) -> list[Any]:
        """Return the place in types that JSON has."""
        return [[[span.board_id.hex, span.after, span.upto] for span in self.spans], *self[1:]]

    def told_versions(self) -> dict[UUID, int]:
        """Return the number of the last change of each board up to which everything is told."""
        done = {span.board_id: span.upto for span in self.spans[: self.at]}
        return {**done, self.spans[self.at].board_id: self.done}


class ChangePage(NamedTuple):
    lines: list[FoldedLine]
    parts: list[tuple[int, Span]]  # the spans that were read, with their numbers
    place: Place

    def after(self, told: int) -> Place | None:
        """Return the place of the page that follows when the first so many lines are told; None if that was all."""
        spans = self.place.spans
        if told < len(self.lines):
            last = self.lines[told - 1]
            at, part = next((at, part) for at, part in self.parts if part.board_id == last.board_id)
            left = sum((line.board_id, line.version) == (last.board_id, last.version) for line in self.lines[told:])
            return Place(spans, at, part.after, part.upto, last.version, left)
        if not self.parts:
            return None
        at, part = self.parts[-1]
        if part.upto < spans[at].upto:
            return Place(spans, at, part.upto)
        return Place(spans, at + 1, spans[at + 1].after) if at + 1 < len(spans) else None


def first_place(spans: list[Span]) -> Place:
    return Place(spans, 0, spans[0].after if spans else 0)


def unpacked(packed: list[Any]) -> Place:
    spans, *rest = packed
    return Place([Span(UUID(board), after, upto) for board, after, upto in spans], *rest)


def read_page(
    place: Place, visible: Collection[UUID], wanted: Callable[[Activity], bool] = lambda change: True
) -> ChangePage:
    """Return the lines of the wanted changes from the place on, by one statement.

    Boards that are no longer `visible` are left out.
    """
    rest = place.spans[place.at :]
    if rest:
        rest[0] = Span(rest[0].board_id, place.done, rest[0].upto if place.upto is None else place.upto)
    parts = first_part(rest, MOST)
    lines = fold(filter(wanted, read_spans([part for part in parts if part.board_id in visible])))
    if parts and place.upto is not None:
        told = sum(line.board_id == parts[0].board_id and line.version <= place.told for line in lines)
        lines = lines[max(told - place.left, 0) :]
    return ChangePage(lines, list(enumerate(parts, place.at)), place)
