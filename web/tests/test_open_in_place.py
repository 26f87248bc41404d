"""*My work* and tables open another filter, group, order or page of their cards without loading the page again."""

import json
import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Locator, Page, expect

from accounts.work_filters import save_filter
from boards.actions.cards.card import create_card, create_cards, draft_card, update_card
from boards.models import Card
from conftest import web
from taskboard.tests.browsers import wait_until_wired
from taskboard.tests.interception import intercept
from web.my import pages as lists
from web.table import pages as tables
from web.tests.held import Held, let_others_come
from web.tests.own_line import PageWithLine

pytestmark = pytest.mark.django_db(transaction=True)

PATHS = ("/my", "/my/table", "/board/{}/table")
TITLES = ("Mend the roof", "Roof of the shed", "Wall")
A_READING = re.compile(r"/(my|table)(/table)?\?")  # of another address of the page

# What the address decides on the page. Tokens differ each time; scripts send the form for a new card themselves.
SHOWN = """() => {
  const main = document.getElementById("main").cloneNode(true)
  for (const field of main.querySelectorAll("[name=csrfmiddlewaretoken]")) field.remove()
  for (const one of main.querySelectorAll("[tabindex]")) one.removeAttribute("tabindex")
  for (const one of [main, ...main.querySelectorAll("[aria-busy]")]) one.removeAttribute("aria-busy")
  main.querySelector(".my-add")?.removeAttribute("action")
  const attributes = [...main.attributes].map(({ name, value }) => `${name}=${value}`).sort()
  return [document.title, ...attributes, ...main.innerHTML.split(/(?=<)/).map((part) => part.trim())]
}"""


@pytest.fixture
def cards(olga, ed, board, todo) -> list[Card]:
    """Ed's, the first due soonest."""
    due = timezone.now() + timedelta(days=40)
    return [
        create_card(
            actor=web(olga), list_id=todo.pk, title=one, assignee_ids=[ed.pk], due_at=due + timedelta(days=place)
        )
        for place, one in enumerate(TITLES)
    ]


def choose(page: Page, menu: str, entry: str) -> None:
    """Choose an entry of a menu by the keyboard."""
    page.locator(f"{menu} > summary").focus()
    page.keyboard.press("Enter")
    page.locator(f"{menu} .items").get_by_role("link", name=entry, exact=True).focus()
    page.keyboard.press("Enter")


def press(selector: str) -> Callable[[Page], None]:
    return lambda page: page.locator(selector).press("Enter")


def filter_by(text: str) -> Callable[[Page], None]:
    def enter(page: Page) -> None:
        page.keyboard.press("f")
        page.locator("#filter-text").fill(text)
        page.keyboard.press("Enter")

    return enter


def hide_due(page: Page) -> None:
    page.locator("#columns-button").press("Enter")
    page.locator(".columns").get_by_label("Due").uncheck()
    page.locator(".columns .primary").press("Enter")


def is_same(page: Page) -> bool:
    return bool(page.evaluate("window.isSame"))


def opened(show, user, path: str) -> Page:
    page = show(path, user)
    page.evaluate("window.isSame = true")
    return page


def titles(page: Page) -> Locator:
    return page.locator(":is(#my-rows, #table-rows) .title")


@pytest.mark.parametrize(
    "path, act, address, focused",
    [
        ("/my", press("#which-created"), "/my?which=created", "which-created"),
        ("/my", lambda page: choose(page, "#grouping", "By list"), "/my?by=list", "grouping-button"),
        ("/my", filter_by("roof"), "/my?q=roof", "filter-button"),
        (
            "/my?by=board",
            lambda page: choose(page, ".filter-menu", "Late"),
            "/my?which=assigned&by=due&due=overdue",
            "filter-button",
        ),
        ("/my?by=list&q=roof", press("#filter-bar .chip"), "/my?by=list", "filter-button"),
        ("/my?by=list&q=roof", press("#filter-bar > .button"), "/my?by=list", "filter-button"),
        ("/my", press("#page-after"), "/my?page=2", "page-after"),
        ("/my?page=2", press("#page-after"), "/my?page=3", "page-before"),
        ("/my/table?q=roof", press("#which-followed"), "/my/table?which=followed&q=roof", "which-followed"),
        ("/my/table", press("#by-title"), "/my/table?sort=title", "by-title"),
        ("/my/table?sort=title", press("#by-title"), "/my/table?sort=-title", "by-title"),
        ("/board/{}/table", press("#by-due"), "/board/{}/table?sort=due", "by-due"),
        (
            "/board/{}/table?sort=due&q=roof",
            hide_due,
            "/board/{}/table?q=roof&sort=due&columns=title&columns=number&columns=list&columns=labels&columns=people&columns=changed",
            "columns-button",
        ),
        ("/board/{}/table", filter_by("roof"), "/board/{}/table?q=roof", "filter-button"),
        ("/board/{}/table", press("#page-after"), "/board/{}/table?page=2", "page-after"),
    ],
)
def test_another_address_is_opened_in_place_with_the_focus_at_what_was_pressed(
    show, ed, board, cards, monkeypatch, path, act, address, focused
):
    monkeypatch.setattr(lists, "A_PAGE", 1)
    monkeypatch.setattr(tables, "A_PAGE", 1)
    save_filter(ed, "Late", "which=assigned&by=due&due=overdue")
    page = opened(show, ed, path.format(board.pk))
    act(page)
    expect(page).to_have_url(re.compile(re.escape(address.format(board.pk)) + "$"))
    expect(page.locator(f"#{focused}")).to_be_focused()
    assert page.locator("details[open]").count() == 0
    assert is_same(page)
    shown = page.evaluate(SHOWN)
    page.reload()
    wait_until_wired(page)
    assert shown == page.evaluate(SHOWN), "as a page that is loaded"


