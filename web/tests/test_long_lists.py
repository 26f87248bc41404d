"""Of long lists the page of a board has the first part, and reads on where somebody scrolls."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from playwright.sync_api import expect

from boards.actions.cards.archive import archive_card
from boards.actions.cards.card import create_card, update_card
from boards.actions.cards.moves import move_card
from boards.actions.lists.list import archive_list, create_list
from boards.actions.ordering import BOTTOM, TOP, Place, renumber
from boards.models import Board, Card
from boards.reader import MEMBERS
from boards.reading import columns
from boards.reading.columns import read_columns, share
from conftest import web
from taskboard.tests.interception import intercept
from web import changes
from web.boards import list_cards
from web.live.catchup import changes_since
from web.tests.browsing import SCRIPTED, browser, text_of


@pytest.fixture
def short(monkeypatch):
    """Make boards large with more than four cards, and parts short."""
    monkeypatch.setattr(columns, "WHOLE", 4)
    monkeypatch.setattr(columns, "CARDS", 8)
    monkeypatch.setattr(columns, "LISTS", 3)
    monkeypatch.setattr(list_cards, "PAGE", 3)
    monkeypatch.setattr(changes, "WHOLE", 4)


@pytest.fixture
def cards(short, olga, todo):
    return [create_card(actor=web(olga), list_id=todo.pk, title=f"Card {number:02}") for number in range(12)]


def titles(answer) -> list[str]:
    return re.findall(r"Card \d\d", answer.content.decode())


def list_of(page: str, row) -> str:
    return page[page.index(f'id="list-{row.pk}"') :].split("</section>")[0]


def test_a_board_with_few_cards_is_shown_whole(short, olga, ed, board, todo):
    for number in range(4):
        create_card(actor=web(olga), list_id=todo.pk, title=f"Card {number:02}")
    page = browser(ed).get(board.get_absolute_url())
    assert len(titles(page)) == 4
    assert "data-next" not in page.content.decode()
    assert "Show more" not in page.content.decode()


def test_of_a_large_board_lists_show_their_first_cards_and_how_many_they_have(ed, board, todo, doing, cards):
    page = browser(ed).get(board.get_absolute_url()).content.decode()
    shown = list_of(page, todo)
    assert re.findall(r"Card \d\d", shown) == [card.title for card in cards[:8]]
    assert '<span class="count" title="Cards">12</span>' in shown
    assert f'data-more="4" data-next="{cards[8].position:x}"' in shown
    assert f'href="/list/{todo.pk}?from={cards[8].position:x}">Show more' in shown
    assert "data-next" not in list_of(page, doing)


def test_the_html_of_a_list_has_no_indentation_that_each_of_500_lists_would_repeat(ed, board, todo, cards):
    assert "\n" not in list_of(browser(ed).get(board.get_absolute_url()).content.decode(), todo)


def test_lists_share_the_cards_that_are_shown(olga, ed, board, todo, doing, cards):
    for number in range(20, 22):
        create_card(actor=web(olga), list_id=doing.pk, title=f"Card {number}")
    page = browser(ed).get(board.get_absolute_url()).content.decode()
    assert [len(re.findall(r"Card \d\d", list_of(page, row))) for row in (todo, doing)] == [6, 2]


@pytest.mark.parametrize(
    "totals, most, each",
    [([500] * 10, 300, 30), ([1, 2, 1000], 300, 297), ([100] * 24, 300, 12), ([1000] * 400, 300, 1), ([5, 5], 300, 5)],
)
def test_each_list_shows_as_many_cards_as_all_together_allow(totals, most, each):
    assert share(totals, most) == each


def test_lists_far_to_the_right_come_without_cards(olga, ed, board, todo, doing, cards):
    third, fourth = (create_list(actor=web(olga), board_id=board.pk, title=title) for title in ("Third", "Fourth"))
    create_card(actor=web(olga), list_id=fourth.pk, title="Card 50")
    page = browser(ed).get(board.get_absolute_url()).content.decode()
    assert "data-unread" not in list_of(page, third)
    assert "data-unread" in list_of(page, fourth)
    assert '<span class="count" title="Cards">1</span>' in list_of(page, fourth)
    assert "Card 50" not in page
    filled = browser(ed).get(f"/list/{fourth.pk}/cards", **SCRIPTED)
    assert titles(filled) == ["Card 50"]
    assert "data-unread" not in filled.content.decode()


def parts(client, row, start):
    """Return the titles of each part of the list from there on."""
    found = []
    while start:
        answer = client.get(f"/list/{row.pk}/cards?from={start}", **SCRIPTED)
        found.append(titles(answer))
        more = re.search(r'data-next="(-?[0-9a-f]+)"', answer.content.decode())
        start = more and more[1]
    return found


def test_the_parts_of_a_list_hold_each_card_once_and_in_order(olga, ed, todo, cards):
    move_card(actor=web(olga), card_id=cards[11].pk, list_id=todo.pk, place=TOP)  # its position is below zero
    first = Card.objects.get(pk=cards[11].pk)
    found = parts(browser(ed), todo, f"{first.position:x}")
    assert [len(part) for part in found] == [3, 3, 3, 3]
    assert [title for part in found for title in part] == ["Card 11", *(card.title for card in cards[:11])]


def test_a_part_begins_at_its_place_also_when_the_card_there_is_gone(olga, ed, todo, cards):
    archive_card(actor=web(olga), card_id=cards[8].pk)
    assert parts(browser(ed), todo, f"{cards[8].position:x}") == [["Card 09", "Card 10", "Card 11"]]


def test_a_part_tells_its_version_and_how_many_cards_the_list_has(ed, board, todo, cards):
    answer = browser(ed).get(f"/list/{todo.pk}/cards?from={cards[8].position:x}", **SCRIPTED).content.decode()
    version = Board.objects.get(pk=board.pk).version
    assert f'data-part-of="list-{todo.pk}" data-version="{version}" data-total="12"' in answer


@pytest.mark.parametrize("start", ["x", "é", "0" * 40, "1" * 18, "--1"])
def test_a_part_from_nowhere_is_refused_with_words(ed, todo, cards, start):
    answer = browser(ed).get(f"/list/{todo.pk}/cards", {"from": start}, **SCRIPTED)
    assert answer.status_code == 422
    assert "Show more" in text_of(answer)


def test_a_part_takes_as_many_statements_for_one_card_as_for_three(ed, todo, cards):
    client, taken = browser(ed), []
    for start in (cards[11], cards[8], cards[0]):
        with CaptureQueriesContext(connection) as found:
            client.get(f"/list/{todo.pk}/cards?from={start.position:x}", **SCRIPTED)
        taken.append(len(found))
    assert taken == [6, 6, 6]  # session, user, list with the role, ids, how many, tiles


def test_the_cards_of_an_archived_list_are_in_no_part(olga, ed, todo, cards):
    archive_list(actor=web(olga), list_id=todo.pk)
    assert titles(browser(ed).get(f"/list/{todo.pk}/cards", **SCRIPTED)) == []


def test_without_scripts_a_list_is_read_page_by_page(ed, board, todo, cards):
    client = browser(ed)
    seen, address = [], f"/list/{todo.pk}"
    for _page in range(4):
        answer = client.get(address)
        seen += titles(answer)
        more = re.search(r'href="(\?from=[^"]+)">Show more', answer.content.decode())
        address = f"/list/{todo.pk}{more[1]}" if more else ""
    assert (seen, address) == ([card.title for card in cards], "")


def test_a_tile_on_the_page_of_a_list_opens_its_card_on_the_board(ed, todo, cards):
    assert browser(ed).get(f"/list/{todo.pk}?card={cards[0].pk}").url == cards[0].get_absolute_url()


def test_a_message_has_the_totals_of_the_lists_it_is_about(olga, board, todo, doing, cards):
    since = Board.objects.get(pk=board.pk).version
    move_card(actor=web(olga), card_id=cards[11].pk, list_id=doing.pk)
    third = create_list(actor=web(olga), board_id=board.pk, title="Third")
    with CaptureQueriesContext(connection) as found:
        text = changes_since(board.pk, since, "en", None, MEMBERS).text
    assert f'"totals":{{"{todo.pk}":11,"{doing.pk}":1}}' in text or f'"{doing.pk}":1,"{todo.pk}":11' in text
    assert str(third.pk) not in text.partition('"totals"')[2]
    assert sum("COUNT(*)" in each["sql"] and "GROUP BY c.list_id" in each["sql"] for each in found) == 1


def test_forms_of_one_card_answer_with_the_totals_of_its_lists(ed, todo, doing, cards):
    def told(address: str, **sent: str) -> dict[str, int]:
        answer = browser(ed).post(address, sent, **SCRIPTED).content.decode()
        found = re.findall(r'data-total-of="list-([^"]+)" data-total="(\d+)"', answer)
        return {pk: int(total) for pk, total in found}

    assert told(f"/list/{todo.pk}/cards", title="Card 12") == {str(todo.pk): 13}
    assert told(f"/card/{cards[11].pk}/place", list=str(doing.pk), where="top") == {str(todo.pk): 12, str(doing.pk): 1}
    assert told(f"/card/{cards[10].pk}/archival", archived="1") == {str(todo.pk): 11}
    assert told(f"/card/{cards[10].pk}/archival", archived="0") == {str(todo.pk): 12}


def test_a_message_about_a_small_board_has_no_totals(olga, board, todo, card):
    since = Board.objects.get(pk=board.pk).version
    update_card(actor=web(olga), card_id=card.pk, title="Renamed")
    assert "totals" not in changes_since(board.pk, since, "en", None, MEMBERS).text


def test_columns_read_in_two_statements(board, todo, cards):
    with CaptureQueriesContext(connection) as found:
        [column] = read_columns(board.pk)
    assert (column.total, len(column.cards), column.next) == (12, 8, cards[8].position)
    assert len(found) == 2


# In the browser


def shown_titles(shown, row):
    return (
        shown.list(row)
        .locator(".card .title")
        .evaluate_all("all => all.map((one) => one.textContent.trim().slice(0, 7))")
    )


def catch_up(shown, board, since):
    """Send what changed, as the server does."""
    shown.socket.send(changes_since(board.pk, since, "en", None, MEMBERS).text)
    expect(shown.page.locator(f'main[data-version="{Board.objects.get(pk=board.pk).version}"]')).to_be_visible()


@pytest.fixture
def tall(cards, olga, todo):
    """The list is higher than the window, so that its page does not read on by itself."""
    for card in cards:
        update_card(actor=web(olga), card_id=card.pk, title=f"{card.title} " + "and so on " * 45)


@pytest.fixture
def partly(tall, opened, ed, board, todo):
    """An open page that has the first eight of twelve cards."""
    shown = opened(ed)
    assert shown.list(todo).get_attribute("data-more") == "4"
    return shown


def scroll_to_end(shown, row):
    shown.list(row).locator("ol").evaluate("row => row.scrollTo(0, row.scrollHeight)")


def test_a_long_list_is_read_on_where_somebody_scrolls(partly, todo, cards):
    expect(partly.list(todo).locator(".card")).to_have_count(8)
    scroll_to_end(partly, todo)
    expect(partly.list(todo).locator(".card")).not_to_have_count(8)
    scroll_to_end(partly, todo)
    expect(partly.list(todo).locator(".card")).to_have_count(12)
    assert shown_titles(partly, todo) == [card.title for card in cards]
    expect(partly.list(todo).locator(".count")).to_have_text("12")
    expect(partly.list(todo)).not_to_have_attribute("data-next", re.compile(""))


def test_a_part_of_a_list_is_wired_once_and_not_tile_by_tile(partly, todo, cards):
    partly.page.evaluate("""() => {
        window.wired = []
        document.addEventListener("fragment:placed", ({ target }) => window.wired.push(target.localName))
    }""")
    scroll_to_end(partly, todo)
    scroll_to_end(partly, todo)
    expect(partly.list(todo).locator(".card:visible")).to_have_count(12)
    wired = partly.page.evaluate("window.wired")
    assert set(wired) == {"ol"}
    assert len(wired) <= 2  # parts


def test_a_list_far_to_the_right_is_read_when_it_comes_near(cards, olga, opened, ed, board, todo, doing):
    lists = [create_list(actor=web(olga), board_id=board.pk, title=f"List {number}") for number in range(12)]
    create_card(actor=web(olga), list_id=lists[-1].pk, title="Card 50")
    shown = opened(ed)
    expect(shown.tile(cards[0])).to_be_visible()
    assert shown.list(lists[-1]).get_attribute("data-unread") is not None
    shown.list(lists[-1]).scroll_into_view_if_needed()
    expect(shown.list(lists[-1]).locator(".card")).to_have_count(1)
    expect(shown.list(lists[-1]).get_by_text("Add card")).to_be_visible()


def test_cards_move_between_the_part_that_is_shown_and_the_rest(partly, olga, board, todo, doing, cards):
    since = board.version
    move_card(actor=web(olga), card_id=cards[1].pk, list_id=todo.pk, place=BOTTOM)
    move_card(actor=web(olga), card_id=cards[9].pk, list_id=todo.pk, place=TOP)
    move_card(actor=web(olga), card_id=cards[10].pk, list_id=doing.pk)
    create_card(actor=web(olga), list_id=todo.pk, title="Card 50")
    catch_up(partly, board, since)
    assert shown_titles(partly, todo) == [f"Card {number:02}" for number in (9, 0, 2, 3, 4, 5, 6, 7)]
    expect(partly.list(todo).locator(".count")).to_have_text("12")
    assert shown_titles(partly, doing) == ["Card 10"]


def test_a_card_behind_the_last_one_shown_stays_in_view(partly, olga, board, todo, cards):
    since = board.version
    move_card(actor=web(olga), card_id=cards[0].pk, list_id=todo.pk, place=Place("after", cards[7].pk))
    catch_up(partly, board, since)
    assert shown_titles(partly, todo) == [f"Card {number:02}" for number in (1, 2, 3, 4, 5, 6, 7, 0)]


def test_a_list_whose_shown_cards_are_all_gone_reads_on(partly, olga, board, todo, cards):
    since = board.version
    for card in cards[:8]:
        archive_card(actor=web(olga), card_id=card.pk)
    catch_up(partly, board, since)
    expect(partly.list(todo).locator(".card").first).to_contain_text("Card 08")
    expect(partly.list(todo).locator(".count")).to_have_text("4")


def test_a_list_whose_places_are_numbered_anew_shows_its_first_cards(partly, board, todo, cards):
    since = board.version
    Board.objects.filter(pk=board.pk).update(version=since + 1)
    renumber(Card.objects.filter(list=todo), since + 1)
    catch_up(partly, board, since)
    expect(partly.list(todo).locator(".card").first).to_contain_text("Card 00")


def test_what_was_scrolled_to_is_there_again_after_a_reload_of_the_lists(partly, board, todo, cards):
    scroll_to_end(partly, todo)
    expect(partly.list(todo).locator(".card")).not_to_have_count(8)
    scroll_to_end(partly, todo)
    expect(partly.list(todo).locator(".card")).to_have_count(12)
    partly.tile(cards[7]).scroll_into_view_if_needed()
    partly.list(todo).locator(".card").last.evaluate("tile => { tile.classList.add('earlier') }")
    partly.reload()
    expect(partly.list(todo).locator(".earlier")).to_have_count(0)
    expect(partly.list(todo).locator(".card")).to_have_count(12)
    expect(partly.tile(cards[7])).to_be_in_viewport()
    expect(partly.list(todo).locator(".count")).to_have_text("12")


def test_a_part_that_is_older_than_the_page_is_read_again(partly, olga, board, todo, cards):
    stale = browser(olga).get(f"/list/{todo.pk}/cards?from={cards[8].position:x}", **SCRIPTED)
    since = board.version
    archive_card(actor=web(olga), card_id=cards[8].pk)
    catch_up(partly, board, since)
    asked = []

    def answer(route):
        asked.append(route.request.url)
        if len(asked) > 1:
            return route.continue_()
        return route.fulfill(body=stale.content, headers={"X-Answer": "fragments", "Content-Type": "text/html"})

    intercept(partly.page, "**/cards?from=*", answer)
    scroll_to_end(partly, todo)
    expect(partly.tile(cards[9])).to_be_attached()
    expect(partly.tile(cards[8])).not_to_be_attached()


def test_an_open_card_whose_tile_is_not_shown_follows_what_others_change(tall, cards, olga, opened, ed, board, todo):
    shown = opened(ed, card=cards[11])
    expect(shown.tile(cards[11])).not_to_be_attached()
    update_card(actor=web(olga), card_id=cards[11].pk, title="Renamed")
    catch_up(shown, board, board.version)
    expect(shown.page.locator("#card-title")).to_have_text("Renamed")


@pytest.mark.parametrize("start", ["f" * 16, "-" + "f" * 16, "8" + "0" * 15])
def test_a_position_beyond_all_others_is_refused(ed, todo, start):
    for path in (f"/list/{todo.pk}", f"/list/{todo.pk}/cards"):
        assert browser(ed).get(f"{path}?from={start}", **SCRIPTED).status_code == 422


def test_alt_and_right_reads_the_list_beside_and_moves_the_card_into_it(
    monkeypatch, cards, olga, opened, ed, board, todo, doing
):
    """The first read fails."""
    monkeypatch.setattr(columns, "LISTS", 7)
    lists = [create_list(actor=web(olga), board_id=board.pk, title=f"List {number}") for number in range(2, 8)]
    there = create_card(actor=web(olga), list_id=lists[-1].pk, title="There")
    moving = create_card(actor=web(olga), list_id=lists[-2].pk, title="Moving")
    shown = opened(ed)
    assert shown.list(lists[-1]).get_attribute("data-unread") is not None
    intercept(shown.page, "**/list/*/cards*", lambda route: route.abort())
    shown.tile(moving).locator(".title").evaluate("title => title.focus({ preventScroll: true })")
    shown.page.keyboard.press("Alt+ArrowRight")
    expect(shown.page.locator(".toast")).to_contain_text("Could not reach the server.")
    shown.page.unroute("**/list/*/cards*")
    shown.page.keyboard.press("Alt+ArrowRight")
    expect(shown.page.get_by_role("status").filter(has_text="Moved to List 7, 1 of 2")).to_have_count(1)
    expect(shown.list(lists[-1]).locator(".card .title")).to_have_text([re.compile("Moving"), re.compile("There")])
    expect(shown.tile(moving).locator(".title")).to_be_focused()
    expect(shown.page.locator(f"#card-{moving.pk}[data-list='{lists[-1].pk}']")).to_have_count(1)
    assert [card.pk for card in Card.objects.filter(list=lists[-1]).order_by("position")] == [moving.pk, there.pk]
