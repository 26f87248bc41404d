"""Read a reader's own view of a board (boards/models/board_view.py)."""

from collections.abc import Collection
from dataclasses import replace
from typing import NamedTuple
from uuid import UUID

from boards.models import BoardView, Label, Membership
from boards.reader import Reader
from boards.reading.filters import ME, NOBODY, BoardFilter, filter_of
from boards.statements import read_view
from core.text.folding import fold


class SavedFilter(NamedTuple):
    name: str
    wanted: BoardFilter
    has_lost: bool  # whether labels or people that it named are gone; `wanted` is without them


def view_of(board_id: UUID, reader: Reader) -> BoardView:
    """Return the reader's view of the board, an empty one if nothing is kept or the reader is not a member."""
    return read_view(board_id, reader) or BoardView(user=reader.user, board_id=board_id)


def saved_filters(view: BoardView, labels: Collection[UUID], people: Collection[UUID]) -> list[SavedFilter]:
    """Return the filters of a view by name. `labels` and `people` are the ids of all those on the board."""
    known, members = set(labels), {str(pk) for pk in people}
    return [
        _without_lost(name, filter_of(view.filters[name]), known, members) for name in sorted(view.filters, key=fold)
    ]


def saved_filters_of(board_id: UUID, reader: Reader) -> list[SavedFilter]:
    """Return the reader's saved filters of a board: one statement, or three if there are any."""
    view = view_of(board_id, reader)
    if not view.filters:
        return []
    labels = Label.objects.filter(board=board_id).values_list("pk", flat=True)
    return saved_filters(view, labels, Membership.objects.filter(board=board_id).values_list("user_id", flat=True))


def _without_lost(name: str, wanted: BoardFilter, labels: set[UUID], members: set[str]) -> SavedFilter:
    kept = replace(
        wanted,
        labels=tuple(pk for pk in wanted.labels if pk in labels),
        people=tuple(one for one in wanted.people if one in (ME, NOBODY) or one in members),
    )
    return SavedFilter(name, kept, kept != wanted)
