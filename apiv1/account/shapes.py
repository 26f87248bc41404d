"""The owner of a token, as the API shows them."""

from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from rest_framework import serializers

from accounts.models import User
from accounts.names import MAX_LENGTH, clean_name
from accounts.time_zones import names
from accounts.tokens import slots_taken
from apiv1 import patterns
from apiv1.fields import Checked
from boards.actions.boards.board import boards_owned
from boards.errors import Invalid
from core.text.locale import language_tag

LANGUAGES = {language_tag(code): code for code, _name in settings.LANGUAGES}


class NameGiven(Checked, serializers.CharField):
    pattern = patterns.LINE

    def read(self, value: Any, name: str) -> str:
        try:
            if isinstance(value, str):
                return clean_name(value)
        except ValidationError:
            pass
        raise Invalid(f"{name} must be one line of at most {MAX_LENGTH} characters, without control characters.", name)


class LanguageGiven(Checked, serializers.ChoiceField):
    def __init__(self, **options: Any) -> None:
        super().__init__(choices=[(tag, tag) for tag in LANGUAGES], **options)

    def read(self, value: Any, name: str) -> str:
        if not isinstance(value, str) or value not in LANGUAGES:
            raise Invalid(f"{name} must be one of {', '.join(LANGUAGES)}.", name)
        return LANGUAGES[value]


class TimeZoneGiven(Checked, serializers.CharField):
    def read(self, value: Any, name: str) -> str:
        if not isinstance(value, str) or value not in names():
            raise Invalid(f"{name} must be the name of a time zone, such as Europe/Berlin.", name)
        return value


class AccountChange(serializers.Serializer):
    name = NameGiven(
        required=False,
        allow_null=True,
        max_length=MAX_LENGTH,
        help_text="`null`: the part of the address before the @.",
    )
    language = LanguageGiven(required=False)
    timeZone = TimeZoneGiven(required=False, help_text="As in the time zone database.")


class UserOut(serializers.Serializer):
    id = serializers.UUIDField()
    name = serializers.CharField()
    email = serializers.EmailField()


class UsedOut(serializers.Serializer):
    used = serializers.IntegerField()
    cap = serializers.IntegerField(allow_null=True, help_text="null where there is no limit.")


class PlanOut(serializers.Serializer):
    name = serializers.CharField()
    boards = UsedOut(help_text="Owned boards that are not archived.")
    tokens = UsedOut()


class AccountOut(serializers.Serializer):
    name = serializers.CharField(allow_null=True, help_text="null: people see the part of the address before the @.")
    email = serializers.EmailField()
    language = serializers.ChoiceField(choices=[(tag, tag) for tag in LANGUAGES])
    timeZone = serializers.CharField()
    plan = PlanOut()


class MeAnswer(serializers.Serializer):
    user = UserOut()


class AccountAnswer(serializers.Serializer):
    account = AccountOut()


def user_out(user: User) -> dict[str, Any]:
    return {"id": str(user.pk), "name": user.display_name, "email": user.email}


def account_out(user: User) -> dict[str, Any]:
    plan = user.plan
    return {
        "name": user.name or None,
        "email": user.email,
        "language": user.language_tag,
        "timeZone": user.time_zone,
        "plan": {
            "name": plan.name,
            "boards": {"used": boards_owned(user), "cap": plan.max_boards},
            "tokens": {"used": slots_taken(user), "cap": plan.max_tokens},
        },
    }
