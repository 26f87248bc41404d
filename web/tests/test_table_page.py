"""Tables in Chromium: cells are reached and changed by keys. The tests play the server's end of the page's socket."""

import json
import re
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Locator, Page, expect

from boards.actions.boards.board import create_board
from boards.actions.cards.archive import archive_card
from boards.actions.cards.assignments import assign
from boards.actions.cards.card import complete_card, create_card, create_cards, draft_card, update_card
from boards.actions.cards.labels import create_label, delete_label
from boards.actions.lists.list import create_list
from boards.actions.people.members import change_role, remove_member
from boards.models import Board, Card
from conftest import join, web
from taskboard.tests.axe import complaints_in_both_themes
from taskboard.tests.browsers import resize, wait_until_wired
from taskboard.tests.interception import intercept
from taskboard.tests.waiting import wait_on_page
from web.tests.held import Held, held_changes, let_others_come
from web.tests.looking import box, style, widest
from web.tests.own_line import PageWithLine

pytestmark = pytest.mark.django_db(transaction=True)

TITLES = ("First", "Second", "Third")


class Table(PageWithLine):
    @property
    def titles(self) -> Locator:
        return self.page.locator("#table-rows .title")

    @property
    def focused(self) -> Locator:
        return self.page.locator("#table-rows :is(td, th):focus")

    def cell(self, title: str, column: str) -> Locator:
        return self.page.locator("#table-rows tbody tr").filter(has_text=title).locator(f".of-{column}")

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def tell(self) -> None:
        """Tell the page that something has changed on one of the boards, as the server does."""
        self.socket.send(json.dumps({"work": f"{timezone.now().timestamp()}"}))


@pytest.fixture
def cards(olga, ed, board, todo) -> dict[str, Card]:
    create_list(actor=web(olga), board_id=board.pk, title="Doing")
    create_label(actor=web(olga), board_id=board.pk, name="Bug")
    return {title: create_card(actor=web(olga), list_id=todo.pk, title=title) for title in TITLES}


@pytest.fixture
def table(show, ed, board, cards) -> Table:
    table = Table(show, ed, f"/board/{board.pk}/table")
    wait_until_wired(table.page, ".selection")
    return table


def test_arrows_go_from_cell_to_cell_and_end_at_the_edges(table):
    table.cell("First", "title").focus()
    table.press("ArrowRight", "ArrowDown")
    expect(table.focused).to_have_text("To do")
    table.press("Home", "ArrowLeft", "ArrowRight", "ArrowRight")
    expect(table.focused).to_have_text("#2")
    table.press("Control+End", "ArrowDown")
    expect(table.focused).to_have_class("of-changed")
    table.press("Home", "ArrowRight", "ArrowRight", "k")
    expect(table.focused).to_have_text("#2")


def test_tab_reaches_one_cell_and_leaves_the_table(table):
    table.cell("Second", "due").focus()
    table.press("Tab")
    expect(table.focused).to_have_count(0)
    table.press("Shift+Tab")
    expect(table.focused).to_have_class("of-due")


def test_enter_edits_a_title_and_enter_saves_it(table, cards):
    table.cell("First", "title").focus()
    table.press("Enter")
    table.page.keyboard.type("Renamed")
    table.press("Enter")
    expect(table.titles).to_have_text(["Renamed", "Second", "Third"])
    expect(table.focused).to_have_text(re.compile("Renamed"))
    wait_on_page(table.page, lambda: Card.objects.filter(title="Renamed").exists(), lambda: "not saved")
    table.press("Control+z")
    expect(table.titles).to_have_text(TITLES)


def test_escape_leaves_a_title_as_it_was_and_so_does_an_empty_one(table):
    table.cell("First", "title").focus()
    for text, key in (("Renamed", "Escape"), (" ", "Enter")):
        table.press("Enter")
        table.page.keyboard.type(text)
        table.press(key)
        expect(table.titles).to_have_text(TITLES)
        expect(table.focused).to_have_class("of-title")


def test_tab_saves_a_title_and_goes_to_the_next_cell(table):
    table.cell("First", "title").focus()
    table.press("Enter")
    table.page.keyboard.type("Renamed")
    table.press("Tab")
    expect(table.focused).to_have_text("To do")
    wait_on_page(table.page, lambda: Card.objects.filter(title="Renamed").exists(), lambda: "not saved")
    expect(table.titles).to_have_text(["Renamed", "Second", "Third"])
    table.press("ArrowLeft", "Enter", "Shift+Tab")
    expect(table.focused).to_have_text("#1")


def edited(table: Table) -> Locator:
    return table.page.locator("[data-editing] > input")


def test_a_refused_title_is_edited_again_and_escape_takes_it_back(table, board, ed, olga):
    table.cell("First", "title").focus()
    table.press("Enter")
    table.page.keyboard.type("Renamed")
    Board.objects.get(pk=board.pk).memberships.filter(user=ed).update(role="viewer")
    table.press("Enter")
    expect(table.page.locator(".toasts")).to_contain_text("You can view this board but not change it")
    expect(edited(table)).to_have_value("Renamed")
    expect(edited(table)).to_be_focused()
    table.press("Escape")
    expect(table.titles).to_have_text(TITLES)
    expect(table.focused).to_have_text(re.compile("First"))


def test_a_refused_title_that_one_leaves_is_not_sent_again_and_stays_for_the_next_edit(table, board, ed):
    table.cell("First", "title").focus()
    table.press("Enter")
    table.page.keyboard.type("Renamed")
    Board.objects.get(pk=board.pk).memberships.filter(user=ed).update(role="viewer")
    table.press("Enter")
    expect(edited(table)).to_have_value("Renamed")
    sent: list[str] = []
    table.page.on("request", lambda request: sent.append(request.url))
    table.cell("Second", "title").focus()
    expect(edited(table)).to_have_count(0)
    table.cell("First", "title").focus()
    table.press("Enter")
    expect(edited(table)).to_have_value("Renamed")
    assert not [url for url in sent if url.endswith("/title")]


