"""What a search is asked: the words and filters of cards, and their order."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from django.db.models import Exists, OuterRef, Q

from boards.models import Assignment, Card, CardLabel
from boards.models.card import CardQuerySet
from boards.reader import Reader
from boards.reading.filters import due_kinds
from boards.reading.search_orders import AS_ON_BOARDS, BY_DUE_DATE, SearchOrder, by_relevance


class State(StrEnum):
    """The state of a card. One in an archived list counts as archived."""

    OPEN = "open"
    DONE = "done"
    ARCHIVED = "archived"


@dataclass(frozen=True, slots=True)
class Filters:
    """Filters and the order of a search. None turns a filter off.

    Every word of `query` must occur in the title or description, or `everywhere`; case does not matter. A query such as #5 finds the
    cards with that number instead. A card must have one of the assignees, and one of the labels. `due_before` and
    `due_after` are exclusive; with a due date among the filters, cards without one are left out. Cards of archived boards
    are found only with `board_id` or `list_id`. Cards come in BY_DUE_DATE, or AS_ON_BOARDS, or the best match first.
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
    due_from: datetime | None = None  # inclusive
    updated_since: datetime | None = None  # inclusive
    unassigned: bool = False  # a card without assignees is found too
    states: tuple[State, ...] = (State.OPEN, State.DONE)
    board_ids: tuple[UUID, ...] | None = None  # any of these, of which archived ones are left out
    creator_ids: tuple[UUID, ...] | None = None
    undated: bool = False  # only cards without a due date
    everywhere: bool = False  # words may also be in comments, checklists and names of files
    best_first: bool = False
    label_names: tuple[str, ...] | None = None  # a card has a label with one of these names, whatever its board
    due: tuple[str, ...] = ()  # as a board's filter has it: the days are those of the reader's time zone

    @property
    def narrow(self) -> bool:
        """Tell whether anything but words and `states` decides which cards are found: another filter, or a board."""
        others = replace(self, query="", states=(), everywhere=False, as_on_boards=False, best_first=False)
        return others != Filters(states=())

    @property
    def order(self) -> SearchOrder:
        if self.best_first:
            return by_relevance(self.query)
        return AS_ON_BOARDS if self.as_on_boards else BY_DUE_DATE


def filtered(reader: Reader, filters: Filters) -> CardQuerySet:
    """Return the cards that the reader can see and that the filters keep, whatever their words."""
    cards = Card.objects.visible_to(reader).filter(_in_states(filters.states))
    if filters.board_id is None and filters.list_id is None:
        cards = cards.of_open_boards()
    if filters.assignee_ids is not None or filters.unassigned:
        assigned = Assignment.objects.filter(user__in=filters.assignee_ids or ())
        wanted = Q(pk__in=assigned.values("card"))
        nobody = ~Exists(Assignment.objects.filter(card=OuterRef("pk")))
        cards = cards.filter(wanted | nobody if filters.unassigned else wanted)
    if filters.label_ids is not None:
        labelled = CardLabel.objects.filter(label__in=filters.label_ids)
        cards = cards.filter(pk__in=labelled.values("card"))
    if filters.label_names is not None:
        mine = reader.membership("board__memberships__")
        named = CardLabel.objects.filter(mine, label__name__in=filters.label_names)
        cards = cards.filter(pk__in=named.values("card"))
    if filters.due:
        cards = cards.filter(due_kinds(filters.due, reader.user))
    fields = {
        "board": filters.board_id,
        "list": filters.list_id,
        "completed_at__isnull": None if filters.done is None else not filters.done,
        "due_at__lt": filters.due_before,
        "due_at__gt": filters.due_after,
        "due_at__gte": filters.due_from,
        "updated_at__gte": filters.updated_since,
        "board__in": filters.board_ids,
        "created_by__in": filters.creator_ids,
        "due_at__isnull": filters.undated or None,
    }
    return cards.filter(**{name: value for name, value in fields.items() if value is not None})


def _in_states(states: Collection[State]) -> Q:
    shown = Q(archived_at=None, list__archived_at=None)
    if {*states} == {State.OPEN, State.DONE}:
        return shown
    found = Q()
    for state in states:
        found |= {
            State.OPEN: shown & Q(completed_at=None),
            State.DONE: shown & Q(completed_at__isnull=False),
            State.ARCHIVED: Q(archived_at__isnull=False) | Q(list__archived_at__isnull=False),
        }[state]
    return found
