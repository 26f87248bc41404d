"""Cards, as the API takes and shows them."""

from typing import Any

from rest_framework import serializers

from apiv1.attachments.shapes import AttachmentOut, listed_out
from apiv1.checklists.shapes import ChecklistOut, checklists_out
from apiv1.fields import Body, Color, Day, DueDate, Id, IdOf, Ids, Line, PlaceAmong, Rule
from apiv1.shapes import COLORS, PersonOut, color, person
from boards import text
from boards.errors import Invalid
from boards.models import Card
from boards.models.card import card_address
from boards.reading.card_rows import CardData, CardRow, WholeCard
from boards.reading.cards import id_in, timestamp_in
from boards.recurrence import Recurrence
from boards.richtext import to_markdown


class CardIn(serializers.Serializer):
    listId = Id(
        required=False, allow_null=True, help_text="The list to create the card in. Takes precedence over boardId."
    )
    boardId = Id(
        required=False, allow_null=True, help_text="Without listId, the card goes to the first list of this board."
    )
    title = Line(min_length=1, max_length=text.CARD_TITLE, help_text="Trimmed, on one line.")
    description = Body(required=False, allow_null=True, max_length=text.DESCRIPTION, help_text="Markdown.")
    dueDate = DueDate(
        required=False,
        allow_null=True,
        help_text="An ISO 8601 date-time, as in 2026-12-01T09:00:00Z. Without offset it is read in the token owner's "
        "time zone; a bare date is that whole day, until its end there.",
    )
    startDate = Day(required=False, allow_null=True, help_text="A date, as in 2026-11-28; not after the due date.")
    recurrence = Rule(required=False, allow_null=True, help_text="Repeats after it is archived; needs dueDate.")
    labelIds = Ids(required=False, allow_null=True, help_text="Labels of the board.")
    assigneeIds = Ids(required=False, allow_null=True, help_text="Members of the board.")
    coverColor = Color(required=False, allow_null=True)
    place = PlaceAmong(required=False, allow_null=True)

    def to_internal_value(self, data: dict[str, Any]) -> dict[str, Any]:
        if "listId" in data:
            data = {name: value for name, value in data.items() if name != "boardId"}  # then it is ignored
        values = super().to_internal_value(data)
        if values["listId"] is None and values["boardId"] is None:
            raise Invalid(
                "Send listId or boardId: the list to create the card in, or a board whose first list is used."
            )
        return values


class BatchCardIn(CardIn):
    """The same fields, of which no other is ignored."""


class CardsIn(serializers.Serializer):
    cards = serializers.ListField(child=BatchCardIn(), min_length=1, max_length=100)


class CardChange(serializers.Serializer):
    title = Line(required=False, min_length=1, max_length=text.CARD_TITLE)
    description = Body(
        required=False, allow_null=True, max_length=text.DESCRIPTION, help_text="Markdown; replaces all."
    )
    dueDate = DueDate(required=False, allow_null=True, help_text="As in createCard; `null` also ends the recurrence.")
    startDate = Day(required=False, allow_null=True)
    recurrence = Rule(required=False, allow_null=True)
    coverColor = Color(required=False, allow_null=True, help_text="Takes a cover picture away.")
    coverAttachmentId = IdOf(required=False, allow_null=True, help_text="A picture that is attached to the card.")
    labelIds = Ids(required=False, help_text="Replaces the set.")
    assigneeIds = Ids(required=False, help_text="Replaces the set.")


class CardMove(serializers.Serializer):
    listId = IdOf(required=False, help_text="Of another board too; the card's own list when left out.")
    place = PlaceAmong(required=False)


class CardCopy(serializers.Serializer):
    listId = IdOf(required=False, help_text="Of another board too; the card's own list when left out.")
    place = PlaceAmong(
        required=False, help_text="Right below the card, or at the bottom of another list, when left out."
    )
    title = Line(required=False, min_length=1, max_length=text.CARD_TITLE)


class NewCardOut(serializers.Serializer):
    id = serializers.UUIDField()
    title = serializers.CharField()
    listId = serializers.UUIDField()
    boardId = serializers.UUIDField()
    dueDate = serializers.CharField(allow_null=True, help_text="Exactly the string that was sent.")
    url = serializers.CharField(help_text="A path, as in /board/<board id>?card=<card id>.")


class NewCardAnswer(serializers.Serializer):
    card = NewCardOut()