def test_a_title_of_somebody_else_is_told_before_enter_replaces_it(table, cards, olga):
    table.cell("First", "title").focus()
    table.press("Enter")
    table.page.keyboard.type("Renamed")
    update_card(actor=web(olga), card_id=cards["First"].pk, title="Of Olga")
    table.press("Enter")
    expect(table.page.locator(".toasts")).to_contain_text("Olga changed the title to “Of Olga” in the meantime")
    expect(edited(table)).to_have_value("Renamed")
    assert Card.objects.get(pk=cards["First"].pk).title == "Of Olga"
    table.press("Enter")
    wait_on_page(table.page, lambda: Card.objects.filter(title="Renamed").exists(), lambda: "not saved")
    expect(table.titles).to_have_text(["Renamed", "Second", "Third"])


def test_a_title_is_edited_twice_before_the_rows_have_come_again(table, cards):
    table.page.route(re.compile("/table$"), lambda route: None)  # which is never answered
    for before, title in (("First", "Once"), ("Once", "Twice")):
        table.cell(before, "title").focus()
        table.press("Enter")
        table.page.keyboard.type(title)
        table.press("Enter")
    wait_on_page(table.page, lambda: Card.objects.filter(title="Twice").exists(), lambda: "not saved")


def test_a_title_that_is_typed_while_the_card_is_archived_stays_in_its_row(my_table, cards, olga):
    my_table.cell("First", "title").focus()
    my_table.press("Enter")
    my_table.page.keyboard.type("Renamed")
    archive_card(actor=web(olga), card_id=cards["First"].pk)
    my_table.tell()
    my_table.press("Enter")
    expect(my_table.page.locator(".toasts")).to_contain_text("This card is archived")
    expect(edited(my_table)).to_have_value("Renamed")
    my_table.press("Escape")
    expect(my_table.titles).to_have_text(["Second", "In the Garden", "In the Attic"])


def test_what_changes_meanwhile_waits_for_the_title_that_is_edited(table, cards, olga):
    page, held = table.page, []
    page.route(re.compile("/table$"), lambda route: route.continue_() if held else held.append(route))
    update_card(actor=web(olga), card_id=cards["Third"].pk, title="Of Olga")
    table.tell()
    wait_on_page(page, lambda: bool(held), lambda: "the rows were not asked for")
    table.cell("First", "title").focus()
    table.press("Enter")
    page.keyboard.type("Rena")
    with page.expect_event("requestfinished"):
        held[0].continue_()
    page.evaluate("() => fetch('/robots.txt').then((answer) => answer.text())")  # the page has read the rows by then
    page.keyboard.type("med")
    table.press("Enter")
    expect(table.titles).to_have_text(["Renamed", "Second", "Of Olga"])
    expect(table.focused).to_have_text(re.compile("Renamed"))


def test_rows_follow_what_others_do_and_the_focus_stays_in_its_cell(table, cards, olga, ed):
    table.cell("Second", "people").focus()
    assign(actor=web(olga), card_id=cards["Second"].pk, user_id=ed.pk)
    create_card(actor=web(olga), list_id=cards["First"].list_id, title="Fourth")
    table.tell()
    expect(table.titles).to_have_text([*TITLES, "Fourth"])
    expect(table.focused).to_have_text(re.compile("Ed"))
    expect(table.page.locator(".table-tools .number")).to_have_text("4 cards")


def test_enter_on_each_cell_changes_what_it_shows(table, cards):
    page = table.page
    table.cell("First", "due").focus()
    table.press("Enter")
    day = (timezone.now() + timedelta(days=40)).date().isoformat()
    page.get_by_label("Due date", exact=True).fill(day)
    table.press("Enter")
    expect(table.cell("First", "due").locator("time")).to_have_attribute("datetime", day)
    expect(table.focused).to_have_class("of-due")
    table.press("ArrowLeft", "Enter")
    people = page.locator("#people-dialog")
    expect(people).to_contain_text("First")
    olga = people.get_by_role("checkbox", name="Olga Olga")
    expect(olga).to_be_focused()
    table.press("Enter")
    expect(olga).to_be_checked()
    expect(table.cell("First", "people")).to_contain_text("Olga")
    table.press("ArrowDown", "Space")
    expect(people.get_by_role("checkbox", checked=True)).to_have_count(2)
    table.press("ArrowUp", "Space", "Escape")
    expect(table.cell("First", "people")).not_to_contain_text("Olga")
    expect(table.focused).to_have_class("of-people")
    table.press("Enter")
    expect(people.get_by_role("checkbox", checked=True)).to_have_count(1)
    table.press("Escape")
    expect(table.focused).to_have_class("of-people")
    table.press("ArrowLeft", "Enter")
    page.locator("#labels-dialog").get_by_role("checkbox", name="Bug", exact=True).click()
    expect(table.cell("First", "labels")).to_have_text("Bug")
    table.press("Escape")
    expect(table.focused).to_have_class("of-labels")
    table.press("ArrowLeft", "Enter")
    page.locator("#move-dialog").get_by_role("combobox").fill("Doing")
    expect(page.get_by_role("option", name=re.compile("Doing"))).to_have_attribute("aria-selected", "true")
    table.press("Enter")
    expect(table.cell("First", "list")).to_have_text("Doing")
    expect(page.locator(".toast")).to_contain_text("Moved to Doing")
    page.locator(".toast").get_by_role("button", name="Undo").click()
    expect(table.cell("First", "list")).to_have_text("To do")


def test_the_circle_marks_a_card_as_done_by_key_and_the_row_stays(table):
    table.cell("Second", "tick").focus()
    table.press("Enter")
    expect(table.page.locator("tr.done .title")).to_have_text("Second")
    wait_on_page(table.page, lambda: Card.objects.exclude(completed_at=None).exists(), lambda: "not saved")
    expect(table.focused).to_have_class("of-tick")


