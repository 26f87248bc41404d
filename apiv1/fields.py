"""Input fields that apply the service's own rules for text (boards/text.py) and dates (boards/dates.py)."""

from datetime import date
from typing import Any

from rest_framework import serializers

from apiv1 import patterns
from boards import text
from boards.dates import parse_day


class Named(serializers.Field):
    """A field whose error messages name it. `kind` and `pattern` are for the description; boards/ checks what was sent."""

    kind, pattern = "string", ""

    def bind(self, field_name: str, parent: Any) -> None:
        super().bind(field_name, parent)
        self.error_messages["required"] = f"{field_name} is missing."


class Line(Named, serializers.CharField):
    """One line of text: trimmed, not empty."""

    pattern = patterns.LINE

    def run_validation(self, data: Any = serializers.empty) -> str:
        if data is serializers.empty and not self.required:
            raise serializers.SkipField
        if data is serializers.empty:
            self.fail("required")
        return text.clean_line(data, self.field_name or "", self.max_length or 0)


class Body(Named, serializers.CharField):
    """Text of any number of lines."""

    pattern = patterns.TEXT

    def to_internal_value(self, data: Any) -> str:
        return text.clean_text(data, self.field_name or "", self.max_length or 0)

    def run_validation(self, data: Any = serializers.empty) -> str:
        return "" if data is serializers.empty else self.to_internal_value(data)


class Id(Named, serializers.CharField):
    """Any string. One that is not the id of a row is answered later, with 404 rather than 400."""

    def run_validation(self, data: Any = serializers.empty) -> str | None:
        if data is serializers.empty:
            return None
        if not isinstance(data, str):
            raise serializers.ValidationError(f"{self.field_name} must be a string.")
        return data


class Ids(Named, serializers.ListField):
    """A list of any strings. Those that are no ids of rows are answered later."""

    kind = "array"

    def __init__(self, *, max_length: int = 5000, **options: Any) -> None:
        super().__init__(child=serializers.CharField(), max_length=max_length, **options)

    def run_validation(self, data: Any = serializers.empty) -> list[str] | None:
        if data is serializers.empty:
            raise serializers.SkipField
        if data is None and self.allow_null:
            return None
        if not isinstance(data, list) or not all(isinstance(one, str) for one in data):
            raise serializers.ValidationError(f"{self.field_name} must be a list of ids.")
        if len(data) > (self.max_length or 0):
            raise serializers.ValidationError(f"{self.field_name} can have at most {self.max_length} ids.")
        return data


class Flag(Named, serializers.BooleanField):
    """true or false, and nothing that could be read as one of them."""

    kind = "boolean"

    def run_validation(self, data: Any = serializers.empty) -> bool:
        if data is serializers.empty:
            raise serializers.SkipField
        if not isinstance(data, bool):
            raise serializers.ValidationError(f"{self.field_name} must be true or false.")
        return data


class Choice(Named, serializers.ChoiceField):
    """One of a few words."""

    def run_validation(self, data: Any = serializers.empty) -> str:
        if data is serializers.empty:
            raise serializers.SkipField
        if not isinstance(data, str) or data not in self.choices:
            raise serializers.ValidationError(f"{self.field_name} must be one of {', '.join(self.choices)}.")
        return data


class DueDate(Named, serializers.CharField):
    """ISO 8601. Whoever answers reads it, because a value without an offset is in the time zone of the token's owner."""

    pattern = patterns.MOMENT

    def run_validation(self, data: Any = serializers.empty) -> Any:
        return None if data is serializers.empty else data


class Moment(Named, serializers.CharField):
    """ISO 8601, which whoever answers reads. null clears it."""

    pattern = patterns.MOMENT

    def run_validation(self, data: Any = serializers.empty) -> Any:
        if data is serializers.empty:
            raise serializers.SkipField
        return data


class Day(Named, serializers.DateField):
    """An ISO 8601 date without a time."""

    pattern = patterns.DAY

    def run_validation(self, data: Any = serializers.empty) -> date | None:
        return None if data is serializers.empty else parse_day(data, self.field_name or "")
