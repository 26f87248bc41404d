"""Readers keep their own view of a board: star, collapsed lists, first lines of descriptions, saved filters."""

import re
from urllib.parse import urlencode

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from playwright.sync_api import expect

from boards.actions.boards.board import archive_board, create_board
from boards.actions.boards.board_views import collapse_list, save_filter, show_excerpts, star_board
from boards.actions.cards.card import create_card
from boards.actions.cards.labels import create_label, delete_label
from boards.actions.cards.moves import move_card
from boards.actions.lists.list import create_list, rename_list
from boards.models import BoardView, Card
from conftest import web
from web.boards.columns import shelf
from web.tests.browsing import SCRIPTED, browser, text_of
from web.tests.held import Held


def keep_something(user, board, *lists):
    star_board(actor=web(user), board_id=board.pk)
    show_excerpts(actor=web(user), board_id=board.pk)
    save_filter(actor=web(user), board_id=board.pk, name="Roof", query="q=roof")
    for row in lists:
        collapse_list(actor=web(user), list_id=row.pk)


def page_of(user, board, **query) -> str:
    return browser(user).get(f"/board/{board.pk}", query).content.decode()


def fold_of(page: str, row) -> str:
    """Return the button of a list as it is in the page."""
    return re.search(rf'<button\s[^>]*id="fold-{row.pk}"[^>]*>', page)[0]


# Without scripts


def test_a_star_is_given_on_the_start_page_and_on_the_board(vera, board):
    client = browser(vera)
    for path, other in (("/", "Star Launch"), (f"/board/{board.pk}", "Unstar Launch")):
        page = client.get(path).content.decode()
        assert f'aria-label="{other}"' in page
        value = re.search(r'name="starred" value="(\d)"', page)[1]
        answer = client.post(f"/board/{board.pk}/star", {"starred": value}, HTTP_REFERER=f"http://testserver{path}")
        assert answer.url == path
        assert BoardView.objects.get().starred is (value == "1")


def test_starred_boards_come_first_on_the_start_page(olga, board):
    create_board(actor=web(olga), title="Newer")
    client = browser(olga)
    assert [one.title for one in client.get("/").context["boards"]] == ["Newer", "Launch"]
    star_board(actor=web(olga), board_id=board.pk)
    assert [one.title for one in client.get("/").context["boards"]] == ["Launch", "Newer"]


def test_a_starred_board_on_the_second_page_comes_to_the_first(olga, board, monkeypatch):
    monkeypatch.setattr("web.boards.home.BOARDS", 1)
    create_board(actor=web(olga), title="Newer")
    star_board(actor=web(olga), board_id=board.pk)
    assert [one.title for one in browser(olga).get("/").context["boards"]] == ["Launch"]


def test_a_list_is_collapsed_and_expanded_by_its_button(vera, board, todo, doing):
    client = browser(vera)
    for value in ("1", "0"):
        page = client.get(f"/board/{board.pk}").content.decode()
        assert f'value="{value}" aria-expanded="{"true" if value == "1" else "false"}"' in fold_of(page, todo)
        assert 'value="1" aria-expanded="true"' in fold_of(page, doing)
        answer = client.post(
            f"/list/{todo.pk}/collapse",
            {"collapsed": value},
            HTTP_REFERER=f"http://testserver/board/{board.pk}?q=x",
        )
        assert answer.url == f"/board/{board.pk}?q=x"


def test_the_first_paint_is_as_the_reader_left_it_and_others_see_nothing_of_it(ed, vera, board, todo, doing):
    create_card(actor=web(ed), list_id=todo.pk, title='value="1" aria-expanded="true"')
    keep_something(vera, board, todo)
    for query in ({}, {"done": "0"}):
        mine, other = page_of(vera, board, **query), page_of(ed, board, **query)
        assert re.findall(r'<section data-collapsed\s+class="list" id="list-([^"]+)"', mine) == [str(todo.pk)]
        assert mine.count('value="0" aria-expanded="false"') == 1
        assert f'data-collapsed="{todo.pk}"' in mine
        assert 'class="board with-excerpts"' in mine
        assert "<section data-collapsed" not in other
        assert 'data-collapsed=""' in other
        assert 'class="board"' in other
        assert "Unstar" not in other.replace('data-unstar="Unstar Launch"', "")
    assert all("data-collapsed" not in html for kept in shelf._kept.values() for html in kept.html)


