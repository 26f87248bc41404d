"""The search in Chromium: the field of the head and its key, results while somebody types, and the keys of results."""

import json
import re
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from boards.actions.boards.board import create_board
from boards.actions.cards.archive import archive_card
from boards.actions.cards.assignments import assign
from boards.actions.cards.card import complete_card, create_card, update_card
from boards.actions.cards.labels import add_label, create_label, remove_label
from boards.actions.people.members import remove_member
from boards.models import Card
from boards.reader import Reader
from boards.reading.work import my_boards, state_of
from conftest import join, web
from taskboard.tests.browsers import wait_until_wired
from web.tests.held import Held, let_others_come
from web.tests.looking import is_in_window, widest
from web.tests.own_line import PageWithLine

pytestmark = pytest.mark.django_db(transaction=True)

HEAD = ".topbar > .jump > input"
PALETTE = "#command-palette"  # whose script hears the key


@pytest.fixture
def flyers(olga, todo):
    """Three cards, of which the last one is the best match for *flyer*."""
    return [create_card(actor=web(olga), list_id=todo.pk, title=title) for title in ("Draw a flyer", "Poster", "Flyer")]


def results(page: Page):
    return page.locator("#search-results .title")


def test_the_key_goes_to_the_field_of_every_head_and_enter_twice_opens_the_best_match(show, ed, board, flyers):
    page = show("/help", ed, wired=PALETTE)
    page.keyboard.press("/")
    expect(page.locator(HEAD)).to_be_focused()
    page = show(board.get_absolute_url(), ed, wired=PALETTE)
    page.keyboard.press("/")
    expect(page.locator(HEAD)).to_be_focused()
    page.keyboard.type("flyer/c")
    expect(page.locator(HEAD)).to_have_value("flyer/c")
    page.locator(HEAD).fill("flyer")
    page.keyboard.press("Enter")
    expect(results(page).first).to_have_text("Flyer")
    expect(results(page).first).to_be_focused()
    wait_until_wired(page, PALETTE)
    page.keyboard.press("/")
    expect(page.locator("#search-field")).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("#open-card h1")).to_have_text("Flyer")


def offers(page: Page):
    return page.locator(".topbar > .jump [role=option]")


def test_the_field_of_the_head_shows_the_first_results_and_enter_opens_the_chosen_one_on_its_board(
    show, ed, board, flyers
):
    page = show(board.get_absolute_url(), ed, wired=PALETTE)
    page.keyboard.press("/")
    page.keyboard.type("flyer")
    expect(offers(page).locator(".name")).to_have_text(["Flyer", "Draw a flyer", "All results"])
    field = page.locator(HEAD)
    expect(field).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(field).to_have_attribute("aria-activedescendant", f"to-card-{flyers[0].pk}")
    page.evaluate("window.isSame = true")
    page.keyboard.press("Enter")
    expect(page.locator("#open-card h1")).to_have_text("Draw a flyer")
    expect(offers(page)).to_have_count(0)
    assert page.evaluate("window.isSame")


def test_a_result_that_was_chosen_before_the_last_answer_stays_chosen_until_the_next_letter(show, ed, flyers):
    page = show("/help", ed, wired=PALETTE)
    field = page.locator(HEAD)
    field.fill("flye")
    expect(offers(page)).to_have_count(3)
    held = Held(page, re.compile("/jump"), most=1)
    page.keyboard.type("r")
    held.wait_for(1)
    page.keyboard.press("ArrowDown")
    with page.expect_response(re.compile(r"/jump\?q=flyer")):
        held.let_on()
    let_others_come(page)
    expect(field).to_have_attribute("aria-activedescendant", f"to-card-{flyers[2].pk}")
    page.keyboard.press("Backspace")
    expect(field).not_to_have_attribute("aria-activedescendant", re.compile("."))


def test_without_a_choice_enter_leads_to_the_search_page_although_results_are_shown(show, ed, flyers):
    page = show("/help", ed, wired=PALETTE)
    page.locator(HEAD).fill("flyer")
    expect(offers(page)).to_have_count(3)
    expect(page.locator(HEAD)).not_to_have_attribute("aria-activedescendant", re.compile("."))
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/search\?q=flyer$"))


