"""Comments, as the API takes and shows them."""

from typing import Any

from rest_framework import serializers

from apiv1.fields import Text
from apiv1.shapes import PersonOut, moment, person
from boards import text
from boards.dates import timestamp
from boards.models import Comment


class CommentIn(serializers.Serializer):
    body = Text(min_length=1, max_length=text.COMMENT, help_text="Markdown.")


class CommentChange(serializers.Serializer):
    body = Text(required=False, min_length=1, max_length=text.COMMENT, help_text="Markdown; replaces all.")


class CommentOut(serializers.Serializer):
    id = serializers.UUIDField()
    cardId = serializers.UUIDField()
    author = PersonOut()
    body = serializers.CharField(help_text="Markdown, as it was written.")
    createdAt = serializers.DateTimeField()
    editedAt = serializers.DateTimeField(allow_null=True)


class CommentAnswer(serializers.Serializer):
    comment = CommentOut()


class CommentPageAnswer(serializers.Serializer):
    comments = CommentOut(many=True)
    nextCursor = serializers.CharField(allow_null=True)


def comment_out(comment: Comment) -> dict[str, Any]:
    """Return the comment, which was read with its author."""
    author = comment.author
    return {
        "id": str(comment.pk),
        "cardId": str(comment.card_id),
        "author": person(author.pk, author.name, author.email),
        "body": comment.body,
        "createdAt": timestamp(comment.created_at),
        "editedAt": moment(comment.edited_at),
    }