def test_a_title_is_edited_from_the_menu_of_its_row(table):
    table.cell("Second", "title").hover()
    table.cell("Second", "title").locator(".row-more").click()
    table.page.get_by_role("menuitem", name="Rename").click()
    table.page.keyboard.type("By menu")
    table.press("Enter")
    wait_on_page(table.page, lambda: Card.objects.filter(title="By menu").exists(), lambda: "not saved")
    expect(table.titles).to_have_text(["First", "By menu", "Third"])


def test_o_opens_the_card_from_a_cell_that_enter_changes(table, board, cards):
    table.cell("First", "due").focus()
    table.press("o")
    table.page.wait_for_url(f"**/board/{board.pk}?card={cards['First'].pk}")


def test_whoever_closes_a_card_that_the_table_opened_is_back_at_its_cell(table):
    table.cell("Second", "title").focus()
    table.press("o")
    expect(table.page.locator("#open-card h1")).to_have_text("Second")
    wait_until_wired(table.page)
    table.press("Escape")
    expect(table.page).to_have_url(re.compile("/table$"))
    expect(table.cell("Second", "title")).to_be_focused()


def test_only_the_newest_question_about_assignees_is_asked(table, cards):
    page, held = table.page, []
    page.route(re.compile("/cards\\?card="), lambda route: route.continue_() if held else held.append(route))
    table.cell("First", "people").focus()
    table.press("Enter")
    wait_on_page(page, lambda: bool(held), lambda: "the people were not asked for")
    table.press("ArrowDown", "Enter")
    expect(page.locator("#people-dialog")).to_be_visible()
    page.locator("#people-dialog").get_by_role("checkbox", name="Olga Olga").click()
    expect(table.cell("Second", "people")).to_contain_text("Olga")
    expect(table.cell("First", "people")).to_be_empty()


def test_a_table_of_a_board_that_one_was_removed_from_is_gone(table, board, ed, olga):
    remove_member(actor=web(olga), board_id=board.pk, user_id=ed.pk)
    table.tell()
    expect(table.page.locator("#table-rows")).to_have_count(0)


def test_a_viewer_who_becomes_an_editor_gets_what_an_editor_has(show, vera, olga, board, cards):
    table = Table(show, vera, f"/board/{board.pk}/table")
    change_role(actor=web(olga), board_id=board.pk, user_id=vera.pk, role="editor")
    table.tell()
    table.page.locator("#due-dialog").wait_for(state="attached")
    wait_until_wired(table.page)
    table.cell("First", "due").focus()
    table.press("Enter")
    expect(table.page.locator("#due-dialog")).to_be_visible()


def test_enter_on_a_number_opens_the_card_and_viewers_open_it_from_any_cell(show, vera, board, cards):
    table = Table(show, vera, f"/board/{board.pk}/table")
    table.cell("First", "due").focus()
    table.press("Enter")
    table.page.wait_for_url(f"**/board/{board.pk}?card={cards['First'].pk}")


def test_the_table_of_my_work_is_changed_likewise(show, ed, olga, cards):
    assign(actor=web(olga), card_id=cards["First"].pk, user_id=ed.pk)
    table = Table(show, ed, "/my/table")
    table.cell("First", "title").focus()
    table.press("Enter")
    table.page.keyboard.type("Renamed")
    table.press("Enter")
    expect(table.titles).to_have_text(["Renamed"])
    table.press("e")
    expect(table.page.locator("#table-rows .empty")).to_be_visible()


def test_a_row_that_leaves_behind_a_dialog_gives_the_focus_to_the_next_one(my_table):
    my_table.cell("First", "people").focus()
    my_table.press("Enter")
    ed = my_table.page.locator("#people-dialog").get_by_role("checkbox", name="Ed Ed")
    expect(ed).to_be_visible()
    ed.click()
    expect(my_table.titles).to_have_count(3)
    my_table.press("Escape")
    expect(my_table.focused).to_have_text(re.compile("Second"))


def bar(page: Page) -> Locator:
    return page.get_by_role("region", name="Selected cards")


def test_boxes_select_rows_with_shift_all_between_and_the_bar_changes_them_at_once(table, cards, olga):
    page = table.page
    table.cell("First", "select").locator("input").click()
    expect(bar(page)).to_contain_text("1 card selected")
    table.cell("Third", "select").locator("input").click(modifiers=["Shift"])
    expect(bar(page)).to_contain_text("3 cards selected")
    table.cell("Second", "select").locator("input").click()
    bar(page).get_by_text("Label", exact=True).click()
    bar(page).get_by_role("button", name="Bug", exact=True).click()
    expect(page.locator("tbody .label")).to_have_count(2)
    expect(table.cell("Second", "labels")).to_be_empty()
    expect(bar(page)).to_contain_text("2 cards selected")
    page.locator(".toast").get_by_role("button", name="Undo").click()
    expect(page.locator("tbody .label")).to_have_count(0)
    bar(page).get_by_role("button", name="Archive").click()
    expect(table.titles).to_have_text(["Second"])
    expect(bar(page)).to_be_hidden()
    expect(table.focused).to_have_count(1)


def test_keys_select_rows_and_escape_clears_them(table):
    table.cell("First", "title").focus()
    table.press("x", "ArrowDown", "ArrowDown", "Shift+X")
    expect(bar(table.page)).to_contain_text("3 cards selected")
    table.press("Escape")
    expect(bar(table.page)).to_be_hidden()
    table.press("Home", "Space")
    expect(table.page.locator("tr[aria-selected=true] .title")).to_have_text("Third")
    table.page.get_by_label("Select all cards on this page").check()
    expect(bar(table.page)).to_contain_text("3 cards selected")


