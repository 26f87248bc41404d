"""Make a small data folder as this version leaves it, which later versions are tested to bring up to date.

    .venv/bin/python -m taskboard.tests.released.make NAME [CHECKOUT]

It starts the service of CHECKOUT, this one where none is named, in the environment in its `.venv`. The demo's account
attaches a file and comments on a card. What is left is NAME.tar.xz here: the SQLite database, the files, and known.json
with what the test has to find. Each release adds one (docs/releasing.md).
"""

import contextlib
import hashlib
import io
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx

from taskboard.tests.servers import PLAIN_HTTP, ROOT, bare_environment, free_port
from taskboard.tests.waiting import wait_until

FOLDER = Path(__file__).resolve().parent
SECRET_KEY = "kept-data-folders-of-the-tests-0123456789-and-nothing-else"
CSRF = "c" * 32
FILE_NAME, FILE = "Notes of the launch.txt", b"Kept since then.\n" * 20
COMMENT = "This comment is from then."
TABLES = (  # whose rows no upgrade may lose or add to
    "accounts_apitoken",
    "accounts_user",
    "boards_activity",
    "boards_attachment",
    "boards_board",
    "boards_card",
    "boards_checklist",
    "boards_checklistitem",
    "boards_comment",
    "boards_label",
    "boards_list",
    "boards_membership",
)
Known = dict[str, Any]


def settings_for(data: Path) -> dict[str, str]:
    """Return the environment of a service with a kept data folder."""
    return {"TASKBOARD_DATA": str(data), "TASKBOARD_SECRET_KEY": SECRET_KEY, "TASKBOARD_LIMITS": "off"}


def signed_in(url: str, known: Known) -> httpx.Client:
    """Return a browser in which the account of the demo has signed in by its password."""
    browser = httpx.Client(base_url=url, headers={"X-CSRFToken": CSRF}, **PLAIN_HTTP)
    browser.cookies.set("csrftoken", CSRF, domain=browser.base_url.host)
    answer = browser.post("/sign-in", data={"login": known["email"], "password": known["password"]})
    assert answer.status_code == 302, answer.status_code
    browser.headers["X-CSRFToken"] = browser.cookies["csrftoken"]
    return browser


def main(name: str, checkout: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        known = {"name": name, "commit": git(checkout, "rev-parse", "--short", "HEAD"), **lived(checkout, data)}
        database = data / "taskboard.sqlite3"
        with closing(sqlite3.connect(database)) as connection:
            tables = {table: f"SELECT count(*) FROM {table}" for table in TABLES}
            known["counts"] = {table: connection.execute(asked).fetchone()[0] for table, asked in tables.items()}
            connection.execute("PRAGMA journal_mode=DELETE")
            connection.execute("VACUUM")
        write(FOLDER / f"{name}.tar.xz", known, data)


def lived(checkout: Path, data: Path) -> Known:
    """Use the service of the checkout for a while; return what is known of it then."""
    environment = bare_environment() | settings_for(data)
    python = str(checkout / ".venv" / "bin" / "python")

    def manage(*arguments: str) -> str:
        command = [python, "manage.py", *arguments]
        done = subprocess.run(command, cwd=checkout, env=environment, check=True, capture_output=True, text=True)
        return done.stdout

    manage("migrate", "-v0")
    told = dict(re.findall(r"^(\w[\w ]*): +(\S.*)$", manage("demo", "--yes"), re.MULTILINE))
    known: Known = {"email": told["Sign in"], "password": told["Password"], "token": told["API token"]}
    with served(python, checkout, environment) as url:
        known |= used(url, known, *a_card(data))
    return known


def a_card(data: Path) -> tuple[str, str, str]:
    """Return the id of a board, and id and title of a card on it. Not every version tells them by its API."""
    with closing(sqlite3.connect(data / "taskboard.sqlite3")) as connection:
        asked = "SELECT board_id, id, title FROM boards_card WHERE archived_at IS NULL ORDER BY id"
        board, card, title = connection.execute(asked).fetchone()
    return str(UUID(board)), str(UUID(card)), title


def used(url: str, known: Known, board: str, card: str, title: str) -> Known:
    with closing(signed_in(url, known)) as browser:
        return known_by(browser, known, board, card, title)


def known_by(browser: httpx.Client, known: Known, board: str, card: str, title: str) -> Known:
    token = {"Authorization": f"Bearer {known['token']}"}
    boards = browser.get("/api/v1/boards", headers=token).json()["boards"]
    attached = browser.post(f"/card/{card}/attachments", files={"file": (FILE_NAME, FILE, "text/plain")})
    [attachment] = attached.headers["X-Attachments"].split()
    commented = browser.post(f"/card/{card}/comments", data={"text": COMMENT})
    assert commented.status_code < 400, commented.status_code
    return {
        "boards": sorted(board["title"] for board in boards),
        "board": board,
        "card": {"id": card, "title": title},
        "comment": COMMENT,
        "attachment": {"id": attachment, "name": FILE_NAME, "sha256": hashlib.sha256(FILE).hexdigest()},
    }


@contextlib.contextmanager
def served(python: str, checkout: Path, environment: dict[str, str]) -> Iterator[str]:
    port = free_port()
    command = [python, "manage.py", "serve", "--port", str(port)]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    service = subprocess.Popen(command, cwd=checkout, env=environment, **quiet)  # type: ignore[call-overload]
    url = f"http://127.0.0.1:{port}"
    try:
        wait_until(lambda: answers(url), "the service does not answer")
        yield url
    finally:
        service.send_signal(signal.SIGTERM)
        service.wait()


def answers(url: str) -> bool:
    with contextlib.suppress(httpx.TransportError):
        return httpx.get(f"{url}/healthz", **PLAIN_HTTP).is_success
    return False


def write(archive: Path, known: Known, data: Path) -> None:
    with tarfile.open(archive, "w:xz", preset=9) as packed:
        packed.add(data / "taskboard.sqlite3", "taskboard.sqlite3")
        packed.add(data / "files", "files")
        told = json.dumps(known, indent=2, ensure_ascii=False).encode()
        entry = tarfile.TarInfo("known.json")
        entry.size = len(told)
        packed.addfile(entry, io.BytesIO(told))
    sys.stdout.write(f"{archive}: {os.path.getsize(archive):,} bytes\n")


def git(checkout: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=checkout, check=True, capture_output=True, text=True).stdout.strip()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else ROOT)
