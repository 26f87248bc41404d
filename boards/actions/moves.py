"""Moving cards within a list, between lists and between boards."""

from uuid import UUID

from django.db import models

from boards.access import not_found
from boards.actions.change import Change, change, two_changes
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
    home = Card.objects.visible_to(actor.user).filter(pk=card_id).values_list("board_id", flat=True).first()
    there = List.objects.visible_to(actor.user).filter(pk=list_id).values_list("board_id", flat=True).first()
    if home is None or (list_id is not None and there is None):
        raise not_found()
    if there is not None and there != home:
        return _move_to_board(actor, card_id, home, list_id, there, place)
    with change(actor, Card, card_id) as c:
        return _move_on_board(c, list_id, place)


def _move_on_board(c: Change[Card], list_id: UUID | None, place: Place) -> Card:
    card = c.row
    require_open(card)
    into = card.list if list_id in (None, card.list_id) else _list_of(c.board, list_id)
    cards = Card.objects.filter(list=into)
    if into == card.list and place.holds(card, cards.open()):
        return card
    came_from = card.list
    if place.neighbour != card.pk:
        c.set(card, list=into, position=position_for(cards, place, c.number, moving=card.pk))
        c.record(Verb.CARD_MOVED, card, list=[came_from.title, into.title])
    return card


def _list_of(board: Board, list_id: UUID | None) -> List:
    found = List.objects.filter(board=board, pk=list_id).first()
    if found is None:
        raise not_found()
    require_open_list(found)
    return found


def _move_to_board(
    actor: Actor, card_id: UUID | None, home: UUID, list_id: UUID | None, there: UUID, place: Place
) -> Card:
    """A change of both boards. The card takes a new number; labels are found or made there by name; who is no member
    of the new board is no longer assigned."""
    with two_changes(actor, home, there) as (leaving, arriving):
        card = Card.objects.filter(board=leaving.board, pk=card_id).select_related("list").first()
        if card is None:
            raise not_found()
        require_open(card)
        into = _list_of(arriving.board, list_id)
        old = card.list
        _carry(card, arriving)
        leaving.gone("card", card.pk)
        leaving.record(Verb.CARD_LEFT, card, list=[old.title, into.title], board=[None, arriving.board.title])
        arriving.set(
            card,
            board=arriving.board,
            list=into,
            number=arriving.next_card_number(),
            position=position_for(Card.objects.filter(list=into), place, arriving.number),
        )
        arriving.record(Verb.CARD_ARRIVED, card, list=[old.title, into.title], board=[leaving.board.title, None])
    return card


def _carry(card: Card, c: Change[Board]) -> None:
    """Bring what hangs on the card over to the other board."""
    for model in (Checklist, ChecklistItem, Comment):
        c.touch_all(model.objects.filter(card=card), board=c.board)
    stay_behind = Assignment.objects.filter(card=card).exclude(user__in=_members(c.board))
    stay_behind.delete()
    c.touch_all(Assignment.objects.filter(card=card), board=c.board)
    for row in CardLabel.objects.filter(card=card).select_related("label"):
        twin = Label.objects.filter(board=c.board, name=row.label.name).first()
        if twin is None:
            twin = Label(name=row.label.name, hue=row.label.hue)
            c.add(twin)
        c.touch_all(CardLabel.objects.filter(pk=row.pk), board=c.board, label=twin)


def _members(board: Board) -> "models.QuerySet[Membership, models.Model]":
    return Membership.objects.filter(board=board).values("user")  # type: ignore[return-value]
