"""Cards: create, edit, complete, reopen, delete."""

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from typing import Any, NamedTuple, Unpack
from uuid import UUID

from django.db.models import Max, Min
from django.utils.translation import gettext as _

from boards.access import no_list_yet, not_found
from boards.actions.batch import Batch, batch
from boards.actions.cards.dates import anchor_of, due_of, require_order
from boards.actions.cards.fields import (
    CardFields,
    last_second,
    new_values,
    require_unchanged,
    search_text,
    valid_recurrence,
)
from boards.actions.cards.labels_and_people import add_new_card, read_parts
from boards.actions.cards.mentions import named, named_in, names_of_mentioned, people_of
from boards.actions.cards.new_checklists import ChecklistDraft, add_to_new_card, require_room_on_new_card
from boards.actions.cards.pictures import with_own_pictures
from boards.actions.change import Change, change
from boards.actions.guards import require_archived, require_open
from boards.actions.ordering import BOTTOM, GAP, TOP, Place, bottom_of, position_for
from boards.actor import Actor
from boards.colours import valid_hue
from boards.errors import Invalid, NoNeighbour
from boards.models import Board, Card, List, Role, Verb
from boards.models.records import InList
from boards.richtext import Doc, first_line, from_markdown
from boards.text import CARD_TITLE, DESCRIPTION, EXCERPT, clean_line, clean_text


class CardDraft(NamedTuple):
    """The fields of a new card, cleaned and checked."""

    title: str
    description: Doc | None
    due_at: datetime | None
    due_day: date | None
    start_day: date | None
    recurrence: str
    label_ids: tuple[UUID, ...]
    assignee_ids: tuple[UUID, ...]
    cover_hue: int | None
    checklists: tuple[ChecklistDraft, ...] = ()


def create_card(
    *,
    actor: Actor,
    title: str,
    list_id: UUID | None = None,
    board_id: UUID | None = None,
    description: str = "",
    due_at: datetime | None = None,
    due_day: date | None = None,
    start_day: date | None = None,
    recurrence: str | None = None,
    label_ids: Iterable[UUID] = (),
    assignee_ids: Iterable[UUID] = (),
    cover_hue: int | None = None,
    checklists: Iterable[ChecklistDraft] = (),
    place: Place = BOTTOM,
) -> Card:
    """Create a card, with its labels, people and checklists, at `place` of the list; without `list_id`, of the board's first open one.

    It is due at a moment, or on a whole day in the actor's zone. Raises Invalid, NotFound (also for an archived list, and a board without lists) and NotAllowed.
    """
    draft = draft_card(
        title=title,
        description=description,
        due_at=due_at,
        due_day=due_day,
        start_day=start_day,
        recurrence=recurrence,
        label_ids=label_ids,
        assignee_ids=assignee_ids,
        cover_hue=cover_hue,
        checklists=checklists,
    )
    with change(actor, List, list_id) if list_id or not board_id else change(actor, Board, board_id) as c:
        into = open_list(c.row, c.board)
        return add_card(c, draft, into, place)


def add_card(c: Change[Any], draft: CardDraft, into: List, place: Place) -> Card:
    draft = draft._replace(description=named(draft.description, c.board.pk))
    card = _card(draft, c, into, _positions(into, place, c.number, 1)[0])
    parts = read_parts(c.board, draft.label_ids, draft.assignee_ids)
    add_new_card(c, card, into, parts, draft.label_ids, draft.assignee_ids)
    add_to_new_card(c, card, draft.checklists)
    return card


def create_cards(
    *, actor: Actor, list_id: UUID | None, drafts: Iterable[CardDraft], place: Place = BOTTOM
) -> list[Card]:
    """Create many cards at `place` of a list, in this order: one change per card, all or none, in few statements."""
    drafts = list(drafts)
    with batch(actor, List, list_id) as b:
        into = open_list(b.row, b.board)
        positions = _positions(into, place, b.board.version + 1, len(drafts))
        return _add_cards(b, [(draft, into, position) for draft, position in zip(drafts, positions, strict=True)])


