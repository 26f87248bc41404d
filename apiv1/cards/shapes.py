"""Cards, as the API takes and shows them."""

from typing import Any

from rest_framework import serializers

from apiv1.fields import Body, Day, DueDate, Id, Line
from boards import text
from boards.errors import Invalid
from boards.models import Card


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

    def to_internal_value(self, data: dict[str, Any]) -> dict[str, Any]:
        if "listId" in data:
            data = {name: value for name, value in data.items() if name != "boardId"}  # then it is ignored
        values = super().to_internal_value(data)
        if values["listId"] is None and values["boardId"] is None:
            raise Invalid(
                "Send listId or boardId: the list to create the card in, or a board whose first list is used."
            )
        return values


class CardOut(serializers.Serializer):
    id = serializers.UUIDField()
    title = serializers.CharField()
    listId = serializers.UUIDField()
    boardId = serializers.UUIDField()
    dueDate = serializers.CharField(allow_null=True, help_text="Exactly the string that was sent.")
    url = serializers.CharField(help_text="A path, as in /board/<board id>?card=<card id>.")


class CardAnswer(serializers.Serializer):
    card = CardOut()


def card_out(card: Card, due: str | None) -> dict[str, Any]:
    return {
        "id": str(card.pk),
        "title": card.title,
        "listId": str(card.list_id),
        "boardId": str(card.board_id),
        "dueDate": due,
        "url": card.get_absolute_url(),
    }