def test_on_an_archived_board_nothing_is_collapsed_and_nothing_can_be_kept(olga, board, todo):
    keep_something(olga, board, todo)
    archive_board(actor=web(olga), board_id=board.pk)
    page = page_of(olga, board)
    assert "<section data-collapsed" not in page
    assert "data-archived" in page
    assert f"/board/{board.pk}/star" not in page
    filters = browser(olga).get(f"/board/{board.pk}/filter?q=x").content.decode()
    assert f'href="/board/{board.pk}?q=roof"' in filters
    assert f"/board/{board.pk}/filters" not in filters


def test_the_first_lines_of_descriptions_are_shown_by_a_button(vera, board):
    client = browser(vera)
    answer = client.post(
        f"/board/{board.pk}/excerpts", {"shown": "1"}, HTTP_REFERER=f"http://testserver/board/{board.pk}"
    )
    page = client.get(answer.url).content.decode()
    assert 'class="board with-excerpts"' in page
    assert re.search(r'name="shown"[^>]*value="0" aria-pressed="true"', page, re.DOTALL)


@pytest.mark.parametrize("path, name", [("star", "starred"), ("excerpts", "shown")])
def test_a_form_says_what_to_reach(vera, board, path, name):
    assert browser(vera).post(f"/board/{board.pk}/{path}", {name: "yes"}).status_code == 422
    assert not BoardView.objects.exists()


def test_the_page_of_filters_begins_with_the_saved_ones_if_there_are_any(vera, board):
    client = browser(vera)
    assert "Saved filters" not in text_of(client.get(f"/board/{board.pk}/filter"))
    save_filter(actor=web(vera), board_id=board.pk, name="Roof", query="q=roof")
    shown = text_of(client.get(f"/board/{board.pk}/filter"))
    assert shown.index("Saved filters") < shown.index("Apply filter")
    client.post(f"/board/{board.pk}/filters/deletion", {"filter": "Roof"})
    shown = text_of(client.get(f"/board/{board.pk}/filter?q=roof"))
    assert shown.index("Apply filter") < shown.index("Save filter…")


def test_a_filter_is_saved_renamed_replaced_deleted_and_restored_without_scripts(vera, board):
    client, filters = browser(vera), f"/board/{board.pk}/filters"
    origin = {"HTTP_REFERER": f"http://testserver/board/{board.pk}/filter?done=0&q=roof"}

    def send(path="", **fields):
        answer = client.post(f"{filters}{path}", fields, **origin)
        assert answer.url == f"/board/{board.pk}/filter?done=0&q=roof"
        return client.get(answer.url)

    assert f'action="{filters}"' not in client.get(f"/board/{board.pk}/filter").content.decode()
    shown = send(name=" Roof ", query="who=me&done=0&q=roof&nonsense=1")
    assert "Filter “Roof” was saved." in text_of(shown)
    assert re.search(r'href="/board/[^"]*\?q=roof&amp;who=me&amp;done=0"', shown.content.decode())
    send("/renaming", filter="Roof", name="Top")
    shown = send(name="Top", query="q=wall", replace="1")
    assert "Filter “Top” was replaced." in text_of(shown)
    send(again=again_in(shown))
    assert BoardView.objects.get().filters == {"Top": "q=roof&who=me&done=0"}
    shown = send("/deletion", filter="Top")
    assert "Save filter…" in text_of(shown)  # one is active
    assert BoardView.objects.get().filters == {}
    assert "Filter “Top” was restored." in text_of(send(again=again_in(shown)))
    assert BoardView.objects.get().filters == {"Top": "q=roof&who=me&done=0"}


