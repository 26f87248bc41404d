"""*My work* in Chromium: rows are changed in place by keys, the menu and the dialogs of boards. The tests play the server's
end of its socket.
"""

import json
import re
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Locator, Route, expect

from boards.actions.boards.board import create_board
from boards.actions.cards.archive import archive_card
from boards.actions.cards.assignments import assign
from boards.actions.cards.card import complete_card, create_card
from boards.actions.cards.labels import add_label, create_label
from boards.actions.lists.list import create_list
from boards.models import Card, Membership
from conftest import web
from taskboard.tests.axe import complaints_in_both_themes
from taskboard.tests.browsers import wait_until_wired
from taskboard.tests.interception import intercept
from taskboard.tests.waiting import wait_on_page
from web.tests.held import Held
from web.tests.looking import box, style
from web.tests.own_line import PageWithLine

pytestmark = pytest.mark.django_db(transaction=True)

TITLES = ("First", "Second", "Third")


class Work(PageWithLine):
    @property
    def titles(self) -> Locator:
        return self.page.locator("#my-rows .title")

    def row(self, title: str) -> Locator:
        return self.page.locator("#my-rows .due-row").filter(has_text=title)

    def link(self, title: str) -> Locator:
        return self.row(title).locator(".title")

    def group(self, name: str) -> Locator:
        return self.page.locator(".my-group").filter(has=self.page.get_by_role("heading", name=re.compile(name)))

    def choose(self, title: str, entry: str) -> None:
        """Choose an entry of the row's menu."""
        self.row(title).hover()
        self.row(title).locator(".row-more").click()
        self.page.get_by_role("menuitem", name=entry).click()

    def tell(self) -> None:
        """Tell the page that something has changed on one of the boards, as the server does."""
        self.socket.send(json.dumps({"work": f"{timezone.now().timestamp()}"}))

    def saved(self, card: Card, **values: object) -> None:
        def fits() -> bool:
            card.refresh_from_db()
            return all(getattr(card, name) == value for name, value in values.items())

        wait_on_page(self.page, fits, lambda: f"{card} is not {values}")


@pytest.fixture
def cards(olga, ed, board, todo) -> dict[str, Card]:
    """Ed's cards, of which the first is due soonest."""
    now = timezone.now()
    return {
        title: create_card(
            actor=web(olga),
            list_id=todo.pk,
            title=title,
            assignee_ids=[ed.pk],
            due_at=now + timedelta(days=40 + place),
        )
        for place, title in enumerate(TITLES)
    }


@pytest.fixture
def work(show, ed, cards):
    def open_work(query: str = "", *, user=ed, width: int = 1280) -> Work:
        return Work(show, user, f"/my{query}", width=width)

    return open_work


def test_a_ticked_row_stays_grey_until_one_leaves_and_undo_takes_it_back(work, cards):
    shown = work()
    shown.row("Second").locator(".done-check").click()
    expect(shown.row("Second")).to_have_class(re.compile("done"))
    expect(shown.group("Later").locator(".count")).to_have_text("2")
    expect(shown.titles).to_have_text(TITLES)
    assert Card.objects.get(pk=cards["Second"].pk).completed_at
    shown.page.locator(".toast").get_by_role("button", name="Undo").click()
    expect(shown.group("Later").locator(".count")).to_have_text("3")
    expect(shown.row("Second")).not_to_have_class(re.compile("done"))
    shown.saved(cards["Second"], completed_at=None)
    shown.row("Second").locator(".done-check").click()
    expect(shown.group("Later").locator(".count")).to_have_text("2")
    shown.page.reload()
    expect(shown.titles).to_have_text(["First", "Third"])


def test_news_that_come_before_the_script_of_the_rows_are_shown(work, olga, ed, todo):
    shown = work()
    held = Held(shown.page, re.compile(r"/my-rows[^/]*\.js"))
    shown.open("/my", ".bell")
    held.wait_for(1)
    create_card(actor=web(olga), list_id=todo.pk, title="Late", assignee_ids=[ed.pk])
    shown.tell()
    shown.socket.send(json.dumps({"unread": 7}))
    expect(shown.page.locator(".bell-count")).to_be_visible()  # both have come
    held.let_on()
    expect(shown.row("Late")).to_be_visible()


