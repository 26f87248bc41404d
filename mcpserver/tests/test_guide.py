"""docs/mcp.md is compared with the code."""

from django.conf import settings
from django.core.management import call_command

from mcpserver import guide
from mcpserver.management.commands import mcpdocs
from mcpserver.running import SECONDS


def test_the_table_shows_the_tools_as_they_are():
    text = guide.GUIDE.read_text()
    assert guide.with_present_tools(text) == text, "run bin/manage mcpdocs"


def test_the_command_writes_the_table_anew(tmp_path, monkeypatch):
    old = tmp_path / "mcp.md"
    old.write_text(f"Before.\n\n{guide.HEAD}| `gone` | none | Was here. |\n\nAfter.\n")
    monkeypatch.setattr(mcpdocs, "GUIDE", old)
    call_command("mcpdocs")
    text = old.read_text()
    assert text.startswith("Before.\n\n| Tool |")
    assert text.endswith(" |\n\nAfter.\n")
    assert "`gone`" not in text
    assert "| `get_task` | **taskId** | " in text


def test_the_limits_are_documented():
    text = guide.GUIDE.read_text()
    assert f"| `tools/call` | {settings.LIMITS['mcp-call'].removesuffix('/m')} a minute" in text
    assert f"| everything else | {int(settings.LIMITS['mcp'].removesuffix('/m')):,} a minute" in text
    assert f"| a call | {SECONDS} s for a statement" in text
