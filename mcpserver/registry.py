"""What a tool is: a small function, its arguments, and how it is described to agents."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from mcpserver.arguments import Argument
from mcpserver.caller import Caller

Function = Callable[[Caller, dict[str, Any]], dict[str, Any]]


class Hints(NamedTuple):
    """What a call may do to the data, as MCP's annotations name it."""

    read_only: bool = False
    destructive: bool = False
    idempotent: bool = False


WRITES = Hints()


@dataclass(frozen=True, slots=True)
class Tool:
    name: str
    title: str
    description: str
    arguments: tuple[Argument, ...]
    needs_one_of: tuple[str, ...]  # of the arguments
    hints: Hints
    function: Function

    def described(self) -> dict[str, Any]:
        """As `tools/list` shows it."""
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
    title: str, description: str, *arguments: Argument, needs_one_of: tuple[str, ...] = (), hints: Hints = WRITES
) -> Callable[[Function], Tool]:
    """Makes a tool of a function of the caller and the arguments that were given; its name is the function's."""

    def decorate(function: Function) -> Tool:
        return Tool(function.__name__, title, description, arguments, needs_one_of, hints, function)

    return decorate
