"""Parts that the shapes of several nouns have: people, and what is written in one form everywhere."""

from datetime import datetime
from typing import Any
from uuid import UUID

from rest_framework import serializers

from boards.colours import Hue
from boards.dates import timestamp
from boards.models import Label
from core.text.names import display_name

COLORS = [(hue.word, hue.word) for hue in Hue]


class PersonOut(serializers.Serializer):
    id = serializers.UUIDField()
    name = serializers.CharField(help_text="As pages show it; former members have one too.")


class LabelOut(serializers.Serializer):
    id = serializers.UUIDField()
    name = serializers.CharField()
    color = serializers.ChoiceField(choices=COLORS)


def person(pk: UUID | str, name: str, email: str) -> dict[str, str]:
    """Return the person without the address."""
    return {"id": str(pk), "name": display_name(name, email)}


def label_out(label: Label) -> dict[str, str]:
    return {"id": str(label.pk), "name": label.name, "color": Hue(label.hue).word}


def moment(value: datetime | None) -> str | None:
    return timestamp(value) if value else None


def color(hue: int | None) -> str | None:
    return Hue(hue).word if hue else None


def optional(value: Any) -> str | None:
    return str(value) if value else None
