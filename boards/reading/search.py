"""Search for cards by words, board, list, state and due date, page by page (docs/decisions/search.md)."""

import base64
import json
from dataclasses import astuple, dataclass
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import BooleanField, ExpressionWrapper, F, Q
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext as _

from boards.dates import timestamp
from boards.errors import Invalid
from boards.models import Card
from boards.models.card import CardQuerySet
from boards.reader import Reader
from boards.text import clean_text, fold

QUERY = 500  # characters
WORDS = 20
DONE = ExpressionWrapper(Q(completed_at__isnull=False), output_field=BooleanField())


@dataclass(frozen=True, slots=True)
class Filters:
    """What to search for. Every word of `query` must occur in the title or description; case does not matter.

    The dates are exclusive. With either of them, cards without a due date are left out. None turns a filter off.
    """

    query: str = ""
    board_id: UUID | None = None
    list_id: UUID | None = None
    done: bool | None = None
    due_before: datetime | None = None
    due_after: datetime | None = None


class Found(NamedTuple):
    cards: list[Card]
    more: bool


def search_cards(reader: Reader, filters: Filters, *, limit: int, after: str | None = None) -> Found:
    """Return at most `limit` matching cards that are not archived and that the reader can see.

    Cards that are not done come first; then the order is by due date (cards without one last), then newest first.
    `after` is a cursor from `cursor_after` for the same filters. Raises Invalid for any other cursor, and for a query
    that is too long or has too many words.
    """
    cards = _matching(reader, filters)
    if after is not None:
        cards = cards.filter(_behind(filters, after))
    ordered = cards.order_by(DONE, F("due_at").asc(nulls_last=True), "-created_at", "-pk")
    ids = list(ordered.values_list("pk", flat=True)[: limit + 1])
    found = Card.objects.in_bulk(ids[:limit])
    return Found([found[pk] for pk in ids[:limit] if pk in found], len(ids) > limit)


def cursor_after(filters: Filters, card: Card) -> str:
    """Return the cursor of the page that begins after this card. It is valid for these filters only.

    Why not an offset: cards that are added or completed between two pages would shift the second one.
    """
    place = [card.completed_at is not None, _text(card.due_at), _text(card.created_at), str(card.pk)]
    signed = json.dumps([*place, _signature(filters, place)])
    return base64.urlsafe_b64encode(signed.encode()).decode().rstrip("=")


def _matching(reader: Reader, filters: Filters) -> CardQuerySet:
    cards = Card.objects.visible_to(reader).open()
    for word in _words(filters.query):
        cards = cards.filter(search_text__contains=word)
    wanted = {
        "board": filters.board_id,
        "list": filters.list_id,
        "completed_at__isnull": None if filters.done is None else not filters.done,
        "due_at__lt": filters.due_before,
        "due_at__gt": filters.due_after,
    }
    return cards.filter(**{name: value for name, value in wanted.items() if value is not None})


def _words(query: str) -> list[str]:
    """Return the folded words of the query, longest first: a long word usually leaves the fewest rows for the others.

    Raises Invalid for a query that is too long or has too many words.
    """
    words = set(fold(clean_text(query, "query", QUERY)).split())
    if len(words) > WORDS:
        raise Invalid(_("query must have at most %(limit)d words.") % {"limit": WORDS}, "query")
    return sorted(words, key=len, reverse=True)


def _behind(filters: Filters, cursor: str) -> Q:
    done, due, created, pk = _place(filters, cursor)
    later = Q(created_at__lt=created) | Q(created_at=created, pk__lt=pk)
    same_due = Q(due_at=due) if due else Q(due_at=None)
    within = same_due & later
    if due:
        within |= Q(due_at__gt=due) | Q(due_at=None)
    same = Q(completed_at__isnull=not done) & within
    return same if done else Q(completed_at__isnull=False) | same


def _place(filters: Filters, cursor: str) -> tuple[bool, datetime | None, datetime, UUID]:
    try:
        signed = json.loads(base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True))
        *place, signature = signed
        if not constant_time_compare(signature, _signature(filters, place)):
            raise ValueError
        done, due, created, pk = place
        return done, datetime.fromisoformat(due) if due else None, datetime.fromisoformat(created), UUID(pk)
    except (ValueError, TypeError, AttributeError, RecursionError):
        raise Invalid(
            _("This cursor belongs to another search. Search again without cursor to start over."), "cursor"
        ) from None


def _text(moment: datetime | None) -> str | None:
    return timestamp(moment) if moment else None


def _signature(filters: Filters, place: list[Any]) -> str:
    """Return an HMAC over filters and place, so that clients cannot forge a cursor."""
    return salted_hmac("boards.reading.search", repr((astuple(filters), place))).hexdigest()[:20]
