"""The kinds of arguments: how each is described to agents, and how its value is read."""

import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import date
from typing import Any

from apiv1.idempotency import KEY, KEY_LENGTH, KEY_RULE
from boards import text
from boards.dates import Due, parse_day, parse_due, parse_due_date
from boards.errors import Invalid
from boards.recurrence import Recurrence
from core.ids import parse_id
from mcpserver.arguments import Argument, GivenId
from mcpserver.caller import Caller

NUMBER = re.compile(r"\s*#?\s*([0-9]{1,9})\s*")
ONLY_A_DATE = re.compile(r"[0-9]{4}-?[0-9]{2}-?[0-9]{2}")


def an_id(name: str, description: str, **options: bool) -> Argument:
    return Argument(name, {"type": "string", "description": description}, _id, **options)


def a_task() -> tuple[Argument, Argument]:
    """A task by its id or number, and the board that the number is of: `find_task` makes an id of both."""
    schema = {"type": "string", "description": "The task's id, or its number, as in #5."}
    return (
        Argument("taskId", schema, _task, required=True),
        an_id("boardId", "The task's board, where several have that number."),
    )


def a_flag(name: str, description: str) -> Argument:
    def read(value: Any, name: str, caller: Caller) -> bool:
        if not isinstance(value, bool):
            raise Invalid(f"{name} must be true or false.", name)
        return value

    return Argument(name, {"type": "boolean", "description": description}, read)


def a_line(name: str, description: str, limit: int, **options: bool) -> Argument:
    def read(value: Any, name: str, caller: Caller) -> str:
        return text.clean_line(value, name, limit)

    schema = {"type": "string", "minLength": 1, "maxLength": limit, "description": description}
    return Argument(name, schema, read, **options)


def a_text(name: str, description: str, limit: int | None, *, filled: bool = False, **options: bool) -> Argument:
    """Text of any number of lines; `filled` refuses blank text. Without `limit` the action applies its own."""

    def read(value: Any, name: str, caller: Caller) -> str:
        return text.clean_text(value, name, limit or sys.maxsize, required=filled)

    lengths = {**({"minLength": 1} if filled else {}), **({"maxLength": limit} if limit else {})}
    return Argument(name, {"type": "string", **lengths, "description": description}, read, **options)


def a_choice(name: str, description: str, values: Iterable[str], **options: bool) -> Argument:
    allowed = list(values)

    def read(value: Any, name: str, caller: Caller) -> str:
        if not isinstance(value, str) or value not in allowed:
            raise Invalid(f"{name} must be one of {', '.join(allowed)}.", name)
        return value

    return Argument(name, {"type": "string", "enum": allowed, "description": description}, read, **options)


def a_number(name: str, description: str, least: int, most: int) -> Argument:
    def read(value: Any, name: str, caller: Caller) -> int:
        whole = isinstance(value, int | float) and not isinstance(value, bool) and value == value // 1
        if not whole or not least <= value <= most:
            raise Invalid(f"{name} must be a whole number from {least} to {most}.", name)
        return int(value)

    return Argument(name, {"type": "integer", "minimum": least, "maximum": most, "description": description}, read)


def a_moment(name: str, description: str, *, from_midnight: bool = False, **options: bool) -> Argument:
    """A date-time. A bare date is read as the end of that day, with `from_midnight` as its beginning."""

    def read(value: Any, name: str, caller: Caller) -> Any:
        if from_midnight and isinstance(value, str) and ONLY_A_DATE.fullmatch(value):
            value = f"{value}T00"
        with _telling_today(name, caller):
            return parse_due(value, caller.zone, name)

    return Argument(name, {"type": "string", "description": description}, read, **options)


def a_due_date(name: str, description: str, **options: bool) -> Argument:
    """A due date; a bare date is a whole day."""
    return Argument(name, {"type": "string", "description": description}, _due_date, **options)


def a_day(name: str, description: str, **options: bool) -> Argument:
    def read(value: Any, name: str, caller: Caller) -> date:
        with _telling_today(name, caller):
            return parse_day(value, name)

    return Argument(name, {"type": "string", "description": description}, read, **options)


def a_recurrence(description: str, **options: bool) -> Argument:
    return a_choice("recurrence", description, Recurrence.values, **options)


def an_idempotency_key() -> Argument:
    def read(value: Any, name: str, caller: Caller) -> str:
        if not isinstance(value, str) or not KEY.fullmatch(value):
            raise Invalid(f"{name} {KEY_RULE}", name)
        return value

    description = "Makes retries safe: within 24 hours, the same key and arguments give the first answer again."
    schema = {"type": "string", "minLength": 1, "maxLength": KEY_LENGTH, "description": description}
    return Argument("idempotencyKey", schema, read)


def _due_date(value: Any, name: str, caller: Caller) -> Due:
    with _telling_today(name, caller):
        return parse_due_date(value, caller.zone, name)


@contextmanager
def _telling_today(name: str, caller: Caller) -> Iterator[None]:
    """Add to a refusal what an agent needs to work out a date."""
    try:
        yield
    except Invalid as fault:
        raise Invalid(f"{fault.message} Today is {caller.now():%A, %Y-%m-%d} in {caller.zone}.", name) from None


def _id(value: Any, name: str, caller: Caller) -> GivenId:
    if not isinstance(value, str):
        raise Invalid(f"{name} must be an id as a string.", name)
    return GivenId(value, parse_id(value))


def _task(value: Any, name: str, caller: Caller) -> GivenId:
    given = _id(value, name, caller)
    number = NUMBER.fullmatch(given.sent)
    return given._replace(number=int(number[1])) if number else given
