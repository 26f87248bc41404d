"""A tool is a small function with its arguments and its description for agents."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from mcpserver.arguments import Argument
from mcpserver.caller import Caller

Function = Callable[[Caller, dict[str, Any]], dict[str, Any]]


class Hints(NamedTuple):
    """The effect of a call on the data, in the terms of MCP's annotations."""

    read_only: bool = False
    destructive: bool = False
    idempotent: bool = False


WRITES = Hints()
NOWHERE: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class Tool:
    name: str
    title: str
    description: str
    arguments: tuple[Argument, ...]
    needs_one_of: tuple[str, ...]  # names of arguments
    elsewhere: Mapping[str, str]  # names of arguments of other tools, with a sentence that says so
    hints: Hints
    function: Function
    many: bool = False  # it changes many tasks, and its calls are counted apart

    def described(self) -> dict[str, Any]:
        """Return the tool as `tools/list` shows it."""
        return {
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": self.schema(),
            "annotations": {
                "readOnlyHint": self.hints.read_only,
                "destructiveHint": self.hints.destructive,
                "idempotentHint": self.hints.idempotent,
                "openWorldHint": False,
            },
        }

    def schema(self) -> dict[str, Any]:
        required = [argument.name for argument in self.arguments if argument.required]
        return {
            "type": "object",
            "properties": {argument.name: argument.described() for argument in self.arguments},
            **({"required": required} if required else {}),
            "additionalProperties": False,
        }


def tool(
    title: str,
    description: str,
    *arguments: Argument,
    needs_one_of: tuple[str, ...] = (),
    elsewhere: Mapping[str, str] = NOWHERE,
    hints: Hints = WRITES,
    many: bool = False,
) -> Callable[[Function], Tool]:
    """Make a tool of a function and name it after that. The function gets the caller and the arguments sent."""

    def decorate(function: Function) -> Tool:
        return Tool(function.__name__, title, description, arguments, needs_one_of, elsewhere, hints, function, many)

    return decorate
