"""Boards, as the API takes and shows them."""

from typing import Any

from rest_framework import serializers

from apiv1.fields import Line
from boards import text
from boards.board_templates import Template
from boards.reading.boards import BoardEntry


class BoardIn(serializers.Serializer):
    title = Line(min_length=1, max_length=text.BOARD_TITLE, help_text="Trimmed, on one line.")
    template = serializers.ChoiceField(
        choices=Template.values,
        default=Template.BLANK.value,
        allow_null=True,
        error_messages={"invalid_choice": f"template must be one of {', '.join(Template.values)}."},
        help_text="The first lists and labels, in the language of the account.",
    )


class ListOut(serializers.Serializer):
    id = serializers.UUIDField()
    title = serializers.CharField()


class BoardOut(serializers.Serializer):
    id = serializers.UUIDField()
    title = serializers.CharField()
    lists = ListOut(many=True)


class NewBoardOut(BoardOut):
    url = serializers.CharField(help_text="A path, as in /board/<id>.")


class BoardsAnswer(serializers.Serializer):
    boards = BoardOut(many=True)


class BoardAnswer(serializers.Serializer):
    board = NewBoardOut()


def board_out(board: BoardEntry) -> dict[str, Any]:
    lists = [{"id": str(pk), "title": title} for pk, title in board.lists]
    return {"id": str(board.id), "title": board.title, "lists": lists}
