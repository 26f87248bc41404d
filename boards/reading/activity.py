"""The activity of a board for programs, newest first, in pages that begin behind a version: three statements."""

from typing import NamedTuple
from uuid import UUID

from django.db.models import Q

from boards.models import Activity
from boards.reader import Reader
from boards.reading.reach import visible_board


class ActivityFilters(NamedTuple):
    """Of each, what any of several wanted values allows; None where everything is wanted."""

    cards: tuple[UUID, ...] | None = None
    people: tuple[UUID, ...] | None = None
    tokens: tuple[UUID, ...] | None = None
    doors: tuple[str, ...] | None = None
    verbs: tuple[str, ...] | None = None

    def condition(self) -> Q:
        wanted = zip(("card_id", "user_id", "token_id", "door", "verb"), self, strict=True)
        return Q(*[(f"{column}__in", values) for column, values in wanted if values is not None])


class ActivityPage(NamedTuple):
    lines: list[Activity]  # with their people
    undone: frozenset[int]  # the versions of those that a later change takes back
    place: list[int] | None  # of the last one; None when nothing follows


def read_activity(
    reader: Reader, board_id: UUID | None, filters: ActivityFilters, limit: int, before: int | None
) -> ActivityPage:
    """Return at most `limit` changes of the board, which may be archived, older than `before`. Raises NotFound."""
    board, _role = visible_board(board_id, reader)
    lines = Activity.objects.filter(filters.condition(), board=board)
    if before is not None:
        lines = lines.filter(version__lt=before)
    found = list(lines.select_related("user").order_by("-version")[: limit + 1])
    shown = found[:limit]
    place = [shown[-1].version] if len(found) > limit else None
    return ActivityPage(shown, _undone(board.pk, shown[-1].version) if shown else frozenset(), place)


def _undone(board_id: UUID, since: int) -> frozenset[int]:
    """Return the versions, from `since` on, of changes that were taken back by one that was not itself taken back."""
    rows = Activity.objects.filter(board=board_id, version__gt=since, undoes__gte=since).order_by("-version")
    undone: set[int | None] = set()
    for version, undoes in rows.values_list("version", "undoes"):
        if version not in undone:
            undone.add(undoes)
    return frozenset(version for version in undone if version is not None)