def test_escape_closes_the_results_of_the_head_and_keeps_the_words(show, ed, flyers):
    page = show("/help", ed, wired=PALETTE)
    field = page.locator(HEAD)
    field.fill("flyer")
    expect(offers(page)).to_have_count(3)
    page.keyboard.press("Escape")
    expect(offers(page)).to_have_count(0)
    expect(field).to_be_focused()
    expect(field).to_have_value("flyer")
    expect(field).to_have_attribute("aria-expanded", "false")
    page.keyboard.press("Escape")
    expect(field).to_have_value("")
    page.keyboard.press("Escape")
    expect(field).not_to_be_focused()


def test_escape_in_the_empty_field_of_the_head_goes_back_to_where_one_was(show, ed, flyers, board):
    page = show(board.get_absolute_url(), ed, wired=PALETTE)
    tile = page.locator(".card > .title").first
    tile.focus()
    page.keyboard.press("/")
    expect(page.locator(HEAD)).to_be_focused()
    page.keyboard.press("Escape")
    expect(tile).to_be_focused()


def test_letters_after_the_key_change_no_card_where_the_head_has_no_room_for_the_field(show, ed, board, flyers):
    page = show(board.get_absolute_url(), ed, width=600, wired=PALETTE)
    page.locator(".card > .title").first.focus()
    page.keyboard.press("/")
    page.keyboard.type("ce")
    expect(page.locator(f"{PALETTE}:modal").get_by_role("combobox")).to_have_value("ce")
    expect(page.locator(".card.done")).to_have_count(0)
    assert not Card.objects.exclude(completed_at=None, archived_at=None).exists()


