"""Keys on a board, in Chromium: what they do, and when they must do nothing."""

import re

import pytest
from playwright.sync_api import expect

from boards.actions.boards.board import create_board
from boards.actions.cards.archive import archive_card
from boards.actions.cards.assignments import assign
from boards.actions.cards.card import create_card, create_cards, draft_card, update_card
from boards.actions.cards.checklists import create_checklist
from boards.actions.cards.labels import create_label
from boards.actions.cards.moves import move_card
from boards.actions.lists.list import archive_list, create_list
from boards.actions.people.members import change_role
from boards.models import Activity, Card, List
from boards.reading import columns
from conftest import web
from taskboard.tests.browsers import wait_until_wired
from taskboard.tests.interception import intercept
from taskboard.tests.waiting import wait_on_page
from web.tests.held import Held, held_changes
from web.tests.open_board import OpenBoard

pytestmark = pytest.mark.django_db(transaction=True)

LISTEN = """() => {
  window.told = []
  const names = "new-card filter clear-filter done assign-me due labels move archive select undo help".split(" ")
  for (const name of names) {
    document.addEventListener(`board:${name}`, (event) => {
      event.stopImmediatePropagation()
      const { id } = event.target
      told.push(`${name} ${id.startsWith("card-") ? event.detail.card : id}`)
    }, { capture: true })
  }
}"""


@pytest.fixture
def cards(ed, todo, doing):
    """Return three cards in "To do" and two in "Doing"."""
    titles = {todo: ("One", "Two", "Three"), doing: ("Four", "Five")}
    return {
        title: create_card(actor=web(ed), list_id=row.pk, title=title) for row, few in titles.items() for title in few
    }


def press(shown: OpenBoard, *keys: str) -> None:
    for key in keys:
        shown.page.keyboard.press(key)


def wait_for_all_scripts(shown: OpenBoard) -> None:
    """Open the list of keys, which takes them all, and close it: keys that are typed before belong to what opens."""
    press(shown, "?")
    expect(shown.page.locator("#help:modal")).to_be_visible()
    press(shown, "Escape")
    expect(shown.page.locator("#help:modal")).to_have_count(0)


def focused(shown: OpenBoard) -> str:
    """Return the first word of the tile that has the focus, or else the tag of the focused element."""
    return shown.page.evaluate(
        "() => { const { activeElement: e } = document; return e.matches('.title') ? e.firstChild.data.trim() : e.tagName }"
    )


def test_arrows_and_letters_move_the_focus_among_tiles(opened, ed, cards):
    shown = opened(ed)
    for key, title in [
        ("j", "One"),
        ("j", "Two"),
        ("ArrowDown", "Three"),
        ("ArrowDown", "Three"),
        ("k", "Two"),
        ("ArrowRight", "Five"),
        ("l", "Five"),
        ("Home", "Four"),
        ("ArrowLeft", "One"),
        ("End", "Three"),
        ("l", "Five"),
        ("ArrowUp", "Four"),
        ("h", "One"),
    ]:
        press(shown, key)
        assert (key, focused(shown)) == (key, title)


def test_tiles_are_one_stop_of_the_tab_key(opened, ed, cards):
    shown = opened(ed)
    press(shown, "j", "l")
    stops = "() => [...document.querySelectorAll('.card .title')].filter((title) => title.tabIndex === 0).map((title) => title.href)"
    assert [href[-36:] for href in shown.page.evaluate(stops)] == [str(cards["Four"].pk)]
    added = create_card(actor=web(ed), list_id=cards["One"].list_id, title="Six")
    shown.tell(added)
    expect(shown.tile(added).locator(".title")).to_have_attribute("tabindex", "-1")
    press(shown, "Tab")
    assert focused(shown) != "Five"
    press(shown, "Shift+Tab")
    assert focused(shown) == "Four"


def test_each_key_tells_the_board_what_is_asked_for(opened, ed, cards):
    shown = opened(ed)
    wait_for_all_scripts(shown)
    press(shown, "j", "j")
    shown.page.evaluate(LISTEN)
    press(shown, *"nfcadmex?", "Shift+f", "Shift+L", "Control+z")
    two = cards["Two"].pk
    names = [
        "new-card",
        "filter",
        "done",
        "assign-me",
        "due",
        "move",
        "archive",
        "select",
        "help",
        "clear-filter",
        "labels",
        "undo",
    ]
    assert sorted(shown.page.evaluate("told")) == sorted(f"{name} {two}" for name in names)


