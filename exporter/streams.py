"""The rows of an export as cursors that run side by side: one statement each, however many rows there are.

Every cursor follows the same order of boards, lists and cards, the one in which they are shown. So the rows of a card
come up exactly when the card does, as in a merge join, and need not be collected first.
"""

from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple, cast
from uuid import UUID

from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce

from boards.models import (
    Assignment,
    Attachment,
    Board,
    Card,
    CardLabel,
    Checklist,
    ChecklistItem,
    Comment,
    Label,
    List,
    Membership,
)
from boards.models.base import BoardRow
from boards.models.card_parts import CARD_PARTS, CardPart
from boards.reader import Reader

CHUNK = 200  # rows fetched at a time: texts are up to 20,000 characters


class Stream:
    """Rows that belong to other rows, whose key is the first column."""

    def __init__(self, rows: "QuerySet[Any, tuple[Any, ...]]") -> None:
        self._rows = rows.iterator(chunk_size=CHUNK)
        self._next = next(self._rows, None)

    def close(self) -> None:
        """Close the cursor, which must not outlive its connection."""
        self._rows.close()  # type: ignore[attr-defined]  # a generator

    def of(self, key: UUID) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of this key, without the key. Keys must be asked for in the order of the rows."""
        while self._next is not None and self._next[0] == key:
            _key, *row = self._next
            self._next = next(self._rows, None)
            yield tuple(row)


class Streams(NamedTuple):
    boards: "Generator[tuple[Any, ...]]"
    members: Stream
    labels: Stream
    lists: Stream
    cards: Stream
    parts: dict[type[BoardRow], Stream]  # rows that belong to cards, by model

    def opened(self) -> list[Any]:
        return [*self[:-1], *self.parts.values()]


@contextmanager
def open_streams(reader: Reader, using: str) -> Iterator[Streams]:
    streams = _streams(reader, using)
    try:
        yield streams
    finally:
        for stream in streams.opened():
            stream.close()


def _streams(reader: Reader, using: str) -> Streams:
    def rows(
        model: Any, where: str, order: Iterable[str], *columns: str | Combinable
    ) -> "QuerySet[Any, tuple[Any, ...]]":
        mine = reader.membership(f"{where}memberships__")
        return model._default_manager.using(using).filter(mine).order_by(*order).values_list(*columns)

    def of_board(model: Any, order: list[str], *columns: str) -> Stream:
        return Stream(rows(model, "board__", [*BOARDS, *order], "board_id", *columns))

    def of_card(part: CardPart) -> Stream:
        order, columns = OF_CARD[part.model]
        in_order = [*BOARDS, *(f"card__{name}" for name in CARDS), *order]
        return Stream(rows(part.model, "board__", in_order, *columns))

    boards = rows(
        Board,
        "",
        ["created_at", "pk"],
        "pk",
        "title",
        "hue",
        "background",
        "memberships__role",
        "created_at",
        "archived_at",
    )
    return Streams(
        cast("Generator[tuple[Any, ...]]", boards.iterator(chunk_size=CHUNK)),
        of_board(Membership, ["created_at", "pk"], "user_id", "user__name", "user__email", "role"),
        of_board(Label, ["created_at", "pk"], "pk", "name", "hue"),
        of_board(List, ["position"], "pk", "title", "card_limit", "archived_at"),
        Stream(rows(Card, "board__", [*BOARDS, *CARDS], "list_id", "pk", *CARD_COLUMNS)),
        {part.model: of_card(part) for part in CARD_PARTS},
    )


BOARDS = ["board__created_at", "board_id"]
CARDS = ["list__position", "position"]
AUTHOR = ("author_id", "author__name", "author__email")
UPLOADER = ("uploaded_by_id", "uploaded_by__name", "uploaded_by__email")
COMMENTS = Comment.objects.filter(card=OuterRef("pk")).order_by().values("card").annotate(number=Count("pk"))
CARD_COLUMNS = (
    "number",
    "title",
    "description",
    "due_at",
    "due_day",
    "start_day",
    "cover_hue",
    "cover_attachment_id",
    "completed_at",
    "archived_at",
    "recurrence",
    "recurrence_anchor",
    "created_at",
    "updated_at",
    Coalesce(Subquery(COMMENTS.values("number")), 0),
    "created_by_id",
    "created_by__name",
    "created_by__email",
)
# The order within a card, and the columns: the first is the key of the row that they belong to.
OF_CARD: dict[type[BoardRow], tuple[tuple[str, ...], tuple[str, ...]]] = {
    CardLabel: (("label__created_at", "label_id"), ("card_id", "label_id")),
    Assignment: (("pk",), ("card_id", "user_id")),
    Checklist: (("position",), ("card_id", "pk", "title")),
    ChecklistItem: (("checklist__position", "position"), ("checklist_id", "pk", "text", "done")),
    Comment: (
        ("created_at", "pk"),
        ("card_id", "pk", *AUTHOR, "body", "created_at", "edited_at", "html", "html_version"),
    ),
    Attachment: (
        ("created_at", "pk"),
        (
            "card_id",
            "pk",
            "file_name",
            "file__content_type",
            "file__size",
            "file__sha256",
            *UPLOADER,
            "created_at",
            "file__name",
        ),
    ),
}
