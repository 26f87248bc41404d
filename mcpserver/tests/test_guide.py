"""docs/mcp.md is compared with the code."""

import json
import os
import re
import shutil
import subprocess

import pytest
from django.conf import settings
from django.core.management import call_command

from apiv1.tests.calls import token_of
from mcpserver import guide
from mcpserver.management.commands import mcpdocs
from mcpserver.running import SECONDS


def test_the_tables_show_tools_and_prompts_as_they_are():
    text = guide.GUIDE.read_text()
    assert guide.with_present_tools(text) == text, "run bin/manage mcpdocs"


def test_the_command_writes_the_table_anew(tmp_path, monkeypatch):
    old = tmp_path / "mcp.md"
    tables = f"{guide.HEAD}| `gone` | none | Was here. |\n\nAfter.\n\n{guide.PROMPT_HEAD}| `gone` | Too. |\n"
    old.write_text(f"Before.\n\n{tables}")
    monkeypatch.setattr(mcpdocs, "GUIDE", old)
    call_command("mcpdocs")
    text = old.read_text()
    assert text.startswith("Before.\n\n| Tool |")
    assert " |\n\nAfter.\n\n| Prompt |" in text
    assert "| `stand_up` | Tell what" in text
    assert "`gone`" not in text
    assert "| `complete_task` | **taskId**, boardId, idempotencyKey, answer | " in text


def test_the_call_without_a_client_works_as_it_stands_there(processes, base_url, olga, todo):
    if shutil.which("curl") is None or shutil.which("bash") is None:
        pytest.skip("needs curl and bash")
    shown, answer = re.search(r"```sh\n(.*?)```.*?```json\n(.*?)```", guide.GUIDE.read_text(), re.DOTALL).groups()
    script = shown.replace("http://127.0.0.1:8000", base_url).replace("tbk_the_value_that_was_shown", token_of(olga))
    surroundings = {"PATH": os.environ["PATH"]}
    run = subprocess.run(["bash", "-eu"], input=script, env=surroundings, text=True, capture_output=True, check=True)
    told = json.loads(json.loads(run.stdout)["result"]["content"][0]["text"])
    assert names_in(told) == names_in(json.loads(answer))
    assert told["boards"][0]["lists"] == [{"id": str(todo.pk), "title": "To do"}]


def names_in(value):
    """Return the names of all fields, for a list those of its first item."""
    if isinstance(value, list):
        return [names_in(part) for part in value[:1]]
    return {name: names_in(part) for name, part in value.items()} if isinstance(value, dict) else ""


def test_the_limits_are_documented():
    text = guide.GUIDE.read_text()
    assert f"| `tools/call` | {settings.LIMITS['mcp-call'].removesuffix('/m')} a minute" in text
    assert f"| everything else | {int(settings.LIMITS['mcp'].removesuffix('/m')):,} a minute" in text
    assert f"| a call | {SECONDS} s for a statement" in text