@pytest.mark.parametrize("path", PATHS)
def test_back_and_forward_go_from_filter_to_filter(show, ed, board, cards, path):
    page = opened(show, ed, path.format(board.pk))
    filter_by("roof")(page)
    expect(titles(page)).to_have_text(TITLES[:2])
    filter_by("wall")(page)
    expect(titles(page)).to_have_text(TITLES[2:])
    for step, said in ((page.go_back, "Text: roof"), (page.go_forward, "Text: wall"), (page.go_back, "Text: roof")):
        step()
        expect(page.locator("#filter-bar .chip")).to_have_text(said)
    expect(page.locator("#filter-text")).to_have_value("roof")
    page.go_back()
    expect(page.locator("#filter-bar")).to_have_count(0)
    expect(titles(page)).to_have_text(TITLES)
    assert is_same(page)


def test_forward_before_the_page_of_back_has_come_leaves_the_rows_and_news_come(live, olga, cards):
    shown = live("/my")
    page = shown.page
    page.evaluate("document.addEventListener('work:changed', () => { window.isTold = true })")
    for text, number in (("roof", 2), ("wall", 1)):
        filter_by(text)(page)
        expect(titles(page)).to_have_count(number)
    held = Held(page, re.compile(r"/my\?q=roof$"), most=1)
    page.evaluate("history.back()")
    held.wait_for(1)
    update_card(actor=web(olga), card_id=cards[0].pk, title="Roof and wall")
    tell(shown)
    page.wait_for_function("() => window.isTold")
    page.evaluate("history.forward()")
    page.wait_for_url(re.compile("wall$"))
    expect(titles(page)).to_have_text(["Roof and wall", "Wall"])
    held.let_on()
    let_others_come(page)
    expect(titles(page)).to_have_text(["Roof and wall", "Wall"])
    expect(page.locator("#filter-bar .chip")).to_have_text("Text: wall")
    assert is_same(page)


def test_a_second_press_adds_no_entry_to_the_history(show, ed, cards):
    page = opened(show, ed, "/my")
    status = page.locator("body > .visually-hidden[role=status]")
    page.locator("#which-created").press("Enter")
    expect(status).to_have_text("0 cards")
    before = page.evaluate("history.length")
    with page.expect_response(A_READING):
        page.locator("#which-created").press("Enter")
    expect(page.locator("#main")).not_to_have_attribute("aria-busy", "true")
    assert page.evaluate("history.length") == before


def test_without_a_network_the_rows_stay_and_it_is_said(show, ed, cards):
    page = opened(show, ed, "/my")
    page.context.set_offline(True)
    page.locator("#which-created").click()
    expect(page.locator(".toast")).to_contain_text("Could not reach the server")
    expect(titles(page)).to_have_text(TITLES)
    expect(page).to_have_url(re.compile("/my$"))
    page.context.set_offline(False)
    page.locator("#which-created").click()
    expect(page).to_have_url(re.compile("which=created"))
    assert is_same(page)


def test_a_link_to_a_place_of_the_page_leaves_a_filter_on_its_way(show, ed, cards):
    page = opened(show, ed, "/my")
    held = Held(page, A_READING, most=1)
    filter_by("roof")(page)
    held.wait_for(1)
    page.locator(".skip").press("Enter")
    page.wait_for_url(re.compile("#main$"))
    held.let_on()
    expect(titles(page)).to_have_text(TITLES[:2])
    expect(page).to_have_url(re.compile(r"/my\?q=roof$"))
    assert is_same(page)