def test_the_last_row_of_a_group_stays_there_when_it_is_ticked(work, olga, ed, todo):
    late = timezone.now() - timedelta(days=3)
    create_card(actor=web(olga), list_id=todo.pk, title="Late", assignee_ids=[ed.pk], due_at=late)
    shown = work()
    shown.row("Late").locator(".done-check").click()
    expect(shown.group("Overdue").locator(".count")).to_have_text("0")
    expect(shown.titles).to_have_text(["Late", *TITLES])


def test_arrows_go_from_row_to_row_and_enter_opens_the_card_on_its_board(work, cards):
    shown = work()
    for key, title in (("ArrowDown", "First"), ("j", "Second"), ("ArrowDown", "Third"), ("k", "Second")):
        shown.page.keyboard.press(key)
        expect(shown.link(title)).to_be_focused()
    shown.page.keyboard.press("Enter")
    expect(shown.page.locator("#open-card h1")).to_have_text("Second")


def test_whoever_closes_a_card_that_a_row_opened_is_back_at_the_row(work, cards):
    shown = work()
    shown.link("Second").click()
    expect(shown.page.locator("#open-card h1")).to_have_text("Second")
    wait_until_wired(shown.page)
    shown.page.keyboard.press("Escape")
    expect(shown.page).to_have_url(re.compile("/my$"))
    expect(shown.link("Second")).to_be_focused()


def test_the_keys_of_boards_do_the_same_to_the_row_with_the_focus(work, cards):
    shown = work()
    shown.link("First").focus()
    shown.page.keyboard.press("c")
    expect(shown.row("First")).to_have_class(re.compile("done"))
    expect(shown.link("First")).to_be_focused()
    shown.page.keyboard.press("ArrowDown")
    shown.page.keyboard.press("e")
    expect(shown.row("Second")).to_have_count(0)
    expect(shown.link("Third")).to_be_focused()
    shown.page.keyboard.press("Control+z")
    expect(shown.row("Second")).to_have_count(1)
    shown.saved(cards["Second"], archived_at=None)


def test_the_list_of_keys_opens_over_the_page_and_the_focus_returns(work, cards):
    shown = work()
    shown.link("First").focus()
    shown.page.keyboard.press("?")
    dialog = shown.page.locator("#help:modal")
    expect(dialog.get_by_role("heading", name="My work")).to_be_attached()
    shown.page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(shown.link("First")).to_be_focused()


def test_the_due_date_is_set_and_removed_in_the_dialog_of_boards(work, cards):
    shown = work()
    shown.link("Second").focus()
    shown.page.keyboard.press("d")
    dialog = shown.page.get_by_role("dialog", name="Set due date")
    expect(dialog).to_contain_text("Second")
    assert dialog.get_by_label("Due date").input_value() == f"{cards['Second'].due_at:%Y-%m-%d}"
    assert dialog.get_by_label("Due time").input_value() == f"{cards['Second'].due_at:%H:%M}"
    dialog.get_by_label("Due time").fill("")
    dialog.get_by_label("Due date").fill("2020-02-03")
    dialog.get_by_role("button", name="Save").click()
    expect(shown.group("Overdue").locator(".title")).to_have_text("Second")
    assert str(Card.objects.get(pk=cards["Second"].pk).due_day) == "2020-02-03"
    shown.choose("Second", "Set due date")
    dialog.get_by_role("button", name="Remove date").click()
    expect(shown.group("No due date").locator(".title")).to_have_text("Second")


def test_whoever_changes_a_due_date_goes_on_with_the_next_row_of_the_group(work, cards, olga, ed, todo):
    late = timezone.now() - timedelta(days=3)
    for title in ("Late", "Later still", "Latest"):
        create_card(actor=web(olga), list_id=todo.pk, title=title, assignee_ids=[ed.pk], due_at=late)
        late += timedelta(hours=1)
    shown = work()
    shown.link("Later still").focus()
    shown.page.keyboard.press("d")
    shown.page.get_by_role("dialog", name="Set due date").get_by_label("Due date").fill("2040-02-03")
    shown.page.keyboard.press("Enter")
    expect(shown.group("Later").locator(".title")).to_have_text([*TITLES, "Later still"])
    expect(shown.link("Latest")).to_be_focused()


