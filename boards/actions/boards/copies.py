"""Copies of a card, of a list with its cards, of a board with or without its cards. Comments and archived things stay."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Sum, TextField
from django.db.models.functions import Cast, Length
from django.utils.translation import gettext as _

from boards.access import not_found, require_all_boards
from boards.actions.batch import Batch, batch
from boards.actions.boards.board import count_new_board, lock_account, require_room_for_a_board, valid_title
from boards.actions.caps import CARDS_COPIED, ITEMS_COPIED, TEXTS_COPIED, require_room
from boards.actions.cards.copying import by_model, copies_of_parts, copy_of, files_in, show_own_files
from boards.actions.cards.fields import search_text
from boards.actions.cards.labels import labels_named_like
from boards.actions.change import Change, change
from boards.actions.files.caps import Owners, lock_owners, require_room_for_files
from boards.actions.guards import require_open_list
from boards.actions.lists.list import require_room_for_a_list
from boards.actions.ordering import BOTTOM, Place, position_for
from boards.actions.people.newcomers import first_change
from boards.actor import Actor
from boards.board_templates import Template
from boards.errors import ArchivedBoard, LimitReached
from boards.models import Attachment, Board, Card, CardLabel, ChecklistItem, Label, List, Membership, Verb
from boards.models.base import BoardRow
from boards.models.records import BoardCreated, InList
from boards.text import CARD_TITLE, LIST_TITLE, clean_line


def copy_card(
    *,
    actor: Actor,
    card_id: UUID | None,
    list_id: UUID | None = None,
    title: str | None = None,
    place: Place | None = None,
) -> Card:
    """Copy a card that the actor can see to a list that they may change; without one, to its own.

    Without `place` the copy comes right below the card, in another list at the bottom. Raises Conflict for an archived list.

    On another board its labels are matched by name or created, and only members stay assigned. The copy is not done.
    """
    source = Card.objects.visible_to(actor.reader).filter(pk=card_id).first() if card_id else None
    if source is None:
        raise not_found()
    unlike = _titled(source, title)
    with transaction.atomic(), _change_for_files(actor, source, list_id) as (c, owners):
        seen = Card.objects.visible_to(actor.reader).select_related("board")
        source = seen.filter(pk=source.pk).first()  # it may be on another board now
        if source is None:
            raise not_found()
        _require_open(source.board)
        into = c.row
        require_open_list(into)
        cards = Card.objects.filter(list=into)
        beside = Place("after", source.pk) if into.pk == source.list_id else BOTTOM
        position = position_for(cards, place or beside, c.number)
        card = copy_of(source, **unlike, **_new(c, into, position))
        labels = _labels_for(c, source)
        c.add(card)
        twins = {source.pk: card.pk}
        parts = copies_of_parts(twins, [source], as_new=False, labels=labels, members=_members(c.board))
        if labels is not None:
            require_room_for_copies(owners, c.board, parts)
        show_own_files(card, source, twins)
        for rows in by_model(parts):
            c.add_all(rows)
        c.record(Verb.CARD_CREATED, card, InList(list_id=(None, into.pk), list=(None, into.title)))
    return card


def _require_open(board: Board) -> None:
    if board.archived_at is not None:
        raise ArchivedBoard(not_found().message)


@contextmanager
def _change_for_files(actor: Actor, source: Card, list_id: UUID | None) -> Iterator[tuple[Change[List], Owners]]:
    """Open a change of the list for a copy. If files go to another board with it, the owner of that is locked first."""
    into = List.objects.filter(pk=list_id or source.list_id).exclude(board=source.board_id)
    boards = into.values_list("board_id", flat=True) if Attachment.objects.filter(card=source).exists() else []
    owners = lock_owners(boards)
    with change(actor, List, list_id or source.list_id) as c:
        yield c, owners


def require_room_for_copies(owners: Owners, board: Board, parts: Iterable[BoardRow]) -> None:
    """Raise LimitReached if the board, which is locked, has no room for the files of these copies."""
    if files := files_in(parts):
        require_room_for_files(owners, board, files)


def _titled(source: Card, title: str | None) -> dict[str, Any]:
    if title is None:
        return {}
    clean = clean_line(title, "title", CARD_TITLE)
    return {"title": clean, "search_text": search_text(clean, source.description)}


def _new(c: Change[Any], into: List, position: int) -> dict[str, Any]:
    return {
        "board": c.board,
        "list": into,
        "number": c.next_card_number(),
        "position": position,
        "created_by": c.actor.user,
        "created_at": c.now,
        "updated_at": c.now,
    }


def _labels_for(c: Change[Any], source: Card) -> dict[UUID, UUID] | None:
    """Return the labels of the card with those that take their place on the board of the change; None on its own board."""
    if source.board_id == c.board.pk:
        return None
    labels = [row.label for row in CardLabel.objects.filter(card=source).select_related("label")]
    twins = labels_named_like({label.name: label for label in labels}, c)
    return {label.pk: twins[label.name].pk for label in labels}


def _members(board: Board) -> Collection[UUID]:
    return {*Membership.objects.filter(board=board).values_list("user_id", flat=True)}


def copy_list(*, actor: Actor, list_id: UUID | None, title: str | None = None) -> List:
    """Copy a list with its cards, right behind it: a change for the list and one for each card."""
    with batch(actor, List, list_id) as copies:
        source = copies.row
        require_open_list(source)
        require_room_for_a_list(copies.board)
        cards = Card.objects.filter(list=source, archived_at=None)
        _require_few(cards)
        position = position_for(
            List.objects.filter(board=copies.board), Place("after", source.pk), copies.board.version + 1
        )
        name = source.title if title is None else clean_line(title, "title", LIST_TITLE)
        with copies.change() as c:
            row = List(board=copies.board, title=name, position=position, card_limit=source.card_limit)
            c.add(row)
            c.record(Verb.LIST_CREATED, row)
        _copy_cards(copies, cards, {source.pk: row})
    return row


def _require_few(cards: Any) -> None:
    """Raise LimitReached if the cards, which are copied in memory, are too many or hold too much."""
    text = _("At most %(most)s cards can be copied at once.")
    require_room(cards, CARDS_COPIED, text, more=0)
    size = cards.aggregate(size=Sum(Length(Cast("description", TextField()))))["size"] or 0
    items = ChecklistItem.objects.filter(card__in=cards.order_by().values("pk"))
    if size > TEXTS_COPIED or items.count() > ITEMS_COPIED:
        raise LimitReached(
            _("These cards have too much content to copy at once. Copy fewer, list by list or card by card.")
        )


def _copy_cards(
    copies: "Batch[Any]",
    cards: Iterable[Card],
    lists: Mapping[UUID, List],
    labels: Mapping[UUID, UUID] | None = None,
    members: Collection[UUID] | None = None,
    owners: Owners | None = None,
) -> None:
    """Copy the cards into the copies of their lists, one change each. With `owners`, their files are new to the board.

    With `labels`, the cards are of another board, which is not locked. What came to be there meanwhile is left out.
    """
    sources = [card for card in cards if card.list_id in lists]
    made = {source.pk: copy_of(source, completed_at=source.completed_at) for source in sources}
    twins = {pk: card.pk for pk, card in made.items()}
    parts: defaultdict[UUID, list[BoardRow]] = defaultdict(list)
    copied = copies_of_parts(twins, sources, as_new=False, labels=labels, members=members)
    for part in copied:
        parts[part.card_id].append(part)  # type: ignore[attr-defined]  # each has one
    if owners is not None:
        require_room_for_copies(owners, copies.board, copied)
    for source in sources:
        show_own_files(made[source.pk], source, twins)
        card, into = made[source.pk], lists[source.list_id]
        with copies.change() as c:
            for name, value in _new(c, into, source.position).items():
                setattr(card, name, value)
            c.add(card)
            c.add_all(parts[card.pk])
            c.record(Verb.CARD_CREATED, card, InList(list_id=(None, into.pk), list=(None, into.title)))


def copy_board(*, actor: Actor, board_id: UUID | None, title: str, with_cards: bool = False) -> Board:
    """Copy a board that the actor can see: its lists and labels, with `with_cards` its open cards. The actor owns the copy.

    Only the actor stays assigned. Raises LimitReached as `create_board` does.
    """
    source = Board.objects.visible_to(actor.reader).filter(pk=board_id).first() if board_id else None
    if source is None:
        raise not_found()
    require_all_boards(actor)
    _require_open(source)
    board = Board(title=valid_title(title), hue=source.hue, background=source.background)
    with transaction.atomic():
        account = lock_account(actor.user.pk)
        require_room_for_a_board(account)
        count_new_board(account)
        lists = {
            row.pk: List(title=row.title, position=row.position, card_limit=row.card_limit)
            for row in List.objects.filter(board=source).open()
        }
        labels = {row.pk: Label(name=row.name, hue=row.hue) for row in Label.objects.filter(board=source)}
        with first_change(actor, board) as c:
            c.add_all(lists.values())
            c.add_all(labels.values())
            record = BoardCreated(template=(None, Template.BLANK.value), source=(None, source.title))
            c.record(Verb.BOARD_CREATED, board, record)
        if with_cards:
            cards = Card.objects.filter(board=source).open_on_their_boards().order_by("list", "position")
            _require_few(cards)
            with batch(actor, Board, board.pk) as copies:
                twins = {pk: label.pk for pk, label in labels.items()}
                _copy_cards(copies, cards, lists, twins, {actor.user.pk}, {board.pk: account})
            board.version, board.last_card_number = copies.board.version, copies.board.last_card_number
    return board