def test_news_come_when_a_link_to_elsewhere_takes_the_place_of_a_filter(live, olga, cards):
    shown = live("/my")
    page = shown.page
    page.evaluate("document.addEventListener('work:changed', () => { window.isTold = true })")
    held = Held(page, A_READING, most=1)
    filter_by("roof")(page)
    held.wait_for(1)
    update_card(actor=web(olga), card_id=cards[2].pk, title="Gate")
    tell(shown)
    page.wait_for_function("() => window.isTold")
    page.evaluate("addEventListener('click', (event) => event.preventDefault())")  # the browser does not go there
    page.locator(".title").first.click()
    expect(titles(page)).to_have_text([*TITLES[:2], "Gate"])
    assert page.url.endswith("/my")


def test_a_form_that_another_script_sends_is_left_to_it(show, ed, cards):
    page = opened(show, ed, "/my")
    page.evaluate("addEventListener('submit', (event) => event.preventDefault(), { capture: true })")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    filter_by("roof")(page)
    let_others_come(page)
    assert not [url for url in asked if "q=roof" in url]


@pytest.mark.parametrize("path", ["/my", "/my/table"])
def test_whoever_comes_back_from_a_card_finds_the_filter_and_the_row(show, ed, board, cards, path):
    page = opened(show, ed, path)
    filter_by("roof")(page)
    expect(titles(page)).to_have_count(2)
    page.locator(f"#due-{cards[1].pk}").focus()
    page.keyboard.press("o")
    expect(page.locator("#open-card h1")).to_have_text(TITLES[1])
    page.go_back()
    expect(titles(page)).to_have_text(TITLES[:2])
    expect(page.locator(f"#row-{cards[1].pk} :focus, #of-title-{cards[1].pk}:focus")).to_have_count(1)


@pytest.mark.parametrize("way", ["a[id=by-title]", ".views a:has-text('Board')"])
def test_whoever_comes_back_to_a_long_table_finds_it_where_it_was(show, ed, board, todo, cards, way):
    create_cards(actor=web(ed), list_id=todo.pk, drafts=[draft_card(title=f"Brick {place}") for place in range(60)])
    page = opened(show, ed, f"/board/{board.pk}/table")
    frame = page.locator(".table-frame")
    frame.evaluate("(frame) => frame.scrollTo(0, 500)")
    page.wait_for_function("() => history.state?.down === 500")
    page.locator(way).evaluate("(link) => link.click()")
    page.wait_for_url(re.compile(r"sort=|/board/[^/]+$"))
    page.go_back()
    page.wait_for_function("() => document.querySelector('.table-frame')?.scrollTop === 500")


def test_it_says_how_many_cards_there_are(show, ed, cards):
    page = opened(show, ed, "/my")
    said = page.locator("body > .visually-hidden[role=status]")
    filter_by("roof")(page)
    expect(said).to_have_text("2 of 3 cards")
    page.keyboard.press("Shift+F")
    expect(said).to_have_text("3 cards")


def test_a_click_with_control_is_the_browsers(show, ed, cards):
    page = opened(show, ed, "/my/table")
    with page.context.expect_page() as other:
        page.locator("#by-title").click(modifiers=["Control"])
    other.value.close()
    assert page.url.endswith("/my/table")


def without_connection(page: Page) -> None:
    intercept(page, A_READING, lambda route: route.abort(), times=1)


def of_another_version(page: Page) -> None:
    def change(route) -> None:
        html = route.fetch().text()
        route.fulfill(body=html.replace("js/main.js", "js/main.js?other"), content_type="text/html")

    intercept(page, A_READING, change, times=1)


def of_another_reader(page: Page) -> None:
    def change(route) -> None:
        html = route.fetch().text()
        route.fulfill(body=re.sub('data-user="[^"]*"', 'data-user="other"', html), content_type="text/html")

    intercept(page, A_READING, change, times=1)


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("meet", [without_connection, of_another_version, of_another_reader])
def test_what_cannot_be_taken_over_is_loaded(show, ed, board, cards, path, meet):
    page = opened(show, ed, path.format(board.pk))
    meet(page)
    with page.expect_event("load"):
        filter_by("roof")(page)
    expect(titles(page)).to_have_text(TITLES[:2])
    expect(page).to_have_url(re.compile(r"\?q=roof"))


def test_a_board_that_was_lost_is_told_by_a_page(show, ed, board, cards):
    page = opened(show, ed, f"/board/{board.pk}/table")
    board.memberships.filter(user=ed).delete()
    page.locator("#by-title").click()
    expect(page.get_by_role("heading", name="Page not found")).to_be_visible()


