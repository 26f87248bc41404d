"""The boards that a reader can see, as lists of boards show them."""

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Count, F, Prefetch, QuerySet

from boards.models import Board, Card, List, Membership
from boards.reader import Reader
from boards.statements import read_boards_and_lists


class ListEntry(NamedTuple):
    id: UUID
    title: str


class BoardEntry(NamedTuple):
    id: UUID
    title: str
    lists: list[ListEntry]


def boards_with_lists(reader: Reader) -> list[BoardEntry]:
    """Return every open board of the reader, oldest first, with its open lists in display order: one statement."""
    return _entries(read_boards_and_lists(reader))


def archived_boards_with_lists(reader: Reader) -> list[BoardEntry]:
    """Return every archived board of the reader, oldest first, with its open lists in display order: one statement."""
    return _entries(read_boards_and_lists(reader, archived=True))


def _entries(rows: Iterable[tuple[UUID, str, UUID | None, str]]) -> list[BoardEntry]:
    entries: dict[UUID, BoardEntry] = {}
    for board_id, title, list_id, list_title in rows:
        entry = entries.setdefault(board_id, BoardEntry(board_id, title, []))
        if list_id is not None:
            entry.lists.append(ListEntry(list_id, list_title))
    return list(entries.values())


def boards_with_counts(reader: Reader, wanted: Collection[UUID] | None = None) -> list[Any]:
    """Return the reader's open boards, starred ones first, then the last changed: always four statements.

    Each board has `starred`, the reader's `role`, its memberships as `people`, `list_count` (open lists) and `card_count` (open
    cards that are not done). With `wanted`, return only these boards.
    """
    narrowed = (
        reader if wanted is None else replace(reader, boards=frozenset(wanted) & (reader.boards or frozenset(wanted)))
    )
    people = Membership.objects.select_related("user").order_by("created_at", "id")
    boards = Board.objects.visible_to(narrowed).open().annotate(role=F("memberships__role")).starred_first(narrowed)
    found: list[Any] = list(boards.prefetch_related(Prefetch("memberships", people, to_attr="people")))
    lists = _counts(List.objects.open(), narrowed)
    cards = _counts(Card.objects.open_on_their_boards().filter(completed_at=None), narrowed)
    for board in found:
        board.list_count, board.card_count = lists.get(board.pk, 0), cards.get(board.pk, 0)
    return found


def open_board_ids(reader: Reader) -> list[UUID]:
    """Return the ids of the reader's open boards, starred ones first, then the last changed."""
    return list(Board.objects.visible_to(reader).open().starred_first(reader).values_list("pk", flat=True))


def archived_boards(reader: Reader) -> "QuerySet[Any]":
    """Return the archived boards of the reader, last archived first, each with the reader's `role`."""
    boards = Board.objects.visible_to(reader).exclude(archived_at=None).annotate(role=F("memberships__role"))
    return boards.order_by("-archived_at", "-id")


def _counts(rows: "QuerySet[Any]", reader: Reader) -> dict[UUID, int]:
    """Count the rows on each of the reader's boards.

    Grouped, not as a subquery of each board: then the planner can choose to read the table once, but not once for each
    board, as PostgreSQL did when most cards of all were on one board (docs/decisions/statements.md).
    """
    mine = rows.filter(reader.membership("board__memberships__")).order_by()
    return dict(mine.values_list("board_id").annotate(number=Count("pk")))
