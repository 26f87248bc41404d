"""The number of the version is told wherever somebody looks for it, and CHANGELOG.md says what it brought."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.test import Client

from accounts.models import User
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