def test_shift_and_arrows_select_up_to_a_row_and_give_up_what_they_leave(table):
    selected = table.page.locator("tr[aria-selected=true] .title")
    table.cell("First", "due").focus()
    table.press("Shift+ArrowDown", "Shift+ArrowDown")
    expect(selected).to_have_text(["First", "Second", "Third"])
    expect(table.cell("Third", "due")).to_be_focused()
    table.press("Shift+ArrowUp", "Shift+ArrowUp")
    expect(selected).to_have_text(["First"])
    table.press("Shift+ArrowUp", "ArrowDown", "ArrowDown", "Shift+ArrowUp")
    expect(selected).to_have_text(["First", "Second", "Third"])
    table.press("Shift+ArrowRight")
    expect(table.cell("Second", "due")).to_be_focused()


def test_keys_of_a_row_mean_all_that_are_selected(table):
    table.cell("First", "title").focus()
    table.press("x", "ArrowDown", "x", "ArrowDown", "c")
    expect(table.page.locator("tr.done .title")).to_have_text(["First", "Second"])
    table.press("d")
    expect(table.page.locator("#due-dialog")).to_contain_text("2 cards selected")
    table.page.get_by_label("Due date", exact=True).fill("2035-03-01")
    table.press("Enter")
    expect(table.page.locator(".of-due time")).to_have_count(2)
    table.press("e")
    expect(table.titles).to_have_text(["Third"])


def test_keys_of_a_row_label_assign_and_move_all_that_are_selected(table, cards, ed):
    table.cell("First", "title").focus()
    table.press("x", "ArrowDown", "x", "a")
    expect(table.page.locator("tr[data-mine] .title")).to_have_text(["First", "Second"])
    table.press("Shift+L")
    expect(bar(table.page).get_by_role("button", name="Bug", exact=True)).to_be_focused()
    table.press("Enter")
    expect(table.page.locator("#table-rows .label")).to_have_count(2)
    table.cell("First", "title").focus()
    table.press("m")
    bar(table.page).get_by_role("button", name="Doing", exact=True).click()
    for title in ("First", "Second"):
        expect(table.cell(title, "list")).to_have_text("Doing")
    table.cell("First", "title").focus()
    table.press("a")
    expect(table.page.locator("tr[data-mine]")).to_have_count(0)


def test_the_key_of_a_menu_waits_for_what_the_bar_offers(table, cards):
    menus = Held(table.page, re.compile("/cards$"), method="GET")
    table.cell("First", "title").focus()
    table.press("x", "Shift+L")
    menus.let_on()
    expect(bar(table.page).get_by_role("button", name="Bug", exact=True)).to_be_focused()


def test_a_menu_that_comes_late_leaves_the_focus_where_it_went_meanwhile(table, cards):
    menus = Held(table.page, re.compile("/cards$"), method="GET")
    table.cell("First", "title").focus()
    table.press("x", "Shift+L", "ArrowDown")
    menus.let_on()
    expect(bar(table.page).locator("[data-menu=labels]")).to_be_visible()
    let_others_come(table.page)
    expect(bar(table.page).locator("details[open]")).to_have_count(0)
    expect(table.cell("Second", "title")).to_be_focused()


@pytest.mark.parametrize("keys", [(), ("x", "ArrowDown", "x")], ids=["one", "selected"])
def test_a_second_press_of_assign_me_before_the_answer_means_the_opposite(table, cards, keys):
    held = held_changes(table.page)
    table.cell("First", "title").focus()
    table.press(*keys, "a", "a")
    for is_on in ("1", "0"):  # the second waits for the answer to the first
        route = held.next()
        assert f"person=me&on={is_on}" in (route.request.post_data or "")
        route.continue_()
    expect(table.page.locator("tr[data-mine]")).to_have_count(0)


def test_a_refused_assign_me_leaves_the_row_as_it_was(table, cards):
    held = held_changes(table.page)
    table.cell("First", "title").focus()
    table.press("a")
    held.next().fulfill(status=500)
    expect(table.page.locator(".toast")).to_have_count(1)
    table.press("a")
    held.let_on()
    expect(table.page.locator("tr[data-mine] .title")).to_have_text(["First"])


def test_a_cell_changes_its_own_row_though_others_are_selected(table, cards):
    table.cell("First", "title").focus()
    table.press("x")
    expect(bar(table.page)).to_contain_text("1 card selected")
    table.cell("Third", "due").click()
    table.page.get_by_role("button", name="Tomorrow").click()
    expect(table.cell("Third", "due").locator("time")).to_have_count(1)
    expect(table.cell("First", "due").locator("time")).to_have_count(0)


def test_f_opens_the_filter_and_shift_f_clears_it(table, board):
    table.press("f")
    expect(table.page.locator("#filter-text")).to_be_focused()
    table.press("S", "e", "c", "Enter")
    expect(table.titles).to_have_text(["Second"])
    wait_until_wired(table.page)
    table.cell("Second", "title").focus()
    table.press("Shift+F")
    expect(table.titles).to_have_text(TITLES)


def test_on_a_phone_the_menu_of_a_row_selects_it_and_boxes_take_the_place_of_circles(show, ed, board, cards):
    table = Table(show, ed, f"/board/{board.pk}/table", width=390, height=844)
    page = table.page
    expect(table.cell("First", "select")).to_be_hidden()
    table.cell("First", "title").hover()
    table.cell("First", "title").locator(".row-more").click()
    page.get_by_role("menuitem", name="Select card").click()
    table.cell("Second", "select").locator("input").click()
    expect(bar(page)).to_contain_text("2 cards selected")
    expect(table.cell("Second", "tick")).to_be_hidden()
    bar(page).get_by_role("button", name="Clear selection").click()
    expect(table.cell("Second", "tick")).to_be_visible()


