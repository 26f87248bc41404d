"""Comments of a card for programs, in pages with keysets: one statement."""

from collections.abc import Collection
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Q

from boards.dates import timestamp
from boards.models import Card, Comment
from boards.reader import Reader
from boards.reading.reach import row_of_board

RENDERED = ("document", "html")  # what is made of the text, which programs do not read


class CommentPage(NamedTuple):
    comments: list[Comment]  # with their authors
    place: list[Any] | None  # of the last one; None when nothing follows


def read_comments(reader: Reader, card_id: UUID | None, limit: int, after: list[Any] | None) -> CommentPage:
    """Return at most `limit` comments behind the place `after`, oldest first. The card and its board may be archived."""
    card = row_of_board(Card, card_id, reader)
    rows = Comment.objects.filter(card=card)
    if after is not None:
        rows = rows.filter(_behind(*after))
    found = list(rows.select_related("author").defer(*RENDERED).order_by("created_at", "id")[: limit + 1])
    shown = found[:limit]
    place = [timestamp(shown[-1].created_at), str(shown[-1].pk)] if len(found) > limit else None
    return CommentPage(shown, place)


def comments_before(card_id: UUID, limit: int, before: list[Any] | None) -> list[Comment]:
    """Return at most `limit` comments with their authors, newest first: those older than the one at the place `before`.

    The caller has checked who may see the card.
    """
    rows = Comment.objects.filter(card=card_id)
    if before is not None:
        rows = rows.filter(_older(*before))
    return list(rows.select_related("author").defer(*RENDERED).order_by("-created_at", "-id")[:limit])


def bodies_of(comment_ids: Collection[UUID]) -> dict[UUID, tuple[str, UUID]]:
    """Return the text of each comment that there is still, and the board that it is on. The caller checks who may see it."""
    rows = Comment.objects.filter(pk__in=comment_ids).order_by()
    return (
        {pk: (body, board) for pk, body, board in rows.values_list("pk", "body", "card__board")} if comment_ids else {}
    )


def _behind(sent: str, pk: str) -> Q:
    moment = datetime.fromisoformat(sent)
    return Q(created_at__gt=moment) | Q(created_at=moment, pk__gt=UUID(pk))


def _older(sent: str, pk: str) -> Q:
    moment = datetime.fromisoformat(sent)
    return Q(created_at__lt=moment) | Q(created_at=moment, pk__lt=UUID(pk))
