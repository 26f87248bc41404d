"""The data folders in `released`, each as a version left it, are brought up to date by the start of this version."""

import hashlib
import json
import sqlite3
import tarfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from taskboard.migration_names import known_migrations
from taskboard.tests.prepared import with_static_files
from taskboard.tests.released.make import FOLDER, Known, settings_for, signed_in
from taskboard.tests.servers import Running, serving
from taskboard.version import VERSION

KEPT = sorted(path.name.removesuffix(".tar.xz") for path in FOLDER.glob("*.tar.xz"))
LARGEST = 300_000  # bytes of a kept folder


@dataclass
class Upgraded:
    """A service of this version on a kept folder, and what is known to be in it."""

    known: Known
    data: Path
    running: Running
    browser: httpx.Client

    def count(self, table: str) -> int:
        with closing(sqlite3.connect(self.data / "taskboard.sqlite3")) as connection:
            [[found]] = connection.execute(f"SELECT count(*) FROM {table}").fetchall()
        return found

    def get(self, path: str) -> httpx.Response:
        headers = {"Authorization": f"Bearer {self.known['token']}"}
        answer = self.browser.get(path, headers=headers, follow_redirects=True)
        assert answer.status_code == 200, (path, answer.status_code, answer.text[:300])
        return answer


def unpacked(name: str, data: Path) -> Known:
    """Lay the kept folder out; return what is known to be in it."""
    with tarfile.open(FOLDER / f"{name}.tar.xz") as packed:
        packed.extraction_filter = getattr(tarfile, "data_filter", None)  # Python 3.11.2, Debian 12's, has none yet
        packed.extractall(data)
    with_static_files(data)
    return json.loads((data / "known.json").read_text())


@pytest.fixture(scope="module", params=KEPT)
def service(
    request: pytest.FixtureRequest, processes: None, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Upgraded]:
    known = unpacked(request.param, data := tmp_path_factory.mktemp(request.param) / "data")
    with serving(settings_for(data)) as running, closing(signed_in(running.url, known)) as browser:
        yield Upgraded(known, data, running, browser)


def test_no_row_is_lost_or_added(service: Upgraded) -> None:
    assert {table: service.count(table) for table in service.known["counts"]} == service.known["counts"]
    assert min(service.known["counts"].values()) > 0


def test_boards_and_cards_open(service: Upgraded) -> None:
    card = service.known["card"]
    assert card["title"] in service.get(f"/board/{service.known['board']}").text
    page = service.get(f"/card/{card['id']}").text
    assert service.known["comment"] in page
    assert service.known["attachment"]["name"] in page


def test_files_are_what_they_were(service: Upgraded) -> None:
    attachment = service.known["attachment"]
    content = service.get(f"/attachments/{attachment['id']}").content
    assert hashlib.sha256(content).hexdigest() == attachment["sha256"]


def test_tokens_go_on_working(service: Upgraded) -> None:
    headers = {"Authorization": f"Bearer {service.known['token']}"}
    boards = service.running.get("/api/v1/boards", headers=headers).json()["boards"]
    assert sorted(board["title"] for board in boards) == service.known["boards"]


def test_tokens_keep_everything(service: Upgraded) -> None:
    headers = {"Authorization": f"Bearer {service.known['token']}"}
    token = service.running.get("/api/v1/tokens/current", headers=headers).json()["token"]
    assert (token["access"], token["boards"], token["deletes"]) == ("readWrite", None, True)


def test_an_export_has_everything(service: Upgraded) -> None:
    boards = service.get("/api/export").json()["boards"]
    assert {*service.known["boards"]} <= {board["title"] for board in boards}
    assert service.known["comment"] in json.dumps(boards)


def test_the_former_form_is_copied_first(service: Upgraded) -> None:
    copies = [*(service.data / "backups").glob("before-migration-*.sqlite3")]
    if service.known["name"] == VERSION:  # whose tables may be up to date
        return
    with closing(sqlite3.connect(copies[0])) as connection:
        [[cards]] = connection.execute("SELECT count(*) FROM boards_card").fetchall()
    assert cards == service.known["counts"]["boards_card"]


def test_there_is_a_folder_of_this_version_and_all_are_small() -> None:
    assert VERSION in KEPT
    assert len(KEPT) > 1
    assert [name for name in KEPT if (FOLDER / f"{name}.tar.xz").stat().st_size > LARGEST] == []


def test_the_folder_of_this_version_has_its_tables(processes: None, tmp_path: Path) -> None:
    unpacked(VERSION, tmp_path)
    with closing(sqlite3.connect(tmp_path / "taskboard.sqlite3")) as connection:
        found = {*connection.execute("SELECT app, name FROM django_migrations")}
    missing = sorted(".".join(name) for name in known_migrations() - found)
    assert not missing, f"docs/releasing.md: make the folder again, or raise a version that is tagged: {missing}"