def test_a_card_is_moved_to_another_board_in_the_dialog_of_boards(work, cards, ed, todo):
    other = create_board(actor=web(ed), title="Other", template="kanban")
    create_list(actor=web(ed), board_id=todo.board_id, title="Doing")
    shown = work()
    shown.link("First").focus()
    shown.page.keyboard.press("m")
    dialog = shown.page.get_by_role("dialog", name="Move to…")
    expect(dialog.get_by_role("option", selected=True)).to_contain_text("Doing")  # the list beside its own
    dialog.get_by_role("combobox").fill("Other")
    expect(dialog.get_by_role("option", selected=True)).to_have_attribute("data-board", str(other.pk))
    shown.page.keyboard.press("Enter")
    expect(shown.row("First").locator(".from")).to_have_text("Other")
    shown.saved(cards["First"], board_id=other.pk)


def test_enter_waits_for_what_the_letters_mean(work, cards, ed, todo):
    other = create_board(actor=web(ed), title="Other", template="kanban")
    shown = work()
    shown.link("First").focus()
    shown.page.keyboard.press("m")
    dialog = shown.page.get_by_role("dialog", name="Move to…")
    expect(dialog.get_by_role("option")).to_have_count(4)
    held = []
    intercept(shown.page, re.compile(r"/destinations\?q=Other&"), lambda route: held.append(route))
    dialog.get_by_role("combobox").press_sequentially("Other")
    shown.page.keyboard.press("Enter")
    wait_on_page(shown.page, lambda: held)
    expect(dialog).to_be_visible()
    for route in held:
        route.continue_()
    expect(shown.row("First").locator(".from")).to_have_text("Other")
    shown.saved(cards["First"], board_id=other.pk)


def test_a_label_of_its_board_is_put_on_a_card_and_taken_off(work, cards, olga, board):
    label = create_label(actor=web(olga), board_id=board.pk, name="Urgent")
    shown = work()
    shown.link("First").focus()
    shown.page.keyboard.press("Shift+L")
    dialog = shown.page.get_by_role("dialog", name="Edit labels")
    dialog.get_by_role("checkbox", name="Urgent").click()
    expect(shown.row("First").locator(".label")).to_have_text("Urgent")
    assert [*cards["First"].labels.all()] == [label]
    dialog.get_by_role("checkbox", name="Urgent").click()
    expect(shown.row("First").locator(".label")).to_have_count(0)


def test_a_label_that_is_chosen_twice_while_the_server_is_away_is_shown_as_it_was(work, cards, olga, board):
    create_label(actor=web(olga), board_id=board.pk, name="Urgent")
    shown = work()
    shown.link("First").focus()
    shown.page.keyboard.press("l")
    choice = shown.page.get_by_role("dialog", name="Edit labels").get_by_role("checkbox", name="Urgent")
    sent, toast = Held(shown.page, "**/cards", method="POST"), shown.page.locator(".toast.bad")
    for is_chosen in (True, False):
        choice.click()
        expect(choice).to_be_checked(checked=is_chosen)
    for _time in range(2):
        sent.next().abort()
        expect(toast).to_be_visible()
        toast.evaluate("(toast) => toast.remove()")
    expect(choice).not_to_be_checked()


def test_the_focus_returns_to_its_row_from_the_labels_though_the_pointer_is_on_another(work, cards, olga, board):
    create_label(actor=web(olga), board_id=board.pk, name="Urgent")
    shown = work()
    shown.row("Third").hover()
    shown.link("First").focus()
    shown.page.keyboard.press("l")
    dialog = shown.page.get_by_role("dialog", name="Edit labels")
    expect(dialog.get_by_role("checkbox", name="Urgent")).to_be_focused()
    shown.page.keyboard.press("Enter")
    expect(shown.row("First").locator(".label")).to_have_text("Urgent")
    shown.page.keyboard.press("Escape")
    expect(shown.link("First")).to_be_focused()


def test_a_row_that_leaves_behind_a_dialog_gives_the_focus_to_the_next_one(work, cards):
    shown = work()
    shown.choose("Second", "Edit assignees")
    dialog = shown.page.get_by_role("dialog", name="Edit assignees")
    dialog.get_by_role("checkbox", name="Ed").click()
    expect(shown.titles).to_have_text(["First", "Third"])
    shown.page.keyboard.press("Escape")
    expect(shown.link("Third")).to_be_focused()


