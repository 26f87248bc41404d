"""Exports as people get them, each validated against the schema."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from jsonschema import Draft202012Validator

from accounts.models import User
from web.tests.browsing import browser
from web.tests.looking import show

__all__ = ["show"]

SCHEMA = json.loads((Path(settings.BASE_DIR) / "docs" / "export.schema.json").read_text())


def checked(text: str | bytes) -> dict[str, Any]:
    """Parse the export and validate it against the schema."""
    export = json.loads(text)
    Draft202012Validator(SCHEMA).validate(export)
    return export


@pytest.fixture
def export_of(transactional_db) -> Callable[[User], dict[str, Any]]:
    def export_of(user: User) -> dict[str, Any]:
        answer = browser(user).get("/api/export")
        assert answer.status_code == 200
        return checked(answer.getvalue())

    return export_of


def titles(things: list[dict[str, Any]]) -> list[str]:
    return [thing["title"] for thing in things]


def cards_of(export: dict[str, Any]) -> list[dict[str, Any]]:
    return [card for board in export["boards"] for row in board["lists"] for card in row["cards"]]


@pytest.fixture
def storage(settings, tmp_path) -> Path:
    """Keep the files of the test in a folder of its own."""
    settings.STORAGES = {
        **settings.STORAGES,
        "default": {
            "BACKEND": "django.core.files.storage.FileSystemStorage",
            "OPTIONS": {"location": str(tmp_path / "files")},
        },
    }
    return tmp_path / "files"
