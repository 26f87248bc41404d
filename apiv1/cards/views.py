"""Cards: single ones, and what is done with them."""

from typing import Any
from uuid import UUID

from django.db import transaction
from django.http import HttpResponse
from rest_framework.request import Request

from apiv1.base import ApiView
from apiv1.cards import shapes
from apiv1.fields import NEEDS_DATE
from apiv1.schema import call
from boards.actions.boards.copies import copy_card
from boards.actions.cards.archive import archive_card, restore_card
from boards.actions.cards.assignments import assign, unassign
from boards.actions.cards.card import complete_card, delete_card, reopen_card, update_card
from boards.actions.cards.labels import add_label, remove_label
from boards.actions.cards.moves import move_card
from boards.actions.files.attachments import set_cover_picture
from boards.actor import Actor
from boards.dates import parse_due_date
from boards.errors import Invalid, NotFound, NotOfBoard
from boards.models import Assignment, Card, CardLabel
from boards.reading.card_rows import whole_card
from core.ids import parse_id

OWN = {"title", "description", "recurrence"}  # named as in the action


class CardBase(ApiView):
    has_version = True

    def card(self, pk: UUID | None) -> dict[str, Any]:
        return shapes.card_out(whole_card(self.reader, pk))

    def shown(self, pk: UUID | None, **more: Any) -> HttpResponse:
        """Answer 200 with the card as it is now."""
        card = whole_card(self.reader, pk)
        return self.changed({"card": shapes.card_out(card), **more}, card.version)


class CardView(CardBase):
    counted_as = {"GET": "read", "PATCH": "write", "DELETE": "write"}

    @call("getCard", "Get a card in full", shapes.CardAnswer, says="The card.", match=True)
    def get(self, request: Request, card_id: str) -> HttpResponse:
        """An archived one too. Its comments are a collection of their own."""
        card = whole_card(self.reader, parse_id(card_id))
        return self.found({"card": shapes.card_out(card)}, card.version)

    @call(
        "updateCard",
        "Change fields of a card",
        shapes.CardAnswer,
        says="The card as it is now.",
        takes=shapes.CardChange,
        match=True,
    )
    def patch(self, request: Request, card_id: str) -> HttpResponse:
        """Fields that are missing stay; `null` clears one. Where nothing differs nothing changes."""
        data, pk = self.patched(shapes.CardChange), parse_id(card_id)
        with transaction.atomic():
            self.update(self.actor_expecting(pk), pk, data)
        return self.shown(pk)

    def update(self, actor: Actor, pk: UUID | None, data: dict[str, Any]) -> None:
        fields = self.fields(data)
        if data.get("coverAttachmentId") and "cover_hue" in fields:
            color = update_card(actor=actor, card_id=pk).cover_hue
            if color == fields["cover_hue"]:  # writing it again would take the picture away, to set it anew
                del fields["cover_hue"]
        # Without fields too, this locks the board before labels and people are read
        card = update_card(actor=actor, card_id=pk, **fields)
        if data.get("recurrence") and card.due_at is None:
            raise Invalid(NEEDS_DATE, "recurrence")
        if "coverAttachmentId" in data:
            set_cover_picture(actor=actor, card_id=pk, attachment_id=data["coverAttachmentId"])
        if "labelIds" in data:
            _replace(actor, pk, data["labelIds"], CardLabel, "label_id", add_label, remove_label)
        if "assigneeIds" in data:
            _replace(actor, pk, data["assigneeIds"], Assignment, "user_id", assign, unassign)

    def fields(self, data: dict[str, Any]) -> dict[str, Any]:
        """Return the fields of the card itself as the action takes them."""
        found: dict[str, Any] = {name: data[name] for name in OWN & data.keys()}
        if "startDate" in data:
            found["start_day"] = data["startDate"]
        if "coverColor" in data:
            found["cover_hue"] = data["coverColor"]
        if "dueDate" in data:
            due = None if data["dueDate"] is None else parse_due_date(data["dueDate"], self.owner.zone)
            found |= {"due_day": due.day} if due and due.day else {"due_at": due and due.at}
        return found

    @call("deleteCard", "Delete an archived card for good", status=204, says="It is gone.", match=True)
    def delete(self, request: Request, card_id: str) -> HttpResponse:
        """Only the owner of the board may. Archive the card first."""
        self.take_no_fields()
        pk = parse_id(card_id)
        delete_card(actor=self.actor_expecting(pk), card_id=pk)
        return HttpResponse(status=204)


