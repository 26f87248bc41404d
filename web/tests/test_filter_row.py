"""The row of conditions of *My work* and of tables, which boards have too (test_filter_bar.py)."""

import re
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

from boards.actions.boards.board import create_board
from boards.actions.cards.card import complete_card, create_card
from boards.actions.cards.labels import add_label, create_label
from boards.models import Card
from conftest import web
from taskboard.tests.axe import complaints_in_both_themes
from web.my import pages
from web.tests.looking import box, widest
from web.tests.table_cards import html_of, table_of

PATHS = ("/my", "/my/table", "/board/{}/table")
CHIP = re.compile(r'class="chip" href="([^"]*)".*?<span dir="auto">(.*?)</span>', re.DOTALL)
SAID = re.compile(r'id="filter-bar".*?role="status">(.*?)<', re.DOTALL)

pytestmark = pytest.mark.django_db


@pytest.fixture
def cards(olga, ed, board, todo) -> list[Card]:
    """Three of Ed's, two of which match "roof", and one of Olga's."""
    titles = ("Mend the roof", "Roof of the shed", "Wall")
    mine = [create_card(actor=web(olga), list_id=todo.pk, title=one, assignee_ids=[ed.pk]) for one in titles]
    return [*mine, create_card(actor=web(olga), list_id=todo.pk, title="Door")]


def chips(html: str) -> list[tuple[str, str]]:
    """Return the words of each chip, and the address to which it leads."""
    return [(words, address.replace("&amp;", "&")) for address, words in CHIP.findall(html)]


@pytest.mark.parametrize(
    "path, more", [("/my", {"by": "list"}), ("/my/table", {"sort": "-title", "columns": "title.due"})]
)
def test_each_condition_of_my_work_has_a_chip_that_leads_to_the_page_without_it(ed, board, cards, path, more):
    narrowing = {"q": "roof", "board": board.pk, "label": "Urgent", "due": "none"}
    query = {"which": "created", **narrowing, **more}
    found = chips(html_of(ed, f"{path}?{urlencode(query | {'page': 2})}"))
    expected = ["Text: roof", f"Board: {board.title}", "Label: Urgent", "Due: No due date"]
    assert [words for words, _address in found] == expected
    for name, (_words, address) in zip(narrowing, found, strict=True):
        assert address == f"{path}?{urlencode({key: value for key, value in query.items() if key != name})}"


def test_the_chips_of_the_table_of_a_board_keep_its_order_and_columns(ed, board, cards):
    found = chips(html_of(ed, table_of(board, "?q=roof&who=me&sort=-title&columns=title.due")))
    kept = "sort=-title&columns=title.due"
    assert found == [
        ("Text: roof", table_of(board, f"?who=me&{kept}")),
        ("Assigned to: Me", table_of(board, f"?q=roof&{kept}")),
    ]


def test_a_board_that_one_may_not_see_is_unknown(olga, ed, cards):
    secret = create_board(actor=web(olga), title="Secret", template="kanban")
    assert chips(html_of(ed, f"/my?board={secret.pk}")) == [("Board: Unknown", "/my")]


@pytest.mark.parametrize(
    "path, query, said",
    [
        ("/my", "q=roof", "2 of 3 cards"),
        ("/my", "q=roof&page=2", "2 of 3 cards"),
        ("/my", "q=nothing", "0 of 3 cards"),
        ("/my", "which=created&q=roof", "0 of 0 cards"),
        ("/my/table", "q=roof", "2 of 3 cards"),
        ("/board/{}/table", "q=roof", "2 of 4 cards"),
    ],
)
def test_it_says_how_many_cards_the_filter_keeps_of_those_that_the_page_would_have(
    ed, board, cards, path, query, said, monkeypatch
):
    monkeypatch.setattr(pages, "A_PAGE", 1)
    assert SAID.findall(html_of(ed, f"{path.format(board.pk)}?{query}")) == [said]


def test_done_cards_are_none_of_the_work(olga, ed, cards):
    complete_card(actor=web(olga), card_id=cards[2].pk)
    assert SAID.findall(html_of(ed, "/my?q=roof")) == ["2 of 2 cards"]


@pytest.mark.parametrize("path", PATHS)
def test_without_a_filter_there_is_no_row(ed, board, cards, path):
    assert 'id="filter-bar"' not in html_of(ed, path.format(board.pk))


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("path", PATHS)
def test_without_scripts_a_chip_takes_its_condition_away_and_clear_filter_all(show, ed, board, cards, path):
    page = show(f"{path.format(board.pk)}?q=roof&due=none", ed, scripts=False)
    page.get_by_role("link", name="Remove “Text: roof”").click()
    expect(page.locator("#filter-bar .chip")).to_have_text("Due: No due date")
    expect(page).to_have_url(re.compile(r"\?due=none$"))
    page.locator("#filter-bar").get_by_role("link", name="Clear filter").click()
    expect(page.locator("#filter-bar")).to_have_count(0)
    expect(page).to_have_url(re.compile(f"{path.format(board.pk)}$"))


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("path", ["/my", "/my/table"])
def test_the_number_follows_the_rows(show, olga, ed, board, cards, path):
    page = show(f"{path}?q=roof", ed)
    status = page.locator("#filter-bar [role=status]")
    status.evaluate("status => { window.first = status }")
    page.get_by_role("button", name="Mark as done").first.click()
    expect(status).to_have_text("1 of 2 cards")
    assert status.evaluate("status => status === window.first"), "what changes in it is announced"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("path", PATHS)
def test_the_row_fits_a_phone_is_accessible_and_is_printed_without_buttons(show, olga, ed, board, cards, axe, path):
    label = create_label(actor=web(olga), board_id=board.pk, name="Waiting for an answer of the printer")
    add_label(actor=web(olga), card_id=cards[0].pk, label_id=label.pk)
    labelled = f"label={label.pk}" if "board" in path else f"label={label.name}&board={board.pk}"
    page = show(f"{path.format(board.pk)}?q=the+roof+of+the+old+shed&due=none&{labelled}", ed, width=360)
    assert widest(page, "body") <= 0
    bar = box(page.locator("#filter-bar"))
    assert bar["bottom"] - bar["top"] < 60
    for target in page.locator("#filter-bar a").all():
        assert box(target)["bottom"] - box(target)["top"] >= 44
    assert complaints_in_both_themes(page) == []
    page.emulate_media(media="print")
    expect(page.locator("#filter-bar").get_by_text("the roof of the old shed")).to_be_visible()
    expect(page.locator("#filter-bar :is(.icon, .button)").filter(visible=True)).to_have_count(0)
