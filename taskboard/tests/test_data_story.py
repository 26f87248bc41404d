"""People and operators work with data, in one go: files dropped, a board of Trello taken over, everything taken along to
another account, and the service brought back from a backup after its data folder is lost."""

import io
import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from importer.tests.circle import bare
from importer.tests.reading import FILES
from taskboard.tests.browsers import refused_by_policy, wait_until_wired
from taskboard.tests.people import Person, settle
from taskboard.tests.prepared import prepared_data, with_static_files
from taskboard.tests.servers import ROOT, bare_environment, faults, serving
from web.tests.given_files import give, note, picture

pytestmark = pytest.mark.timeout(300)

GIVEN = [note("One.txt"), ("Cat.png", "image/png", picture()), note("Two.txt")]
MADE = 60_000  # milliseconds for what the worker makes beside the request


@pytest.fixture
def environment(processes: None, tmp_path: Path) -> dict[str, str]:
    return {"TASKBOARD_DATA": str(prepared_data(tmp_path / "service"))}


@pytest.fixture
def words(tmp_path: Path) -> Path:
    """A file with the passphrase of the backup."""
    path = tmp_path / "words"
    path.write_text("correct horse battery")
    return path


def test_files_imports_exports_and_backups_hold_everything(environment, chrome, tmp_path, words):
    file = tmp_path / "some.backup"
    with serving(environment) as running, settle(environment, running.url, "olga", "ed", "stan") as people:
        olga, ed, stan = people["olga"], people["ed"], people["stan"]
        hers, his, strange = (signed_in(chrome, person) for person in (olga, ed, stan))
        refused = [refused_by_policy(page) for page in (hers, his, strange)]
        board = olga.new_board()
        olga.invite(board, ed)
        card = olga.new_card(board, "Choose the cover")
        address = f"/board/{board['id']}?card={card['id']}"

        drop_three_files(hers, his, address)
        title, promised = take_over_from_trello(hers)
        exported = export(hers)
        [taken] = [one for one in told_by(exported)["boards"] if one["title"] == title]
        assert sum(len(row["cards"]) for row in taken["lists"]) == promised
        assert files_in(exported) == sorted((name, content) for name, _type, content in GIVEN)
        take_along(strange, exported)
        again = export(strange)
        assert bare(told_by(again)) == bare(told_by(exported))
        assert files_in(again) == files_in(exported)

        before = [everything_of(person) for person in (olga, stan)]
        manage(environment, "backup", str(file), "--passphrase-file", str(words))
        assert refused == [[], [], []]
        for page in (hers, his, strange):
            page.context.close()
        _code, _out, err = running.stop(15)
        assert faults(err) == []

        shutil.rmtree(environment["TASKBOARD_DATA"])
        manage(environment, "restore", str(file), "--passphrase-file", str(words))
        with_static_files(Path(environment["TASKBOARD_DATA"]))
        with (
            serving(environment, port=urlsplit(running.url).port),
            olga.elsewhere() as olga,  # a backup has no sessions
            stan.elsewhere() as stan,
        ):
            assert [everything_of(person) for person in (olga, stan)] == before
            hers = signed_in(chrome, olga)
            hers.goto(address)
            expect(hers.locator(".file-look img")).to_have_js_property("naturalWidth", 320)
            with hers.expect_download() as download:
                hers.get_by_role("link", name="One.txt").first.click()
            assert Path(download.value.path()).read_bytes() == GIVEN[0][2]
            hers.context.close()


def signed_in(browser: Browser, person: Person) -> Page:
    context = browser.new_context(base_url=person.url, reduced_motion="reduce", accept_downloads=True)
    context.add_cookies([{"name": "sessionid", "value": person.session, "url": person.url}])
    page = context.new_page()
    page.set_default_timeout(MADE)
    return page


def drop_three_files(hers: Page, his: Page, address: str) -> None:
    for page in (hers, his):
        page.goto(address)
        wait_until_wired(page)
    give(hers, "drop", "#card-dialog .main", *GIVEN)
    for page in (hers, his):
        expect(page.locator(".file-name")).to_have_count(3, timeout=MADE)
        expect(page.locator(".file-look img")).to_have_js_property("naturalWidth", 320, timeout=MADE)


def take_over_from_trello(page: Page) -> tuple[str, int]:
    """Import a board of Trello; return its title, and the number of its cards as the report has it."""
    read_file(page, FILES / "trello.json")
    expect(page.get_by_role("heading", name="What will be imported")).to_be_visible(timeout=MADE)
    title, words = page.locator("section[aria-labelledby=made] li").inner_text().split("\n", 1)
    press(page, "Import")
    expect(page.get_by_text("The import is finished.")).to_be_visible(timeout=MADE)
    page.get_by_role("link", name=title).click()
    expect(page.get_by_role("heading", name=title)).to_be_visible()
    return title, int(words.split(" cards")[0].split()[-1])


def take_along(page: Page, exported: bytes) -> None:
    """Import somebody's export into this account, as one's own."""
    read_file(page, {"name": "export.zip", "mimeType": "application/zip", "buffer": exported})
    expect(page.get_by_role("heading", name="What will be imported")).to_be_visible(timeout=MADE)
    page.get_by_label("Olga").select_option("Me")
    press(page, "Import")
    expect(page.get_by_text("The import is finished.")).to_be_visible(timeout=MADE)


def read_file(page: Page, file: Any) -> None:
    page.goto("/settings/data/import")
    wait_until_wired(page, "form[data-behaviour=upload]")
    page.locator("input[type=file]").set_input_files(file)
    press(page, "Continue")
    expect(page.get_by_role("heading", name="Import of")).to_be_visible(timeout=MADE)


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def export(page: Page) -> bytes:
    """Make an export of all boards, and return the zip."""
    page.goto("/settings/data")
    press(page, "Create export")
    link = page.get_by_role("link", name="Download")
    expect(link).to_be_visible(timeout=MADE)
    with page.expect_download() as download:
        link.click()
    return Path(download.value.path()).read_bytes()


def told_by(exported: bytes) -> dict[str, Any]:
    with zipfile.ZipFile(io.BytesIO(exported)) as archive:
        return json.loads(archive.read("export.json"))


def files_in(exported: bytes) -> list[tuple[str, bytes]]:
    """Return names and contents of the attachments."""
    with zipfile.ZipFile(io.BytesIO(exported)) as archive:
        names = [name for name in archive.namelist() if name.startswith("files/")]
        return sorted((name.rpartition("/")[2], archive.read(name)) for name in names)


def everything_of(person: Person) -> dict[str, Any]:
    answer = person.browser.get("/api/export")
    answer.raise_for_status()
    return {name: value for name, value in answer.json().items() if name != "exportedAt"}


def manage(environment: dict[str, str], *command: str) -> None:
    whole = [sys.executable, "manage.py", *command]
    subprocess.run(whole, cwd=ROOT, env=bare_environment() | environment, check=True, capture_output=True)