def test_what_others_do_while_a_dialog_is_open_leaves_the_focus_to_its_row(work, cards, olga):
    shown = work()
    shown.row("Third").hover()
    shown.link("First").focus()
    shown.page.keyboard.press("d")
    expect(shown.page.get_by_role("dialog", name="Set due date")).to_be_visible()
    complete_card(actor=web(olga), card_id=cards["Second"].pk)
    shown.tell()
    expect(shown.titles).to_have_text(["First", "Third"])
    shown.page.keyboard.press("Escape")
    expect(shown.link("First")).to_be_focused()


def test_letters_that_are_typed_before_the_labels_have_come_are_no_keys(work, cards, olga, board):
    create_label(actor=web(olga), board_id=board.pk, name="Urgent")
    shown, held = work(), []
    intercept(shown.page, re.compile(r"/cards\?card="), lambda route: held.append(route))
    shown.link("First").focus()
    for key in ("Shift+L", "e", "c"):
        shown.page.keyboard.press(key)
    wait_on_page(shown.page, lambda: held)
    held[0].continue_()
    expect(shown.page.get_by_role("dialog", name="Edit labels")).to_be_visible()
    cards["First"].refresh_from_db()
    assert (cards["First"].archived_at, cards["First"].completed_at) == (None, None)


def test_quick_add_puts_a_card_of_mine_on_the_chosen_board_and_stays_open(work, ed, board):
    other = create_board(actor=web(ed), title="Other", template="kanban")
    shown = work()
    shown.page.keyboard.press("n")
    field = shown.page.get_by_label("New card for me")
    expect(field).to_be_focused()
    shown.page.locator(".my-add [name=board]").select_option("Other")
    for title in ("Fourth", "Fifth"):
        field.fill(title)
        field.press("Enter")
        expect(shown.row(title).locator(".from")).to_have_text("Other")
    expect(field).to_have_value("")
    assert set(other.cards.filter(assignees=ed).values_list("title", flat=True)) >= {"Fourth", "Fifth"}


def test_escape_leaves_quick_add_for_the_keys_of_the_page_and_keeps_its_text(work):
    shown = work()
    shown.page.keyboard.press("n")
    field = shown.page.get_by_label("New card for me")
    field.press_sequentially("Fourth")
    for key in ("Escape", "ArrowDown"):
        shown.page.keyboard.press(key)
    expect(shown.link("First")).to_be_focused()
    expect(field).to_have_value("Fourth")


def test_whoever_adds_by_the_button_goes_on_in_the_field(work, board):
    shown = work()
    field = shown.page.get_by_label("New card for me")
    field.fill("Fourth")
    shown.page.get_by_role("button", name="Add", exact=True).click()
    expect(field).to_be_focused()
    expect(shown.row("Fourth")).to_be_visible()


def test_a_date_a_label_and_a_person_in_words_become_chips_and_are_set(work, ed, olga, board):
    label = create_label(actor=web(olga), board_id=board.pk, name="Press")
    shown = work()
    field = shown.page.get_by_label("New card for me")
    field.press_sequentially("Call the printer #pre")
    expect(shown.page.locator(".my-add").get_by_role("option", name="Press")).to_be_visible()
    field.press("Tab")
    field.press_sequentially("@olga 4 January 2030")
    chips = shown.page.locator(".my-add .chip")
    expect(chips).to_have_text([re.compile("Press"), re.compile("@Olga"), re.compile("4")])
    field.press("Enter")
    expect(shown.page.locator(".toast")).to_contain_text("Added to")
    expect(chips).to_have_count(0)
    card = Card.objects.get(title="Call the printer")
    assert ([*card.labels.all()], [*card.assignees.all()], str(card.due_day)) == ([label], [olga], "2030-01-04")


def test_a_chip_that_is_taken_off_leaves_its_words_in_the_title(work):
    shown = work()
    field = shown.page.get_by_label("New card for me")
    field.fill("Prepare the talk 4 January 2030")
    shown.page.locator(".my-add .chip").click()
    expect(shown.page.locator(".my-add .chip")).to_have_count(0)
    expect(field).to_be_focused()
    field.press("Enter")
    expect(shown.row("Prepare the talk 4 January 2030")).to_be_visible()
    assert Card.objects.get(title="Prepare the talk 4 January 2030").due_at is None