def test_keys_do_nothing_while_somebody_types_nor_with_other_modifiers(opened, ed, cards, todo):
    shown = opened(ed)
    press(shown, "j")
    shown.page.evaluate(LISTEN)
    press(shown, "Control+e", "Alt+e", "Control+Shift+e", "Meta+Control+z", "Control+Alt+c")
    assert shown.page.evaluate("told") == []
    shown.list(todo).get_by_text("Add card").click()
    press(shown, *"nfcadmexhjkl?/")
    expect(shown.list(todo).locator("textarea[name^=new-]")).to_have_value("nfcadmexhjkl?/")
    assert shown.page.evaluate("told") == []


def test_a_viewer_may_look_but_no_key_changes_anything(opened, vera, cards):
    shown = opened(vera)
    wait_for_all_scripts(shown)
    press(shown, "j")
    shown.page.evaluate(LISTEN)
    press(shown, *"ncadmex", "Shift+L", "Control+z", "f", "?")
    one = cards["One"].pk
    assert shown.page.evaluate("told") == [f"filter {one}", f"help {one}"]


def test_a_tile_keeps_the_focus_when_it_changes_or_moves_and_gives_it_on_when_it_is_gone(
    opened, ed, olga, cards, doing
):
    shown = opened(ed)
    press(shown, "j", "j")
    two = cards["Two"]
    update_card(actor=web(olga), card_id=two.pk, title="Two, but better")
    shown.tell(two)
    expect(shown.tile(two).locator(".title")).to_contain_text("Two, but better")
    expect(shown.tile(two).locator(".title")).to_be_focused()
    move_card(actor=web(olga), card_id=two.pk, list_id=doing.pk)
    shown.tell(two, since=0)
    expect(shown.list(doing).locator(f"#card-{two.pk} .title")).to_be_focused()
    press(shown, "k")
    assert focused(shown) == "Five"
    archive_card(actor=web(olga), card_id=cards["Five"].pk)
    shown.tell(removed=[("card", cards["Five"])], since=0)
    expect(shown.tile(two).locator(".title")).to_be_focused()
    archive_card(actor=web(olga), card_id=two.pk)
    shown.tell(removed=[("card", two)], since=0)
    expect(shown.tile(cards["Four"]).locator(".title")).to_be_focused()


def test_archiving_the_only_card_of_a_list_focuses_what_adds_a_card_there(opened, ed, olga, board, cards):
    last = create_list(actor=web(olga), board_id=board.pk, title="Last")
    only = create_card(actor=web(olga), list_id=last.pk, title="Only")
    shown = opened(ed)
    shown.tile(only).locator(".title").focus()
    shown.page.keyboard.press("e")
    expect(shown.tile(only)).to_have_count(0)
    expect(shown.list(last).locator(".newcard > summary")).to_be_focused()
    shown.page.keyboard.press("Enter")
    expect(shown.list(last).get_by_label("New card in")).to_be_focused()


def test_a_new_card_is_added_to_the_list_of_the_tile(opened, ed, cards, doing):
    shown = opened(ed)
    press(shown, "j", "l", "n")
    field = shown.list(doing).locator("textarea[name^=new-]")
    expect(field).to_be_focused()
    expect(field).to_have_value("")


def test_the_due_date_and_the_labels_of_a_card_are_a_key_away(opened, ed, cards):
    shown = opened(ed)
    press(shown, "j", "d")
    expect(shown.page.locator("#due-field")).to_be_focused()
    press(shown, "Escape", "Escape")
    expect(shown.page.locator("dialog:modal")).to_have_count(0)
    assert focused(shown) == "One"
    press(shown, "Shift+L")
    expect(shown.page.locator("#labels-menu")).to_have_attribute("open", "")
    expect(shown.page).to_have_url(re.compile(f"card={cards['One'].pk}"))


def test_what_is_typed_after_a_new_checklist_is_its_first_item(opened, ed, card):
    shown = opened(ed, card=card)
    shown.page.locator("[data-part=new-checklist] summary").click()
    press(shown, *"Steps", "Enter")
    field = shown.page.get_by_label("New item in Steps")
    expect(field).to_be_focused()
    press(shown, *"edit the text", "Enter")
    expect(shown.page.locator(".checklist .item .text")).to_have_text("edit the text")
    expect(field).to_be_focused()
    assert Card.objects.get(pk=card.pk).archived_at is None


def test_lines_that_are_pasted_become_an_item_each_by_one_request(opened, ed, card):
    checklist = create_checklist(actor=web(ed), card_id=card.pk, title="Steps")
    shown = opened(ed, card=card)
    held = Held(shown.page, "**/items", method="POST")
    shown.page.get_by_text("Add item").click()
    field = shown.page.get_by_label("New item in Steps")
    field.evaluate("(field) => document.execCommand('insertText', false, 'alpha\\nbeta\\ngamma')")
    expect(field).to_have_value("alpha\nbeta\ngamma")
    press(shown, "Enter")
    expect(field).to_have_value("")
    held.let_on()
    expect(shown.page.locator(".checklist .item .text")).to_have_text(["alpha", "beta", "gamma"])
    assert (len(held), checklist.items.count()) == (0, 3)