class Placed(NamedTuple):
    """A new card of a batch: in a list, or in the board's first open one."""

    draft: CardDraft
    list_id: UUID | None
    place: Place = BOTTOM


def create_cards_on(*, actor: Actor, board_id: UUID | None, cards: Sequence[Placed]) -> list[Card]:
    """Create many cards in lists of one board, in this order: one change per card, all or none.

    It takes few statements unless one has a place beside a neighbor. Raises NotFound for lists that are archived or not
    of this board.
    """
    if any(card.place not in (TOP, BOTTOM) for card in cards):
        return _create_one_by_one(actor, board_id, cards)
    with batch(actor, Board, board_id) as b:
        lists = {row.pk: row for row in List.objects.filter(board=b.board).open()}
        if not lists:
            raise no_list_yet()
        first, ends = next(iter(lists)), Ends(lists.values())
        wanted = [(draft, lists.get(list_id or first), place) for draft, list_id, place in cards]
        if not all(into for _draft, into, _place in wanted):
            raise not_found()
        return _add_cards(b, [(draft, into, ends.take(into, place)) for draft, into, place in wanted if into])


def _create_one_by_one(actor: Actor, board_id: UUID | None, cards: Sequence[Placed]) -> list[Card]:
    made = []
    with change(actor, Board, board_id) as c:
        for index, (draft, list_id, place) in enumerate(cards):
            with change(actor, List, list_id or open_list(c.board, c.board).pk) as one:
                try:
                    made.append(add_card(one, draft, open_list(one.row, one.board), place))
                except NoNeighbour as error:
                    error.index = index
                    raise
    return made


def _add_cards(b: Batch[Any], cards: Sequence[tuple[CardDraft, List, int]]) -> list[Card]:
    """Add the cards at these positions of their lists, one change each."""
    drafts, made = [draft for draft, _into, _position in cards], []
    labels = {pk for draft in drafts for pk in draft.label_ids}
    people = {pk for draft in drafts for pk in draft.assignee_ids}
    parts = read_parts(b.board, labels, people)
    descriptions = [draft.description for draft in drafts]
    names, written = names_of_mentioned(b.board.pk, descriptions), people_of(b.board.pk, descriptions)
    for given, into, position in cards:
        draft = given._replace(description=named_in(given.description, names, written))
        with b.change() as c:
            made.append(_card(draft, c, into, position))
            add_new_card(c, made[-1], into, parts, draft.label_ids, draft.assignee_ids)
            add_to_new_card(c, made[-1], draft.checklists)
    return made


class Ends:
    """The ends of lists while a batch adds cards to them, which the database does not have before the batch is written."""

    def __init__(self, lists: Iterable[List]) -> None:
        rows = Card.objects.filter(list__in=lists).order_by().values_list("list_id")
        self._ends = {pk: [first, last] for pk, first, last in rows.annotate(Min("position"), Max("position"))}

    def take(self, into: List, place: Place) -> int:
        first, last = self._ends.setdefault(into.pk, [GAP, 0])
        if place == TOP:
            self._ends[into.pk] = [first - GAP, max(last, first - GAP)]
            return first - GAP
        self._ends[into.pk] = [min(first, last + GAP), last + GAP]
        return last + GAP


def _positions(into: List, place: Place, number: int, count: int) -> list[int]:
    """Return so many free positions, one after another; beside a neighbor there is one."""
    if place == BOTTOM:
        known = hasattr(into, "last_position")
        first = (into.last_position or 0) + GAP if known else bottom_of(Card, "list", into.pk)
    elif place == TOP:
        first = position_for(Card.objects.filter(list=into), TOP, number) - (count - 1) * GAP
    elif count == 1:
        first = position_for(Card.objects.filter(list=into), place, number)
    else:
        raise Invalid(_("place must be top or bottom."), "place")
    return [first + step * GAP for step in range(count)]