def test_what_is_entered_before_the_script_for_words_has_come_is_read_then(work, board, olga):
    create_label(actor=web(olga), board_id=board.pk, name="Press")
    shown = work()
    waiting: list[Route] = []
    shown.page.route(re.compile(r"/my-words[^/]*\.js"), lambda route: waiting.append(route))
    field = shown.page.get_by_label("New card for me")
    field.fill("Call the printer 4 January 2030 #pre")
    field.press("Enter")
    expect(field).to_have_value("")
    wait_on_page(shown.page, lambda: bool(waiting), lambda: "the script was not asked for")
    waiting[0].continue_()
    expect(shown.row("Call the printer")).to_contain_text("Press")
    assert str(Card.objects.get(title="Call the printer").due_day) == "2030-01-04"


def test_a_refused_card_keeps_its_words_and_a_refused_change_is_taken_back(work, cards, ed, board):
    shown = work()
    Membership.objects.filter(user=ed, board=board).update(role="viewer")
    field = shown.page.get_by_label("New card for me")
    field.fill("Not for viewers")
    field.press("Enter")
    expect(shown.page.locator(".my-add .refusal, .toast.bad")).to_contain_text("change")
    expect(field).to_have_value("Not for viewers")
    shown.row("First").locator(".done-check").click()
    expect(shown.page.locator(".toast.bad")).to_be_visible()
    expect(shown.row("First")).not_to_have_class(re.compile("done"))
    assert not Card.objects.filter(title="Not for viewers").exists()


def test_of_two_cards_that_are_refused_the_second_comes_back_when_the_first_has_left(work, ed, board):
    shown = work()
    mine = Membership.objects.filter(user=ed, board=board)
    mine.update(role="viewer")
    sent = Held(shown.page, re.compile("/my$"), method="POST", most=2)
    field, refusal = shown.page.get_by_label("New card for me"), shown.page.locator(".my-add .refusal")
    for title in ("Call the printer", "Book a room"):
        field.fill(title)
        field.press("Enter")
    for number in (1, 2):
        sent.let_on()
        expect(refusal).to_have_count(number)
    mine.update(role="editor")
    expect(field).to_have_value("Call the printer")
    field.press("Enter")
    expect(field).to_have_value("Book a room")
    expect(refusal).to_have_count(0)
    field.press("Enter")
    expect(shown.row("Book a room")).to_be_visible()
    expect(shown.row("Call the printer")).to_be_visible()


def test_a_refusal_stands_below_the_field_of_quick_add_in_the_color_of_errors(work, ed, board):
    shown = work()
    Membership.objects.filter(user=ed, board=board).update(role="viewer")
    field, button = shown.page.get_by_label("New card for me"), shown.page.get_by_role("button", name="Add", exact=True)
    width = box(field)["right"] - box(field)["left"]
    field.fill("Not for viewers")
    field.press("Enter")
    refusal = shown.page.locator(".my-add .refusal")
    expect(refusal).to_be_visible()
    assert box(refusal)["top"] >= box(button)["bottom"]
    assert box(field)["right"] - box(field)["left"] == width
    assert style(refusal, "color") == "oklch(0.48 0.19 25)"


def test_what_others_do_comes_by_itself_and_the_focus_stays(work, cards, olga, ed, todo):
    shown = work()
    shown.link("Second").focus()
    soon = timezone.now() - timedelta(days=1)
    create_card(actor=web(olga), list_id=todo.pk, title="News", assignee_ids=[ed.pk], due_at=soon)
    complete_card(actor=web(olga), card_id=cards["First"].pk)
    shown.tell()
    expect(shown.titles).to_have_text(["News", "Second", "Third"])
    expect(shown.link("Second")).to_be_focused()
    archive_card(actor=web(olga), card_id=cards["Second"].pk)
    shown.tell()
    expect(shown.titles).to_have_text(["News", "Third"])
    expect(shown.link("Third")).to_be_focused()


def test_the_cards_of_a_board_go_when_its_reader_is_removed(work, board, ed):
    shown = work()
    Membership.objects.filter(user=ed, board=board).delete()
    shown.tell()
    expect(shown.page.locator("#my-rows .empty")).to_be_visible()