def test_a_page_that_does_not_come_soon_is_loaded(show, ed, cards):
    page = opened(show, ed, "/my")
    page.clock.install()
    held = Held(page, A_READING, most=1)
    page.locator("#which-created").click()
    held.wait_for(1)
    page.clock.fast_forward(16_000)
    expect(page.locator("#which-created[aria-current]")).to_be_attached()
    assert not is_same(page)


@pytest.fixture
def live(show, ed, cards):
    def open_page(path: str) -> PageWithLine:
        opened = PageWithLine(show, ed, path)
        opened.page.evaluate("window.isSame = true")
        return opened

    return open_page


def tell(shown: PageWithLine) -> None:
    shown.socket.send(json.dumps({"work": f"{timezone.now().timestamp()}"}))


def test_news_come_at_the_new_address(live, olga, cards):
    shown = live("/my")
    filter_by("roof")(shown.page)
    expect(titles(shown.page)).to_have_count(2)
    update_card(actor=web(olga), card_id=cards[2].pk, title="Wall and roof")
    tell(shown)
    expect(titles(shown.page)).to_have_text([*TITLES[:2], "Wall and roof"])
    expect(shown.page.locator("#filter-bar [role=status]")).to_have_text("3 of 3 cards")
    assert is_same(shown.page)


def test_news_that_come_while_the_page_is_read_are_not_lost(live, olga, cards):
    shown = live("/my")
    shown.page.evaluate("document.addEventListener('work:changed', () => { window.isTold = true })")
    held = Held(shown.page, A_READING, most=1)
    filter_by("wall")(shown.page)
    reading = held.next()
    answer = reading.fetch()
    update_card(actor=web(olga), card_id=cards[0].pk, title="Roof and wall")
    tell(shown)
    shown.page.wait_for_function("() => window.isTold")
    let_others_come(shown.page)
    reading.fulfill(response=answer)
    expect(titles(shown.page)).to_have_text(["Roof and wall", "Wall"])


def test_rows_of_the_former_address_that_come_late_are_not_shown(live, cards):
    shown = live("/my")
    held = Held(shown.page, re.compile("/my$"), most=1)
    tell(shown)
    held.wait_for(1)
    filter_by("roof")(shown.page)
    expect(titles(shown.page)).to_have_count(2)
    held.let_on()
    let_others_come(shown.page)
    assert titles(shown.page).count() == 2


def test_of_two_filters_the_last_one_is_shown(show, ed, cards):
    page = opened(show, ed, "/my")
    held = Held(page, A_READING, most=1)
    filter_by("roof")(page)
    held.wait_for(1)
    filter_by("wall")(page)
    expect(titles(page)).to_have_text(TITLES[2:])
    held.let_on()
    let_others_come(page)
    expect(titles(page)).to_have_text(TITLES[2:])
    page.go_back()
    expect(titles(page)).to_have_text(TITLES)


@pytest.mark.parametrize("path", ["/my/table", "/board/{}/table"])
def test_what_is_selected_stays_so_in_another_order_and_what_leaves_does_not(show, ed, board, cards, path):
    page = opened(show, ed, path.format(board.pk))
    wait_until_wired(page, ".selection")
    for title in (TITLES[0], TITLES[2]):
        page.locator("tbody tr").filter(has_text=title).locator(".of-select > input").click()
    page.locator("#by-title").click()
    selected = page.locator("tr[aria-selected=true] .title")
    expect(page.locator("#by-title .icon")).to_be_visible()
    expect(selected).to_have_text([TITLES[0], TITLES[2]])
    filter_by("roof")(page)
    expect(page.locator(".selection")).to_contain_text("1 card selected")
    expect(selected).to_have_text([TITLES[0]])


def let_page_come(page: Page, held: Held) -> None:
    """Let the page come that was asked for, and what it begins."""
    with page.expect_response(A_READING):
        held.let_on()
    let_others_come(page)


def test_a_title_that_is_being_edited_is_waited_for(show, ed, board, cards):
    page = opened(show, ed, f"/board/{board.pk}/table")
    held = Held(page, A_READING, most=1)
    page.locator("#by-title").click()
    held.wait_for(1)
    page.locator(f"#of-title-{cards[0].pk}").press("Enter")
    page.keyboard.type("Zinc ")
    let_page_come(page, held)
    page.keyboard.type("roof")
    page.keyboard.press("Enter")
    expect(page.locator("#by-title .icon")).to_be_visible()
    expect(titles(page)).to_have_text([*TITLES[1:], "Zinc roof"])
    assert is_same(page)