def test_a_second_checklist_is_the_one_whose_first_item_is_typed(opened, ed, card):
    create_checklist(actor=web(ed), card_id=card.pk, title="Older")
    shown = opened(ed, card=card)
    shown.page.locator("[data-part=new-checklist] summary").click()
    press(shown, *"Steps", "Enter")
    expect(shown.page.get_by_label("New item in Steps")).to_be_focused()


MAKING = {
    "a form that is being sent": """
        document.querySelector('[data-part="new-checklist"] form').toggleAttribute('data-sent', true)""",
    "an open form": "document.querySelector('[data-part=\"new-checklist\"]').open = true",
    "a comment that is not saved": "document.querySelector('#open-card textarea[name=text]').value = 'Half'",
}


@pytest.mark.parametrize("making", MAKING.values(), ids=MAKING)
def test_no_letter_acts_in_an_open_card_while_something_in_it_is_being_made(opened, ed, card, making):
    shown = opened(ed, card=card)
    shown.page.evaluate(LISTEN)
    press(shown, "e")
    shown.page.evaluate(making)
    press(shown, *"ecadm?", "Shift+l")
    assert shown.page.evaluate("told") == [f"archive {card.pk}"]


def test_a_name_that_is_typed_into_the_menu_of_people_assigns_its_person_and_does_nothing_else(opened, ed, olga, card):
    shown = opened(ed, card=card)
    page = shown.page
    page.locator("#choose-people").click()
    expect(page.locator("#find-person")).to_be_focused()
    press(shown, "o", "l")
    expect(page.locator("#people-menu [role=checkbox]:visible")).to_have_text(re.compile("Olga"))
    press(shown, "Enter")
    expect(page.locator("#choose-people")).to_contain_text("Olga")
    press(shown, "ArrowDown")
    expect(page.locator("#people-menu [role=checkbox]").first).to_be_focused()
    press(shown, "e", "c")  # would archive the card and mark it as done
    press(shown, "Escape", "d")
    expect(page.locator("#due-field")).to_be_visible()
    card.refresh_from_db()
    assert (card.archived_at, card.completed_at) == (None, None)


def test_help_shows_every_shortcut_and_gives_the_focus_back(opened, ed, cards):
    shown = opened(ed)
    press(shown, "j", "?")
    dialog = shown.page.locator("#help:modal")
    expect(dialog.locator("h2").first).to_be_focused()
    counts = {
        "N": 2,
        "F": 3,
        "C": 2,
        "A": 2,
        "D": 2,
        "X": 2,
        "M": 2,
        "Enter": 3,
        "Esc": 2,
        "E": 3,
    }  # with those of other pages
    for key in ["N", "/", "F", "C", "A", "D", "M", "E", "X", "Enter", "Esc"]:
        expect(
            dialog.locator("kbd:visible")
            .get_by_text(key, exact=True)
            .or_(dialog.locator("kbd", has_text=re.compile(f"^{key}$")))
        ).to_have_count(counts.get(key, 1))
    assert focus_order(shown, 2) == ["More help", "Close"]
    press(shown, "Escape")
    expect(dialog).to_have_count(0)
    assert focused(shown) == "One"


def test_what_is_typed_before_a_dialog_has_come_is_typed_into_it(opened, ed, doing, cards):
    shown, held = opened(ed), []
    intercept(shown.page, re.compile("/move-to[^/]*[.]js"), lambda route: held.append(route))
    shown.page.reload()
    expect(shown.page.locator("main[data-wired]")).to_be_visible()
    press(shown, "j", "m", "d", "o", "e", "c")
    wait_on_page(shown.page, lambda: held)
    press(shown, "Backspace")
    held[0].continue_()
    field = shown.page.get_by_role("dialog", name="Move to…").get_by_role("combobox")
    expect(field).to_have_value("doec")
    assert not Card.objects.filter(archived_at__isnull=False).exists()
    assert not Card.objects.filter(completed_at__isnull=False).exists()


def test_letters_do_nothing_to_a_card_that_has_not_come_yet(opened, ed, cards):
    shown, held = opened(ed), []
    intercept(shown.page, re.compile(f"/card/{cards['One'].pk}$"), lambda route: held.append(route))
    press(shown, "j", "Shift+L", "e", "c")
    wait_on_page(shown.page, lambda: held)
    held[0].continue_()
    expect(shown.page.locator("#labels-menu")).to_have_attribute("open", "")
    cards["One"].refresh_from_db()
    assert (cards["One"].archived_at, cards["One"].completed_at) == (None, None)


