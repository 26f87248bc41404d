"""Static files as they are served: collected under hashed names."""

import re
import shutil
from collections.abc import Mapping
from contextlib import closing
from http import HTTPStatus
from pathlib import Path

import pytest
from django.http import HttpResponseNotFound
from django.test import RequestFactory
from whitenoise.middleware import WhiteNoiseMiddleware

from taskboard.tests.needs import ROOT
from taskboard.tests.prepared import prepared_static_files

IMPORT = re.compile(r"""\b(?:import|from)\s*\(?\s*["'](\.{1,2}/[^"']+)["']""")
ASKS = re.compile(r"(?<![\w.#])(?:(?:window|globalThis)\.)?(?:confirm|alert|prompt)\(")
HASHED = re.compile(r"\.[0-9a-f]{12}\.js$")


def test_scripts_import_each_other_by_hashed_names_only(processes):
    """A module with two names would be loaded twice. Django rewrites only imports that end with a semicolon."""
    scripts = prepared_static_files() / "js"
    served = [path for path in scripts.rglob("*.js") if HASHED.search(path.name)]
    imported = {(path.parent / name).resolve() for path in served for name in IMPORT.findall(path.read_text())}
    assert len(imported) > 10
    assert [path for path in imported if not HASHED.search(path.name)] == []
    assert all(path.is_file() for path in imported)


def test_no_script_or_template_asks_by_a_dialog_of_the_browser():
    """It has the browser's words and look, and stops the page (kit/ask.js asks instead)."""
    files = [*(ROOT / "static" / "js").rglob("*.js"), *(ROOT / "templates").rglob("*.html")]
    assert [path.name for path in files if ASKS.search(path.read_text())] == []


@pytest.fixture
def logo(processes, tmp_path, settings) -> Path:
    """A static file under its hashed name, collected."""
    for path in (prepared_static_files() / "staticfiles.json", *prepared_static_files().glob("favicon.*")):
        shutil.copy(path, tmp_path)
    settings.STATIC_ROOT, settings.WHITENOISE_AUTOREFRESH = tmp_path, False
    settings.STORAGES = settings.STORAGES | {"staticfiles": {"BACKEND": "taskboard.static.Storage"}}
    return next(path for path in tmp_path.glob("favicon.*.svg"))


@pytest.fixture
def files(logo, db) -> WhiteNoiseMiddleware:  # the end of a request looks after the connection
    return WhiteNoiseMiddleware(lambda request: HttpResponseNotFound())


def ask(files: WhiteNoiseMiddleware, name: str, **headers: str) -> tuple[int, Mapping[str, str], bytes]:
    with closing(files(RequestFactory().get(f"/static/{name}", headers=headers))) as answer:
        return answer.status_code, answer.headers, b"".join(answer)  # type: ignore[call-overload]


def test_a_file_with_a_hash_is_kept_for_ever(files, logo):
    status, headers, body = ask(files, logo.name)
    assert (status, body) == (HTTPStatus.OK, logo.read_bytes())
    assert headers["Content-Type"] == "image/svg+xml"
    assert "immutable" in headers["Cache-Control"]


def test_a_file_without_its_hash_is_not_kept_for_ever(files):
    status, headers, _body = ask(files, "favicon.svg")
    assert (status, headers["Cache-Control"]) == (HTTPStatus.OK, "max-age=60, public")


def test_a_file_is_sent_compressed_to_who_takes_that(files, logo):
    compressed = f"{logo.name}.gz"
    _status, headers, body = ask(files, logo.name, accept_encoding="gzip")
    assert (headers["Content-Encoding"], body) == ("gzip", (logo.parent / compressed).read_bytes())
    assert ask(files, compressed)[0] == HTTPStatus.NOT_FOUND, "it is no file of its own"


def test_a_browser_that_has_the_file_gets_no_body(files, logo):
    etag = ask(files, logo.name)[1]["ETag"]
    status, _headers, body = ask(files, logo.name, if_none_match=etag)
    assert (status, body) == (HTTPStatus.NOT_MODIFIED, b"")


@pytest.mark.parametrize(
    "name", ["nothing.css", "../taskboard.sqlite3", "%2e%2e/taskboard.sqlite3", "staticfiles.json/"]
)
def test_nothing_but_collected_files_is_found(files, name):
    assert ask(files, name)[0] == HTTPStatus.NOT_FOUND