def again_in(answer) -> str:
    return re.search(r'name="again" value="([^"]+)"', answer.content.decode())[1].replace("&amp;", "&")


def test_undo_of_a_deletion_does_not_overwrite_a_filter_that_has_the_name_now(vera, board):
    keep_something(vera, board)
    client = browser(vera)
    answer = client.post(f"/board/{board.pk}/filters/deletion", {"filter": "Roof"}, **SCRIPTED)
    assert answer["X-Answer"] == "fragments"
    save_filter(actor=web(vera), board_id=board.pk, name="roof", query="q=wall")
    refused = client.post(f"/board/{board.pk}/filters", {"again": again_in(answer)}, **SCRIPTED)
    assert refused.status_code == 409
    assert "You already have a filter named “roof”" in text_of(refused)
    assert BoardView.objects.get().filters == {"roof": "q=wall"}


@pytest.mark.parametrize(
    "fields, status",
    [
        ({"name": "Mine"}, 422),
        ({"name": "Mine", "query": "due=someday"}, 422),
        ({"name": "", "query": "q=x"}, 422),
        ({"name": "x" * 51, "query": "q=x"}, 422),
        ({"name": "Mine", "query": urlencode({"q": "x" * 501})}, 422),
        ({"name": "Mine", "query": urlencode({"who": ["me"] * 51}, True)}, 422),
        ({"again": "nonsense"}, 422),
        ({"name": "ROOF", "query": "q=x"}, 409),
    ],
)
def test_what_cannot_be_saved_is_refused_with_words_and_changes_nothing(vera, board, fields, status):
    keep_something(vera, board)
    for headers in ({}, SCRIPTED):
        answer = browser(vera).post(f"/board/{board.pk}/filters", fields, **headers)
        assert answer.status_code == status
        assert text_of(answer)
    assert BoardView.objects.get().filters == {"Roof": "q=roof"}


def test_the_twenty_first_filter_is_refused_with_words(vera, board):
    filters = {f"Filter {number}": "q=x" for number in range(20)}
    BoardView.objects.create(user=vera, board=board, filters=filters)
    answer = browser(vera).post(f"/board/{board.pk}/filters", {"name": "One more", "query": "q=x"}, **SCRIPTED)
    assert answer.status_code == 403
    assert "You have 20 saved filters on this board" in text_of(answer)


def test_what_is_saved_is_shown_as_text(vera, board):
    save_filter(actor=web(vera), board_id=board.pk, name='<b>&amp;"', query="q=x")
    page = browser(vera).get(f"/board/{board.pk}/filter").content.decode()
    assert "<span>&lt;b&gt;&amp;amp;&quot;</span>" in page
    assert (
        "&lt;b&gt;&amp;amp;&quot;" in browser(vera).get("/jump", {"board": str(board.pk)}, **SCRIPTED).content.decode()
    )


def test_a_deleted_label_falls_out_of_a_saved_filter_with_a_word(olga, vera, board):
    label = create_label(actor=web(olga), board_id=board.pk, name="Bug")
    save_filter(actor=web(vera), board_id=board.pk, name="Bugs", query=f"label={label.pk}&done=0")
    delete_label(actor=web(olga), label_id=label.pk)
    answer = browser(vera).get(f"/board/{board.pk}/filter")
    assert f'href="/board/{board.pk}?done=0"' in answer.content.decode()
    assert "A label or person in this filter no longer exists" in text_of(answer)
    option = browser(vera).get("/jump", {"board": str(board.pk)}, **SCRIPTED).content.decode()
    assert f'data-href="/board/{board.pk}?done=0" data-filter="done=0"' in option
    assert 'data-note="A label or person' in option


def test_the_palette_offers_the_saved_filters_of_this_board_by_letters(ed, vera, board):
    keep_something(vera, board)
    other = create_board(actor=web(vera), title="Other")

    def offered(user, of, letters=""):
        answer = browser(user).get("/jump", {"q": letters, "board": str(of.pk)}, **SCRIPTED)
        return "Filter: Roof" in text_of(answer)

    assert [offered(vera, board, letters) for letters in ("", "roof", "filter", "x")] == [True, True, True, False]
    assert not offered(ed, board)
    assert not offered(vera, other)


