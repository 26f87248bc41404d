"""Lists, as the API takes and shows them."""

from typing import Any

from rest_framework import serializers

from apiv1.fields import CardLimit, IdOf, Line, PlaceAmong
from apiv1.shapes import moment
from boards import text


class ListIn(serializers.Serializer):
    title = Line(min_length=1, max_length=text.LIST_TITLE)
    place = PlaceAmong(required=False)
    cardLimit = CardLimit(required=False, allow_null=True)


class ListChange(serializers.Serializer):
    title = Line(required=False, min_length=1, max_length=text.LIST_TITLE)
    place = PlaceAmong(required=False)
    boardId = IdOf(required=False, help_text="The board of the list: a list stays on its board.")
    cardLimit = CardLimit(required=False, allow_null=True)


class ListOut(serializers.Serializer):
    id = serializers.UUIDField()
    title = serializers.CharField()
    boardId = serializers.UUIDField()
    cardLimit = serializers.IntegerField(allow_null=True)
    cardCount = serializers.IntegerField(help_text="Of the cards that are not archived.")
    version = serializers.IntegerField()
    archivedAt = serializers.DateTimeField(allow_null=True)


class ListAnswer(serializers.Serializer):
    list = ListOut()


class ListsAnswer(serializers.Serializer):
    lists = ListOut(many=True)


def list_out(row: Any) -> dict[str, Any]:
    """Return the list, which was read with its `card_count`."""
    return {
        "id": str(row.pk),
        "title": row.title,
        "boardId": str(row.board_id),
        "cardLimit": row.card_limit,
        "cardCount": row.card_count,
        "version": row.version,
        "archivedAt": moment(row.archived_at),
    }