@pytest.fixture
def my_table(show, ed, olga, vera, cards) -> Table:
    """My work of Ed: two cards of one board, one of another, and one on a board that he may only view."""
    for title in ("First", "Second"):
        assign(actor=web(olga), card_id=cards[title].pk, user_id=ed.pk)
    for title, role in (("Garden", "editor"), ("Attic", "viewer")):
        other = create_board(actor=web(olga), title=title)
        join(ed, other, role)
        row = create_list(actor=web(olga), board_id=other.pk, title="Beds")
        card = create_card(actor=web(olga), list_id=row.pk, title=f"In the {title}")
        assign(actor=web(olga), card_id=card.pk, user_id=ed.pk)
    table = Table(show, ed, "/my/table")
    wait_until_wired(table.page, ".selection")
    return table


def test_rows_of_several_boards_are_changed_at_once_and_taken_back_by_one_undo(my_table):
    page = my_table.page
    expect(my_table.cell("In the Attic", "select").locator("input")).to_have_count(0)
    my_table.cell("First", "select").locator("input").click()
    expect(bar(page).get_by_text("Move", exact=True)).to_be_visible()
    my_table.cell("In the Garden", "select").locator("input").click()
    expect(bar(page)).to_contain_text("2 cards selected")
    expect(bar(page).get_by_text("Move", exact=True)).to_have_count(0)
    bar(page).get_by_role("button", name="Due date").click()
    page.get_by_label("Due date", exact=True).fill("2035-03-01")
    my_table.press("Enter")
    expect(page.locator(".of-due time")).to_have_count(2)
    page.locator(".toast").get_by_role("button", name="Undo").click()
    expect(page.locator(".of-due time")).to_have_count(0)
    bar(page).get_by_role("button", name="Archive").click()
    expect(my_table.titles).to_have_text(["Second", "In the Attic"])
    my_table.press("Control+z")
    expect(my_table.titles).to_have_count(4)


def selected(page: Page) -> Locator:
    return page.locator("tr[aria-selected=true] .title")


def test_what_is_marked_as_done_stays_selected_in_its_row_and_so_it_is_after_undo(my_table):
    page, done = my_table.page, my_table.page.locator("tr.done .title")
    for title in ("First", "In the Garden"):
        my_table.cell(title, "select").locator("input").click()
    bar(page).get_by_role("button", name="Mark as done").click()
    expect(page.locator(".table-tools > [role=status]")).to_have_text("2 cards")
    expect(done).to_have_text(["First", "In the Garden"])
    expect(my_table.titles).to_have_text(["First", "Second", "In the Garden", "In the Attic"])
    page.locator(".toast").get_by_role("button", name="Undo").click()
    expect(page.locator(".table-tools > [role=status]")).to_have_text("4 cards")
    expect(done).to_have_count(0)
    expect(selected(page)).to_have_text(["First", "In the Garden"])
    my_table.cell("First", "title").focus()
    my_table.press("c")
    expect(done).to_have_count(2)
    my_table.press("c")
    expect(done).to_have_count(0)
    expect(bar(page)).to_contain_text("2 cards selected")


def test_a_single_tick_leaves_the_row_and_its_cell_the_focus(my_table):
    page = my_table.page
    my_table.cell("Second", "tick").focus()
    my_table.press("Enter")
    expect(page.locator(".table-tools > [role=status]")).to_have_text("3 cards")
    expect(my_table.titles).to_have_text(["First", "Second", "In the Garden", "In the Attic"])
    expect(my_table.cell("Second", "tick")).to_be_focused()
    my_table.press("Control+z")
    expect(page.locator(".table-tools > [role=status]")).to_have_text("4 cards")
    expect(page.locator("tr.done")).to_have_count(0)
    my_table.cell("Second", "tick").focus()
    my_table.press("Enter")
    expect(page.locator(".table-tools > [role=status]")).to_have_text("3 cards")
    page.locator("#which-created").click()
    expect(my_table.titles).to_have_count(0)
    page.go_back()
    expect(my_table.titles).to_have_text(["First", "In the Garden", "In the Attic"])


def test_shift_and_arrows_pass_over_a_row_that_cannot_be_selected(my_table):
    selected = my_table.page.locator("tr[aria-selected=true] .title")
    expect(my_table.titles).to_have_text(["First", "Second", "In the Garden", "In the Attic"])
    my_table.page.locator("#by-title").click()
    expect(my_table.titles).to_have_text(["First", "In the Attic", "In the Garden", "Second"])
    my_table.cell("First", "title").focus()
    my_table.press("Shift+ArrowDown", "Shift+ArrowDown", "Shift+ArrowDown")
    expect(selected).to_have_text(["First", "In the Garden", "Second"])
    my_table.press("Shift+ArrowUp", "Shift+ArrowUp")
    expect(selected).to_have_text(["First"])


@pytest.mark.parametrize(("width", "language"), [(360, "en"), (641, "de"), (768, "en"), (929, "de"), (1280, "en")])
def test_the_bar_of_a_selection_covers_no_row_at_the_end(show, ed, board, todo, width, language):
    create_cards(actor=web(ed), list_id=todo.pk, drafts=[draft_card(title=f"Brick {place}") for place in range(40)])
    ed.language = language
    ed.save()
    page = Table(show, ed, f"/board/{board.pk}/table").page
    wait_until_wired(page, ".selection")
    page.locator("#select-all").check()
    expect(page.locator(".choices > details").first).to_be_visible()
    resize(page, width, 720)
    last, own = page.locator("tbody tr").last, page.locator(".selection")

    def is_above() -> bool:
        page.locator(".table-frame").evaluate("(frame) => frame.scrollTo(0, frame.scrollHeight)")
        page.evaluate("() => scrollTo(0, document.body.scrollHeight)")
        return box(last)["bottom"] <= box(own)["top"]

    wait_on_page(page, is_above)


