"""The tables of tools and prompts in docs/mcp.md, made from these themselves."""

import re
from collections.abc import Iterable
from pathlib import Path

from django.conf import settings

from mcpserver.arguments import Argument
from mcpserver.prompt_texts import PROMPTS
from mcpserver.registry import Tool
from mcpserver.tools import TOOLS

GUIDE: Path = settings.BASE_DIR / "docs" / "mcp.md"
HEAD = "| Tool | Arguments | What it does |\n|---|---|---|\n"
PROMPT_HEAD = "| Prompt | What it does |\n|---|---|\n"


def with_present_tools(guide: str) -> str:
    """Return the guide with its tables made anew from the tools and the prompts."""
    prompts = (f"| `{prompt.name}` | {prompt.description} |\n" for prompt in PROMPTS.values())
    return _with_rows(PROMPT_HEAD, prompts, _with_rows(HEAD, map(_row, TOOLS.values()), guide))


def _with_rows(head: str, rows: Iterable[str], guide: str) -> str:
    table = head + "".join(rows)
    return re.sub(re.escape(head) + r"(\|.*\n)*", lambda found: table, guide, count=1)


def _row(tool: Tool) -> str:
    arguments = ", ".join(map(_name, tool.arguments)) or "none"
    return f"| `{tool.name}` | {arguments} | {tool.description} |\n"


def _name(argument: Argument) -> str:
    return f"**{argument.name}**" if argument.required else argument.name
