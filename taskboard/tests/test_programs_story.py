"""A day on a board by curl, by the command line and by a generated client, while a browser shows that board."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from apiv1.tests.generators.test_generated_clients import document, made_by_openapi_python_client
from apiv1.tests.test_guide import BETWEEN, examples
from clients.tests.shell import Shell
from taskboard.tests.people import Person
from taskboard.tests.served import environment, running
from taskboard.tests.served_people import olga, people
from taskboard.tests.tabs import card, follow, has_stayed, list_named, tab

__all__ = ["document", "environment", "olga", "people", "running", "tab"]

pytestmark = pytest.mark.timeout(300)  # a service, a browser and a program start within it


@contextmanager
def started(*command: object, folder: Path, **more: str) -> "Iterator[subprocess.Popen[str]]":
    """Run a program, which must end well."""
    pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout"), subprocess.PIPE)
    words = list(map(str, command))
    with subprocess.Popen(words, cwd=folder, env=os.environ | more, text=True, bufsize=1, **pipes) as process:
        yield process
        process.communicate(timeout=30)
    assert process.returncode == 0


def last_board(person: Person) -> str:
    return person.script.get("/api/v1/boards").json()["boards"][-1]["id"]


def is_done(tile: Locator) -> None:
    expect(tile).to_have_class(re.compile(r"\bdone\b"))


def test_a_browser_shows_the_day_of_the_guide_by_curl(curl, olga, tab, tmp_path):
    page = tab(olga)
    tile = card(page, "Order seeds and bulbs")
    seen = {
        '"title": "Order seeds"': lambda: expect(card(list_named(page, "To do"), "Order seeds")).to_be_visible(),
        '"title": "Order seeds and bulbs"': lambda: expect(tile).to_be_visible(),
        "/move": lambda: expect(card(list_named(page, "In progress"), "Order seeds and bulbs")).to_be_visible(),
        "/cards/$CARD/copy": lambda: expect(card(page, "Order pots")).to_be_visible(),
        '"title": "Some day"': lambda: expect(list_named(page, "Some day")).to_be_visible(),
        "/cards/batch": lambda: expect(list_named(page, "Some day").locator(".card")).to_have_count(2),
        'DELETE "/cards/$COPY"': lambda: expect(card(page, "Order pots")).to_have_count(0),
        'DELETE "/lists/$LATER"': lambda: expect(list_named(page, "Some day")).to_have_count(0),
    }
    met = set()
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    surroundings = {"PATH": path, "BASE_URL": olga.url, "TOKEN": olga.token}
    with started("bash", "-euo", "pipefail", folder=tmp_path, **surroundings) as shell:
        for example in examples():
            if "/activity" in example.commands:  # what follows is about errors and tokens
                break
            shell.stdin.write(f"{example.commands}printf '{BETWEEN}\\n'\n")
            while not shell.stdout.readline().endswith(f"{BETWEEN}\n"):
                assert shell.poll() is None
            if "POST /boards -d" in example.commands:
                follow(page, olga, {"url": f"/board/{last_board(olga)}"})
            for part in [part for part in seen if part in example.commands]:
                seen[part]()
                met.add(part)
    assert met == {*seen}
    assert has_stayed(page)


def test_a_browser_shows_the_day_of_the_command_line(processes, olga, tab, tmp_path):
    board, page, shell = olga.new_board("Garden"), tab(olga), Shell(tmp_path)
    shell.sign_in(olga.url, olga.token)
    shell.environment["TASKBOARD_BOARD"] = board["id"]
    follow(page, olga, board)
    tile = card(page, "Order seeds")
    shell.rows("add", "--due", "tomorrow", "Order seeds")
    expect(card(list_named(page, "To do"), "Order seeds")).to_be_visible()
    shell.rows("move", "1", "--list", "In progress", "--top")
    expect(card(list_named(page, "In progress"), "Order seeds")).to_be_visible()
    shell.rows("assign", "1", "me")
    expect(tile.locator(".avatar")).to_have_count(1)
    shell.rows("comment", "1", "The shop is closed on Mondays.")
    expect(tile).to_contain_text(re.compile(r"Comments\s*1"))
    shell.rows("done", "1")
    is_done(tile)
    shell.rows("archive", "1")
    expect(tile).to_have_count(0)
    assert has_stayed(page)


def test_a_browser_shows_the_day_of_a_generated_client(generators, people, tab, tmp_path, document):
    paula, client = people["paula"], tmp_path / "made_client"  # who has tokens to spare: the day revokes one
    page = tab(paula)
    tile = card(page, "Order seeds")
    seen = {
        "Boards": lambda: follow(page, paula, {"url": f"/board/{last_board(paula)}"}),
        "Create a card": lambda: expect(card(list_named(page, "To do"), "Order seeds")).to_be_visible(),
        "Change a card": lambda: expect(card(list_named(page, "In progress"), "Order seeds and bulbs")).to_be_visible(),
        "Lists": lambda: expect(list_named(page, "Some day")).to_be_visible(),
        "Many cards at once": lambda: expect(list_named(page, "Some day").locator(".card")).to_have_count(2),
        "Archive, restore, delete": lambda: expect(list_named(page, "Some day")).to_have_count(0),
        "Safe retries": lambda: expect(card(page, "Only once")).to_have_count(1),
        "Log out": lambda: expect(tile).to_be_visible(),
    }
    command = made_by_openapi_python_client(document, client)
    with started(*command, paula.url, paula.tokens[1], folder=tmp_path) as day:
        met = []
        while title := day.stdout.readline().rstrip("\n"):
            if title in seen:
                seen[title]()
                met.append(title)
            day.stdin.write("seen\n")
    assert met == [*seen]
    assert has_stayed(page)
