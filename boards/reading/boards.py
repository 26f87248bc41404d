"""The boards that a reader can see, as lists of boards show them."""

from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Count, F, OuterRef, Prefetch, QuerySet, Subquery
from django.db.models.functions import Coalesce

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
    entries: dict[UUID, BoardEntry] = {}
    for board_id, title, list_id, list_title in read_boards_and_lists(reader):
        entry = entries.setdefault(board_id, BoardEntry(board_id, title, []))
        if list_id is not None:
            entry.lists.append(ListEntry(list_id, list_title))
    return list(entries.values())


def boards_with_counts(reader: Reader) -> list[Any]:
    """Return every board of the reader, archived ones too, last changed first: always two statements.

    Each board has the reader's `role`, its memberships as `people`, `list_count` (open lists) and `card_count` (open
    cards that are not done).
    """
    people = Membership.objects.select_related("user").order_by("created_at", "id")
    boards = Board.objects.visible_to(reader).annotate(
        role=F("memberships__role"),
        list_count=_count(List.objects.open()),
        card_count=_count(Card.objects.open_on_their_boards().filter(completed_at=None)),
    )
    return list(boards.order_by("-changed_at").prefetch_related(Prefetch("memberships", people, to_attr="people")))


def _count(rows: "QuerySet[Any]") -> Coalesce:
    of_board = rows.filter(board=OuterRef("pk")).order_by().values("board")
    return Coalesce(Subquery(of_board.annotate(number=Count("pk")).values("number")), 0)