def test_pages_take_as_many_statements_however_much_is_kept(ed, board, todo, doing, card):
    client, counts = browser(ed), []
    for _time in range(2):
        found = []
        for path in ("/", f"/board/{board.pk}", f"/board/{board.pk}/filter"):
            client.get(path)
            with CaptureQueriesContext(connection) as queries:
                client.get(path)
            found.append(len(queries))
        counts.append(found)
        keep_something(ed, board, todo, doing)
        save_filter(actor=web(ed), board_id=board.pk, name="Wall", query="q=wall")
    assert counts[0] == counts[1]


# In the browser


def test_star_collapse_filters_and_first_lines_stay_and_need_no_reload(opened, olga, vera, board, todo, doing, card):
    Card.objects.filter(pk=card.pk).update(excerpt="The first line")
    shown = opened(vera)
    page = shown.page
    page.get_by_role("button", name="Star Launch").click()
    expect(page.get_by_role("button", name="Unstar Launch")).to_be_focused()

    fold = page.get_by_role("button", name="Cards of To do")
    fold.focus()
    page.keyboard.press("Enter")
    expect(fold).to_have_attribute("aria-expanded", "false")
    expect(shown.tile(card)).to_be_hidden()
    page.get_by_label("Board menu").click()
    page.get_by_role("button", name="Descriptions on cards").click()
    page.keyboard.press("Escape")

    page.keyboard.press("f")
    expect(page.get_by_role("button", name="Save filter…")).to_be_hidden()
    page.get_by_role("checkbox", name="Not done").check()
    expect(page).to_have_url(re.compile(r"\?done=0$"))
    page.get_by_text("Save filter…").click()
    page.get_by_label("Filter name").last.fill("Open")
    page.keyboard.press("Enter")
    saved = page.locator("[data-apply-filter]")
    expect(saved).to_have_text("Open")
    expect(saved).to_have_attribute("aria-current", "true")
    page.get_by_role("checkbox", name="Not done").uncheck()
    expect(saved).not_to_have_attribute("aria-current", "true")
    saved.click()
    expect(page).to_have_url(re.compile(r"\?done=0$"))
    expect(page.get_by_role("checkbox", name="Not done")).to_be_checked()
    page.get_by_label("delete filter Open").click()
    page.get_by_role("button", name="Delete", exact=True).click()
    expect(saved).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(saved).to_have_text("Open")

    page.goto(f"/board/{board.pk}")
    expect(page.locator("main[data-wired]")).to_be_visible()
    expect(fold).to_have_attribute("aria-expanded", "false")
    expect(page.get_by_role("button", name="Unstar Launch")).to_be_visible()
    rename_list(actor=web(olga), list_id=todo.pk, title="Later")
    shown.tell(todo)
    expect(page.get_by_role("button", name="Cards of Later")).to_have_attribute("aria-expanded", "false")
    expect(shown.tile(card)).to_be_hidden()
    page.locator(f"#name-{todo.pk}").click()
    expect(shown.tile(card).get_by_text("The first line")).to_be_visible()
    page.keyboard.press("Control+k")
    page.locator("#command-palette").get_by_role("combobox").fill("open")
    page.get_by_role("option", name="Filter: Open").click()
    expect(page).to_have_url(re.compile(r"\?done=0$"))
    view = BoardView.objects.get()
    assert (view.user, view.starred, view.excerpts, view.collapsed, view.filters) == (
        vera,
        True,
        True,
        [],
        {"Open": "done=0"},
    )