class ItemCountsOut(serializers.Serializer):
    done = serializers.IntegerField()
    all = serializers.IntegerField()


class EveryCardOut(serializers.Serializer):
    id = serializers.UUIDField()
    number = serializers.IntegerField(help_text="As people say it, #12; of its board.")
    title = serializers.CharField()
    listId = serializers.UUIDField()
    boardId = serializers.UUIDField()
    dueDate = serializers.DateTimeField(allow_null=True, help_text="In UTC; of a whole day, its last second.")
    dueDay = serializers.DateField(allow_null=True, help_text="The day, where the card is due on a whole day.")
    startDate = serializers.DateField(allow_null=True)
    coverColor = serializers.ChoiceField(choices=COLORS, allow_null=True)
    coverAttachmentId = serializers.UUIDField(allow_null=True)
    completed = serializers.BooleanField()
    completedAt = serializers.DateTimeField(allow_null=True)
    archivedAt = serializers.DateTimeField(allow_null=True)
    recurrence = serializers.ChoiceField(choices=Recurrence.values, allow_null=True)
    labelIds = serializers.ListField(child=serializers.UUIDField())
    assigneeIds = serializers.ListField(child=serializers.UUIDField())
    commentCount = serializers.IntegerField()
    createdBy = PersonOut()
    createdAt = serializers.DateTimeField()
    updatedAt = serializers.DateTimeField()
    version = serializers.IntegerField(help_text="The number of the change of the board that last touched the card.")
    url = serializers.CharField(help_text="A path, as in /board/<board id>?card=<card id>.")


class CardOut(EveryCardOut):
    description = serializers.CharField(help_text="Markdown.")
    checklists = ChecklistOut(many=True)
    attachments = AttachmentOut(many=True)


class CardRowOut(EveryCardOut):
    excerpt = serializers.CharField(help_text="The first line of the description.")
    checklistItems = ItemCountsOut()
    attachmentCount = serializers.IntegerField()


class CardAnswer(serializers.Serializer):
    card = CardOut()


class ActAnswer(CardAnswer):
    next = CardOut(required=False, help_text="The next occurrence, where one was made.")


class CardsAnswer(serializers.Serializer):
    cards = CardRowOut(many=True)


class CardPageAnswer(CardsAnswer):
    nextCursor = serializers.CharField(allow_null=True)


def new_card_out(card: Card, due: str | None) -> dict[str, Any]:
    return {
        "id": str(card.pk),
        "title": card.title,
        "listId": str(card.list_id),
        "boardId": str(card.board_id),
        "dueDate": due,
        "url": card_address(card.board_id, card.id),
    }


def card_out(card: WholeCard) -> dict[str, Any]:
    return _every(card) | {
        "description": to_markdown(card.description),
        "checklists": checklists_out(card.checklists),
        "attachments": [listed_out(*row) for row in card.files],
    }


def row_out(card: CardRow) -> dict[str, Any]:
    done, every = card.items
    return _every(card) | {
        "excerpt": card.excerpt,
        "checklistItems": {"done": done, "all": every},
        "attachmentCount": card.files,
    }


def _every(card: CardData) -> dict[str, Any]:
    pk, board_id = id_in(card.id), id_in(card.board_id)
    return {
        "id": pk,
        "number": card.number,
        "title": card.title,
        "listId": id_in(card.list_id),
        "boardId": board_id,
        "dueDate": card.due_at and timestamp_in(card.due_at),
        "dueDay": card.due_day,
        "startDate": card.start_day,
        "coverColor": color(card.cover_hue),
        "coverAttachmentId": card.cover_attachment_id and id_in(card.cover_attachment_id),
        "completed": card.completed_at is not None,
        "completedAt": card.completed_at and timestamp_in(card.completed_at),
        "archivedAt": card.archived_at and timestamp_in(card.archived_at),
        "recurrence": card.recurrence or None,
        "labelIds": [id_in(pk) for pk in card.labels],
        "assigneeIds": [id_in(pk) for pk in card.people],
        "commentCount": card.comments,
        "createdBy": _person(*card.creator),
        "createdAt": timestamp_in(card.created_at),
        "updatedAt": timestamp_in(card.updated_at),
        "version": card.version,
        "url": card_address(board_id, pk),
    }


def _person(pk: str, name: str, email: str) -> dict[str, str]:
    return person(id_in(pk), name, email)
