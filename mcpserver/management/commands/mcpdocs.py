from typing import Any

from django.core.management.base import BaseCommand

from mcpserver.guide import GUIDE, with_present_tools


class Command(BaseCommand):
    help = "Writes the tables in docs/mcp.md anew, after a tool or a prompt has changed."

    def handle(self, *args: Any, **options: Any) -> None:
        GUIDE.write_text(with_present_tools(GUIDE.read_text()))