def test_whoever_comes_back_from_a_result_goes_on_at_it(show, ed, flyers):
    page = show("/search?q=flyer", ed)
    page.keyboard.press("ArrowDown")
    expect(results(page).nth(1)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#open-card h1")).to_have_text("Draw a flyer")
    page.go_back()
    expect(results(page).nth(1)).to_be_focused()


def test_each_filter_of_a_search_is_a_step_back_and_letters_are_none(show, ed, flyers, card):
    page = show("/search?q=f", ed)
    field = page.locator("#search-field")
    field.fill("flyer")
    expect(page).to_have_url(re.compile(r"q=flyer$"))
    page.locator(".narrowing summary", has_text="Status").click()
    page.get_by_label("Done", exact=True).check()
    expect(page).to_have_url(re.compile(r"q=flyer&state=done$"))
    expect(results(page)).to_have_count(0)
    page.go_back()
    expect(results(page)).to_have_text(["Flyer", "Draw a flyer"])
    expect(page.get_by_label("Done", exact=True)).not_to_be_checked()
    page.go_forward()
    expect(results(page)).to_have_count(0)
    expect(page.get_by_label("Done", exact=True)).to_be_checked()


def test_a_board_that_alone_is_found_has_the_focus(show, ed, board):
    page = show("/search?q=launch", ed)
    expect(results(page)).to_have_text(["Launch"])
    expect(results(page)).to_be_focused()


def test_whoever_leaves_the_field_of_the_head_sees_its_results_again_on_return(show, ed, flyers):
    page = show("/help", ed, wired=PALETTE)
    page.locator(HEAD).fill("flyer")
    expect(offers(page)).to_have_count(3)
    page.keyboard.press("Tab")
    expect(offers(page)).to_have_count(0)
    page.keyboard.press("Shift+Tab")
    expect(offers(page)).to_have_count(3)
    page.locator(HEAD).fill("")
    expect(offers(page)).to_have_count(0)


def test_the_field_of_the_head_says_when_nothing_is_found_and_when_somebody_searches_too_often(
    show, ed, flyers, settings
):
    settings.LIMITS = {**settings.LIMITS, "search": "1/d"}
    page = show("/help", ed, wired=PALETTE)
    sentence = page.locator(".jump > .found > p")
    page.locator(HEAD).fill("zeppelin")
    expect(sentence).to_have_text("Nothing found.")
    expect(page.locator("body > [role=status]").filter(has_text="Nothing found.")).to_have_count(1)
    expect(offers(page)).to_have_text(["All results"])
    page.locator(HEAD).fill("flyer")
    expect(sentence).to_have_text(re.compile("^Too many requests. Wait"))
    expect(offers(page)).to_have_count(0)


def test_a_click_on_a_result_of_the_head_opens_it_from_every_page(show, ed, flyers):
    page = show("/help", ed, wired=PALETTE)
    page.locator(HEAD).fill("poster")
    offers(page).filter(has_text="Poster").click()
    expect(page.locator("#open-card h1")).to_have_text("Poster")


def test_on_a_phone_the_foot_leads_to_the_search(show, ed, board, flyers):
    page = show(board.get_absolute_url(), ed, width=390)
    expect(page.locator(HEAD)).to_be_hidden()
    page.locator(".topbar").get_by_role("link", name="Search").click()
    expect(page.locator("#search-field")).to_be_focused()


def test_results_follow_what_is_typed_and_the_newest_answer_wins(show, ed, flyers):
    page = show("/search", ed)
    status, field = page.locator(".search-form").get_by_role("status"), page.locator("#search-field")
    field.fill("flyer")
    expect(results(page)).to_have_text(["Flyer", "Draw a flyer"])
    expect(status).to_have_text("2 results")
    expect(page).to_have_url(re.compile(r"/search\?q=flyer$"))
    expect(page).to_have_title("flyer · Search · Taskboard")
    held = Held(page, re.compile("q=flye$"), most=1)
    field.fill("flye")
    held.wait_for(1)
    with page.expect_event("requestfailed") as ended:
        field.fill("poster")
    assert ended.value.url.endswith("q=flye")
    expect(results(page)).to_have_text(["Poster"])
    field.fill("posters")
    expect(status).to_have_text("No results")
    page.get_by_label("With archived").check()
    expect(page).to_have_url(re.compile(r"q=posters&archived=1$"))
    field.fill("")
    expect(page.locator("#search-results")).to_contain_text("Search titles")


@pytest.mark.parametrize("touch", [False, True], ids=["keyboard", "screen"])
def test_results_follow_a_word_that_a_screen_composes_and_wait_for_it_elsewhere(opened, ed, flyers, touch):
    page = opened(ed, touch=touch).page
    page.goto("/search")
    expect(page.locator("#search-field")).to_be_focused()
    wait_until_wired(page)
    wait_until_wired(page, PALETTE)
    asked = []
    page.on("request", lambda request: asked.extend(re.findall(r"/search\?q=(\w+)", request.url)))
    ime = page.context.new_cdp_session(page)
    page.clock.install()
    ime.send("Input.imeSetComposition", {"text": "post", "selectionStart": 4, "selectionEnd": 4})
    page.clock.run_for(1000)
    ime.send("Input.insertText", {"text": "poster"})
    page.clock.run_for(1000)
    expect(results(page)).to_have_text(["Poster"])
    assert asked == (["post", "poster"] if touch else ["poster"])


def test_arrows_go_through_the_results_and_escape_returns_to_the_field(show, ed, flyers):
    page = show("/search?q=flyer", ed)
    expect(results(page).first).to_be_focused()
    for key, place in (("ArrowDown", 1), ("ArrowDown", 1), ("k", 0), ("j", 1)):
        page.keyboard.press(key)
        expect(results(page).nth(place)).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#search-field")).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    expect(page.locator("#search-field")).to_be_focused()


def menu(page: Page, kind: str):
    """Return a menu that narrows the search, by what it is called."""
    return page.locator(".narrowing > .menu").filter(has=page.locator(".kind", has_text=kind))


@pytest.fixture
def marked(olga, ed, board, flyers):
    """The same cards with a label each. The first is assigned to Ed, and was last changed a month ago."""
    for name, card in zip(("Print", "Web", "Press"), flyers, strict=True):
        label = create_label(actor=web(olga), board_id=board.pk, name=name)
        add_label(actor=web(olga), card_id=card.pk, label_id=label.pk)
    assign(actor=web(olga), card_id=flyers[0].pk, user_id=ed.pk)
    Card.objects.filter(pk=flyers[0].pk).update(updated_at=timezone.now() - timedelta(days=30))
    return flyers


def test_results_the_address_and_the_menu_follow_each_tick_while_the_menu_stays_open(show, ed, marked):
    page = show("/search", ed)
    status, labels = page.locator(".search-form").get_by_role("status"), menu(page, "Label")
    labels.locator("summary").click()
    labels.locator(".pick > span", has_text="Print").click()
    expect(results(page)).to_have_text(["Draw a flyer"])
    expect(status).to_have_text("1 result")
    expect(labels.locator("summary")).to_have_text(re.compile(r"^\s*Label\s*Print\s*$"))
    expect(labels.locator(".kind")).to_have_css("position", "absolute")
    labels.get_by_label("Web").check()
    expect(results(page)).to_have_text(["Poster", "Draw a flyer"])
    expect(status).to_have_text("2 results")
    expect(labels.locator("summary")).to_have_text(re.compile(r"^\s*Label\s*2\s*$"))
    expect(page).to_have_url(re.compile(r"/search\?label=Print&label=Web$"))
    changed = menu(page, "Changed")
    changed.locator("summary").click()
    expect(labels).not_to_have_attribute("open", re.compile(""))
    changed.get_by_label("In the last 7 days").check()
    expect(results(page)).to_have_text(["Poster"])
    page.reload()
    expect(results(page)).to_have_text(["Poster"])
    expect(menu(page, "Label").locator(".said")).to_have_text("2")


def test_menus_are_opened_ticked_and_closed_by_keyboard(show, ed, marked):
    page = show("/search?q=flyer", ed)
    people = menu(page, "Assigned to")
    people.locator("summary").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(people.get_by_label("Me", exact=True)).to_be_focused()
    page.keyboard.press("Space")
    expect(results(page)).to_have_text(["Draw a flyer"])
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    expect(results(page)).to_have_text(["Flyer", "Draw a flyer"])
    expect(people.get_by_label("No one")).to_be_focused()
    page.keyboard.press("Escape")
    expect(people.locator("summary")).to_be_focused()
    expect(people.get_by_label("Me", exact=True)).to_be_hidden()
    expect(people.locator(".said")).to_have_text("2")


def test_a_finger_ticks_several_people_in_a_menu_that_the_phone_has_room_for(opened, ed, marked):
    page = opened(ed, touch=True).page
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto("/search?q=flyer")
    wait_until_wired(page)
    people = menu(page, "Assigned to")
    people.locator("summary").tap()
    for name in ("Me", "Olga"):
        people.get_by_label(name, exact=True).tap()
    expect(people.locator(".said")).to_have_text("2")
    expect(results(page)).to_have_text(["Draw a flyer"])
    assert is_in_window(people.locator(".items"))
    assert widest(page, "html") == 0


def test_a_long_menu_has_a_field_that_finds_its_choices_and_searches_nothing(show, ed, olga, board, marked):
    for number in range(7):
        create_label(actor=web(olga), board_id=board.pk, name=f"Label {number}")
    page = show("/search?q=flyer", ed)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    labels = menu(page, "Label")
    labels.locator("summary").click()
    page.get_by_label("Filter labels").fill("prin")
    expect(labels.locator(".pick:visible")).to_have_text(["Print"])
    page.get_by_label("Filter labels").press("Enter")
    page.get_by_label("Filter labels").press("Tab")
    expect(labels.get_by_label("Print")).to_be_focused()
    page.keyboard.press("Space")
    expect(results(page)).to_have_text(["Draw a flyer"])
    assert [url.partition("?")[2] for url in asked if "/search?" in url] == ["q=flyer&label=Print"]


def test_one_press_clears_what_narrows_and_keeps_the_words_and_archived_cards(show, ed, board, marked):
    page = show(f"/search?q=fly&board={board.pk}&label=Print&who=me&who=nobody&archived=1", ed)
    clear = page.locator(".search-field").get_by_role("link", name="Clear filter")
    expect(results(page)).to_have_text(["Draw a flyer"])
    page.locator("#search-field").fill("flyer")
    clear.click()
    expect(results(page)).to_have_text(["Flyer", "Draw a flyer"])
    expect(page).to_have_url(re.compile(r"/search\?q=flyer&archived=1$"))
    expect(clear).to_be_hidden()
    expect(page.locator(".narrowing > [name=board]")).to_be_focused()
    expect(page.locator(".narrowing .said", has_text=re.compile(r"\w"))).to_have_count(0)
    menu(page, "Status").locator("summary").click()
    page.get_by_label("Done", exact=True).check()
    expect(clear).to_be_visible()
    page.locator("#search-results").get_by_role("link", name="Clear filter").click()
    expect(results(page)).to_have_text(["Flyer", "Draw a flyer"])


def test_at_the_limit_the_page_says_how_long_to_wait_and_keeps_its_results(show, ed, flyers, settings):
    settings.LIMITS = {**settings.LIMITS, "search": "1/d"}
    page = show("/search?q=flyer", ed)
    page.locator("#search-field").fill("poster")
    expect(page.locator(".search-form").get_by_role("status")).to_have_text(re.compile("^Too many requests. Wait"))
    expect(results(page)).to_have_text(["Flyer", "Draw a flyer"])


class Search(PageWithLine):
    @property
    def numbers(self):
        return self.page.locator("#search-results h2 > .count")

    def tell(self, user) -> None:
        """Tell the page that something has changed on the user's boards, as the server does."""
        self.socket.send(json.dumps({"work": state_of(my_boards(Reader(user)))}))


def test_results_become_what_they_are_now_where_they_stand_and_the_focus_stays(show, ed, olga, flyers):
    search = Search(show, ed, "/search?q=flyer")
    page = search.page
    expect(results(page)).to_have_text(["Flyer", "Draw a flyer"])
    page.keyboard.press("ArrowDown")
    update_card(actor=web(olga), card_id=flyers[0].pk, title="Draw two flyers")
    complete_card(actor=web(olga), card_id=flyers[2].pk)
    create_card(actor=web(olga), list_id=flyers[0].list_id, title="Flyer of later")
    search.tell(ed)
    expect(results(page)).to_have_text(["Flyer", "Draw two flyers"])
    expect(page.locator(".hit.done .title")).to_have_text("Flyer")
    expect(results(page).nth(1)).to_be_focused()
    expect(search.numbers).to_have_text(["2"])


def test_results_of_several_filters_leave_when_they_no_longer_match_one(show, ed, olga, board, marked):
    search = Search(
        show, ed, "/search?label=Web&label=Press&who=nobody&who=me&due=none&due=today&state=open&changed=day"
    )
    expect(results(search.page)).to_have_text(["Flyer", "Poster"])
    complete_card(actor=web(olga), card_id=marked[2].pk)
    search.tell(ed)
    expect(results(search.page)).to_have_text(["Poster"])
    remove_label(actor=web(olga), card_id=marked[1].pk, label_id=board.labels.get(name="Web").pk)
    search.tell(ed)
    expect(search.page.locator("#search-results .empty")).to_contain_text("No card matches these filters.")


def test_results_that_are_gone_leave_and_the_focus_goes_to_the_next_one(show, ed, olga, flyers):
    search = Search(show, ed, "/search?q=flyer")
    page = search.page
    expect(results(page).first).to_be_focused()
    archive_card(actor=web(olga), card_id=flyers[2].pk)
    search.tell(ed)
    expect(results(page)).to_have_text(["Draw a flyer"])
    expect(results(page)).to_be_focused()
    expect(search.numbers).to_have_text(["1"])
    expect(page.locator(".search-form").get_by_role("status")).to_have_text("")
    update_card(actor=web(olga), card_id=flyers[0].pk, title="Draw")
    search.tell(ed)
    expect(page.locator("#search-results .empty")).to_contain_text("Nothing found for “flyer”.")
    expect(page.locator(".search-form").get_by_role("status")).to_have_text("No results")


def test_results_of_a_board_that_one_was_removed_from_leave(show, ed, olga, board, flyers):
    search = Search(show, ed, "/search?q=flyer")
    expect(results(search.page)).to_have_count(2)
    remove_member(actor=web(olga), board_id=board.pk, user_id=ed.pk)
    search.tell(ed)
    expect(results(search.page)).to_have_count(0)


def test_cards_of_a_lost_board_that_are_not_shown_are_no_longer_counted(show, ed, olga, board, flyers):
    other = create_board(actor=web(olga), title="Other", template="kanban")
    join(ed, other, "viewer")
    for number in range(25):
        create_card(actor=web(olga), board_id=board.pk, title=f"Flyer {number}")
    for number in range(20):
        create_card(actor=web(olga), board_id=other.pk, title=f"Flyer of Other {number}")
    search = Search(show, ed, "/search?q=flyer")
    expect(search.numbers).to_have_text(["47"])
    expect(results(search.page)).to_have_count(20)
    remove_member(actor=web(olga), board_id=board.pk, user_id=ed.pk)
    search.tell(ed)
    expect(search.numbers).to_have_text(["20"])
    expect(results(search.page)).to_have_text([re.compile("Flyer of Other")] * 20)


def test_news_of_an_older_search_never_replace_what_was_searched_since(show, ed, olga, flyers):
    search = Search(show, ed, "/search?q=flyer")
    page = search.page
    expect(results(page)).to_have_count(2)
    held = Held(page, re.compile("shown="), most=1)
    archive_card(actor=web(olga), card_id=flyers[2].pk)
    search.tell(ed)
    held.wait_for(1)
    with page.expect_event("requestfailed") as ended:
        page.locator("#search-field").fill("poster")
    assert "shown=" in ended.value.url
    expect(results(page)).to_have_text(["Poster"])
    update_card(actor=web(olga), card_id=flyers[1].pk, title="Poster of Olga")
    search.tell(ed)
    expect(results(page)).to_have_text(["Poster of Olga"])


def test_results_that_come_after_news_of_a_later_change_become_what_they_are_now(show, ed, olga, flyers):
    search = Search(show, ed, "/search?q=flyer")
    page = search.page
    held = Held(page, re.compile("q=poster$"), most=1)
    page.locator("#search-field").fill("poster")
    route = held.next()
    answer = route.fetch()
    update_card(actor=web(olga), card_id=flyers[1].pk, title="Poster of Olga")
    with page.expect_response(re.compile("shown=")):
        search.tell(ed)
    route.fulfill(response=answer)
    expect(results(page)).to_have_text(["Poster of Olga"])


@pytest.mark.parametrize("address", ["/search?q=" + "Elbdampfschifffahrt" * 4, "/notifications"])
def test_a_long_word_does_not_widen_a_page_that_has_nothing_to_show(show, ed, olga, todo, address):
    create_card(
        actor=web(olga),
        list_id=todo.pk,
        title="Donaudampfschifffahrt" * 4,
        assignee_ids=[ed.pk],
        due_day=timezone.localdate() + timedelta(days=1),
    )
    page = show(address, ed, width=360, wired="")
    expect(page.locator(".empty")).to_be_visible()
    assert widest(page, "html") == 0


def test_paper_shows_what_was_found_alone(show, ed, flyers):
    page = show("/search?q=flyer", ed)
    page.emulate_media(media="print")
    for part in (".topbar", ".narrowing", ".unscripted"):
        expect(page.locator(part)).to_be_hidden()
    expect(page.locator("#search-field")).to_have_value("flyer")
    expect(results(page)).to_have_text(["Flyer", "Draw a flyer"])


def test_without_scripts_the_form_searches_narrows_and_leads_through_the_pages(show, olga, todo, flyers):
    for number in range(20):
        create_card(actor=web(olga), list_id=todo.pk, title=f"Flyer {number:02}")
    complete_card(actor=web(olga), card_id=flyers[0].pk)
    page = show("/search", olga, scripts=False)
    page.locator("#search-field").fill("flyer")
    page.get_by_role("button", name="Search").click()
    expect(results(page)).to_have_count(20)
    page.get_by_role("link", name="Next page").click()
    expect(results(page)).to_have_text(["Flyer", "Draw a flyer"])
    menu(page, "Status").locator("summary").click()
    page.get_by_label("Done", exact=True).check()
    page.get_by_role("button", name="Search").click()
    expect(results(page)).to_have_text(["Draw a flyer"])
    results(page).click()
    expect(page.get_by_role("heading", level=1, name="Draw a flyer")).to_be_visible()
