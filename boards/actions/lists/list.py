"""Lists: create, rename, limit, move, archive, restore, delete."""

from uuid import UUID

from django.utils.translation import gettext as _

from boards.actions.caps import LISTS, require_room
from boards.actions.change import change
from boards.actions.guards import require_archived, require_open_list
from boards.actions.ordering import BOTTOM, Place, next_id, position_for
from boards.actions.unchanged import UNCHANGED, Unchanged
from boards.actor import Actor
from boards.errors import Invalid
from boards.models import Board, Card, List, Role, Verb
from boards.models.list import CARD_LIMIT
from boards.models.records import Moved
from boards.text import LIST_TITLE, clean_line


def create_list(
    *, actor: Actor, board_id: UUID | None, title: str, place: Place = BOTTOM, card_limit: int | None = None
) -> List:
    row = List(title=clean_line(title, "title", LIST_TITLE), card_limit=valid_card_limit(card_limit))
    with change(actor, Board, board_id) as c:
        require_room_for_a_list(c.board)
        row.position = position_for(List.objects.filter(board=c.board), place, c.number)
        row.board = c.board
        c.add(row)
        c.record(Verb.LIST_CREATED, row)
    return row


def require_room_for_a_list(board: Board) -> None:
    text = _("This board has reached its limit of %(most)s lists. Archive one to make room.")
    require_room(List.objects.filter(board=board).open(), LISTS, text)


def rename_list(*, actor: Actor, list_id: UUID, title: str | Unchanged = UNCHANGED) -> List:
    values = {} if title is UNCHANGED else {"title": clean_line(title, "title", LIST_TITLE)}
    with change(actor, List, list_id) as c:
        require_open_list(c.row)
        if c.set(c.row, **values):
            c.record(Verb.LIST_CHANGED, c.row)
    return c.row


def limit_list(*, actor: Actor, list_id: UUID, card_limit: int | None) -> List:
    """Set from how many cards on people are warned that the list is too full; None for never. It forbids nothing."""
    card_limit = valid_card_limit(card_limit)
    with change(actor, List, list_id) as c:
        require_open_list(c.row)
        if c.set(c.row, card_limit=card_limit):
            c.record(Verb.LIST_LIMITED, c.row)
    return c.row


def valid_card_limit(value: int | None) -> int | None:
    if value is not None and not 1 <= value <= CARD_LIMIT:
        raise Invalid.of("limit", _("%(field)s must be a whole number from 1 to %(most)s, or empty."), most=CARD_LIMIT)
    return value


def move_list(*, actor: Actor, list_id: UUID, place: Place) -> List:
    with change(actor, List, list_id) as c:
        require_open_list(c.row)
        siblings = List.objects.filter(board=c.board)
        if not place.holds(c.row, place.among(siblings)):
            before = next_id(c.row, siblings.open())
            c.set(c.row, position=position_for(siblings, place, c.number, moving=c.row.pk))
            c.record(Verb.LIST_MOVED, c.row, Moved(next_id=(before, next_id(c.row, siblings.open()))))
    return c.row


def archive_list(*, actor: Actor, list_id: UUID) -> List:
    """Archive a list. Its cards count as archived until the list is restored."""
    with change(actor, List, list_id) as c:
        if c.row.archived_at is None:
            c.set(c.row, archived_at=c.now)
            c.record(Verb.LIST_ARCHIVED, c.row)
    return c.row


def restore_list(*, actor: Actor, list_id: UUID) -> List:
    with change(actor, List, list_id) as c:
        if c.row.archived_at is not None:
            require_room_for_a_list(c.board)
            c.set(c.row, archived_at=None)
            c.touch_all(Card.objects.filter(list=c.row))  # so that open pages are sent its cards again
            c.record(Verb.LIST_RESTORED, c.row)
    return c.row


def delete_list(*, actor: Actor, list_id: UUID | None) -> None:
    """Delete a list and its cards permanently. Only the owner may, and only an archived list can be deleted."""
    with change(actor, List, list_id, needs=Role.OWNER, deletes=True) as c:
        require_archived(c.row)
        for card_id in c.row.cards.values_list("pk", flat=True):
            c.gone("card", card_id)
        c.record(Verb.LIST_DELETED, c.row)
        c.remove(c.row)
