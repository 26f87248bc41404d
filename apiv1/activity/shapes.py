"""The activity of a board, as the API shows it."""

from collections.abc import Callable
from typing import Any

from django.utils.dateparse import parse_datetime
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apiv1.shapes import PersonOut, color, moment, optional, person
from boards.backgrounds import kind_of
from boards.dates import timestamp
from boards.models import Activity, Verb
from boards.models.verbs import Door
from core.text.names import in_words

LONG = "changed"  # in place of two long texts
NAMES = {"due_at": "dueDate", "start_day": "startDate", "hue": "color", "cover_hue": "coverColor"}
ELSEWHERE = {Verb.CARD_LEFT: 1, Verb.CARD_ARRIVED: 0}  # which of two values is of the other board
DOORS = [(door.value, door.value) for door in Door]
VERBS = [(verb.value, verb.value) for verb in Verb]
PAIR = {"type": "array", "minItems": 2, "maxItems": 2, "items": {}}
CHANGES = {"type": "object", "additionalProperties": {"oneOf": [PAIR, {"type": "string", "enum": [LONG]}]}}


@extend_schema_field(CHANGES)
class ChangesOut(serializers.DictField):
    pass


class TokenNameOut(serializers.Serializer):
    id = serializers.UUIDField(allow_null=True, help_text="null in old changes.")
    name = serializers.CharField()


class SubjectOut(serializers.Serializer):
    kind = serializers.CharField(help_text="As in the first word of the verb.")
    id = serializers.CharField()
    title = serializers.CharField(help_text="As it was then; empty for comments.")


class ActivityOut(serializers.Serializer):
    version = serializers.IntegerField(help_text="The number of the change; each board counts its own.")
    verb = serializers.ChoiceField(choices=VERBS)
    at = serializers.DateTimeField()
    person = PersonOut()
    door = serializers.ChoiceField(choices=DOORS)
    token = TokenNameOut(allow_null=True)
    subject = SubjectOut()
    cardId = serializers.UUIDField(allow_null=True, help_text="The card that was changed, itself or a part of it.")
    changes = ChangesOut(
        help_text='By the name of the field, `[old, new]`, or `"changed"` for a long text; moments are cut to milliseconds. '
        "Of a card that came from another board or went there, what is of that board is null."
    )
    undoes = serializers.IntegerField(allow_null=True, help_text="The version of the change that this one took back.")
    undone = serializers.BooleanField(help_text="Whether a later change has taken this one back.")


class ActivityPageAnswer(serializers.Serializer):
    activity = ActivityOut(many=True)
    nextCursor = serializers.CharField(allow_null=True)


def activity_out(line: Activity, *, undone: bool) -> dict[str, Any]:
    """Return the change, which was read with its person."""
    token = {"id": optional(line.token_id), "name": line.token_name} if line.token_id or line.token_name else None
    return {
        "version": line.version,
        "verb": line.verb,
        "at": timestamp(line.created_at),
        "person": person(line.user.pk, line.user.name, line.user.email),
        "door": line.door,
        "token": token,
        "subject": _subject(line.subject),
        "cardId": optional(line.card_id),
        "changes": {_name(name): _pair(line.verb, name, pair) for name, pair in line.data.items()},
        "undoes": line.undoes,
        "undone": undone,
    }


def _subject(subject: dict[str, Any]) -> dict[str, str]:
    """Return what was changed. The title of a comment is its beginning, which nobody sees who reads of its deletion."""
    kind = subject.get("kind", "")
    return {"kind": kind, "id": subject.get("id", ""), "title": "" if kind == "comment" else subject.get("title", "")}


def _name(name: str) -> str:
    first, *others = name.split("_")
    return NAMES.get(name) or first + "".join(map(str.capitalize, others))


def _pair(verb: str, name: str, pair: Any) -> Any:
    if not isinstance(pair, list):
        return LONG
    write = _writer(name)
    values = [None if value is None else write(value) for value in pair]
    if name in ("board_id", "number") and verb in ELSEWHERE:
        values[ELSEWHERE[Verb(verb)]] = None
    return values


def _writer(name: str) -> Callable[[Any], Any]:
    """Return what writes a value of the history as the API does."""
    return WRITERS.get(name) or (_moment if name.endswith("_at") else _as_it_is)


def _as_it_is(value: Any) -> Any:
    return value


def _moment(value: str) -> str | None:
    return moment(parse_datetime(value))


WRITERS: dict[str, Callable[[Any], Any]] = {
    "hue": color,
    "cover_hue": color,
    "background": kind_of,
    "recurrence": lambda rule: rule or None,
    **dict.fromkeys(("member", "assignee", "assignees", "author", "inviter", "uploader"), in_words),
}
