"""Templates of one's own: save a board as one, rename and delete it, create a board from it.

A template is a snapshot of open lists, their limits, labels and colours; with cards, also of what these say: no people, no
dates, no comments, nothing ticked or done. It belongs to who saved it, who alone can see it.
"""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Sum, TextField
from django.db.models.functions import Cast, Length
from django.utils.translation import gettext as _

from boards.access import not_found, require_rights
from boards.actions.batch import Batch, batch
from boards.actions.boards.board import count_new_board, lock_account, require_room_for_a_board, valid_title
from boards.actions.caps import CARDS_IN_TEMPLATE as CARDS
from boards.actions.caps import ITEMS_IN_TEMPLATE, TEMPLATES, TEXTS_IN_TEMPLATE, require_room
from boards.actions.cards.fields import search_text
from boards.actions.cards.pictures import with_own_pictures
from boards.actions.ordering import GAP
from boards.actions.people.newcomers import first_change
from boards.actor import Actor
from boards.backgrounds import Background
from boards.board_templates import Template
from boards.colours import valid_hue
from boards.errors import LimitReached
from boards.models import Board, Card, CardLabel, Checklist, ChecklistItem, Label, List, OwnTemplate, Verb
from boards.models.records import BoardCreated, InList
from boards.richtext import Doc, first_line, mentions_in, with_labels
from boards.text import BOARD_TITLE, EXCERPT, clean_line

Json = dict[str, Any]


def save_template(*, actor: Actor, board_id: UUID | None, name: str, with_cards: bool = False) -> OwnTemplate:
    """Save a board that the actor can see as a template of their own. Raises LimitReached if it holds too much."""
    source = Board.objects.visible_to(actor.reader).open().filter(pk=board_id).first() if board_id else None
    if source is None:
        raise not_found()
    require_rights(actor)
    made = OwnTemplate(user=actor.user, name=clean_line(name, "name", BOARD_TITLE), hue=source.hue)
    with transaction.atomic():
        account = lock_account(actor.user.pk)
        text = _("You can have at most %(most)s templates. Delete one to make room.")
        require_room(OwnTemplate.objects.filter(user=account), TEMPLATES, text)
        lists, labels = list(List.objects.filter(board=source).open()), list(Label.objects.filter(board=source))
        made.outline = {
            "background": source.background,
            "lists": [{"title": row.title, "limit": row.card_limit} for row in lists],
            "labels": [{"name": row.name, "hue": row.hue} for row in labels],
        }
        made.cards = _cards(source, lists, labels) if with_cards else []
        made.card_count = len(made.cards)
        made.save(force_insert=True)
    return made


def _cards(source: Board, lists: list[List], labels: list[Label]) -> list[Json]:
    cards = Card.objects.filter(board=source).open_on_their_boards().order_by("list__position", "position")
    _require_few(cards)
    list_numbers = {row.pk: number for number, row in enumerate(lists)}
    label_numbers = {row.pk: number for number, row in enumerate(labels)}
    worn, checklists = _by_card(CardLabel, cards, "pk"), _by_card(Checklist, cards, "position")
    items: dict[UUID, list[str]] = {}
    for item in ChecklistItem.objects.filter(card__in=cards.order_by().values("pk")).order_by("position"):
        items.setdefault(item.checklist_id, []).append(item.text)
    return [
        {
            "list": list_numbers[card.list_id],
            "title": card.title,
            "description": _without_people(card.description),
            "cover": card.cover_hue,
            "labels": [label_numbers[row.label_id] for row in worn.get(card.pk, []) if row.label_id in label_numbers],
            "checklists": [{"title": row.title, "items": items.get(row.pk, [])} for row in checklists.get(card.pk, [])],
        }
        for card in cards
        if card.list_id in list_numbers
    ]


def _by_card(model: Any, cards: Any, order: str) -> dict[UUID, list[Any]]:
    found: dict[UUID, list[Any]] = {}
    for row in model.objects.filter(card__in=cards.order_by().values("pk")).order_by(order):
        found.setdefault(row.card_id, []).append(row)
    return found