@pytest.mark.parametrize("width", [360, 500, 640, 768, 928, 1280])
def test_the_button_that_ends_a_selection_covers_no_other(my_table, width):
    page = my_table.page
    page.get_by_label("Select all cards on this page").check()
    expect(bar(page).locator(".choices > details")).to_have_count(2)
    resize(page, width, 720)
    end = box(bar(page).get_by_role("button", name="Clear selection"))
    others = bar(page).locator(":is(.buttons > .button, summary):not([data-clear]):visible")
    expect(others).to_have_count(5)
    for other in map(box, others.all()):
        assert other["right"] <= end["left"] or end["bottom"] <= other["top"]


def test_a_selection_is_reopened_if_all_of_it_is_done(my_table):
    page, done = my_table.page, my_table.page.locator("tr.done .title")
    mark, reopen = (bar(page).get_by_role("button", name=name) for name in ("Mark as done", "Reopen"))
    my_table.cell("First", "select").locator("input").click()
    resize(page, 768, 720)  # at which the bar has two lines
    mark.click()
    expect(reopen).to_be_focused()
    assert box(page.locator(".toast"))["bottom"] < box(bar(page))["top"]
    my_table.cell("Second", "select").locator("input").click()
    expect(mark).to_be_visible()
    mark.click()
    expect(done).to_have_text(["First", "Second"])
    reopen.click()
    expect(done).to_have_count(0)
    expect(mark).to_be_focused()
    expect(reopen).not_to_be_visible()
    wait_on_page(page, lambda: not Card.objects.exclude(completed_at=None).exists())


def titles_downloaded(page: Page) -> set[str]:
    with page.expect_download() as download:
        page.get_by_role("link", name="Download CSV").click()
    lines = download.value.path().read_text("utf-8-sig").splitlines()
    return {line.partition(",")[0] for line in lines[1:]}


def test_csv_has_what_is_done_as_long_as_its_row_stands(my_table):
    for number in (3, 4, 3):  # done, reopened, and done again
        my_table.cell("Second", "title").focus()
        my_table.press("c")
        expect(my_table.page.locator(".table-tools > [role=status]")).to_have_text(f"{number} cards")
        assert titles_downloaded(my_table.page) == {"First", "Second", "In the Garden", "In the Attic"}
    my_table.page.reload()
    assert titles_downloaded(my_table.page) == {"First", "In the Garden", "In the Attic"}


def test_the_last_rows_of_a_table_stay_when_they_are_done(show, ed, olga, cards):
    assign(actor=web(olga), card_id=cards["First"].pk, user_id=ed.pk)
    table = Table(show, ed, "/my/table")
    table.cell("First", "title").focus()
    table.press("c")
    expect(table.page.locator(".table-tools > [role=status]")).to_have_text("0 cards")
    expect(table.titles).to_have_text(["First"])
    expect(table.focused).to_have_text(re.compile("First"))


def test_news_that_come_before_the_answer_leave_what_is_marked_as_done_selected(my_table, cards):
    page = my_table.page
    for title in ("First", "In the Garden"):
        my_table.cell(title, "select").locator("input").click()
    held = held_changes(page)
    bar(page).get_by_role("button", name="Mark as done").click()
    change = held.next()
    answer = change.fetch()
    my_table.tell()
    expect(page.locator(".table-tools > [role=status]")).to_have_text("2 cards")
    expect(selected(page)).to_have_text(["First", "In the Garden"])
    change.fulfill(response=answer)
    expect(page.locator(".toast")).to_be_visible()
    expect(page.locator("tr.done .title")).to_have_text(["First", "In the Garden"])
    expect(bar(page)).to_contain_text("2 cards selected")


def test_rows_that_are_reopened_at_once_stay_selected(my_table):
    page, done = my_table.page, my_table.page.locator("tr.done .title")
    for title in ("First", "In the Garden"):
        my_table.cell(title, "select").locator("input").click()
    held = held_changes(page)
    my_table.press("c", "c")
    expect(done).to_have_count(0)
    held.let_on()
    expect(page.locator(".table-tools > [role=status]")).to_have_text("2 cards")
    expect(selected(page)).to_have_text(["First", "In the Garden"])
    held.let_on()
    expect(page.locator(".table-tools > [role=status]")).to_have_text("4 cards")
    expect(done).to_have_count(0)
    expect(selected(page)).to_have_text(["First", "In the Garden"])


def test_what_the_server_refuses_to_mark_as_done_is_shown_as_it_was(my_table):
    page, done = my_table.page, my_table.page.locator("tr.done .title")
    for title in ("First", "In the Garden"):
        my_table.cell(title, "select").locator("input").click()
    held = held_changes(page)
    my_table.press("c")
    expect(done).to_have_count(2)
    my_table.press("c", "c")
    expect(done).to_have_count(2)
    for _ in range(3):
        held.next().abort()
    expect(done).to_have_count(0)
    expect(bar(page)).to_contain_text("2 cards selected")


def test_rows_that_were_read_before_a_tick_leave_it(my_table):
    page = my_table.page
    reading = Held(page, re.compile("/my/table$"), method="GET", most=1)
    my_table.tell()
    reading.wait_for(1)
    ticks = Held(page, re.compile("/completion$"), method="POST", most=1)
    before = reading.next()
    rows = before.fetch()
    my_table.cell("Second", "tick").locator("button").click()
    tick = ticks.next()
    page.evaluate("window.former = document.getElementById('table-rows')")
    before.fulfill(response=rows)
    page.wait_for_function("() => !window.former.isConnected")
    expect(page.locator("tr.done .title")).to_have_text("Second")
    tick.continue_()
    expect(page.locator(".table-tools > [role=status]")).to_have_text("3 cards")
    expect(page.locator("tr.done .title")).to_have_text("Second")


def test_what_is_done_and_archived_leaves(my_table):
    for title in ("First", "In the Garden"):
        my_table.cell(title, "select").locator("input").click()
    my_table.press("c")
    expect(my_table.page.locator("tr.done .title")).to_have_count(2)
    my_table.press("e")
    expect(my_table.titles).to_have_text(["Second", "In the Attic"])
    expect(bar(my_table.page)).to_be_hidden()


