"""Moving cards within a list, between lists and between boards."""

from typing import Any
from uuid import UUID

from boards.access import not_found
from boards.actions.change import Change, change
from boards.actions.places import BOTTOM, Place, position_for
from boards.actions.states import require_open, require_open_list
from boards.actor import Actor
from boards.models import (
    Assignment,
    Board,
    Card,
    CardLabel,
    Checklist,
    ChecklistItem,
    Comment,
    Label,
    List,
    Membership,
    Verb,
)


def move_card(*, actor: Actor, card_id: UUID | None, list_id: UUID | None = None, place: Place = BOTTOM) -> Card:
    """To `place` in the list `list_id` (None: the one it is in). Another board's list is fine where both may be written."""
    with change(actor, Card, card_id, and_board=_board_of(list_id, actor) if list_id else None) as c:
        require_open(c.row)
        into = list_id or c.row.list_id
        if c.other is None:
            _move_on_board(c, into, place)
        else:
            _move_to_board(c, c.other, into, place)
    return c.row


def _board_of(list_id: UUID, actor: Actor) -> UUID:
    """A list never changes boards, so this can be asked before the locks."""
    found = List.objects.visible_to(actor.reader).filter(pk=list_id).values_list("board_id", flat=True).first()
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
    named: dict[str, Any] = {} if into == old else {"list": [old.title, into.title]}
    c.set(card, list=into, position=position_for(cards, place, c.number, moving=card.pk))
    c.record(Verb.CARD_MOVED, card, **named)


def _move_to_board(leaving: Change[Card], arriving: Change[Board], list_id: UUID, place: Place) -> None:
    """A change of both boards. The card takes a new number; labels are found or made there by name; who is no member
    of the new board is no longer assigned. Each board's activity names its own list, and of the other board its id
    only: not everybody who reads the one may read the other."""
    card, old = leaving.row, leaving.row.list
    into = _open_list_of(arriving.board, list_id)
    leaving.gone("card", card.pk)
    leaving.record(Verb.CARD_LEFT, card, list=[old.title, None], board=[leaving.board.pk, arriving.board.pk])
    _bring_what_hangs_on(card, arriving)
    arriving.set(
        card,
        board=arriving.board,
        list=into,
        number=arriving.next_card_number(),
        position=position_for(Card.objects.filter(list=into), place, arriving.number),
        repeats=None,
    )
    arriving.record(Verb.CARD_ARRIVED, card, list=[None, into.title])


def _bring_what_hangs_on(card: Card, c: Change[Board]) -> None:
    for model in (Checklist, ChecklistItem, Comment):
        c.touch_all(model._default_manager.filter(card=card), board=c.board)
    assigned = Assignment.objects.filter(card=card)
    assigned.exclude(user__in=Membership.objects.filter(board=c.board).values("user")).delete()
    c.touch_all(assigned, board=c.board)
    carried = CardLabel.objects.filter(card=card).select_related("label")
    twins = _labels_named_like({row.label.name: row.label for row in carried}, c)
    for row in carried:
        c.touch_all(CardLabel.objects.filter(pk=row.pk), board=c.board, label=twins[row.label.name])


def _labels_named_like(labels: dict[str, Label], c: Change[Board]) -> dict[str, Label]:
    twins = {label.name: label for label in Label.objects.filter(board=c.board, name__in=labels)}
    made = {name: Label(name=name, hue=label.hue) for name, label in labels.items() if name not in twins}
    c.add_all(made.values())
    return twins | made
