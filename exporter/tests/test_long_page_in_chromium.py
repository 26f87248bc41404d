"""The page of a board in the zip, where a list is so long that Chromium lays out parts of it only when they are needed."""

import io
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest
from playwright.sync_api import Browser, Locator, Page

from accounts.models import User
from boards.models import Board, Card, List
from boards.reader import Reader
from exporter.models import Form
from exporter.readable.html import PART
from exporter.writing import write

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("storage")]
IS_LAID_OUT = "card => card.checkVisibility({ contentVisibilityAuto: true })"
FAR = PART * 3  # the number of a card far below the window, in a part that is not the last


@pytest.fixture
def cards(board: Board, todo: List, olga: User) -> list[Card]:
    return Card.objects.bulk_create(
        Card(board=board, list=todo, number=number, position=number, title=f"Card {number}", created_by=olga)
        for number in range(1, PART * 4 + 1)
    )


@pytest.fixture
def page(chrome: Browser, cards: list[Card], olga: User, tmp_path: Path) -> Iterator[Page]:
    write(Form.ZIP, Reader(olga), file := io.BytesIO())
    with ZipFile(file) as archive:
        archive.extract("boards/Launch.html", tmp_path)
    with chrome.new_context() as context:
        page = context.new_page()
        page.goto((tmp_path / "boards" / "Launch.html").as_uri())
        yield page


def far(page: Page) -> Locator:
    return page.locator(f"#card-{FAR}")


def test_a_card_far_below_is_not_laid_out_and_yet_found(page):
    assert page.locator("#card-1").evaluate(IS_LAID_OUT)
    assert not far(page).evaluate(IS_LAID_OUT)
    assert page.evaluate("title => window.find(title)", f"Card {FAR}")
    page.wait_for_function(f"card => ({IS_LAID_OUT})(card)", arg=far(page).element_handle())


def test_the_last_part_of_a_list_is_laid_out_so_that_short_lists_are_as_tall_as_they_are(page, cards):
    assert page.locator(f"#card-{len(cards)}").evaluate(IS_LAID_OUT)


def test_every_card_is_printed(page, cards):
    printed = page.pdf()
    assert [card.title for card in cards if str(card.pk).encode() not in printed] == []
