"""The owner of a token, as the API shows them."""

from typing import Any

from rest_framework import serializers

from accounts.models import User


class UserOut(serializers.Serializer):
    id = serializers.UUIDField()
    name = serializers.CharField()
    email = serializers.EmailField()


class MeAnswer(serializers.Serializer):
    user = UserOut()


def user_out(user: User) -> dict[str, Any]:
    return {"id": str(user.pk), "name": user.display_name, "email": user.email}