def test_a_page_is_left_without_a_question_after_moving_was_thought_of(opened, ed, cards):
    shown, asked = opened(ed), []
    shown.page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    press(shown, "j", "m")
    dialog = shown.page.get_by_role("dialog", name="Move to…")
    expect(dialog.get_by_role("option").first).to_be_visible()
    press(shown, "Escape")
    expect(dialog).to_have_count(0)
    shown.page.goto("/help")
    assert asked == []


def test_arrows_begin_at_the_first_tile_of_a_page_that_has_just_come(opened, ed, cards):
    shown = opened(ed)
    press(shown, "ArrowDown", "ArrowDown")
    assert focused(shown) == "Two"


def test_what_is_typed_on_after_the_field_was_taken_away_is_no_key(opened, ed, todo, doing, cards):
    shown = opened(ed)
    shown.page.evaluate(LISTEN)
    shown.list(todo).locator(".newcard > summary").click()
    press(shown, "n", "e")
    archive_list(actor=web(ed), list_id=todo.pk)
    shown.tell(removed=[("list", todo)])
    expect(shown.list(todo)).to_have_count(0)
    shown.tile(cards["Four"]).hover()
    press(shown, "c", "e", "d")
    assert shown.page.evaluate("told") == []
    shown.page.mouse.click(5, 300)
    shown.tile(cards["Five"]).hover()
    press(shown, "c")
    assert shown.page.evaluate("told") == [f"done {cards['Five'].pk}"]


def test_the_pointer_that_rested_above_an_open_card_means_no_tile_below(opened, ed, cards):
    shown = opened(ed)
    below = shown.tile(cards["Four"]).bounding_box()
    shown.tile(cards["One"]).locator(".title").click()
    expect(shown.page.locator("#open-card")).to_be_visible()
    shown.page.mouse.move(below["x"] + 20, below["y"] + 10)
    press(shown, "Escape")
    expect(shown.page.locator("#card-dialog")).to_be_hidden()
    assert focused(shown) == "One"


def test_a_label_that_is_put_on_a_card_keeps_the_focus_and_escape_closes_its_menu_alone(opened, ed, board, cards):
    for name in ("Bug", "Idea"):
        create_label(actor=web(ed), board_id=board.pk, name=name)
    shown = opened(ed, card=cards["One"])
    menu = shown.page.locator("#labels-menu")
    shown.page.locator("#choose-labels").click()
    menu.get_by_role("checkbox", name="Idea").click()
    expect(menu.get_by_role("checkbox", name="Idea")).to_have_attribute("aria-checked", "true")
    expect(menu.get_by_role("checkbox", name="Idea")).to_be_focused()
    press(shown, "Escape")
    expect(menu).not_to_have_attribute("open", "")
    expect(shown.page.locator("#open-card")).to_be_visible()


def test_the_menu_of_a_tile_leads_to_its_people_and_to_a_copy(opened, ed, cards):
    shown = opened(ed)
    shown.tile(cards["One"]).hover()
    shown.page.get_by_role("button", name="Actions for One").click()
    shown.page.get_by_role("menuitem", name="Edit assignees").click()
    expect(shown.page.locator("#open-card [data-part=people] details")).to_have_attribute("open", "")
    press(shown, "Escape", "Escape")
    expect(shown.page.locator("#card-dialog")).to_be_hidden()
    shown.tile(cards["Two"]).hover()
    shown.page.get_by_role("button", name="Actions for Two").click()
    shown.page.get_by_role("menuitem", name="Copy to…").click()
    expect(shown.page).to_have_url(re.compile(f"/card/{cards['Two'].pk}/copy$"))


def test_alt_and_arrows_move_a_tile_and_say_where_it_is(opened, ed, cards, todo, doing):
    shown = opened(ed)
    said = shown.page.get_by_role("status").filter(has_text="Moved to")
    press(shown, "j", "Alt+ArrowDown")
    expect(said).to_have_text("Moved to To do, 2 of 3")
    assert titles(shown, todo) == ["Two", "One", "Three"]
    assert focused(shown) == "One"
    press(shown, "Alt+ArrowRight")
    expect(said).to_have_text("Moved to Doing, 2 of 3")
    assert titles(shown, doing) == ["Four", "One", "Five"]
    press(shown, "Alt+ArrowUp", "Alt+ArrowUp", "Alt+ArrowUp")
    expect(said).to_have_text("Moved to Doing, 1 of 3")
    settled(shown, doing, ["One", "Four", "Five"])
    expect(shown.page.locator(".toast")).to_have_count(0)


