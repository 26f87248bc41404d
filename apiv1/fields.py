"""Input fields that apply the service's own rules for text (boards/text.py) and dates (boards/dates.py)."""

from datetime import date
from typing import Any
from uuid import UUID

from rest_framework import serializers

from apiv1 import patterns
from boards import text
from boards.actions.ordering import BOTTOM, TOP, Place
from boards.colours import Hue, hue_called
from boards.dates import parse_day
from boards.errors import Invalid
from boards.models.list import CARD_LIMIT
from boards.recurrence import Recurrence
from core.ids import parse_id

NEEDS_DATE = "recurrence needs a dueDate, from which the next one is counted."
MOST_IDS = 500  # in one field
NOBODY = UUID(int=0)  # the id of no row


class Named(serializers.Field):
    """A field whose error messages name it. `kind` and `pattern` are for the description; boards/ checks the value."""

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


class Text(Named, serializers.CharField):
    """Text of any number of lines, which cannot be empty."""

    pattern = patterns.FILLED_TEXT

    def run_validation(self, data: Any = serializers.empty) -> str:
        if data is serializers.empty and not self.required:
            raise serializers.SkipField
        if data is serializers.empty:
            self.fail("required")
        return text.clean_text(data, self.field_name or "", self.max_length or 0, required=True)


class Id(Named, serializers.CharField):
    """Any string. One that is not the id of a row is answered later, with 404 rather than 400."""

    def run_validation(self, data: Any = serializers.empty) -> str | None:
        if data is serializers.empty:
            return None
        if not isinstance(data, str):
            raise serializers.ValidationError(f"{self.field_name} must be a string.")
        return data


class IdTexts(Named, serializers.ListField):
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


class DueDate(Named, serializers.CharField):
    """ISO 8601, kept as text. The view reads it, because a value without an offset is in the time zone of the token's
    owner.
    """

    pattern = patterns.MOMENT

    def run_validation(self, data: Any = serializers.empty) -> Any:
        return None if data is serializers.empty else data


class Moment(DueDate):
    """The same, left out of the validated values when it was not sent."""

    def run_validation(self, data: Any = serializers.empty) -> Any:
        if data is serializers.empty:
            raise serializers.SkipField
        return data


class Day(Named, serializers.DateField):
    """An ISO 8601 date without a time."""

    pattern = patterns.DAY

    def run_validation(self, data: Any = serializers.empty) -> date | None:
        return None if data is serializers.empty else parse_day(data, self.field_name or "")


class Checked(serializers.Field):
    """A field whose `read` checks what was sent. A field that was not sent is left out of the validated values."""

    def run_validation(self, data: Any = serializers.empty) -> Any:
        name = self.field_name or ""
        if data is not serializers.empty:
            return self.read(data, name)
        if self.required:
            raise Invalid(f"{name} is missing.", name)
        raise serializers.SkipField

    def read(self, value: Any, name: str) -> Any:
        raise NotImplementedError


class Color(Checked, serializers.ChoiceField):
    """One of the twelve colors, by its word."""

    def __init__(self, **options: Any) -> None:
        super().__init__(choices=[hue.word for hue in Hue], **options)

    def read(self, value: Any, name: str) -> Hue:
        return hue_called(value, name)


class Rule(Checked, serializers.ChoiceField):
    """The recurrence of a card."""

    def __init__(self, **options: Any) -> None:
        super().__init__(choices=Recurrence.values, **options)

    def read(self, value: Any, name: str) -> str:
        if value not in Recurrence.values:
            raise Invalid(f"{name} must be one of {', '.join(Recurrence.values)}.", name)
        return value


class Choice(Checked, serializers.ChoiceField):
    """One of the `choices`, as text."""

    def read(self, value: Any, name: str) -> str:
        if not isinstance(value, str) or value not in self.choices:
            raise Invalid(f"{name} must be one of {', '.join(self.choices)}.", name)
        return value


class Flag(Checked, serializers.BooleanField):
    def read(self, value: Any, name: str) -> bool:
        if not isinstance(value, bool):
            raise Invalid(f"{name} must be true or false.", name)
        return value


class CardLimit(Checked, serializers.IntegerField):
    """From how many cards on people are warned that a list is too full."""

    def __init__(self, **options: Any) -> None:
        super().__init__(min_value=1, max_value=CARD_LIMIT, **options)

    def read(self, value: Any, name: str) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= CARD_LIMIT:
            raise Invalid(f"{name} must be a whole number from 1 to {CARD_LIMIT}, or null for no limit.", name)
        return value


class IdOf(Checked, serializers.UUIDField):
    """The id of a row. A string that cannot be one is read as the id of no row: it is answered later, with 404."""

    def read(self, value: Any, name: str) -> UUID:
        if not isinstance(value, str):
            raise Invalid(f"{name} must be a string.", name)
        return _id_in(value)


class Ids(Checked, serializers.ListField):
    """A set of ids, in the order in which they were sent. Strings that cannot be ids are read as that of no row."""

    def __init__(self, **options: Any) -> None:
        super().__init__(child=serializers.UUIDField(), **options)

    def read(self, value: Any, name: str) -> list[UUID]:
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            raise Invalid(f"{name} must be a list of ids.", name)
        if len(value) > MOST_IDS:
            raise Invalid(f"{name} must have at most {MOST_IDS} ids.", name)
        return list(dict.fromkeys(map(_id_in, value)))


class PlaceAmong(Checked):
    """The place of a row among its siblings: "top", "bottom", or an object that names a neighbor."""

    def read(self, value: Any, name: str) -> Place:
        if value in ("top", "bottom"):
            return TOP if value == "top" else BOTTOM
        if isinstance(value, dict) and len(value) == 1:
            (where, neighbor), *_rest = value.items()
            if where in ("before", "after") and isinstance(neighbor, str):
                return Place(where, _id_in(neighbor))
        raise Invalid(f'{name} must be "top", "bottom", {{"before": id}} or {{"after": id}}.', name)


def _id_in(value: str) -> UUID:
    return parse_id(value) or NOBODY
