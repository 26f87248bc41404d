"""Read the changes of several boards since some moment, for programs: how many there are, and the changes themselves.

A board counts its changes without a gap, so the number of changes in a range is known without reading them, and any range
is read by the index of that number.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection
from django.db.models import Q, QuerySet

from boards.models import Activity, Board
from boards.reader import Reader
from core import sql
from core.sql import table


class BoardNow(NamedTuple):
    """A board, and the number of its last change."""

    id: UUID
    title: str
    version: int


class Span(NamedTuple):
    """The changes of a board after the number `after`, up to the number `upto`."""

    board_id: UUID
    after: int
    upto: int


def boards_now(reader: Reader) -> list[BoardNow]:
    """Return every open board of the reader, oldest first: one statement."""
    boards = Board.objects.visible_to(reader).open().order_by("created_at", "pk")
    return [BoardNow(*row) for row in boards.values_list("pk", "title", "version")]


def titles_of_several(boards: Iterable[BoardNow]) -> set[str]:
    """Return the titles that more than one of the boards has."""
    return {title for title, number in Counter(board.title for board in boards).items() if number > 1}


def versions_at(boards: Iterable[BoardNow], moment: datetime) -> dict[UUID, int]:
    """Return the number that each board's last change had at that moment: one statement."""
    ids = [board.id for board in boards]
    if not ids:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(*query_at(ids, moment))
        return {sql.key_in(pk): version for pk, version in cursor.fetchall()}


def query_at(board_ids: Sequence[UUID], moment: datetime) -> tuple[str, list[Any]]:
    """Return the statement of `versions_at` with its parameters.

    It halves the range of a board's changes again and again, so of a million changes it reads forty.
    """
    middle = "(low + high + 1) / 2"
    made = (
        f"(SELECT a.created_at FROM {table(Activity)} a WHERE a.board_id = found.board_id AND a.version <= {middle}"  # noqa: S608
        " ORDER BY a.version DESC LIMIT 1)"
    )
    is_before = f"COALESCE({made}, %s) <= %s"
    query = (
        f"WITH RECURSIVE found(board_id, low, high) AS (SELECT id, CAST(0 AS bigint), version FROM {table(Board)}"  # noqa: S608
        f" WHERE id IN ({', '.join(['%s'] * len(board_ids))}) UNION ALL"
        f" SELECT board_id, CASE WHEN {is_before} THEN {middle} ELSE low END,"
        f" CASE WHEN {is_before} THEN high ELSE {middle} - 1 END FROM found WHERE low < high)"
        " SELECT board_id, low FROM found WHERE low = high"
    )
    return query, [*sql.keys(board_ids), *[sql.moment(moment)] * 4]


def spans_since(boards: Iterable[BoardNow], since: Mapping[UUID, int]) -> list[Span]:
    """Return, in the order of the boards, the spans of those that have changed since these numbers.

    A board without a number was deleted after `boards` were read.
    """
    return [Span(one.id, since[one.id], one.version) for one in boards if one.version > since.get(one.id, one.version)]


def first_part(spans: Iterable[Span], most: int) -> list[Span]:
    """Return the beginning of the spans, with no more than `most` changes in all."""
    part = []
    for span in spans:
        if most <= 0:
            break
        part.append(span._replace(upto=min(span.upto, span.after + most)))
        most -= part[-1].upto - span.after
    return part


def read_spans(spans: Sequence[Span]) -> list[Activity]:
    """Return the changes of these spans with their people, in the order of the spans and then oldest first: one statement.

    The caller has checked who may see the boards.
    """
    places = {span.board_id: place for place, span in enumerate(spans)}
    return sorted(change_query(spans), key=lambda line: places[line.board_id]) if spans else []


def change_query(spans: Iterable[Span]) -> "QuerySet[Activity]":
    wanted = Q()
    for span in spans:
        wanted |= Q(board=span.board_id, version__gt=span.after, version__lte=span.upto)
    return Activity.objects.filter(wanted).select_related("user").defer("removed").order_by("version")
