"""Moves: the row returns in front of the row that it stood in front of, or to the end."""

from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from boards.actions.cards.checklists import move_checklist, move_item
from boards.actions.cards.moves import move_card
from boards.actions.guards import require_open_list
from boards.actions.inverses.undoing import Inverse, Undoing
from boards.actions.lists.list import move_list
from boards.actions.lists.sorting import open_cards, put_in_order
from boards.actions.ordering import BOTTOM, Place
from boards.errors import Conflict
from boards.models import Activity, Card, Checklist, ChecklistItem, List, Verb
from boards.models.records import ListSorted


def old_place(u: Undoing, siblings: Any) -> Place:
    """Return the place before the row that came next. Once that is no longer there, the place is the end."""
    following, _now = u.pair("next_id")
    return Place("before", UUID(following)) if following and siblings.filter(pk=following).exists() else BOTTOM


def _card(u: Undoing) -> None:
    card = u.row(Card)
    moves = u.later(Verb.CARD_MOVED, Verb.CARD_ARRIVED)
    if moves or card.list_id != u.new_id("list_id"):
        raise u.moved_on(moves)
    into = u.old_id("list_id")
    if not List.objects.filter(pk=into, board=u.line.board_id).exists():
        raise Conflict(_("The list that “%(title)s” was in no longer exists.") % {"title": u.title})
    move_card(actor=u.actor, card_id=card.pk, list_id=into, place=old_place(u, Card.objects.filter(list=into)))


def _list(u: Undoing) -> None:
    row = u.row(List)
    _require_not_moved(u)
    move_list(actor=u.actor, list_id=row.pk, place=old_place(u, List.objects.filter(board=row.board_id)))


def _checklist(u: Undoing) -> None:
    row = u.row(Checklist)
    _require_not_moved(u)
    place = old_place(u, Checklist.objects.filter(card=row.card_id))
    move_checklist(actor=u.actor, checklist_id=row.pk, place=place)


def _item(u: Undoing) -> None:
    row = u.row(ChecklistItem)
    _require_not_moved(u)
    into = u.old_id("checklist_id") if "checklist_id" in u.line.data else row.checklist_id
    place = old_place(u, ChecklistItem.objects.filter(checklist=into))
    move_item(actor=u.actor, item_id=row.pk, place=place, checklist_id=into)


def _sorted(u: Undoing) -> None:
    """Put the cards back in their old order. Those that came to the list since stay behind the others."""
    with u.change(List) as c:
        require_open_list(c.row)
        moves = Activity.objects.filter(board=c.board, version__gt=u.line.version, verb=Verb.CARD_MOVED)
        theirs = moves.filter(data__list_id__1=str(c.row.pk)).exclude(user=u.line.user).select_related("user")
        if lines := [*u.later(Verb.LIST_SORTED), *theirs[:1]]:
            raise u.moved_on(lines)
        cards = open_cards(c.row)
        places = {pk: place for place, pk in enumerate(u.former.get("card_ids", []))}
        wanted = sorted(cards, key=lambda card: places.get(str(card.pk), len(places)))
        put_in_order(c, cards, wanted, ListSorted(by=(u.pair("by")[1], u.pair("by")[0])))


def _require_not_moved(u: Undoing) -> None:
    if lines := u.later(u.line.verb):
        raise u.moved_on(lines)


INVERSES: dict[Verb, Inverse] = {
    Verb.CARD_MOVED: _card,
    Verb.LIST_MOVED: _list,
    Verb.LIST_SORTED: _sorted,
    Verb.CHECKLIST_MOVED: _checklist,
    Verb.ITEM_MOVED: _item,
}
