"""The comments of a card, the newest first of all, and the others page by page.

A page begins before a place, which a comment keeps for ever: so pages stay the same while comments come and go.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Protocol
from uuid import UUID

from django.db.models import Q, QuerySet

from boards.actions.cards.comments import render_comments
from boards.models import Card, Comment
from core.ids import parse_id

AT_ONCE = 30
LENGTH_AT_ONCE, FRAME = 70_000, 2_200  # characters of HTML, and those around each comment: long comments are fewer
BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)


class Dated(Protocol):
    @property
    def created_at(self) -> datetime: ...


@dataclass
class CommentPage:
    comments: list[Comment]  # in the order they were written
    before: datetime | None  # all of them were written before; None for the newest
    earlier: str  # the place before which the next page begins; "" if these are the first

    @property
    def is_latest(self) -> bool:
        return self.before is None


def read_comments(card: Card, before: str = "") -> CommentPage:
    """Return the newest comments, or those right before a place. Anything else means the newest."""
    found = Comment.objects.filter(card=card).select_related("author").defer("document").order_by("-created_at", "-id")
    place = _place(before)
    if place is not None:
        moment, pk = place
        found = found.filter(Q(created_at__lt=moment) | Q(created_at=moment, pk__lt=pk))
    rows = list(found[: AT_ONCE + 1])
    shown = _fitting(rows)
    earlier = f"{_microseconds(shown[-1].created_at):x}.{shown[-1].pk}" if len(shown) < len(rows) else ""
    return CommentPage(rendered(shown)[::-1], place[0] if place else None, earlier)


def rendered(comments: "list[Comment] | QuerySet[Comment]") -> list[Comment]:
    """Give each comment its HTML, and its position among the others."""
    found = list(comments)
    render_comments(found)
    for comment in found:
        comment.position = position_of(comment)  # type: ignore[attr-defined]
    return found


def position_of(entry: Dated) -> str:
    """Return the position among the entries of a card, of which the newest comes first."""
    return f"-{_microseconds(entry.created_at):x}"


def _microseconds(moment: datetime) -> int:
    return (moment - BEGINNING) // timedelta(microseconds=1)


def _fitting(rows: list[Comment]) -> list[Comment]:
    """Return those of the rows that one page shows: at least one."""
    shown: list[Comment] = []
    length = 0
    for comment in rows[:AT_ONCE]:
        render_comments([comment])
        length += FRAME + len(comment.html) + len(comment.body)  # the text is in its form
        if shown and length > LENGTH_AT_ONCE:
            break
        shown.append(comment)
    return shown


def _place(value: str) -> tuple[datetime, UUID] | None:
    position, _dot, pk = value.partition(".")
    found = parse_id(pk)
    try:
        return (BEGINNING + timedelta(microseconds=int(position, 16)), found) if found and len(position) < 16 else None
    except (ValueError, OverflowError):
        return None