def test_rows_of_several_boards_get_the_labels_and_people_that_all_of_them_have(my_table, olga):
    page, garden = my_table.page, Board.objects.get(title="Garden")
    create_label(actor=web(olga), board_id=garden.pk, name="Bug", hue=3)
    create_label(actor=web(olga), board_id=garden.pk, name="Beds")
    for title in ("First", "In the Garden"):
        my_table.cell(title, "select").locator("input").click()
    bar(page).get_by_text("Label", exact=True).click()
    expect(bar(page).locator("[data-menu=labels] .label")).to_have_text(["Bug"])
    bar(page).get_by_role("button", name="Bug", exact=True).click()
    expect(page.locator("tbody .label")).to_have_text(["Bug", "Bug"])
    my_table.press("Control+z")
    expect(page.locator("tbody .label")).to_have_count(0)
    bar(page).get_by_text("Assign", exact=True).click()
    bar(page).get_by_role("button", name="Olga Olga").click()
    expect(page.locator("tbody .of-people .avatars")).to_have_count(2)
    page.locator(".toast").get_by_role("button", name="Undo").click()
    expect(page.locator("tbody .of-people .avatars")).to_have_count(0)


def test_keys_for_labels_mean_all_that_are_selected(my_table, olga):
    page = my_table.page
    create_label(actor=web(olga), board_id=Board.objects.get(title="Garden").pk, name="Bug")
    for title in ("First", "In the Garden"):
        my_table.cell(title, "select").locator("input").click()
    expect(bar(page).get_by_text("Label", exact=True)).to_be_visible()
    my_table.press("l")
    expect(page.locator("#labels-dialog")).to_be_hidden()
    expect(bar(page).get_by_role("button", name="Bug", exact=True)).to_be_focused()
    my_table.press("Enter")
    expect(page.locator("tbody .label")).to_have_text(["Bug", "Bug"])


def test_a_label_that_one_of_the_boards_has_lost_is_refused_in_words(my_table, olga):
    page, garden = my_table.page, Board.objects.get(title="Garden")
    label = create_label(actor=web(olga), board_id=garden.pk, name="Bug")
    for title in ("First", "In the Garden"):
        my_table.cell(title, "select").locator("input").click()
    bar(page).get_by_text("Label", exact=True).click()
    delete_label(actor=web(olga), label_id=label.pk)
    bar(page).get_by_role("button", name="Bug", exact=True).click()
    expect(page.locator(".toasts")).to_contain_text("The board “Garden” has no label “Bug”.")
    expect(bar(page)).to_contain_text("2 cards selected")
    expect(page.locator("tbody .label")).to_have_count(0)


def test_rows_of_one_board_get_what_its_board_offers(my_table):
    page = my_table.page
    for title in ("First", "Second"):
        my_table.cell(title, "select").locator("input").click()
    bar(page).get_by_text("Move", exact=True).click()
    bar(page).get_by_role("button", name="Doing").click()
    expect(my_table.cell("First", "list")).to_have_text("Doing")
    expect(my_table.cell("Second", "list")).to_have_text("Doing")


def test_menus_of_the_bar_that_did_not_come_are_asked_for_again_with_the_next_row(table):
    page = table.page
    intercept(page, re.compile("/board/[^/]+/cards$"), lambda route: route.abort(), times=1)
    table.cell("First", "select").locator("input").click()
    expect(page.locator(".toasts")).to_contain_text("Could not reach the server.")
    table.cell("Second", "select").locator("input").click()
    expect(bar(page).get_by_text("Move", exact=True)).to_be_visible()


def test_what_is_selected_stays_so_from_view_to_view(show, ed, board, cards):
    page = show(f"/board/{board.pk}", ed)
    for title in ("First", "Third"):
        page.locator(".card").filter(has_text=title).click(modifiers=["Control"])
    views = page.get_by_role("navigation", name="Views")
    views.get_by_text("Table").click()
    expect(page.locator("tr[aria-selected=true] .title")).to_have_text(["First", "Third"])
    expect(bar(page)).to_contain_text("2 cards selected")
    page.locator("tr").filter(has_text="Third").locator(".of-select > input").click()
    views.get_by_text("Board").click()
    expect(page.locator(".card.selected .title")).to_have_text("First #1, selected")
    expect(bar(page)).to_contain_text("1 card selected")
    page.reload()
    expect(page.locator(".card")).to_have_count(3)
    expect(bar(page)).to_be_hidden()


def test_what_is_selected_of_my_work_stays_so_by_way_of_the_list(show, ed, cards):
    for title in ("First", "Third"):
        assign(actor=web(ed), card_id=cards[title].pk, user_id=ed.pk)
    page = show("/my/table", ed, wired=".selection")
    page.locator("tr").filter(has_text="Third").locator(".of-select > input").click()
    views = page.get_by_role("navigation", name="Views")
    views.get_by_text("List").click()
    expect(page.locator("#my-rows .title")).to_have_text(["First", "Third"])
    wait_until_wired(page, "main")
    views.get_by_text("Table").click()
    expect(page.locator("tr[aria-selected=true] .title")).to_have_text(["Third"])
    expect(bar(page)).to_contain_text("1 card selected")
    page.goto("/my")
    page.goto("/my/table")
    wait_until_wired(page, ".selection")
    expect(bar(page)).to_be_hidden()


def test_a_table_that_is_edited_has_no_fault_that_axe_finds(axe, table):
    table.cell("First", "title").focus()
    table.press("Enter")
    assert complaints_in_both_themes(table.page) == []
    table.press("Escape", "x")
    expect(bar(table.page)).to_be_visible()
    assert complaints_in_both_themes(table.page) == []


