"""The open lists of several boards with how many cards there are, are due, are nobody's and have changed: two statements."""

from collections.abc import Collection
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import UUID

from django.db.models import Count, Exists, OuterRef, Q
from django.utils import timezone

from boards.models import Assignment, Card, List
from boards.reading.changes import Span
from boards.reading.filters import due_between, overdue
from core.text.dates import start_of_week

if TYPE_CHECKING:
    from accounts.models import User


class ListCounts(NamedTuple):
    """Of the open cards of a list: all but `done` and `changed` count only those that are not done.

    `today` and `week` are the user's, as the filters of a board have them: what is overdue counts there too.
    """

    open: int = 0
    done: int = 0
    overdue: int = 0
    today: int = 0
    week: int = 0
    nobody: int = 0
    changed: int = 0


class CountedList(NamedTuple):
    id: UUID
    title: str
    position: int
    board_version: int  # when the position was read
    counts: ListCounts


def counted_lists(board_ids: Collection[UUID], spans: Collection[Span], user: "User") -> dict[UUID, list[CountedList]]:
    """Return the lists of each board in order. The cards that the spans changed last have `changed`.

    The caller has checked who may see the boards.
    """
    found: dict[UUID, list[CountedList]] = {board_id: [] for board_id in board_ids}
    if not found:
        return found
    cards = Card.objects.filter(board__in=board_ids, archived_at=None).order_by()
    numbers = cards.values_list("list").annotate(**_counts(spans, user))
    counts = {list_id: ListCounts(*row) for list_id, *row in numbers}
    rows = List.objects.filter(board__in=board_ids, archived_at=None).order_by("position")
    columns = rows.values_list("board", "pk", "title", "position", "board__version")
    for board_id, pk, title, position, version in columns:
        found[board_id].append(CountedList(pk, title, position, version, counts.get(pk, ListCounts())))
    return found


def week_of(user: "User") -> tuple[date, date]:
    """Return the first and the last day of the week in which the user is now."""
    first = start_of_week(timezone.now().astimezone(user.zone).date(), user.first_weekday)
    return first, first + timedelta(days=6)


def _counts(spans: Collection[Span], user: "User") -> dict[str, Count]:
    """Return what is counted, in the order of the fields of ListCounts."""
    now = timezone.now()
    today = now.astimezone(user.zone).date()
    first, last = week_of(user)
    todo = Q(completed_at=None)
    changed = Q(pk__in=[])
    for span in spans:
        changed |= Q(board=span.board_id, version__gt=span.after)
    conditions: dict[str, Any] = {
        "open": todo,
        "done": ~todo,
        "overdue": overdue(now, user),
        "today": todo & due_between(today, today + timedelta(days=1), user),
        "week": todo & due_between(first, last + timedelta(days=1), user),
        "nobody": todo & ~Exists(Assignment.objects.filter(card=OuterRef("pk"))),
        "changed": changed,
    }
    return {f"counted_{name}": Count("pk", filter=condition) for name, condition in conditions.items()}
