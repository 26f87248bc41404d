"""The number of the version is told wherever somebody looks for it, and CHANGELOG.md says what it brought."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.test import Client

from accounts.models import User
from accounts.tokens import create_token
from taskboard.version import VERSION

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("asked", ["version", "--version"])
def test_a_command_tells_the_version(processes: None, asked: str) -> None:
    done = subprocess.run([sys.executable, "manage.py", asked], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == f"Taskboard {VERSION}\n"


def test_the_admin_tells_the_version(otto: User, client: Client) -> None:
    client.force_login(otto)
    assert f"Taskboard {VERSION}" in client.get("/admin/").content.decode()


@pytest.mark.django_db
def test_the_description_of_the_api_tells_the_version(client: Client) -> None:
    assert client.get("/api/v1/openapi.json").json()["info"]["version"] == VERSION


def test_the_newest_version_of_the_changelog_is_this_one() -> None:
    versions = re.findall(r"^## (\d\S+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert versions[0] == VERSION


@pytest.mark.django_db
def test_agents_are_told_the_version(olga: User, client: Client) -> None:
    _token, value = create_token(olga, "agent")
    told = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "agent", "version": "1"}}
    call = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": told}
    headers = {"Authorization": f"Bearer {value}", "Accept": "application/json, text/event-stream"}
    answer = client.post("/api/v1/mcp", call, "application/json", headers=headers)
    assert answer.json()["result"]["serverInfo"]["version"] == VERSION


@pytest.mark.parametrize(
    "name, pattern",
    [
        ("pyproject.toml", r'^version = "(.+?)"'),
        ("uv.lock", r'^name = "taskboard-server"\nversion = "(.+?)"'),
        ("Containerfile", r'org\.opencontainers\.image\.version="(.+?)"'),
    ],
)
def test_the_files_that_packages_and_images_are_made_from_name_it_too(name: str, pattern: str) -> None:
    assert re.findall(pattern, (ROOT / name).read_text(), re.MULTILINE) == [VERSION]