def hide_number(page: Page) -> Locator:
    page.locator("#columns-button").press("Enter")
    page.locator(".columns").get_by_label("Number").uncheck()
    return page.locator(".columns label:has(input:not(:checked))", has_text="Number")


def choose_due(page: Page) -> Locator:
    page.locator("#filter-button").press("Enter")
    page.locator(".filter-form [name=due]").select_option("today")
    return page.locator(".filter-form [name=due]:has([value=today]:checked)")


def name_filter(page: Page) -> Locator:
    page.locator("#filter-button").press("Enter")
    page.locator(".save-filter > summary").press("Enter")
    page.locator("#filter-name").fill("Roofs")
    return page.locator("#filter-name:focus:valid")  # it may not be empty


@pytest.mark.parametrize("use", [hide_number, choose_due, name_filter])
def test_a_menu_that_is_open_keeps_what_is_entered_until_it_is_closed(show, ed, cards, use):
    page = opened(show, ed, "/my/table?q=roof")
    held = Held(page, A_READING, most=1)
    page.locator("#which-created").click()
    held.wait_for(1)
    entered = use(page)
    let_page_come(page, held)
    expect(entered).to_be_visible()
    expect(titles(page)).to_have_text(TITLES[:2])
    assert page.url.endswith("/my/table?q=roof")
    page.keyboard.press("Escape")
    expect(page.locator("#which-created[aria-current]")).to_be_attached()
    expect(titles(page)).to_have_count(0)
    expect(page).to_have_url(re.compile("which=created"))


def open_filter(page: Page) -> None:
    """Open the filter, whose script may have been loading until now: what comes meanwhile would find it closed."""
    page.keyboard.press("f")
    expect(page.locator("#filter-text")).to_be_focused()


def test_text_that_is_entered_while_a_page_comes_is_sent(show, ed, cards):
    page = opened(show, ed, "/my")
    held = Held(page, A_READING, most=1)
    page.locator("#which-created").click()
    held.wait_for(1)
    open_filter(page)
    page.keyboard.type("ro")
    let_page_come(page, held)
    page.keyboard.type("of")
    page.keyboard.press("Enter")
    expect(titles(page)).to_have_text(TITLES[:2])
    expect(page).to_have_url(re.compile(r"/my\?q=roof$"))


def test_back_closes_the_menu_of_a_row(show, ed, cards):
    page = opened(show, ed, "/my")
    filter_by("roof")(page)
    expect(titles(page)).to_have_count(2)
    page.locator(f"#more-{cards[0].pk}").press("Enter")
    expect(page.get_by_role("menu", name="Card actions")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("menu", name="Card actions")).to_be_hidden()
    expect(titles(page)).to_have_text(TITLES)


def test_back_closes_an_open_menu(show, ed, cards):
    page = opened(show, ed, "/my")
    filter_by("roof")(page)
    expect(titles(page)).to_have_count(2)
    open_filter(page)
    page.keyboard.type("s")
    page.go_back()
    expect(titles(page)).to_have_text(TITLES)
    assert page.locator("details[open]").count() == 0
    expect(page.locator("#filter-text")).to_have_value("")


def test_the_scripts_of_the_page_act_once_afterwards(show, ed, board, cards):
    page = opened(show, ed, f"/board/{board.pk}/table")
    filter_by("roof")(page)
    expect(page.locator("#filter-bar")).to_be_visible()
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    page.locator("#filter-button").press("Enter")
    page.get_by_text("Save filter…").press("Enter")
    page.get_by_label("Filter name").fill("Roofs")
    page.keyboard.press("Enter")
    expect(page.locator(".saved-filters .apply[aria-current]")).to_have_text("Roofs")
    page.keyboard.press("Escape")
    page.locator(".done-check").first.click()
    expect(page.locator("tr.done")).to_have_count(1)
    expect(page.locator(".toast")).to_be_visible()
    assert [url.rpartition("/")[2] for url in sent] == ["filters", "completion"]


def test_scripts_of_a_part_that_comes_are_started(show, ed, cards):
    page = opened(show, ed, "/my")
    part = '<div id="filter-row" data-of-address>'
    added = f'{part}<b data-behaviour="times"></b>'
    intercept(
        page,
        A_READING,
        lambda route: route.fulfill(body=route.fetch().text().replace(part, added), content_type="text/html"),
        times=1,
    )
    filter_by("roof")(page)
    expect(page.locator("#filter-row > [data-wired]")).to_be_attached()
    assert is_same(page)
