"""The kinds of arguments for what hangs on a card: labels, people, checklists, its colour and its place."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from boards.actions.ordering import Where
from boards.colours import Hue, hue_called
from boards.errors import Invalid
from boards.text import CHECKLIST, clean_line
from core.text.nearest import nearest, shown
from mcpserver.arguments import FAULTS, Argument
from mcpserver.caller import Caller
from mcpserver.given_ids import GivenId
from mcpserver.kinds import read_task

NAMES = 50  # in one argument
LONGEST = 254  # characters of a name, or of an address
AT_ONCE = 200  # items of one task in a call: each may be a change
POSITION = re.compile(r"\s*(before|after)\s+(\S.*)", re.IGNORECASE)
CHECKLIST_LIKE = ', as in {"title": "Steps", "items": ["One", "Two"]}'
PLACES = "position must be top, bottom, before or after a task, as in before #5."


class GivenItem(NamedTuple):
    text: str
    done: bool | None = None  # None: as it is, or not done
    remove: bool = False


class GivenChecklist(NamedTuple):
    title: str
    items: tuple[GivenItem, ...] = ()
    remove: bool = False


class Position(NamedTuple):
    where: Where
    beside: GivenId | None = None


def names(name: str, description: str) -> Argument:
    def read(value: Any, name: str, caller: Caller) -> tuple[str, ...]:
        sent = [value] if isinstance(value, str) else value
        if not isinstance(sent, list) or not all(isinstance(one, str) and one.strip() for one in sent):
            raise Invalid(f"{name} must be a list of names.", name)
        if len(sent) > NAMES:
            raise Invalid(f"{name} must have at most {NAMES} names.", name)
        if any(len(one) > LONGEST for one in sent):
            raise Invalid(f"{name} must be names of at most {LONGEST} characters.", name)
        return tuple(dict.fromkeys(one.strip() for one in sent))

    schema = {"type": "array", "items": {"type": "string"}, "description": description}
    return Argument(name, schema, read)


def a_color(description: str, **options: bool) -> Argument:
    def read(value: Any, name: str, caller: Caller) -> Hue:
        return hue_called(value, name)

    return Argument("coverColor", {"type": "string", "description": description}, read, **options)


def a_position(description: str) -> Argument:
    return Argument("position", {"type": "string", "description": description}, _position)


def checklists(description: str) -> Argument:
    schema = {"type": "array", "items": {"type": "object"}, "description": description}
    return Argument("checklists", schema, _checklists)


def _position(value: Any, name: str, caller: Caller) -> Position:
    if isinstance(value, str) and value.strip().lower() in ("top", "bottom"):
        return Position("top" if value.strip().lower() == "top" else "bottom")
    if isinstance(value, str) and (found := POSITION.fullmatch(value)):
        where: Where = "before" if found[1].lower() == "before" else "after"
        return Position(where, read_task(found[2], name, caller))
    raise Invalid(PLACES, name)


def _checklists(value: Any, name: str, caller: Caller) -> tuple[GivenChecklist, ...]:
    """Read the checklists strictly. Raises one Invalid for all faults, which names the place of each."""
    if isinstance(value, list) and sum(map(_size, value)) > AT_ONCE:
        raise Invalid(
            f"{name} must have at most {AT_ONCE} checklists and items together; send the rest in another call.", name
        )
    faults: list[str] = []
    found = tuple(_each(value, name, ("title", "items", "remove"), faults, like=CHECKLIST_LIKE))
    read = tuple(one for place, sent in found if (one := _checklist(sent, place, faults)))
    if faults:
        raise Invalid(" ".join(faults[:FAULTS]), name)
    return read


def _items(sent: dict[str, Any]) -> Any:
    return [] if sent.get("items") is None else sent["items"]


def _size(sent: Any) -> int:
    items = sent.get("items") if isinstance(sent, dict) else None
    return 1 + (len(items) if isinstance(items, list) else 0)


def _checklist(sent: dict[str, Any], place: str, faults: list[str]) -> GivenChecklist:
    items = tuple(
        GivenItem(_line(item, "text", there, faults), _flag(item, "done", there, faults), _removes(item, there, faults))
        for there, item in _each(_items(sent), f"{place}.items", ("text", "done", "remove"), faults, text_stands=True)
    )
    return GivenChecklist(_line(sent, "title", place, faults), items, _removes(sent, place, faults))


def _each(
    value: Any, name: str, known: tuple[str, ...], faults: list[str], *, like: str = "", text_stands: bool = False
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each object of a list with its place. With `text_stands` a string is an object that has it as its first field."""
    if not isinstance(value, list):
        faults.append(f"{name} must be a list.")
        return
    for number, sent in enumerate(value):
        place = f"{name}[{number}]"
        one = {known[0]: sent} if text_stands and isinstance(sent, str) else sent
        if not isinstance(one, dict):
            faults.append(f"{place} must be an object with {', '.join(known)}{like}.")
            continue
        for field in (name for name in one if name not in known):
            near = nearest(field, known)
            hint = f"did you mean {near}?" if near else f"it takes {', '.join(known)}."
            faults.append(f"{place} has the unknown field {shown(field)}; {hint}")
        yield place, one


def _line(sent: dict[str, Any], field: str, place: str, faults: list[str]) -> str:
    try:
        return clean_line(sent.get(field), f"{place}.{field}", CHECKLIST)
    except Invalid as error:
        faults.append(error.message)
        return ""


def _flag(sent: dict[str, Any], field: str, place: str, faults: list[str]) -> bool | None:
    value = sent.get(field)
    if value is not None and not isinstance(value, bool):
        faults.append(f"{place}.{field} must be true or false.")
        return None
    return value


def _removes(sent: dict[str, Any], place: str, faults: list[str]) -> bool:
    return _flag(sent, "remove", place, faults) is True