def draft_card(
    *,
    title: str,
    description: str = "",
    due_at: datetime | None = None,
    due_day: date | None = None,
    start_day: date | None = None,
    recurrence: str | None = None,
    label_ids: Iterable[UUID] = (),
    assignee_ids: Iterable[UUID] = (),
    cover_hue: int | None = None,
    checklists: Iterable[ChecklistDraft] = (),
) -> CardDraft:
    """Return the checked fields of a new card; `description` is Markdown.

    Raises Invalid, naming the field at fault, and LimitReached for too many checklists or items.
    """
    checklists = tuple(checklists)
    require_room_on_new_card(checklists)
    return CardDraft(
        clean_line(title, "title", CARD_TITLE),
        with_own_pictures(from_markdown(clean_text(description or "", "description", DESCRIPTION)), None),
        due_at,
        due_day,
        start_day,
        valid_recurrence(recurrence),
        tuple(dict.fromkeys(label_ids)),
        tuple(dict.fromkeys(assignee_ids)),
        None if cover_hue is None else valid_hue(cover_hue, "cover"),
        checklists,
    )


def _card(draft: CardDraft, c: Change[Any], into: List, position: int) -> Card:
    due = due_of(draft.due_at, draft.due_day, c.actor.user.zone)
    require_order(draft.start_day, due, c.actor.user.zone)
    return Card(
        board=c.board,
        list=into,
        number=c.next_card_number(),
        position=position,
        title=draft.title,
        description=draft.description,
        search_text=search_text(draft.title, draft.description),
        excerpt=first_line(draft.description, EXCERPT),
        due_at=due and due.at,
        due_day=due and due.day,
        start_day=draft.start_day,
        cover_hue=draft.cover_hue,
        recurrence=draft.recurrence,
        recurrence_anchor=anchor_of(due) if draft.recurrence else None,
        created_by=c.actor.user,
        created_at=c.now,
        updated_at=c.now,
    )


def open_list(row: List | Board, board: Board) -> List:
    """Return the list itself, or the first open list of the board. Raises NotFound for an archived list, or none."""
    if isinstance(row, List):
        if row.archived_at is not None:
            raise not_found()
        return row
    first = List.objects.filter(board=board).open().first()
    if first is None:
        raise no_list_yet()
    return first


def update_card(
    *, actor: Actor, card_id: UUID | None, if_version: int | None = None, **fields: Unpack[CardFields]
) -> Card:
    """Edit a card. With `if_version`, raise Conflict when a later change has changed one of these fields."""
    with change(actor, Card, card_id) as c:
        card = c.row
        require_open(card)
        values = new_values(card, fields, actor)
        if values and if_version is not None:
            require_unchanged(card, if_version, values.keys())
        if c.set(card, **values):
            c.record(Verb.CARD_CHANGED, card, last_second(card, values))
    return card


def complete_card(*, actor: Actor, card_id: UUID | None) -> Card:
    with change(actor, Card, card_id) as c:
        require_open(c.row)
        if c.row.completed_at is None:
            c.set(c.row, completed_at=c.now)
            c.record(Verb.CARD_COMPLETED, c.row)
    return c.row


def reopen_card(*, actor: Actor, card_id: UUID | None) -> Card:
    with change(actor, Card, card_id) as c:
        require_open(c.row)
        if c.row.completed_at is not None:
            c.set(c.row, completed_at=None)
            c.record(Verb.CARD_REOPENED, c.row)
    return c.row


def delete_card(*, actor: Actor, card_id: UUID | None) -> None:
    """Delete a card permanently. Only the owner may, and only an archived card can be deleted."""
    with change(actor, Card, card_id, needs=Role.OWNER, deletes=True) as c:
        require_archived(c.row)
        c.record(Verb.CARD_DELETED, c.row, InList(list_id=(c.row.list_id, None), list=(c.row.list.title, None)))
        c.remove(c.row)
