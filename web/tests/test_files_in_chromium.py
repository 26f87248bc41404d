"""A real browser downloads hostile files, or shows pixels, and runs nothing."""

from contextlib import suppress

import pytest
from playwright.sync_api import Error, Page

from boards.actions.files.attachments import attach_file
from boards.models import Attachment
from conftest import web
from core.files.storage import store

pytestmark = pytest.mark.django_db(transaction=True)

SCRIPT = "document.documentElement.dataset.hacked = 1"
HOSTILE = {
    "page.html": f"<!doctype html><html><script>{SCRIPT}</script>".encode(),
    "drawing.svg": f'<svg xmlns="http://www.w3.org/2000/svg"><script>{SCRIPT}</script></svg>'.encode(),
    "page.xhtml": f'<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><script>{SCRIPT}</script></html>'.encode(),
    "code.js": SCRIPT.encode(),
    "photo.pdf": b"%PDF-1.4\n<script>" + SCRIPT.encode(),
}
# Each is a picture by its first bytes, and something else too.
TWO_THINGS = {
    "picture.gif.html": b"GIF89a/*" + b"\0" * 20 + b"*/=1;" + SCRIPT.encode() + b"//<html><script>" + SCRIPT.encode(),
    "picture.png.html": b"\x89PNG\r\n\x1a\n<html><script>" + SCRIPT.encode() + b"</script>",
}
AS_SCRIPT = """address => new Promise((resolve) => {
    const script = document.createElement("script");
    script.src = address;
    script.onload = () => resolve("ran");
    script.onerror = () => resolve("refused");
    document.head.append(script);
})"""


def attach(ed, card, name: str, content: bytes) -> Attachment:
    return attach_file(actor=web(ed), card_id=card.pk, stored=store([content], most=10_000), file_name=name)


def is_hacked(page: Page) -> bool:
    return page.evaluate("document.documentElement.dataset.hacked !== undefined")


def is_downloaded(page: Page, address: str) -> bool:
    with page.expect_download() as download, suppress(Error):  # as the page stays where it is
        page.goto(address)
    return download.value.failure() is None


def test_what_is_no_picture_is_downloaded_however_it_is_asked_for(show, ed, card):
    files = {name: attach(ed, card, name, content) for name, content in HOSTILE.items()}
    page = show(card.get_absolute_url(), ed)
    base = page.url.partition("/board")[0]
    for name, file in files.items():
        for rest in ("", "?inline"):
            assert is_downloaded(page, f"{base}/attachments/{file.pk}{rest}"), name
    assert not is_hacked(page)


def test_a_picture_that_is_something_else_too_is_a_picture_and_runs_nothing(show, ed, card):
    files = [attach(ed, card, name, content) for name, content in TWO_THINGS.items()]
    page = show(card.get_absolute_url(), ed)
    base = page.url.partition("/board")[0]
    for file in files:
        page.goto(f"{base}/attachments/{file.pk}?inline")
        assert page.evaluate("document.contentType").startswith("image/")
        assert not is_hacked(page)


def test_a_page_of_ours_runs_no_file_as_a_script(show, ed, card):
    files = [attach(ed, card, name, content) for name, content in (HOSTILE | TWO_THINGS).items()]
    page = show(card.get_absolute_url(), ed)
    for file in files:
        assert page.evaluate(AS_SCRIPT, f"/attachments/{file.pk}?inline") == "refused", file.file_name
    assert not is_hacked(page)