def test_moves_in_quick_succession_end_where_the_last_one_says(opened, ed, cards, todo, doing):
    shown = opened(ed)
    held = Held(shown.page, "**/cards", most=1)
    press(
        shown,
        "j",
        *["Alt+ArrowDown", "Alt+ArrowRight", "Alt+ArrowLeft", "Alt+ArrowDown", "Alt+ArrowRight", "Alt+ArrowDown"],
    )
    shows(shown, doing, ["Four", "Five", "One"])
    held.let_on()
    settled(shown, doing, ["Four", "Five", "One"])
    settled(shown, todo, ["Two", "Three"])
    assert (titles(shown, doing), focused(shown)) == (["Four", "Five", "One"], "One")
    assert Activity.objects.filter(verb="card.moved").count() == 2


def test_a_move_that_the_server_refuses_goes_back_with_its_sentence(opened, ed, board, cards, todo, doing):
    shown = opened(ed)
    change_role(actor=web(board.memberships.get(role="owner").user), board_id=board.pk, user_id=ed.pk, role="viewer")
    press(shown, "j", "Alt+ArrowRight", "Alt+ArrowDown")
    expect(shown.page.locator(".toast").first).to_contain_text("You can view this board but not change it.")
    shows(shown, todo, ["One", "Two", "Three"])
    assert focused(shown) == "One"


def test_letters_finish_assign_and_archive_the_tile(opened, ed, cards, todo):
    shown = opened(ed)
    one = shown.tile(cards["One"])
    press(shown, "j", "c")
    expect(one).to_have_class(re.compile("done"))
    press(shown, "a")
    expect(one.locator(".avatar")).to_have_count(1)
    press(shown, "a")
    expect(one.locator(".avatar")).to_have_count(0)
    press(shown, "c")
    expect(one).not_to_have_class(re.compile("done"))
    press(shown, "e")
    expect(one).to_have_count(0)
    assert focused(shown) == "Two"
    shown.page.evaluate("for (const tile of document.querySelectorAll('.card')) tile.classList.add('selected')")
    press(shown, "c")
    expect(shown.page.locator(".card.done")).to_have_count(4)


def test_a_second_press_of_a_before_the_answer_takes_the_first_back(opened, ed, cards):
    shown = opened(ed)
    held = held_changes(shown.page)
    press(shown, "j", "a", "a")
    held.let_on()
    held.let_on()
    expect(shown.page.locator(".toast")).to_contain_text("Unassigned.")
    expect(shown.tile(cards["One"]).locator(".avatar")).to_have_count(0)
    press(shown, "a")
    held.let_on()
    expect(shown.tile(cards["One"]).locator(".avatar")).to_have_count(1)


def test_a_press_of_a_whose_answer_fails_counts_for_nothing(opened, ed, cards):
    shown = opened(ed)
    held = held_changes(shown.page)
    press(shown, "j", "a")
    held.next().abort()
    expect(shown.page.locator(".toast")).to_contain_text("Could not reach the server.")
    press(shown, "a")
    held.let_on()
    expect(shown.tile(cards["One"]).locator(".avatar")).to_have_count(1)


def test_a_takes_back_an_assignment_of_an_open_card_whose_tile_the_filter_leaves_out(opened, ed, cards):
    assign(actor=web(ed), card_id=cards["One"].pk, user_id=ed.pk)
    shown = opened(ed, card=cards["One"])
    shown.page.goto(f"{cards['One'].get_absolute_url()}&q=Two")
    wait_until_wired(shown.page)
    expect(shown.page.locator("#card-dialog:modal")).to_be_visible()
    expect(shown.tile(cards["One"])).to_have_count(0)
    press(shown, "a")
    expect(shown.page.locator("[data-part=people] .value")).to_have_text("No one")


def test_a_tile_that_is_replaced_twice_at_once_keeps_the_focus(opened, ed, cards):
    """As by the answers to two keys that come together."""
    shown = opened(ed)
    press(shown, "j")
    shown.page.evaluate(
        """async () => {
            const { place } = await import("/static/js/board/place.js")
            const tile = document.activeElement.closest(".card")
            for (const number of [1, 2]) {
                const newer = tile.cloneNode(true)
                newer.dataset.version = Number(tile.dataset.version) + number
                newer.append(`${number}`)
                place(newer)
            }
        }"""
    )
    assert focused(shown) == "One"


