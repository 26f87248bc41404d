"""Tokens, as the API takes and shows them."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from rest_framework import serializers

from accounts.models import Access, ApiToken
from apiv1.fields import Choice, Flag, IdTexts, Moment
from boards.dates import timestamp


class TokenIn(serializers.Serializer):
    access = Choice(choices=Access.values, required=False, help_text="read takes away the right to change anything.")
    boards = IdTexts(required=False, allow_null=True, help_text="The ids of fewer boards than before; null: all.")
    deletes = Flag(required=False, help_text="false takes away the right to delete, and to remove members.")
    expiresAt = Moment(
        required=False,
        allow_null=True,
        help_text="An earlier ISO 8601 date-time than before. Without offset it is read in the token owner's time zone; "
        "a bare date is the end of that day there. null: never.",
    )


class TokenShape(serializers.Serializer):
    id = serializers.UUIDField()
    name = serializers.CharField()
    access = serializers.ChoiceField(choices=Access.values)
    boards = serializers.ListField(
        child=serializers.UUIDField(), allow_null=True, help_text="null: all boards, also future ones."
    )
    deletes = serializers.BooleanField()
    expiresAt = serializers.DateTimeField(allow_null=True)
    createdAt = serializers.DateTimeField()
    lastUsedAt = serializers.DateTimeField(allow_null=True)


class TokenAnswer(serializers.Serializer):
    token = TokenShape()


def token_out(token: ApiToken, boards: Iterable[UUID] | None) -> dict[str, Any]:
    """Return the token. `boards` are those of its chosen boards that its owner can see; None for a token of all."""
    return {
        "id": str(token.pk),
        "name": token.name,
        "access": token.access,
        "boards": None if boards is None else [str(pk) for pk in boards],
        "deletes": token.deletes,
        "expiresAt": token.expires_at and timestamp(token.expires_at),
        "createdAt": timestamp(token.created_at),
        "lastUsedAt": token.last_used_at and timestamp(token.last_used_at),
    }
