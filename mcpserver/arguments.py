"""Read the arguments that agents send to a tool: match their names, check their values, or say what is wrong."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from boards.errors import Invalid
from core.text.nearest import nearest, shown
from mcpserver.caller import Caller

FAULTS = 5  # at most as many are reported at once
OTHER_NAMES = {
    "cardId": "taskId",
    "task": "taskId",
    "list": "listId",
    "board": "boardId",
    "comment": "commentId",
    **dict.fromkeys(("text", "comments"), "comment"),
    "archived": "archive",
    "addLabels": "labels",  # where a tool takes no addLabels, the task is new
    "addAssignees": "assignees",
}

Read = Callable[[Any, str, Caller], Any]


@dataclass(frozen=True, slots=True)
class Argument:
    name: str
    schema: dict[str, Any]
    read: Read  # (value, name, caller) -> what the tool gets; raises Invalid
    required: bool = False
    nullable: bool = False

    def described(self) -> dict[str, Any]:
        if not self.nullable:
            return self.schema
        kinds = {name: value for name, value in self.schema.items() if name != "description"}
        return {"anyOf": [kinds, {"type": "null"}], "description": self.schema["description"]}


def read_arguments(
    arguments: Iterable[Argument],
    needs_one_of: tuple[str, ...],
    elsewhere: Mapping[str, str],
    given: dict[str, Any],
    caller: Caller,
) -> dict[str, Any]:
    """Return the values for the tool by name, only of arguments that were sent. Raises one Invalid for all faults.

    `elsewhere` has a sentence for each argument that the tool does not take but another one does, or none.
    """
    known = {argument.name: argument for argument in arguments}
    values, faults = _by_known_names(known, elsewhere, given)
    if needs_one_of and not faults and not any(_is_there(known[name], values) for name in needs_one_of):
        faults.append(f"Give at least one of {', '.join(needs_one_of)}.")
    read: dict[str, Any] = {}
    for argument in known.values():
        try:
            read |= dict(_read(argument, values, caller))
        except Invalid as fault:
            faults.append(fault.message)
    if faults:
        raise Invalid(" ".join(faults[:FAULTS]))
    return read


def _by_known_names(
    known: dict[str, Argument], elsewhere: Mapping[str, str], given: dict[str, Any]
) -> tuple[dict[str, Any], list[str]]:
    """Return the values under the schema's names, and sentences about names that are unknown or were sent twice."""
    values: dict[str, Any] = {}
    faults: list[str] = []
    for sent, value in given.items():
        name = _known_name(sent, known)
        if name is None:
            if len(faults) < FAULTS:  # the rest would not be told
                hint = elsewhere.get(_camel_case(sent))
                faults.append(f"Unknown argument {shown(sent)}: {hint}" if hint else _unknown(sent, known))
        elif name in values:
            faults.append(f"{name} was sent twice, as {shown(sent)} too.")
        else:
            values[name] = value
    return values, faults


def _known_name(sent: str, known: dict[str, Argument]) -> str | None:
    camel = _camel_case(sent)
    return next((name for name in (sent, camel, OTHER_NAMES.get(camel, "")) if name in known), None)


def _camel_case(sent: str) -> str:
    first, *rest = sent.split("_")
    return first + "".join(part.capitalize() for part in rest)


def _unknown(sent: str, known: dict[str, Argument]) -> str:
    if not known:
        return f"Unknown argument {shown(sent)}: this tool takes none."
    if near := nearest(sent, known):
        return f"Unknown argument {shown(sent)}; did you mean {near}?"
    return f"Unknown argument {shown(sent)}; this tool takes {', '.join(known)}."


def _is_there(argument: Argument, values: dict[str, Any]) -> bool:
    return argument.name in values and (argument.nullable or values[argument.name] is not None)


def _read(argument: Argument, values: dict[str, Any], caller: Caller) -> Iterator[tuple[str, Any]]:
    value = values.get(argument.name)
    if value is not None:
        yield argument.name, argument.read(value, argument.name, caller)
    elif _is_there(argument, values):
        yield argument.name, None
    elif argument.required:
        raise Invalid(f"{argument.name} is missing.", argument.name)