def test_move_to_finds_a_list_by_letters_and_an_exact_place(opened, ed, cards, todo, doing):
    shown = opened(ed)
    press(shown, "j", "m")
    dialog = shown.page.locator("#move-dialog:modal")
    field, place = dialog.get_by_role("combobox"), dialog.get_by_label("Position")
    expect(dialog.locator("h2").first).to_have_text("Move to…")
    expect(field).to_be_focused()
    expect(dialog.get_by_role("option", selected=True)).to_contain_text("To do")
    expect(place).to_have_value("1")
    expect(dialog).to_contain_text("of 3")
    press(shown, *"doin")
    expect(dialog.get_by_role("option", selected=True)).to_contain_text("Doing")
    expect(dialog.get_by_role("option")).to_have_count(1)
    expect(dialog.locator("[data-elsewhere]")).to_be_hidden()
    assert focus_order(shown, 5) == ["Position", "Top", "Bottom", "Move", "Cancel"]
    place.fill("2")
    press(shown, "Enter")
    expect(dialog).to_have_count(0)
    settled(shown, doing, ["Four", "One", "Five"])
    expect(shown.page.locator(".toast")).to_contain_text("Moved to Doing, 2 of 3")
    assert titles(shown, doing) == ["Four", "One", "Five"]
    assert focused(shown) == "One"


def test_cards_are_moved_to_another_board_all_at_once(opened, ed, cards, todo):
    other = create_board(actor=web(ed), title="Other")
    row = create_list(actor=web(ed), board_id=other.pk, title="Inbox")
    shown = opened(ed)
    press(shown, "j")
    for title in ("One", "Two"):
        shown.tile(cards[title]).evaluate("tile => tile.classList.add('selected')")
    press(shown, "m")
    dialog = shown.page.locator("#move-dialog:modal")
    expect(dialog.locator("input:focus")).to_be_visible()  # what is typed before it is there goes to the board
    press(shown, *"inb")
    expect(dialog.locator("h2").first).to_have_text("Move 2 cards to…")
    expect(dialog.get_by_role("option", selected=True)).to_contain_text("Inbox")
    expect(dialog.locator("[data-elsewhere]")).to_be_visible()
    press(shown, "Enter")
    expect(shown.page.locator(".toast")).to_contain_text("2 cards moved to Inbox on Other")
    assert titles(shown, todo) == ["Three"]
    settled(shown, row, ["One", "Two"])
    assert focused(shown) == "Three"


def test_selected_cards_get_their_due_date_together(opened, ed, cards):
    shown = opened(ed)
    for title in ("One", "Two"):
        shown.tile(cards[title]).evaluate("tile => tile.classList.add('selected')")
    press(shown, "j", "d")
    dialog = shown.page.locator("#due-dialog:modal")
    expect(dialog.get_by_label("Due date")).to_be_focused()
    dialog.get_by_label("Due date").fill("2030-05-06")
    dialog.get_by_role("button", name="Save").click()
    for title in ("One", "Two"):
        expect(shown.tile(cards[title]).locator(".due")).to_be_visible()
    expect(shown.tile(cards["Three"]).locator(".due")).to_have_count(0)


def test_going_down_in_a_long_list_reads_more_of_it(opened, ed, cards, todo, monkeypatch):
    monkeypatch.setattr(columns, "WHOLE", 20)
    monkeypatch.setattr(columns, "CARDS", 70)
    more = create_cards(actor=web(ed), list_id=todo.pk, drafts=[draft_card(title=f"More {n}") for n in range(90)])
    shown = opened(ed)
    assert shown.list(todo).locator(".card").count() < 93
    press(shown, "j", "End")
    expect(shown.list(todo).locator(".card:visible")).to_have_count(93)  # they come ten a frame
    press(shown, "End")
    assert focused(shown) == "More 89"
    expect(shown.tile(more[-1]).locator(".title")).to_be_in_viewport()


def test_the_palette_finds_cards_boards_and_actions(opened, ed, cards, board):
    create_board(actor=web(ed), title="Garden")
    shown = opened(ed)
    press(shown, "j", "Control+k")
    dialog = shown.page.locator("#command-palette:modal")
    field, chosen = dialog.get_by_role("combobox"), dialog.get_by_role("option", selected=True)
    expect(field).to_be_focused()
    expect(dialog.get_by_role("option", name="Move to…")).to_be_visible()
    press(shown, *"fou")
    expect(chosen).to_contain_text("Four")
    expect(field).to_have_attribute("aria-activedescendant", f"to-card-{cards['Four'].pk}")
    press(shown, "Enter")
    expect(shown.page.locator("#open-card h1")).to_have_text("Four")
    press(shown, "/", *"arch")
    expect(dialog.get_by_role("option", name="Archive card")).to_have_attribute("aria-selected", "true")
    press(shown, "Enter")
    expect(shown.tile(cards["Four"])).to_have_count(0)
    press(shown, "Control+k", *"zzz")
    expect(dialog.get_by_role("option")).to_have_text(["All results"])
    press(shown, "Escape")
    expect(dialog).to_have_count(0)
    press(shown, "Control+k", *"gard")
    expect(chosen).to_contain_text("Garden")
    press(shown, "Enter")
    expect(shown.page.locator("h1")).to_have_text("Garden")