def test_a_card_is_dropped_at_the_end_of_a_collapsed_list_and_keys_pass_it_by(
    opened, olga, ed, board, todo, doing, card
):
    last = create_list(actor=web(olga), board_id=board.pk, title="Done")
    other = create_card(actor=web(olga), list_id=doing.pk, title="There already")
    mover = create_card(actor=web(olga), list_id=todo.pk, title="Goes far")
    collapse_list(actor=web(ed), list_id=doing.pk)
    shown = opened(ed)
    page = shown.page
    tile, target = shown.tile(card), shown.list(doing)
    tile.hover()
    page.mouse.down()
    target.hover(position={"x": 20, "y": 40})
    target.hover(position={"x": 20, "y": 60})
    expect(page.locator(".list.target")).to_have_id(f"list-{doing.pk}")
    page.mouse.up()
    expect(target.locator(".count")).to_have_text("2")
    expect(tile).to_be_hidden()
    shown.tile(mover).locator(".title").focus()
    page.keyboard.press("Alt+ArrowRight")
    expect(shown.list(last).locator(".card")).to_have_count(1)
    expect(shown.tile(mover).locator(".title")).to_be_focused()
    expect(page.locator("main:not(.sending)")).to_be_visible()
    assert list(Card.objects.filter(list=doing).order_by("position")) == [other, card]


def test_what_a_collapsed_list_hides_is_not_selected_and_does_not_keep_the_focus(
    opened, olga, ed, board, todo, doing, card
):
    other = create_card(actor=web(olga), list_id=todo.pk, title="Stays")
    shown = opened(ed)
    page = shown.page
    shown.tile(card).locator(".title").click(modifiers=["Control"])
    bar = page.locator(".selection")
    expect(bar).to_be_visible()
    page.get_by_role("button", name="Cards of To do").click()
    expect(bar).to_be_hidden()
    page.get_by_role("button", name="Cards of To do").click()
    expect(page.locator(".card.selected")).to_have_count(0)
    page.get_by_role("button", name="Cards of Doing").click()
    shown.tile(card).locator(".title").focus()
    move_card(actor=web(olga), card_id=card.pk, list_id=doing.pk)
    shown.tell(Card.objects.get(pk=card.pk))
    expect(shown.tile(card)).to_be_hidden()
    expect(shown.tile(other).locator(".title")).to_be_focused()


def test_a_board_with_a_new_star_goes_to_the_front_of_the_start_page(opened, ed, board):
    for title in ("First", "Second"):
        create_board(actor=web(ed), title=title)
    page = opened(ed).page
    page.goto("/")
    titles = page.locator(".board-tile > .title")
    expect(titles).to_have_text(["Second", "First", "Launch"])
    page.get_by_role("button", name="Star Launch").click()
    expect(titles).to_have_text(["Launch", "Second", "First"])
    expect(page.get_by_role("button", name="Unstar Launch")).to_be_focused()
    page.reload()
    expect(titles).to_have_text(["Launch", "Second", "First"])


@pytest.mark.parametrize(
    "name, address, attribute, off, on",
    [
        ("tar Launch", "star", "aria-label", "Star Launch", "Unstar Launch"),
        ("Cards of To do", "collapse", "aria-expanded", "true", "false"),
        ("Descriptions on cards", "excerpts", "aria-pressed", "false", "true"),
    ],
)
@pytest.mark.parametrize("is_first_accepted", [True, False])
def test_a_fast_second_toggle_that_fails_shows_what_the_server_has(
    name, address, attribute, off, on, is_first_accepted, opened, ed, board, todo
):
    page = opened(ed).page
    if address == "excerpts":
        page.get_by_label("Board menu").click()
    button = page.get_by_role("button", name=name)
    sent = Held(page, f"**/{address}", method="POST")
    for shown in (on, off):
        button.click()
        expect(button).to_have_attribute(attribute, shown)
    toast = page.locator(".toast")
    first = sent.next()
    assert first.request.post_data.endswith("=1")
    if is_first_accepted:
        with page.expect_response(f"**/{address}") as answer:
            first.continue_()
        assert answer.value.ok
    else:
        first.abort()
        expect(toast).to_contain_text("Could not reach the server.")
        toast.evaluate("(toast) => toast.remove()")
    sent.next().abort()
    expect(toast).to_contain_text("Could not reach the server.")
    expect(button).to_have_attribute(attribute, on if is_first_accepted else off)
