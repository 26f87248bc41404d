"""The orders in which a search gives cards, each with the keyset by which its pages follow each other."""

import time
from collections.abc import Callable
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Q

from boards.dates import timestamp
from boards.models import Card
from boards.models.renumbering import is_forgotten, present
from boards.reading.search_index import has_title_with
from boards.reading.search_words import number_in, words_in
from core.sql import NOTHING, Statement

DONE = "this.completed_at IS NOT NULL"


class Part(NamedTuple):
    """A part of an order: all of its cards come before those of the next part."""

    cards: Statement = NOTHING
    behind: Q = Q()  # leaves out the cards of former pages
    is_in_title: bool = False  # whether these cards have all words in the title


class SearchOrder(NamedTuple):
    """`place` returns a card's place in the order, in types that JSON has. `parts` returns the parts of the order with the
    cards after such a place, all parts for None; it raises ValueError, TypeError or AttributeError for anything else.
    """

    columns: tuple[str, ...]  # the order of the cards of a part; with `is_indexed` the first one is DONE
    place: Callable[[Card], list[Any]]
    parts: Callable[[list[Any] | None], list[Part]]
    is_indexed: bool = True  # an index gives open cards in this order


def whole(behind: Callable[[list[Any]], Q]) -> Callable[[list[Any] | None], list[Part]]:
    """Return the parts of an order that has one."""
    return lambda place: [Part(behind=Q() if place is None else behind(place))]


def _due_place(card: Card) -> list[Any]:
    return [card.completed_at is not None, _text(card.due_at), _text(card.created_at), str(card.pk)]


def _behind_due(place: list[Any]) -> Q:
    done, sent_due, sent_created, pk = place
    due = datetime.fromisoformat(sent_due) if sent_due else None
    created = datetime.fromisoformat(sent_created)
    later = Q(created_at__lt=created) | Q(created_at=created, pk__lt=UUID(pk))
    within = (Q(due_at=due) if due else Q(due_at=None)) & later
    if due:
        within |= Q(due_at__gt=due) | Q(due_at=None)
    same = Q(completed_at__isnull=not done) & within
    return same if done else Q(completed_at__isnull=False) | same


def _board_place(card: Card) -> list[Any]:
    version = card.board_version  # type: ignore[attr-defined]  # `cards_with_names` sets it
    return [str(card.board_id), str(card.list_id), card.list.position, card.position, version, int(time.time())]


def _behind_board(place: list[Any]) -> Q:
    board, into = map(UUID, place[:2])
    row, position, since, made_at = map(int, place[2:])
    if is_forgotten(made_at):
        raise ValueError
    row, position = present(board, row, since), present(into, position, since)
    within = Q(list__position__gt=row) | Q(list__position=row, position__gt=position)
    return Q(board__gt=board) | Q(board=board) & within


def by_relevance(query: str) -> SearchOrder:
    """Return the order of what people look for: cards with all words in the title, then those that are not done, then the
    last changed.
    """
    words = [] if number_in(query) else words_in(query)
    in_title = has_title_with(words)
    elsewhere = Statement(f"NOT ({in_title.sql})", in_title.params)

    def place(card: Card) -> list[Any]:
        first_line = card.search_text[: card.search_text.find("\n") + 1]
        is_best = all(word in first_line for word in words)
        return [is_best, card.completed_at is not None, _text(card.updated_at), str(card.pk)]

    def parts(sent: list[Any] | None) -> list[Part]:
        is_best, behind = (True, Q()) if sent is None else (sent[0], _behind_change(*sent[1:]))
        if not words:
            return [Part(behind=behind)]
        if not is_best:
            return [Part(elsewhere, behind)]
        return [Part(in_title, behind, is_in_title=True), Part(elsewhere)]

    return SearchOrder((DONE, "this.updated_at DESC", "this.id DESC"), place, parts)


def _behind_change(done: bool, sent_updated: str, pk: str) -> Q:
    updated = datetime.fromisoformat(sent_updated)
    within = Q(updated_at__lt=updated) | Q(updated_at=updated, pk__lt=UUID(pk))
    within &= Q(completed_at__isnull=not done)
    return within if done else within | Q(completed_at__isnull=False)


def _text(moment: datetime | None) -> str | None:
    return timestamp(moment) if moment else None


# Cards that are not done first, then by due date (cards without one last), then newest first
BY_DUE_DATE = SearchOrder(
    (DONE, "this.due_at ASC NULLS LAST", "this.created_at DESC", "this.id DESC"), _due_place, whole(_behind_due)
)
# As people see them: oldest board first (ids are given in the order of time), its lists in their order, top card first
AS_ON_BOARDS = SearchOrder(
    ("this.board_id", "list.position", "this.position"), _board_place, whole(_behind_board), is_indexed=False
)