def _require_few(cards: Any) -> None:
    require_room(cards, CARDS, _("A template can have at most %(most)s cards. Save it without cards."), more=0)
    size = cards.aggregate(size=Sum(Length(Cast("description", TextField()))))["size"] or 0
    items = ChecklistItem.objects.filter(card__in=cards.order_by().values("pk"))
    if size > TEXTS_IN_TEMPLATE or items.count() > ITEMS_IN_TEMPLATE:
        raise LimitReached(_("These cards have too much content for a template. Save it without cards."))


def _without_people(document: Doc | None) -> Doc | None:
    """Return the document with names in place of mentions, links in place of pictures, and boxes that are not ticked."""
    if document is None:
        return None
    named = with_labels(document, dict.fromkeys(mentions_in(document)))
    shown = with_own_pictures(named, None)
    return _unticked(shown) if shown else None


def _unticked(node: Json) -> Json:
    if node["type"] == "taskItem":
        node = {**node, "attrs": {**node.get("attrs", {}), "checked": False}}
    return {**node, "content": [_unticked(child) for child in node["content"]]} if "content" in node else node


def rename_template(*, actor: Actor, template_id: UUID | None, name: str) -> OwnTemplate:
    clean = clean_line(name, "name", BOARD_TITLE)
    found = _own(actor, template_id)
    if found.name != clean:
        found.name = clean
        found.save(update_fields=["name"])
    return found


def delete_template(*, actor: Actor, template_id: UUID | None) -> None:
    _own(actor, template_id, deletes=True).delete()


def _own(actor: Actor, template_id: UUID | None, *, deletes: bool = False) -> OwnTemplate:
    found = OwnTemplate.objects.of(actor.user).filter(pk=template_id).first() if template_id else None
    if found is None:
        raise not_found()
    require_rights(actor, deletes=deletes)
    return found


def create_board_from(*, actor: Actor, template_id: UUID | None, title: str, hue: int) -> Board:
    """Create a board from a template of the actor's own, with its cards in one change each.

    Raises LimitReached as `create_board` does.
    """
    board = Board(title=valid_title(title), hue=valid_hue(hue))
    with transaction.atomic():
        account = lock_account(actor.user.pk)
        found = OwnTemplate.objects.filter(user=account, pk=template_id).first() if template_id else None
        if found is None:
            raise not_found()
        board.background = found.outline.get("background", Background.PLAIN)
        require_room_for_a_board(account)
        count_new_board(account)
        lists = [
            List(title=row["title"], card_limit=row["limit"], position=GAP * place)
            for place, row in enumerate(found.outline["lists"], 1)
        ]
        labels = [Label(name=row["name"], hue=row["hue"]) for row in found.outline["labels"]]
        with first_change(actor, board) as c:
            c.add_all(lists)
            c.add_all(labels)
            record = BoardCreated(template=(None, Template.BLANK.value), source=(None, found.name))
            c.record(Verb.BOARD_CREATED, board, record)
        if found.cards:
            with batch(actor, Board, board.pk) as made:
                _create_cards(made, found.cards, lists, labels)
            board.version, board.last_card_number = made.board.version, made.board.last_card_number
    return board


def _create_cards(made: "Batch[Board]", cards: list[Json], lists: list[List], labels: list[Label]) -> None:
    for place, saved in enumerate(cards, 1):
        into = lists[saved["list"]]
        with made.change() as c:
            card = Card(
                list=into,
                number=c.next_card_number(),
                position=GAP * place,
                title=saved["title"],
                description=saved["description"],
                search_text=search_text(saved["title"], saved["description"]),
                excerpt=first_line(saved["description"], EXCERPT),
                cover_hue=saved["cover"],
                created_by=c.actor.user,
                created_at=c.now,
                updated_at=c.now,
            )
            c.add(card)
            c.add_all(CardLabel(card=card, label=labels[number]) for number in saved["labels"])
            c.add_all(_checklists(card, saved["checklists"]))
            c.record(Verb.CARD_CREATED, card, InList(list_id=(None, into.pk), list=(None, into.title)))


def _checklists(card: Card, saved: list[Json]) -> Iterator[Checklist | ChecklistItem]:
    for place, one in enumerate(saved, 1):
        checklist = Checklist(card=card, title=one["title"], position=GAP * place)
        yield checklist
        for number, text in enumerate(one["items"], 1):
            yield ChecklistItem(card=card, checklist=checklist, text=text, position=GAP * number)