def test_the_palette_names_no_action_twice(opened, ed, cards):
    shown = opened(ed)
    shown.page.keyboard.press("Control+k")
    options = shown.page.locator("#command-palette:modal [role=option]:visible")
    expect(options.filter(has_text="Members")).to_have_count(1)
    names = options.all_inner_texts()
    assert len(names) == len({*names})


def test_letters_typed_before_the_palette_has_come_are_for_it_and_do_nothing_to_a_card(opened, ed, cards):
    shown = opened(ed)
    held = Held(shown.page, "**/command-palette*.js")
    press(shown, "j", "Control+k", *"arch")
    held.let_on()
    dialog = shown.page.locator("#command-palette:modal")
    expect(dialog.get_by_role("option", name="Archive card")).to_have_attribute("aria-selected", "true")
    expect(dialog.get_by_role("combobox")).to_have_value("arch")
    assert not Card.objects.get(pk=cards["One"].pk).assignees.exists()
    press(shown, "Enter")
    expect(shown.tile(cards["One"])).to_have_count(0)


def test_an_older_answer_of_the_palette_never_replaces_a_newer_one(opened, ed, cards):
    shown = opened(ed)
    held = Held(shown.page, "**/jump?q=two*")
    press(shown, "Control+k")
    dialog = shown.page.locator("#command-palette:modal")
    dialog.get_by_role("combobox").fill("two")
    older = held.next()
    dialog.get_by_role("combobox").fill("five")
    expect(dialog.get_by_role("option", selected=True)).to_contain_text("Five")
    wait_on_page(shown.page, lambda: older.request.failure, "its answer may still come")
    expect(dialog.locator(".name", has_text="Two")).to_have_count(0)


@pytest.mark.parametrize(
    ("key", "dialog", "address"),
    [("Control+k", "#command-palette", "jump"), ("m", "#move-dialog", "destinations")],
    ids=["palette", "move to"],
)
def test_a_word_is_asked_for_when_it_is_composed(opened, ed, cards, key, dialog, address):
    shown = opened(ed, clock=True)
    press(shown, "j")
    first = re.compile(rf"/{address}\?q=(&|$)")
    with shown.page.expect_request(first):  # by the script, which comes after the field is there
        press(shown, key)
    field = shown.page.locator(f"{dialog}:modal").get_by_role("combobox")
    expect(field).to_be_focused()
    ime, asked = shown.page.context.new_cdp_session(shown.page), []
    shown.page.on("request", lambda request: asked.extend(re.findall(rf"/{address}\?q=(\w+)", request.url)))
    ime.send("Input.imeSetComposition", {"text": "tw", "selectionStart": 2, "selectionEnd": 2})
    shown.page.clock.run_for(1000)
    with shown.page.expect_request(f"**/{address}?q=two&*"):
        ime.send("Input.insertText", {"text": "two"})
        shown.page.clock.run_for(1000)
    assert asked == ["two"]


def test_a_viewer_finds_cards_but_no_action_that_would_be_refused(opened, vera, cards):
    shown = opened(vera)
    press(shown, "j", "Control+k")
    dialog = shown.page.locator("#command-palette:modal")
    expect(dialog.get_by_role("option", name="Copy link")).to_be_visible()
    for name in ("Archive card", "Move to…", "Mark as done", "New card"):
        expect(dialog.get_by_role("option", name=name)).to_have_count(0)


def test_the_menu_of_a_tile_does_what_the_keys_do(opened, ed, cards, todo):
    shown = opened(ed)
    press(shown, "j", "Tab")
    button = shown.page.get_by_role("button", name="Actions for One")
    expect(button).to_be_focused()
    press(shown, "Enter")
    menu = shown.page.get_by_role("menu", name="Card actions")
    expect(menu.get_by_role("menuitem").first).to_be_focused()
    press(shown, "ArrowUp")
    expect(menu.get_by_role("menuitem", name="Archive card")).to_be_focused()
    press(shown, "Escape")
    expect(menu).to_be_hidden()
    assert focused(shown) == "One"
    shown.tile(cards["Two"]).hover()
    shown.page.get_by_role("button", name="Actions for Two").click()
    menu.get_by_role("menuitem", name="Mark as done").click()
    expect(shown.tile(cards["Two"])).to_have_class(re.compile("done"))


