"""The filter of *My work*: by words or a number, board, label and due date, as a list and as a table."""

import re
from datetime import timedelta
from urllib.parse import urlencode

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from accounts.models import User
from boards.actions.boards.board import archive_board, create_board
from boards.actions.cards.card import create_card
from boards.actions.cards.labels import add_label, create_label
from boards.models import Board, Card
from conftest import join, web
from taskboard.tests.browsers import wait_until_wired
from web.tests.browsing import SCRIPTED, browser, text_of
from web.tests.looking import is_in_window

PATHS = ("/my", "/my/table")


@pytest.fixture
def garden(olga, ed) -> Board:
    made = create_board(actor=web(olga), title="Garden", template="kanban")
    join(ed, made)
    return made


@pytest.fixture
def given(olga, ed, board, todo, garden) -> dict[str, Card]:
    """Ed's cards: of the first board one is late, the other one is labelled; of the second both have a label of that name."""
    late = {"due_at": timezone.now() - timedelta(days=2)}
    cards = {
        title: create_card(actor=web(olga), list_id=todo.pk, title=title, assignee_ids=[ed.pk], **due)
        for title, due in {"Print the posters": late, "Fix the roof": {}}.items()
    } | {
        title: create_card(actor=web(olga), board_id=garden.pk, title=title, assignee_ids=[ed.pk])
        for title in ("Water the roses", "Fix the fence")
    }
    labels = {one: create_label(actor=web(olga), board_id=one.pk, name="Urgent & dear") for one in (board, garden)}
    for title, where in {"Fix the roof": board, "Water the roses": garden, "Fix the fence": garden}.items():
        add_label(actor=web(olga), card_id=cards[title].pk, label_id=labels[where].pk)
    return cards


def shown(user: User, path: str, **query: object) -> list[str]:
    html = browser(user).get(f"{path}?{urlencode(query)}").content.decode()
    return sorted(re.findall(r'<a class="title"[^>]*>([^<]*)<', html))


@pytest.mark.usefixtures("each_makes_statements")
@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    "query, titles",
    [
        ({"q": "FIX the"}, ["Fix the fence", "Fix the roof"]),
        ({"q": "#2"}, ["Fix the fence", "Fix the roof"]),
        ({"board": "GARDEN"}, ["Fix the fence", "Water the roses"]),
        ({"label": "Urgent & dear"}, ["Fix the fence", "Fix the roof", "Water the roses"]),
        ({"label": "Urgent"}, []),
        ({"due": "overdue"}, ["Print the posters"]),
        ({"due": "none", "q": "fix", "board": "GARDEN", "label": "Urgent & dear"}, ["Fix the fence"]),
        ({"q": " ", "board": "x", "label": "\0", "due": "someday"}, None),
    ],
)
def test_cards_must_meet_all_that_the_filter_asks_for(given, ed, garden, path, query, titles):
    sent = {name: garden.pk if value == "GARDEN" else value for name, value in query.items()}
    assert shown(ed, path, **sent) == (sorted(given) if titles is None else titles)


@pytest.mark.usefixtures("each_makes_statements")
@pytest.mark.parametrize("path", PATHS)
def test_a_board_of_others_narrows_to_nothing_and_is_not_named(given, ed, stan, path):
    secret = create_board(actor=web(stan), title="Secret", template="kanban")
    create_label(actor=web(stan), board_id=secret.pk, name="Hidden")
    create_card(actor=web(stan), board_id=secret.pk, title="Of Stan")
    answer = browser(ed).get(f"{path}?board={secret.pk}")
    assert shown(ed, path, board=secret.pk) == []
    assert not re.search("Secret|Hidden|Of Stan", answer.content.decode())


@pytest.mark.usefixtures("each_makes_statements")
@pytest.mark.parametrize("path", PATHS)
def test_the_form_shows_what_narrows_though_it_is_no_longer_offered(given, olga, ed, garden, path):
    archive_board(actor=web(olga), board_id=garden.pk)
    answer = browser(ed).get(path, {"board": garden.pk, "label": "Former"}).content.decode()
    assert f'<option value="{garden.pk}" selected>Garden</option>' in answer
    assert '<option value="Former" selected>Former</option>' in answer


@pytest.mark.parametrize("path", PATHS)
def test_a_text_that_is_too_long_is_refused_in_words(ed, board, path):
    for headers in ({}, SCRIPTED):
        answer = browser(ed).get(f"{path}?q={'x' * 501}", **headers)
        assert answer.status_code == 422
        assert "must have at most 500 characters" in text_of(answer)


@pytest.mark.usefixtures("each_makes_statements")
@pytest.mark.parametrize("path", PATHS)
def test_a_filter_that_keeps_nothing_says_so(given, ed, path):
    for headers in ({}, SCRIPTED):
        assert "No card matches these filters." in text_of(browser(ed).get(f"{path}?q=nothing", **headers))


