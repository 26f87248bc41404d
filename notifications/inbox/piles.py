"""The piles of the inbox, page by page. What a pile has about one card is one row. The newest notification stands for it, or
an unread mention, since somebody waits for an answer to that.
"""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.db import models
from django.db.models import Count, Max, Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from boards.models import Board
from boards.reader import Reader
from core.ids import parse_id
from notifications.inbox.entries import visible
from notifications.kinds import Kind
from notifications.models import Notification

A_PAGE = 30
UNREAD = Q(read_at=None, later_until=None)  # as the bell counts


class Pile(models.TextChoices):
    UNREAD = "unread"
    LATER = "later"
    ALL = "all"


CONDITIONS = {
    Pile.UNREAD: Q(read_at=None, later_until=None),
    Pile.LATER: ~Q(later_until=None),
    Pile.ALL: Q(),
}


def in_pile(
    reader: Reader, pile: Pile, board_id: UUID | None = None, chosen: UUID | None = None
) -> QuerySet[Notification]:
    """Return the notifications of a pile, of one board or of all, the latest first.

    Those about the `chosen` card stay in the unread pile when they have been read.
    """
    wanted = CONDITIONS[pile]
    if chosen is not None and pile == Pile.UNREAD:
        wanted |= Q(card_id=chosen, later_until=None)
    rows = visible(reader).filter(wanted).order_by("-told_at", "-pk")
    return rows if board_id is None else rows.filter(board_id=board_id)


def page_of(rows: QuerySet[Notification], before: str = "", most: int = A_PAGE) -> list[Any]:
    """Return what stands for each card and the notifications about no single card, `most` of them, and one more row if
    there is another page: two statements.

    Each has `others`, the number of further rows about its card, `newest`, when the last of them was told, and `is_unread`,
    whether one of them all is unread. What is put off is not, as the bell does not count it.
    `before` is the `place_of` the last row of the page before; anything else is ignored.
    """
    found = list(_groups(rows, before)[: most + 1])
    keys, moments = [group["key"] for group in found], {group["newest"] for group in found}
    newest = Q(Q(card_id__in=keys) | Q(pk__in=keys, card_id=None), told_at__in=moments)
    waiting = Q(UNREAD, card_id__in=keys, kind=Kind.MENTIONED)
    by_key: dict[UUID, Any] = {}
    # One job may tell of several changes at the same moment.
    found_rows = rows.filter(newest | waiting).order_by("-told_at", "-version", "-pk")
    for row in sorted(found_rows, key=lambda row: not _waits(row)):
        by_key.setdefault(_key(row), row)
    there = [group for group in found if group["key"] in by_key]  # others were deleted since
    for group in there:
        row = by_key[group["key"]]
        row.others, row.is_unread, row.newest = group["number"] - 1, group["unread"] > 0, group["newest"]
    return [by_key[group["key"]] for group in there]


def _groups(rows: QuerySet[Notification], before: str) -> QuerySet[Any, Any]:
    """Return what stands in one row: the card or the notification, when the newest was told, how many there are, and how
    many of them are unread.

    Each notification is read once. A subquery for each took minutes on SQLite where somebody had 5,000 unread ones.
    """
    groups = rows.order_by().annotate(key=Coalesce("card_id", "pk")).values("key")
    counted = groups.annotate(newest=Max("told_at"), number=Count("pk"), unread=Count("pk", filter=UNREAD))
    told_at, _dash, pk = before.partition("_")
    if (last := parse_id(pk)) and (moment := moment_in(told_at.replace(" ", "+"))):
        counted = counted.filter(Q(newest__lt=moment) | Q(newest=moment, key__lt=last))
    return counted.order_by("-newest", "-key")


def _key(row: Notification) -> UUID:
    return row.card_id or row.pk


def _waits(row: Notification) -> bool:
    return row.kind == Kind.MENTIONED and row.read_at is None and row.later_until is None


def place_of(row: Any) -> str:
    return f"{row.newest.isoformat()}_{_key(row)}"


def moment_in(text: str) -> datetime | None:
    """Return the moment that a text with an offset names, in UTC; None for any other text, and beyond the calendar."""
    try:
        found = parse_datetime(text)
        return found.astimezone(UTC) if found and timezone.is_aware(found) else None
    except (ValueError, OverflowError):
        return None


def boards_in(reader: Reader) -> list[Board]:
    """Return the boards that the reader was told of, by title."""
    named = visible(reader).order_by().values("board_id")
    return list(Board.objects.filter(pk__in=named).order_by("title", "pk"))
