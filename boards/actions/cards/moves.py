"""Moving cards within a list, between lists and between boards."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from boards.access import not_found
from boards.actions.cards.labels import labels_named_like
from boards.actions.change import Change, change
from boards.actions.files.caps import Owners, lock_owners, require_room_for_files
from boards.actions.guards import require_open, require_open_list
from boards.actions.ordering import BOTTOM, Place, next_id, position_for
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
from boards.models.base import BoardRow
from boards.models.card_parts import CARD_PARTS
from boards.models.records import CardArrived, CardLeft, CardMoved


def move_card(*, actor: Actor, card_id: UUID | None, list_id: UUID | None = None, place: Place = BOTTOM) -> Card:
    """Move a card to `place` in the list `list_id` (None: its own list), which may be on another board.

    Raises NotFound for a card, list or neighbour that the actor cannot see, NotAllowed unless the actor may edit both
    boards, LimitReached when the other board cannot take the card's labels or files, and Conflict when the card or the
    list is archived.
    """
    board_id, brings_files = _board_of(list_id, card_id, actor) if list_id else (None, False)
    with transaction.atomic():
        owners = lock_owners([board_id]) if board_id and brings_files else {}
        with change(actor, Card, card_id, and_board=board_id) as c:
            require_open(c.row)
            into = list_id or c.row.list_id
            if c.other is None:
                _move_on_board(c, into, place)
            else:
                move_to_board(c, c.other, into, place, owners)
    return c.row


def _board_of(list_id: UUID, card_id: UUID | None, actor: Actor) -> tuple[UUID, bool]:
    """Return the board of a list that the actor can see, and whether the card would bring files to it from another one.

    A list never moves to another board, so the first still holds when the boards are locked. Raises NotFound for any
    other list.
    """
    files = Attachment.objects.filter(card=card_id).exclude(board=OuterRef("board_id"))
    lists = List.objects.visible_to(actor.reader).filter(pk=list_id)
    found = lists.values_list("board_id", Exists(files)).first()
    if found is None:
        raise not_found()
    return found


def _open_list_of(board: Board, list_id: UUID) -> List:
    found = List.objects.filter(board=board, pk=list_id).first()
    if found is None:
        raise not_found()
    require_open_list(found)
    return found


def _move_on_board(c: Change[Card], list_id: UUID, place: Place) -> None:
    card, old = c.row, c.row.list
    into = old if list_id == old.pk else _open_list_of(c.board, list_id)
    cards = Card.objects.filter(list=into)
    if into == old and place.holds(card, place.among(cards)):
        return
    before = _next_card(card)
    c.set(card, list=into, position=position_for(cards, place, c.number, moving=card.pk))
    record = CardMoved(list_id=(old.pk, into.pk), list=(old.title, into.title), next_id=(before, _next_card(card)))
    c.record(Verb.CARD_MOVED, card, record)


def _next_card(card: Card) -> UUID | None:
    return next_id(card, Card.objects.filter(list=card.list_id, archived_at=None))


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
    into = _open_list_of(arriving.board, list_id)
    if files := list(StoredFile.objects.filter(attachments__card=card)):
        require_room_for_files(owners, arriving.board, files)
    leaving.gone("card", card.pk)
    boards, numbers = (leaving.board.pk, arriving.board.pk), (card.number, number or arriving.next_card_number())
    left = CardLeft(
        list_id=(old.pk, None),
        list=(old.title, None),
        next_id=(_next_card(card), None),
        board_id=boards,
        number=(card.number, None),
    )
    leaving.record(Verb.CARD_LEFT, card, left)
    _bring_parts(card, leaving, arriving)
    arriving.set(
        card,
        board=arriving.board,
        list=into,
        number=numbers[1],
        position=position_for(Card.objects.filter(list=into), place, arriving.number),
        repeats=None,
    )
    arrived = CardArrived(list_id=(None, into.pk), list=(None, into.title), board_id=boards, number=numbers)
    arriving.record(Verb.CARD_ARRIVED, card, arrived)


def _bring_parts(card: Card, leaving: Change[Card], c: Change[Board]) -> None:
    """Move the card's parts to the new board. Parts without a function in WAYS come along unchanged."""
    for part in CARD_PARTS:
        rows = part.of(card)
        bring = WAYS.get(part.model)
        if bring is None:
            c.touch_all(rows, board=c.board)
        else:
            bring(rows, leaving, c)


def _bring_assignments(assigned: "QuerySet[Assignment]", leaving: Change[Card], c: Change[Board]) -> None:
    strangers = assigned.exclude(user__in=Membership.objects.filter(board=c.board).values("user"))
    if unassigned := list(strangers.values_list("user_id", flat=True)):
        leaving.keep(unassigned_ids=unassigned)
        strangers.delete()
    c.touch_all(assigned, board=c.board)


def _bring_labels(rows: "QuerySet[CardLabel]", leaving: Change[Card], c: Change[Board]) -> None:
    carried = list(rows.select_related("label"))
    if carried:
        leaving.keep(label_ids=[row.label_id for row in carried])
    twins = labels_named_like({row.label.name: row.label for row in carried}, c)
    for row in carried:
        c.touch_all(CardLabel.objects.filter(pk=row.pk), board=c.board, label=twins[row.label.name])


WAYS: dict[type[BoardRow], Callable[[Any, Change[Card], Change[Board]], None]] = {
    Assignment: _bring_assignments,
    CardLabel: _bring_labels,
}
