"""Input fields that apply the service's own rules for text (boards/text.py) and dates (boards/dates.py)."""

from datetime import datetime
from typing import Any, NamedTuple

from rest_framework import serializers

from boards import text
from boards.dates import parse_due


class Named(serializers.Field):
    """A field whose error messages name it."""

    def bind(self, field_name: str, parent: Any) -> None:
        super().bind(field_name, parent)
        self.error_messages["required"] = f"{field_name} is missing."


class Line(Named, serializers.CharField):
    """One line of text: trimmed, not empty."""

    def run_validation(self, data: Any = serializers.empty) -> str:
        if data is serializers.empty:
            self.fail("required")
        return text.clean_line(data, self.field_name or "", self.max_length or 0)


class Body(Named, serializers.CharField):
    """Text of any number of lines."""

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


class Due(NamedTuple):
    supplied: str | None  # exactly as the caller sent it
    at: datetime | None


class DueDate(Named, serializers.CharField):
    """ISO 8601. A value without an offset is read in the token owner's time zone."""

    def run_validation(self, data: Any = serializers.empty) -> Due:
        if data is serializers.empty:
            return Due(None, None)
        return Due(data, parse_due(data, self.context["zone"], self.field_name or ""))
