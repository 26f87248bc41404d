"""Sorting the cards of a list once: an order like any other afterwards, which each move changes."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import models
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from boards.actions.caps import CARDS_SORTED, require_room
from boards.actions.change import Change, change
from boards.actions.guards import require_open_list
from boards.actions.ordering import GAP, bottom_of
from boards.actor import Actor
from boards.errors import Invalid
from boards.models import Assignment, Card, List, Verb
from boards.models.records import ListSorted
from core.text.folding import fold


class CardOrder(models.TextChoices):
    DUE = "due", gettext_lazy("Due date")
    TITLE = "title", gettext_lazy("Title")
    CREATED = "created", gettext_lazy("Newest first")
    ASSIGNEE = "assignee", gettext_lazy("Assignee")


def sort_list(*, actor: Actor, list_id: UUID | None, by: str) -> List:
    """Sort the open cards of a list. Cards without that by which they are sorted come last; equal ones stay in order."""
    if by not in CardOrder.values:
        allowed = ", ".join(CardOrder.values)
        raise Invalid.of("by", _("%(field)s must be one of %(allowed)s."), allowed=allowed)
    with change(actor, List, list_id) as c:
        require_open_list(c.row)
        cards = open_cards(c.row)
        put_in_order(c, cards, sorted(cards, key=KEYS[CardOrder(by)](cards)), ListSorted(by=(None, by)))
    return c.row


def open_cards(row: List) -> list[Card]:
    cards = Card.objects.filter(list=row, archived_at=None)
    require_room(cards, CARDS_SORTED, _("A list with more than %(most)s cards cannot be sorted."), more=0)
    return list(cards.order_by("position").defer("description", "search_text"))


def put_in_order(c: Change[List], cards: Sequence[Card], wanted: Sequence[Card], record: ListSorted) -> None:
    """Give the cards the order `wanted`, behind all old places, as places are unique. Nothing happens if they have it."""
    if [card.pk for card in cards] == [card.pk for card in wanted]:
        return
    first = bottom_of(Card, "list", c.row.pk)
    for place, card in enumerate(wanted):
        card.position = first + place * GAP
    Card.objects.bulk_update(wanted, ["position"], batch_size=250)
    c.touch_all(Card.objects.filter(pk__in=[card.pk for card in wanted]))
    c.keep(card_ids=[card.pk for card in cards])
    c.record(Verb.LIST_SORTED, c.row, record)


Key = Callable[[Card], Any]


def _by_due(cards: Sequence[Card]) -> Key:
    return lambda card: (card.due_at is None, card.due_at or datetime.max)


def _by_title(cards: Sequence[Card]) -> Key:
    return lambda card: fold(card.title)


def _by_created(cards: Sequence[Card]) -> Key:
    return lambda card: -card.created_at.timestamp()


def _by_assignee(cards: Sequence[Card]) -> Key:
    rows = Assignment.objects.filter(card__in=[card.pk for card in cards]).select_related("user")
    names: dict[UUID, str] = {}
    for row in rows:
        name = fold(row.user.display_name)
        names[row.card_id] = min(name, names.get(row.card_id, name))
    return lambda card: (card.pk not in names, names.get(card.pk, ""))


KEYS: dict[CardOrder, Callable[[Sequence[Card]], Key]] = {
    CardOrder.DUE: _by_due,
    CardOrder.TITLE: _by_title,
    CardOrder.CREATED: _by_created,
    CardOrder.ASSIGNEE: _by_assignee,
}