def test_the_board_leads_to_the_table_with_the_filter_that_it_has_now(show, ed, board, cards):
    page = show(f"/board/{board.pk}", ed)
    page.keyboard.press("f")
    page.locator("#filter-text").fill("First")
    expect(page.locator(".card:visible")).to_have_count(1)
    page.get_by_role("navigation", name="Views").get_by_text("Table").click()
    expect(page.locator("#table-rows .title")).to_have_text(["First"])
    page.get_by_role("navigation", name="Views").get_by_text("Board").click()
    expect(page.locator(".card:visible")).to_have_count(1)


def test_a_wide_table_scrolls_in_its_frame_and_not_with_the_page(show, ed, olga, board, cards):
    labels = [
        create_label(actor=web(olga), board_id=board.pk, name=f"A label with a long name {number}").pk
        for number in range(3)
    ]
    for number in range(40):
        create_card(
            actor=web(olga),
            board_id=board.pk,
            title=f"Wide {number}",
            label_ids=labels,
            assignee_ids=[ed.pk, olga.pk],
            due_day=timezone.localdate() - timedelta(days=1),
        )
    page = show(f"/board/{board.pk}/table", ed, width=768)
    sizes = page.evaluate(
        "() => { const { scrollWidth, clientWidth, scrollHeight, clientHeight } = document.documentElement;"
        " return [scrollWidth - clientWidth, scrollHeight - clientHeight] }"
    )
    assert sizes == [0, 0]


def words_of_views(page: Page) -> list[str]:
    """Return the words that one sees of the views, without those for screen readers alone."""
    return [one.text_content() for one in page.locator(".views span").all() if style(one, "clipPath") == "none"]


@pytest.mark.parametrize("path", ["/my", "/my/table", "/board/{board}/table"])
def test_views_are_words_but_on_a_phone_where_a_sign_leads_to_the_other_one(show, ed, board, cards, path):
    page = show(path.format(board=board.pk), ed, width=768)
    first = "Board" if "board" in path else "List"
    assert words_of_views(page) == [first, "Table"]
    expect(page.locator(".views .icon").first).to_be_hidden()
    page.set_viewport_size({"width": 390, "height": 844})
    assert words_of_views(page) == []
    expect(page.locator(".views .icon").and_(page.locator(":visible"))).to_have_count(1)


@pytest.mark.parametrize("path", ["/my/table", "/board/{board}/table"])
def test_paper_shows_the_rows_of_a_table_with_all_their_cells(show, ed, board, cards, path):
    assign(actor=web(ed), card_id=cards["First"].pk, user_id=ed.pk)
    complete_card(actor=web(ed), card_id=cards["Second"].pk)
    page = show(path.format(board=board.pk), ed)
    page.emulate_media(media="print")
    for part in (".topbar", ".views", ".filter-menu", ".columns", ".of-select", ".row-more", ".table-tools > .button"):
        expect(page.locator(part).first).to_be_hidden()
    shown = page.locator("#table-rows tbody tr").filter(has_text="First")
    for column in ("title", "list", "people", "due"):
        expect(shown.locator(f".of-{column}")).to_be_visible()
    expect(shown.locator(".done-check")).to_be_hidden()
    for mark in page.locator("tr.done .done-check").all():
        expect(mark).to_be_visible()
    assert style(page.locator(".table-frame"), "overflow") == "visible"  # paper cannot be scrolled
    number = page.locator(".table-tools > .number").first
    assert box(number)["left"] == box(page.locator(".table-frame"))["left"]


def test_on_a_phone_a_table_is_a_list_of_rows(show, ed, board, cards):
    page = show(f"/board/{board.pk}/table", ed, width=390)
    expect(page.locator("#table-rows thead")).to_be_hidden()
    first, second = (box(page.locator("#table-rows tbody tr").nth(place)) for place in (0, 1))
    title, into = box(page.locator(".title").first), box(page.locator("tbody .of-list").first)
    assert first["top"] < title["top"] < into["top"] < first["bottom"] <= second["top"]
    assert second["bottom"] - second["top"] >= 44
    assert widest(page, "html") == 0


def test_the_long_title_of_a_board_ends_before_the_menu_of_its_row(show, ed):
    other = create_board(actor=web(ed), title="Onboarding of new colleagues in all offices", template="kanban")
    create_card(actor=web(ed), board_id=other.pk, title="Chairs", assignee_ids=[ed.pk])
    page = show("/my/table", ed)
    cell = page.locator("#table-rows td.of-board")
    for width in (1280, 360):
        resize(page, width, 800)
        assert cell.evaluate("e => e.scrollWidth > e.clientWidth")
        assert (style(cell, "textOverflow"), style(cell.locator(".from"), "display")) == ("ellipsis", "inline")
        expect(cell.locator(".dot")).to_be_visible()
    room = float(style(cell, "paddingRight").removesuffix("px"))
    assert box(cell)["right"] - room <= box(page.locator(".row-more"))["left"]


def test_without_scripts_a_table_is_sorted_and_read(show, ed, board, cards):
    page = show(f"/board/{board.pk}/table", ed, scripts=False)
    expect(page.locator(".of-select, .row-more").and_(page.locator(":visible"))).to_have_count(0)
    page.locator("#by-title").click()
    page.locator("#by-title").click()
    expect(page.locator("#table-rows .title")).to_have_text(TITLES[::-1])
    page.locator("#table-rows .title").first.click()
    expect(page.get_by_role("heading", level=1, name="Third")).to_be_visible()


def test_a_long_label_in_a_table_ends_with_its_chip(show, ed, olga, board, cards):
    label = create_label(actor=web(olga), board_id=board.pk, name="A request of a customer whose name is very long")
    create_card(actor=web(olga), board_id=board.pk, title="Asked for", label_ids=[label.pk])
    page = show(f"/board/{board.pk}/table", ed)
    chip = page.locator("#table-rows tbody .label")
    assert box(chip)["right"] <= box(page.locator("#table-rows td.of-labels:has(.label)"))["right"]
    assert (style(chip, "overflowX"), style(chip, "textOverflow")) == ("hidden", "ellipsis")
