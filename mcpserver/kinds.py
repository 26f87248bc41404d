"""The kinds of arguments: how each is described to agents, and how its value is read."""

import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import date
from typing import Any

from apiv1.idempotency import KEY, KEY_RULE
from boards import text
from boards.dates import Due, parse_day, parse_due, parse_due_date
from boards.errors import Invalid
from boards.recurrence import Recurrence
from core.ids import FORM, parse_id
from mcpserver.arguments import Argument
from mcpserver.caller import Caller
from mcpserver.given_ids import GivenId, board_id_in

NUMBER = re.compile(r"(?:(?:#|TB-)\s*)?([0-9]{1,9})", re.IGNORECASE)
ADDRESS = re.compile(rf"(?=/|https?://)\S*?(?:[?&]card=|/card/)({FORM})(?![0-9a-f-])\S*")
LAST, VERSION = "last", re.compile(r"[0-9]{1,15}")
LONGEST = 1000  # characters of an id, a title or an address
ONLY_A_DATE = re.compile(r"[0-9]{4}-?[0-9]{2}-?[0-9]{2}")


def an_id(name: str, description: str, **options: bool) -> Argument:
    return Argument(name, {"type": "string", "description": description}, _id, **options)


def a_board(description: str, **options: bool) -> Argument:
    """A board by its id, title or address."""
    return Argument("boardId", {"type": "string", "description": description}, _board, **options)


def a_task() -> tuple[Argument, Argument]:
    """A task by its id or number, and the board that the number is of: `find_task` makes an id of both."""
    schema = {"type": "string", "description": "Id, #5 or address."}
    return (
        Argument("taskId", schema, read_task, required=True),
        a_board("Its board."),
    )


def a_flag(name: str, description: str) -> Argument:
    def read(value: Any, name: str, caller: Caller) -> bool:
        if not isinstance(value, bool):
            raise Invalid(f"{name} must be true or false.", name)
        return value

    return Argument(name, {"type": "boolean", "description": description}, read)


def a_yes(name: str, otherwise: str) -> Argument:
    """A flag that only true sets; `otherwise` says what to do for the opposite."""

    def read(value: Any, name: str, caller: Caller) -> bool:
        if value is not True:
            raise Invalid(f"{name} must be true, or left out. {otherwise}", name)
        return value

    return Argument(name, {"type": "boolean", "description": otherwise}, read)


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


def an_idempotency_key(
    description: str = "Safe retries for 24 hours.",
) -> Argument:
    def read(value: Any, name: str, caller: Caller) -> str:
        if not isinstance(value, str) or not KEY.fullmatch(value):
            raise Invalid(f"{name} {KEY_RULE}", name)
        return value

    return Argument("idempotencyKey", {"type": "string", "description": description}, read)


def a_since(name: str, description: str) -> Argument:
    """A point in the history: LAST, the number of a change, or a moment; a bare date is that day's beginning."""

    def read(value: Any, name: str, caller: Caller) -> Any:
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**15:
            return value
        sent = value.strip() if isinstance(value, str) else value
        if sent == LAST:
            return LAST
        if isinstance(sent, str) and VERSION.fullmatch(sent) and not ONLY_A_DATE.fullmatch(sent):
            return int(sent)
        return moment.read(sent, name, caller)

    moment = a_moment(name, description, from_midnight=True)
    return Argument(name, moment.schema, read)


def some_lines(name: str, description: str, limit: int, most: int) -> Argument:
    """Several names on one line each; one alone may come without a list."""

    def read(value: Any, name: str, caller: Caller) -> tuple[str, ...]:
        sent = [value] if isinstance(value, str) else value
        if not isinstance(sent, list) or not 1 <= len(sent) <= most:
            raise Invalid(f"{name} must be a list of 1 to {most} texts.", name)
        return tuple(dict.fromkeys(text.clean_line(one, name, limit) for one in sent))

    return Argument(name, {"type": "array", "items": {"type": "string"}, "description": description}, read)


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
    if len(value) > LONGEST:
        raise Invalid(f"{name} must have at most {LONGEST} characters.", name)
    return GivenId(value, parse_id(value))


def _board(value: Any, name: str, caller: Caller) -> GivenId:
    given = _id(value, name, caller)
    return given._replace(id=board_id_in(given.sent))


def read_task(value: Any, name: str, caller: Caller) -> GivenId:
    if isinstance(value, int) and not isinstance(value, bool):
        raise Invalid(f'{name} must be text, as in "#{value}".', name)
    given = _id(value, name, caller)
    if number := NUMBER.fullmatch(given.sent.strip()):
        return given._replace(number=int(number[1]))
    address = ADDRESS.fullmatch(given.sent.strip())
    return given._replace(id=parse_id(address[1])) if address else given
