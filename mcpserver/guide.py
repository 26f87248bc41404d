"""The table of tools in docs/mcp.md, made from the tools themselves."""

import re
from pathlib import Path

from django.conf import settings

from mcpserver.arguments import Argument
from mcpserver.registry import Tool
from mcpserver.tools import TOOLS

GUIDE: Path = settings.BASE_DIR / "docs" / "mcp.md"
HEAD = "| Tool | Arguments | What it does |\n|---|---|---|\n"
TABLE = re.compile(re.escape(HEAD) + r"(\|.*\n)*")


def with_present_tools(guide: str) -> str:
    """Return the guide with its table made anew from the tools."""
    return TABLE.sub(lambda found: HEAD + "".join(map(_row, TOOLS.values())), guide, count=1)


def _row(tool: Tool) -> str:
    arguments = ", ".join(map(_name, tool.arguments)) or "none"
    return f"| `{tool.name}` | {arguments} | {tool.description} |\n"


def _name(argument: Argument) -> str:
    return f"**{argument.name}**" if argument.required else argument.name
