"""Moving cards within a list, between lists and between boards."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from uuid import UUID

from django.db import models, transaction

from boards.access import not_found
from boards.actions.cards.archive import first_cards
from boards.actions.cards.labels import labels_named_like
from boards.actions.cards.places import read_spot
from boards.actions.change import Change, change
from boards.actions.files.caps import Owners, lock_owners, require_room_for_files
from boards.actions.guards import require_open, require_open_list
from boards.actions.ordering import BOTTOM, Place
from boards.actor import Actor
from boards.models import (
    Assignment,
    Attachment,
    Board,
    Card,
    CardLabel,
    List,
    Membership,
    StoredFile,
    Verb,
)
from boards.models.card_parts import CARD_PARTS
from boards.models.records import CardArrived, CardLeft, CardMoved
from boards.statements import bring, read_destination, read_kinds_of_parts


def move_card(*, actor: Actor, card_id: UUID | None, list_id: UUID | None = None, place: Place = BOTTOM) -> Card:
    """Move a card to `place` in the list `list_id` (None: its own list), which may be on another board.

    Raises NotFound for a card, list or neighbour that the actor cannot see, NotAllowed unless the actor may edit both
    boards, LimitReached when the other board cannot take the card's labels or files, and Conflict when the card or the
    list is archived.
    """
    destination = read_destination(list_id, card_id, actor.reader) if list_id else None
    if list_id and destination is None:
        raise not_found()
    board_id, brings_files = destination or (None, False)  # a list never moves to another board
    with (
        _locked_owners(board_id if brings_files else None) as owners,
        change(actor, Card, card_id, and_board=board_id) as c,
    ):
        require_open(c.row)
        into = list_id or c.row.list_id
        if c.other is None:
            _move_on_board(c, into, place)
        else:
            move_to_board(c, c.other, into, place, owners)
    return c.row


def move_all_cards(*, actor: Actor, list_id: UUID | None, into_id: UUID) -> List:
    """Move the cards of a list to the bottom of another one of the same board, in their order: one change each.

    They are moved from the top, at most CARDS_AT_ONCE. Raises NotFound for a list of another board.
    """
    with change(actor, List, list_id) as c:
        require_open_list(c.row)
        into = List.objects.filter(board=c.board, pk=into_id).first()
        if into is None:
            raise not_found()
        for card_id in first_cards(c.row) if into != c.row else ():
            move_card(actor=actor, card_id=card_id, list_id=into.pk)
    return into


@contextmanager
def _locked_owners(board_id: UUID | None) -> Iterator[Owners]:
    """Lock the account that owns the board, before boards are locked; lock none without a board."""
    if board_id is None:
        yield {}
        return
    with transaction.atomic():
        yield lock_owners([board_id])


def _move_on_board(c: Change[Card], list_id: UUID, place: Place) -> None:
    card, old = c.row, c.row.list
    spot = read_spot(c.board, list_id, place, card)
    into = spot.into
    require_open_list(into)
    if spot.holds(card):
        return
    c.set_at_end(card, list=into, position=spot.position(card, c.number))
    record = CardMoved(
        list_id=(old.pk, into.pk), list=(old.title, into.title), next_id=(spot.former_next_id, spot.next_id)
    )
    c.record(Verb.CARD_MOVED, card, record)


def move_to_board(
    leaving: Change[Card],
    arriving: Change[Board],
    list_id: UUID,
    place: Place,
    owners: Owners,
    number: int | None = None,
) -> None:
    """Move the card in a change of each board. If there are files on it, the owner of the new board is locked.

    The card takes a new number, or `number` if it has had that there before. Labels are matched by name on the new
    board, or created there. Assignees who are not members of the new board are unassigned. Each board's activity names
    the board's own list, and gives only the id of the other board: its readers may not be allowed to read that one.
    """
    card, old = leaving.row, leaving.row.list
    spot = read_spot(arriving.board, list_id, place, card)
    into = spot.into
    require_open_list(into)
    parts = read_kinds_of_parts(card.pk, [part.model for part in CARD_PARTS])
    if Attachment in parts:
        require_room_for_files(owners, arriving.board, list(StoredFile.objects.filter(attachments__card=card)))
    leaving.gone("card", card.pk)
    boards, numbers = (leaving.board.pk, arriving.board.pk), (card.number, number or arriving.next_card_number())
    left = CardLeft(
        list_id=(old.pk, None),
        list=(old.title, None),
        next_id=(spot.former_next_id, None),
        board_id=boards,
        number=(card.number, None),
    )
    leaving.record(Verb.CARD_LEFT, card, left)
    _bring_parts(card, parts, leaving, arriving)
    arriving.set_at_end(
        card,
        board=arriving.board,
        list=into,
        number=numbers[1],
        position=spot.position(card, arriving.number),
        repeats=None,
    )
    arrived = CardArrived(list_id=(None, into.pk), list=(None, into.title), board_id=boards, number=numbers)
    arriving.record(Verb.CARD_ARRIVED, card, arrived)


def _bring_parts(card: Card, parts: Iterable[type[models.Model]], leaving: Change[Card], c: Change[Board]) -> None:
    """Move the card's rows of these models to the new board, those without a function in WAYS unchanged."""
    for part in parts:
        WAYS.get(part, _bring)(part, card, leaving, c)


def _bring(part: type[models.Model], card: Card, leaving: Change[Card], c: Change[Board]) -> None:
    c.write_at_end(bring(part, card.pk, c.board, c.number))


def _bring_assignments(part: type[models.Model], card: Card, leaving: Change[Card], c: Change[Board]) -> None:
    strangers = Assignment.objects.filter(card=card).exclude(
        user__in=Membership.objects.filter(board=c.board).values("user")
    )
    if unassigned := list(strangers.values_list("user_id", flat=True)):
        leaving.keep(unassigned_ids=unassigned)
        strangers.delete()
    _bring(part, card, leaving, c)


def _bring_labels(part: type[models.Model], card: Card, leaving: Change[Card], c: Change[Board]) -> None:
    carried = list(CardLabel.objects.filter(card=card).select_related("label"))
    leaving.keep(label_ids=[row.label_id for row in carried])
    twins = labels_named_like({row.label.name: row.label for row in carried}, c)
    for row in carried:
        c.touch_all(CardLabel.objects.filter(pk=row.pk), board=c.board, label=twins[row.label.name])


WAYS: dict[type[models.Model], Callable[[type[models.Model], Card, Change[Card], Change[Board]], None]] = {
    Assignment: _bring_assignments,
    CardLabel: _bring_labels,
}