def test_the_menu_of_a_tile_says_what_it_does_to_this_card(opened, ed, cards):
    shown = opened(ed)
    menu = shown.page.get_by_role("menu", name="Card actions")
    shown.tile(cards["One"]).hover()
    shown.page.get_by_role("button", name="Actions for One").click()
    menu.get_by_role("menuitem", name="Assign to me").click()
    expect(shown.tile(cards["One"]).locator(".avatar")).to_have_count(1)
    press(shown, "c")
    expect(shown.tile(cards["One"])).to_have_class(re.compile("done"))
    shown.page.get_by_role("button", name="Actions for One").click()
    expect(menu.get_by_role("menuitem", name="Unassign me")).to_be_visible()
    menu.get_by_role("menuitem", name="Reopen").click()
    expect(shown.tile(cards["One"])).not_to_have_class(re.compile("done"))


def titles(shown: OpenBoard, row: List) -> list[str]:
    return [re.split(r"\s+#", text.strip())[0] for text in shown.list(row).locator(".card .title").all_text_contents()]


def shows(shown: OpenBoard, row: List, expected: list[str]) -> None:
    """Wait until the list shows these cards: what moves tiles is loaded at the first sign of somebody."""
    expect(shown.list(row).locator(".card .title")).to_have_text([re.compile(title) for title in expected])


def settled(shown: OpenBoard, row: List, expected: list[str]) -> None:
    """Wait until the list has these cards in the database."""
    stored = Card.objects.filter(list=row, archived_at=None).order_by("position").values_list("title", flat=True)
    wait_on_page(shown.page, lambda: list(stored.all()) == expected, stored.all)


def focus_order(shown: OpenBoard, steps: int) -> list[str]:
    """Return the names of what has the focus after each press of Tab."""
    name = "() => { const { activeElement: e } = document; return e.ariaLabel ?? e.labels?.[0]?.textContent ?? e.textContent.trim() }"
    found = []
    for _ in range(steps):
        press(shown, "Tab")
        found.append(shown.page.evaluate(name).strip())
    return found


def test_a_list_that_is_archived_gives_the_focus_to_the_list_beside_it_or_else_to_what_adds_one(
    opened, ed, todo, doing
):
    shown = opened(ed)
    for row, after in ((doing, shown.list(todo)), (todo, shown.page.get_by_role("region", name="Add list"))):
        shown.list(row).locator(".menu > summary").focus()
        press(shown, "Enter")
        shown.list(row).get_by_role("button", name="Archive list").focus()
        press(shown, "Enter")
        expect(shown.list(row)).to_have_count(0)
        expect(after.locator(":focus")).to_have_count(1)


def test_a_board_that_is_renamed_by_keyboard_keeps_the_focus_at_its_title(opened, ed, board):
    shown = opened(ed)
    rename = shown.page.locator("#board-head .edit > summary")
    rename.focus()
    press(shown, "Enter")
    shown.page.get_by_label("Board title").fill("Better")
    press(shown, "Enter")
    expect(shown.page.locator("#board-head h1")).to_have_text("Better")
    expect(rename).to_be_focused()


def test_whoever_clears_the_filter_by_its_button_is_at_the_button_of_the_filter(opened, ed, board, cards):
    shown = opened(ed)
    shown.page.goto(f"{board.get_absolute_url()}?q=One")
    wait_until_wired(shown.page)
    shown.page.locator("#filter-bar > [data-clear-filter]").focus()
    press(shown, "Enter")
    expect(shown.tile(cards["Two"])).to_be_visible()
    expect(shown.page.locator("[data-filter-button]")).to_be_focused()
    press(shown, "Enter")
    expect(shown.page.locator("#filter-panel [type=search]")).to_be_focused()
    again = shown.page.locator("#filter-panel [data-clear-filter]")
    again.focus()
    press(shown, "Enter")
    expect(again).to_be_focused()


def test_a_description_that_is_saved_by_keyboard_gives_the_focus_to_what_edits_it(opened, ed, card):
    shown = opened(ed, card=card)
    shown.page.locator("[data-part=description] summary").focus()
    press(shown, "Enter")
    text = shown.page.get_by_role("textbox", name="Description")
    expect(text).to_be_focused()
    expect(text).to_have_attribute("contenteditable", "true")
    shown.page.keyboard.type("What it is about")
    press(shown, "Control+Enter")
    expect(shown.page.locator("[data-part=description] > .prose")).to_have_text("What it is about")
    expect(shown.page.locator("[data-part=description] :focus")).to_have_count(1)