def test_a_hidden_page_reads_its_rows_again_when_it_is_looked_at(work, cards, olga):
    shown = work()
    hide = """hidden => {
      Object.defineProperty(document, "hidden", { configurable: true, value: hidden })
      document.dispatchEvent(new Event("visibilitychange"))
    }"""
    shown.page.evaluate(hide, True)
    complete_card(actor=web(olga), card_id=cards["First"].pk)
    shown.tell()
    shown.page.evaluate("() => new Promise(requestAnimationFrame)")
    expect(shown.titles).to_have_text(TITLES)
    shown.page.evaluate(hide, False)
    expect(shown.titles).to_have_text(TITLES[1:])


def test_without_scripts_a_card_is_added_and_marked_as_done(show, ed, cards, board):
    page = show("/my", ed, scripts=False)
    page.get_by_label("New card for me").fill("Fourth")
    page.get_by_role("button", name="Add").click()
    expect(page.locator("#my-rows .title")).to_have_text([*TITLES, "Fourth"])
    expect(page.locator(".row-more").first).to_be_hidden()
    page.locator(".due-row").filter(has_text="First").locator(".done-check").click()
    page.goto("/my?by=board")
    expect(page.locator("#my-rows .title")).to_have_text(["Second", "Third", "Fourth"])


def test_paper_shows_the_rows_alone(show, ed, cards):
    page = show("/my", ed)
    page.emulate_media(media="print")
    for part in (".topbar", ".views", ".which", ".my-add", ".done-check", ".row-more"):
        expect(page.locator(part).first).to_be_hidden()
    expect(page.locator("#my-rows .title")).to_have_text(TITLES)


@pytest.mark.parametrize("width", [1440, 768, 390])
def test_axe_has_nothing_against_the_page_its_menu_and_dialogs(work, olga, board, cards, axe, width):
    label = create_label(actor=web(olga), board_id=board.pk, name="Urgent")
    add_label(actor=web(olga), card_id=cards["First"].pk, label_id=label.pk)
    shown = work(width=width)
    assert complaints_in_both_themes(shown.page) == []
    assert shown.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    shown.row("First").hover()
    shown.row("First").locator(".row-more").click()
    assert complaints_in_both_themes(shown.page) == []
    shown.page.get_by_role("menuitem", name="Edit labels").click()
    expect(shown.page.get_by_role("dialog", name="Edit labels")).to_be_visible()
    assert complaints_in_both_themes(shown.page) == []


def test_long_labels_stay_on_one_line_and_a_row_is_as_high_as_others(work, olga, board, cards):
    for number in range(4):
        name = f"A request of a customer, number {number}"
        label = create_label(actor=web(olga), board_id=board.pk, name=name)
        add_label(actor=web(olga), card_id=cards["First"].pk, label_id=label.pk)
    shown = work()
    labelled, plain = box(shown.row("First")), box(shown.row("Second"))
    assert labelled["bottom"] - labelled["top"] == plain["bottom"] - plain["top"]
    first = shown.row("First").locator(".label").first
    assert box(first)["right"] <= box(shown.row("First").locator(".labels"))["right"]


def test_the_long_title_of_a_board_ends_with_dots(work, ed):
    other = create_board(actor=web(ed), title="Onboarding of new colleagues in all offices", template="kanban")
    create_card(actor=web(ed), board_id=other.pk, title="Chairs", assignee_ids=[ed.pk])
    name = work().row("Chairs").locator(".from")
    assert name.evaluate("e => e.scrollWidth > e.clientWidth")
    assert (style(name, "display"), style(name, "textOverflow")) == ("block", "ellipsis")


def test_titles_of_cards_that_one_only_views_begin_where_others_do(work, olga, vera, cards):
    own = create_board(actor=web(vera), title="Garden", template="kanban")
    create_card(actor=web(vera), board_id=own.pk, title="Beans", assignee_ids=[vera.pk])
    assign(actor=web(olga), card_id=cards["First"].pk, user_id=vera.pk)
    shown = work(user=vera)
    expect(shown.row("First").locator(".done-check")).to_have_count(0)
    assert box(shown.link("First"))["left"] == box(shown.link("Beans"))["left"]
