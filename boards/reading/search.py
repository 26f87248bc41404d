"""Search for cards by words, number, board, list, state, people, labels and due date, page by page
(docs/decisions/search.md).
"""

import base64
import json
import re
from dataclasses import astuple, dataclass
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Q
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext as _

from boards.errors import Invalid
from boards.models import Assignment, Card, CardLabel
from boards.models.card import CardQuerySet
from boards.reader import Reader
from boards.reading.cards import cards_with_names
from boards.reading.search_orders import AS_ON_BOARDS, BY_DUE_DATE, SearchOrder
from boards.text import clean_text, fold

QUERY = 500  # characters
WORDS = 20
NUMBER = re.compile(r"#([0-9]{1,9})")


@dataclass(frozen=True, slots=True)
class Filters:
    """Filters and the order of a search. None turns a filter off.

    Every word of `query` must occur in the title or description; case does not matter. A query such as #5 finds the
    cards with that number instead. A card must have one of the assignees, and one of the labels. The dates are
    exclusive; with either of them, cards without a due date are left out. Cards come in BY_DUE_DATE, or AS_ON_BOARDS.
    """

    query: str = ""
    board_id: UUID | None = None
    list_id: UUID | None = None
    done: bool | None = None
    due_before: datetime | None = None
    due_after: datetime | None = None
    assignee_ids: tuple[UUID, ...] | None = None
    label_ids: tuple[UUID, ...] | None = None
    as_on_boards: bool = False

    @property
    def order(self) -> SearchOrder:
        return AS_ON_BOARDS if self.as_on_boards else BY_DUE_DATE


class Found(NamedTuple):
    cards: list[Card]
    more: bool


def search_cards(reader: Reader, filters: Filters, *, limit: int, after: str | None = None) -> Found:
    """Return at most `limit` matching cards that are not archived and that the reader can see, from `cards_with_names`.

    `after` is a cursor from `cursor_after` for the same filters. Raises Invalid for any other cursor, and for a query
    that is too long or has too many words.
    """
    cards = matching_cards(reader, filters)
    if after is not None:
        cards = cards.filter(_behind(filters, after))
    ids = list(cards.order_by(*filters.order.columns).values_list("pk", flat=True)[: limit + 1])
    found = cards_with_names(ids[:limit])
    return Found([found[pk] for pk in ids[:limit] if pk in found], len(ids) > limit)


def cursor_after(filters: Filters, card: Card) -> str:
    """Return the cursor of the page that begins after this card. It is valid for these filters only.

    Why not an offset: cards that are added or completed between two pages would shift the second one.
    """
    place = filters.order.place(card)
    signed = json.dumps([*place, _signature(filters, place)])
    return base64.urlsafe_b64encode(signed.encode()).decode().rstrip("=")


def matching_cards(reader: Reader, filters: Filters) -> CardQuerySet:
    """Return the matching cards that are not archived and that the reader can see. Raises Invalid as `search_cards` does."""
    cards = Card.objects.visible_to(reader).open().filter(matching_text(filters.query))
    if filters.assignee_ids is not None:
        assigned = Assignment.objects.filter(user__in=filters.assignee_ids)
        cards = cards.filter(pk__in=assigned.values("card"))
    if filters.label_ids is not None:
        labelled = CardLabel.objects.filter(label__in=filters.label_ids)
        cards = cards.filter(pk__in=labelled.values("card"))
    wanted = {
        "board": filters.board_id,
        "list": filters.list_id,
        "completed_at__isnull": None if filters.done is None else not filters.done,
        "due_at__lt": filters.due_before,
        "due_at__gt": filters.due_after,
    }
    return cards.filter(**{name: value for name, value in wanted.items() if value is not None})


def matching_text(query: str) -> Q:
    """Return the condition that a card has the number that the query is, or else all of its words."""
    if number := NUMBER.fullmatch(fold(query).strip()):
        return Q(number=int(number[1]))
    found = Q()
    for word in _words(query):
        found &= Q(search_text__contains=word)
    return found


def _words(query: str) -> list[str]:
    """Return the folded words of the query, longest first: a long word usually leaves the fewest rows for the others.

    Raises Invalid for a query that is too long or has too many words.
    """
    words = set(fold(clean_text(query, "query", QUERY)).split())
    if len(words) > WORDS:
        raise Invalid(_("query must have at most %(limit)d words.") % {"limit": WORDS}, "query")
    return sorted(words, key=len, reverse=True)


def _behind(filters: Filters, cursor: str) -> Q:
    try:
        signed = json.loads(base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True))
        *place, signature = signed
        if not constant_time_compare(signature, _signature(filters, place)):
            raise ValueError
        return filters.order.behind(place)
    except (ValueError, TypeError, AttributeError, RecursionError):
        raise Invalid(
            _("This cursor belongs to another search. Search again without cursor to start over."), "cursor"
        ) from None


def _signature(filters: Filters, place: list[Any]) -> str:
    """Return an HMAC over filters and place, so that clients cannot forge a cursor."""
    return salted_hmac("boards.reading.search", repr((astuple(filters), place))).hexdigest()[:20]
