"""Boards, as the API takes and shows them."""

from typing import Any

from rest_framework import serializers

from apiv1.fields import Color, Flag, Line
from apiv1.lists.shapes import ListOut, list_out
from apiv1.shapes import COLORS, LabelOut, color, label_out, moment
from boards import text
from boards.board_templates import Template
from boards.dates import timestamp
from boards.models import Membership, Role
from boards.reading.boards import BoardEntry
from boards.reading.whole_board import WholeBoard
from core.text.names import display_name


class BoardIn(serializers.Serializer):
    title = Line(min_length=1, max_length=text.BOARD_TITLE, help_text="Trimmed, on one line.")
    template = serializers.ChoiceField(
        choices=Template.values,
        default=Template.BLANK.value,
        allow_null=True,
        error_messages={"invalid_choice": f"template must be one of {', '.join(Template.values)}."},
        help_text="The first lists and labels, in the language of the account.",
    )


class BoardChange(serializers.Serializer):
    title = Line(required=False, min_length=1, max_length=text.BOARD_TITLE)
    color = Color(required=False)


class BoardCopy(serializers.Serializer):
    title = Line(min_length=1, max_length=text.BOARD_TITLE)
    cards = Flag(required=False, help_text="Whether the open cards are copied too; false when left out.")


class ListEntryOut(serializers.Serializer):
    id = serializers.UUIDField()
    title = serializers.CharField()


class BoardEntryOut(serializers.Serializer):
    id = serializers.UUIDField()
    title = serializers.CharField()
    lists = ListEntryOut(many=True)


class NewBoardOut(BoardEntryOut):
    url = serializers.CharField(help_text="A path, as in /board/<id>.")


class MemberOut(serializers.Serializer):
    id = serializers.UUIDField()
    name = serializers.CharField()
    role = serializers.ChoiceField(choices=Role.values)


class BoardOut(serializers.Serializer):
    id = serializers.UUIDField()
    title = serializers.CharField()
    color = serializers.ChoiceField(choices=COLORS)
    role = serializers.ChoiceField(choices=Role.values, help_text="Of the token's owner.")
    url = serializers.CharField(help_text="A path, as in /board/<id>.")
    version = serializers.IntegerField(
        help_text="The number of the last change of the board itself, its lists, labels and members; not of its cards."
    )
    createdAt = serializers.DateTimeField()
    archivedAt = serializers.DateTimeField(allow_null=True)
    lists = ListOut(many=True, help_text="Those that are not archived, in display order.")
    labels = LabelOut(many=True)
    members = MemberOut(many=True)


class BoardsAnswer(serializers.Serializer):
    boards = BoardEntryOut(many=True)


class NewBoardAnswer(serializers.Serializer):
    board = NewBoardOut()


class BoardAnswer(serializers.Serializer):
    board = BoardOut()


def entry_out(board: BoardEntry) -> dict[str, Any]:
    lists = [{"id": str(pk), "title": title} for pk, title in board.lists]
    return {"id": str(board.id), "title": board.title, "lists": lists}


def board_out(found: WholeBoard) -> dict[str, Any]:
    board = found.board
    return {
        "id": str(board.pk),
        "title": board.title,
        "color": color(board.hue),
        "role": found.role,
        "url": board.get_absolute_url(),
        "version": board.own_version,
        "createdAt": timestamp(board.created_at),
        "archivedAt": moment(board.archived_at),
        "lists": [list_out(row) for row in found.lists],
        "labels": [label_out(label) for label in found.labels],
        "members": [member_out(member) for member in found.members],
    }


def member_out(member: Membership) -> dict[str, str]:
    user = member.user
    return {"id": str(user.pk), "name": display_name(user.name, user.email), "role": member.role}