def _replace(
    actor: Actor, card_id: UUID | None, wanted: list[UUID], model: Any, name: str, add: Any, remove: Any
) -> None:
    """Add and remove rows of `model`, so that the card has those that are `wanted`: one change for each that differs.

    Raises NotOfBoard. The board is locked, and the card known to be there and open.
    """
    present = list(model.objects.filter(card=card_id).values_list(name, flat=True)) if card_id else []
    for pk in wanted:
        try:
            add(actor=actor, card_id=card_id, **{name: pk})
        except NotFound as error:
            raise NotOfBoard(error.message, frozenset({pk})) from None
    for pk in present:
        if pk not in wanted:
            remove(actor=actor, card_id=card_id, **{name: pk})


class NumberedCardView(CardBase):
    counted_as = {"GET": "read"}

    @call("getCardByNumber", "Get a card by its number", shapes.CardAnswer, says="The card.", match=True)
    def get(self, request: Request, board_id: str, number: int) -> HttpResponse:
        """By the number that people say, as in #12. An archived card too."""
        card = whole_card(self.reader, board_id=parse_id(board_id), number=number)
        return self.found({"card": shapes.card_out(card)}, card.version)


class CompleteView(CardBase):
    counted_as = {"POST": "write"}

    @call("completeCard", "Mark a card as done", shapes.ActAnswer, says="The card as it is now.", match=True)
    def post(self, request: Request, card_id: str) -> HttpResponse:
        """Doing it again changes nothing."""
        return self.act(complete_card, card_id)

    def act(self, action: Any, card_id: str) -> HttpResponse:
        self.take_no_fields()
        pk = parse_id(card_id)
        action(actor=self.actor_expecting(pk), card_id=pk)
        return self.shown(pk)


class ReopenView(CompleteView):
    @call("reopenCard", "Mark a card as not done", shapes.ActAnswer, says="The card as it is now.", match=True)
    def post(self, request: Request, card_id: str) -> HttpResponse:
        """Doing it again changes nothing."""
        return self.act(reopen_card, card_id)


class RestoreView(CompleteView):
    @call("restoreCard", "Restore an archived card", shapes.ActAnswer, says="The restored card.", match=True)
    def post(self, request: Request, card_id: str) -> HttpResponse:
        """To its list, which must not be archived itself. An untouched next occurrence is taken away."""
        return self.act(restore_card, card_id)


class ArchiveView(CardBase):
    counted_as = {"POST": "write"}

    @call(
        "archiveCard",
        "Archive a card",
        shapes.ActAnswer,
        says="The archived card, and its next occurrence.",
        match=True,
    )
    def post(self, request: Request, card_id: str) -> HttpResponse:
        """A card that repeats and has a due date makes its next occurrence."""
        self.take_no_fields()
        pk = parse_id(card_id)
        _card, following = archive_card(actor=self.actor_expecting(pk), card_id=pk)
        return self.shown(pk, **({"next": self.card(following.pk)} if following else {}))


class MoveView(CardBase):
    counted_as = {"POST": "write"}

    @call(
        "moveCard",
        "Move a card",
        shapes.ActAnswer,
        says="The card as it is now.",
        takes=shapes.CardMove,
        match=True,
    )
    def post(self, request: Request, card_id: str) -> HttpResponse:
        """To another place, another list, or a list of another board, where it gets a new number."""
        data, pk = self.validated(shapes.CardMove), parse_id(card_id)
        move_card(actor=self.actor_expecting(pk), card_id=pk, list_id=data.get("listId"), **_placed(data))
        return self.shown(pk)


class CopyView(ApiView):
    counted_as = {"POST": "write"}

    @call(
        "copyCard",
        "Copy a card",
        shapes.CardAnswer,
        status=201,
        says="The copy.",
        takes=shapes.CardCopy,
        key=True,
    )
    def post(self, request: Request, card_id: str) -> HttpResponse:
        """With labels, people, checklists and files; without comments. The copy is not done."""
        data = self.validated(shapes.CardCopy)
        return self.created_version(lambda: self.copy(parse_id(card_id), data))

    def copy(self, pk: UUID | None, data: dict[str, Any]) -> dict[str, Any]:
        made: Card = copy_card(
            actor=self.actor, card_id=pk, list_id=data.get("listId"), title=data.get("title"), **_placed(data)
        )
        return {"card": shapes.card_out(whole_card(self.reader, made.pk))}


def _placed(data: dict[str, Any]) -> dict[str, Any]:
    return {"place": data["place"]} if "place" in data else {}