def test_the_table_says_how_many_of_how_many_cards_it_shows(given, ed):
    assert "2 of 4 cards" in text_of(browser(ed).get("/my/table?q=fix"))


def test_csv_has_what_the_filter_keeps(given, ed):
    lines = browser(ed).get("/my/table?q=fix&format=csv").content.decode().splitlines()
    assert len(lines) == 3


def test_the_form_keeps_the_rest_of_the_address_and_clearing_leaves_it(given, ed):
    table = browser(ed).get("/my/table?which=created&q=fix&sort=title&columns=title.due").content.decode()
    form = re.search(r'<form class="filter-form".*?</form>', table, re.DOTALL)[0]
    assert re.findall(r'type="hidden" name="([^"]*)" value="([^"]*)"', form) == [
        ("which", "created"),
        ("sort", "title"),
        ("columns", "title.due"),
    ]
    assert 'href="/my/table?which=created&amp;sort=title&amp;columns=title.due"' in form
    listed = browser(ed).get("/my?which=created&q=fix&by=list").content.decode()
    form = re.search(r'<form class="filter-form".*?</form>', listed, re.DOTALL)[0]
    assert re.findall(r'type="hidden" name="([^"]*)" value="([^"]*)"', form) == [("which", "created"), ("by", "list")]
    assert 'href="/my?which=created&amp;by=list"' in form


def test_views_kinds_and_groups_keep_the_filter(given, ed):
    listed = browser(ed).get("/my?q=fix&due=none").content.decode()
    table = browser(ed).get("/my/table?q=fix&due=none&sort=title").content.decode()
    for address in (
        "/my/table?q=fix&amp;due=none",
        "/my?which=created&amp;q=fix&amp;due=none",
        "/my?q=fix&amp;due=none&amp;by=board",
    ):
        assert f'href="{address}"' in listed
    for address in ("/my?q=fix&amp;due=none", "/my/table?which=created&amp;q=fix&amp;due=none&amp;sort=title"):
        assert f'href="{address}"' in table


def test_a_saved_filter_keeps_what_narrows(given, ed, garden):
    query = urlencode({"which": "assigned", "by": "due", "q": "fix", "board": garden.pk, "label": "Urgent & dear"})
    browser(ed).post("/my/filters", {"name": "Fences", "query": query})
    html = browser(ed).get("/my/table").content.decode()
    assert f'href="/my/table?{query.replace("&", "&amp;")}"' in html


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("path", PATHS)
def test_f_opens_the_filter_enter_applies_it_and_shift_f_clears_it(show, given, ed, path):
    page = show(path, ed)
    titles = page.locator("#my-rows .title, #table-rows .title")
    expect(titles).to_have_count(4)
    page.keyboard.press("f")
    expect(page.locator("#filter-text")).to_be_focused()
    page.keyboard.type("fix")
    page.locator(".filter-form [name=board]").select_option("Garden")
    page.locator("#filter-text").press("Enter")
    page.wait_for_url("**q=fix**")
    expect(titles).to_have_text(["Fix the fence"])
    expect(page.locator(".filter-button")).to_contain_text("2")
    wait_until_wired(page)
    page.keyboard.press("Shift+F")
    page.wait_for_url(f"**{path}")
    expect(titles).to_have_count(4)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("path", PATHS)
def test_the_form_shows_the_filter_of_the_page_that_one_goes_back_to(show, given, ed, path):
    page = show(f"{path}?due=overdue", ed)
    field = page.locator(".filter-form [name=due]")
    page.keyboard.press("f")
    field.select_option("none")
    page.locator("#filter-text").press("Enter")
    page.wait_for_url("**due=none**")
    page.go_back()
    page.wait_for_url("**due=overdue**")
    expect(field).to_have_value("overdue")


@pytest.mark.django_db(transaction=True)
def test_escape_that_ends_the_composition_of_a_word_leaves_the_filter_open_with_what_was_typed(show, given, ed):
    page = show("/my", ed)
    field = page.locator("#filter-text")
    page.keyboard.press("f")
    expect(field).to_be_focused()  # letters typed before are held for it, and nobody composes a word there
    page.keyboard.type("roof")
    field.dispatch_event("keydown", {"key": "Escape", "isComposing": True})
    expect(field).to_be_focused()
    expect(field).to_have_value("roof")
    page.keyboard.press("Escape")
    expect(field).to_be_hidden()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("path", PATHS)
def test_on_a_small_phone_the_filter_is_in_the_window(show, given, ed, path):
    page = show(f"{path}?q=fix", ed)
    page.set_viewport_size({"width": 360, "height": 740})
    page.locator(".filter-menu > summary").click()
    assert is_in_window(page.locator(".filter-menu > .items"))
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
