"""Dragging tiles and lists by mouse and by finger, in Chromium."""

import re

import pytest
from playwright.sync_api import Locator, expect

from boards.actions.cards.archive import archive_card
from boards.actions.cards.card import create_card, create_cards, delete_card, draft_card
from boards.actions.cards.moves import move_card
from boards.actions.lists.list import create_list
from boards.actions.people.members import change_role
from boards.models import Board, Card, List
from boards.reader import MEMBERS
from conftest import web
from taskboard.tests.waiting import wait_on_page
from web.live.catchup import changes_since
from web.tests.held import Held, held_changes
from web.tests.looking import box
from web.tests.open_board import OpenBoard

pytestmark = pytest.mark.django_db(transaction=True)

MARKS = ".drag-copy, .lifted, .carried, .makes-room, .makes-room-after, .target"  # what only a drag has


@pytest.fixture
def cards(todo, doing, olga):
    return [create_card(actor=web(olga), list_id=todo.pk, title=title) for title in "ABCD"]


def middle(element: Locator) -> tuple[float, float]:
    at = box(element)
    return (at["left"] + at["right"]) / 2, (at["top"] + at["bottom"]) / 2


def lift(shown: OpenBoard, element: Locator) -> None:
    """Press the mouse on the element and move it far enough to drag."""
    x, y = middle(element)
    shown.page.mouse.move(x, y)
    shown.page.mouse.down()
    shown.page.mouse.move(x + 4, y + 4)
    shown.page.mouse.move(x + 8, y + 8)
    expect(shown.page.locator(".drag-copy")).to_be_visible()


def drop(shown: OpenBoard, x: float, y: float) -> None:
    shown.page.mouse.move(x, y)
    shown.page.mouse.up()


def below(element: Locator) -> tuple[float, float]:
    at = box(element)
    return (at["left"] + at["right"]) / 2, at["bottom"] - 4


def above(element: Locator) -> tuple[float, float]:
    at = box(element)
    return (at["left"] + at["right"]) / 2, at["top"] + 4


def titles(row) -> str:
    return "".join(Card.objects.filter(list=row, archived_at=None).order_by("position").values_list("title", flat=True))


def settled(shown: OpenBoard, row: List, expected: str) -> None:
    """Wait until the list has these cards in the database."""
    wait_on_page(shown.page, lambda: titles(row) == expected, lambda: titles(row))


def shown_titles(shown: OpenBoard, row) -> str:
    return "".join(text.strip()[0] for text in shown.list(row).locator(".card .title").all_text_contents())


def test_a_tile_lies_where_it_was_dropped_before_the_server_answers(opened, ed, todo, doing, cards):
    a, b, c, _d = cards
    shown = opened(ed)
    held = held_changes(shown.page)
    lift(shown, shown.tile(c))
    drop(shown, *above(shown.tile(a)))
    assert shown_titles(shown, todo) == "CABD"
    lift(shown, shown.tile(b))
    drop(shown, *middle(shown.list(doing)))
    assert (shown_titles(shown, todo), shown_titles(shown, doing)) == ("CAD", "B")
    expect(shown.list(doing).locator(".count")).to_have_text("1")
    held.let_on()
    held.let_on()
    settled(shown, doing, "B")
    assert titles(todo) == "CAD"
    expect(shown.page.locator("#card-dialog")).not_to_be_visible()


# Where the slot is: its top and height, as the style sheet draws it before the tile or the end of the column that makes room.
SLOT = """() => {
  const room = document.querySelector(".makes-room")
  const part = room.matches("ol") ? "::after" : "::before"
  const { height } = getComputedStyle(room, part)
  const last = [...room.querySelectorAll(":scope > .card:not(.lifted)")].at(-1)
  const gap = parseFloat(getComputedStyle(document.querySelector(".card:not(.lifted)")).marginBlockEnd)
  const top = room.matches("ol") ? (last ? last.getBoundingClientRect().bottom + gap : room.getBoundingClientRect().top + 4)
    : room.getBoundingClientRect().top - gap - parseFloat(height)
  return [Math.round(top), Math.round(parseFloat(height))]
}"""
PLACES = "tiles => tiles.map((tile) => Math.round(tile.getBoundingClientRect().top))"


def frames(shown: OpenBoard) -> None:
    shown.page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


@pytest.mark.parametrize("place", [0, 1, 3], ids=["first", "second", "last"])
def test_a_tile_that_is_lifted_leaves_a_slot_of_its_height_and_nothing_else_moves(opened, ed, todo, cards, place):
    shown = opened(ed)
    others = shown.list(todo).locator(f".card:not(#card-{cards[place].pk})")
    before, at = others.evaluate_all(PLACES), box(shown.tile(cards[place]))
    foot = box(shown.list(todo))["bottom"]
    lift(shown, shown.tile(cards[place]))
    frames(shown)
    assert (others.evaluate_all(PLACES), box(shown.list(todo))["bottom"]) == (before, foot)
    assert shown.page.evaluate(SLOT) == [round(at["top"]), round(at["bottom"] - at["top"])]
    shown.page.keyboard.press("Escape")
    shown.page.mouse.up()
    assert others.evaluate_all(PLACES) == before


def test_the_slot_of_a_tall_tile_stays_between_two_small_ones_while_the_pointer_is_in_it(
    opened, ed, olga, todo, doing, cards
):
    tall = create_card(actor=web(olga), list_id=doing.pk, title="A long title " * 20)
    shown = opened(ed)
    held = held_changes(shown.page)
    lift(shown, shown.tile(tall))
    x, y = middle(shown.tile(cards[1]))
    shown.page.mouse.move(x, y - 4)
    frames(shown)
    expect(shown.list(todo)).to_have_class(re.compile("target"))
    expect(shown.list(doing)).not_to_have_class(re.compile("target"))
    top, height = shown.page.evaluate(SLOT)
    for part in (0.1, 0.5, 0.9):
        shown.page.mouse.move(x, top + height * part)
        frames(shown)
        assert shown.page.evaluate(SLOT) == [top, height]
    drop(shown, x, top + height * 0.9)
    assert shown_titles(shown, todo) == "AABCD"
    assert round(box(shown.tile(tall))["top"]) == top
    held.let_on()
    settled(shown, todo, "A" + tall.title + "BCD")


def test_of_several_the_others_stay_faded_where_they_are_and_an_empty_list_shows_the_slot(
    opened, ed, todo, doing, cards
):
    shown = opened(ed)
    for card in cards[:3]:
        shown.tile(card).click(modifiers=["Control"])
    at = box(shown.tile(cards[2]))
    lift(shown, shown.tile(cards[2]))
    frames(shown)
    assert shown.page.evaluate(SLOT)[0] == round(at["top"])
    expect(shown.page.locator(".carried")).to_have_count(2)
    shown.page.mouse.move(*middle(shown.list(doing)))
    expect(shown.list(doing).locator("ol.makes-room")).to_have_count(1)
    expect(shown.list(doing).locator(".nothing")).to_be_hidden()
    shown.page.keyboard.press("Escape")
    shown.page.mouse.up()
    expect(shown.page.locator(MARKS)).to_have_count(0)


def test_without_motion_a_tile_is_not_turned(opened, ed, cards):
    shown = opened(ed)
    lift(shown, shown.tile(cards[0]))
    copy = shown.page.locator(".drag-copy")
    assert copy.evaluate("copy => getComputedStyle(copy).rotate") == "none"
    shown.page.emulate_media(reduced_motion="no-preference")
    assert copy.evaluate("copy => getComputedStyle(copy).rotate") == "2deg"


def test_a_long_list_scrolls_to_its_end_and_shows_the_slot_there(opened, ed, olga, todo, doing):
    create_cards(actor=web(olga), list_id=todo.pk, drafts=[draft_card(title=f"Card {n}") for n in range(40)])
    mover = create_card(actor=web(olga), list_id=doing.pk, title="Z")
    shown = opened(ed)
    column = shown.list(todo).locator("ol")
    lift(shown, shown.tile(mover))
    at = box(column)
    shown.page.mouse.move(at["left"] + 40, at["bottom"] - 4)
    shown.page.wait_for_function(
        "e => e.scrollTop > 500 && e.scrollTop + e.clientHeight >= e.scrollHeight - 1 && e.matches('.makes-room')",
        arg=column.element_handle(),
    )
    top, height = shown.page.evaluate(SLOT)
    assert at["top"] < top < top + height <= at["bottom"]
    drop(shown, at["left"] + 40, at["bottom"] - 4)
    wait_on_page(shown.page, lambda: Card.objects.get(pk=mover.pk).list == todo, "the card is not moved")
    assert Card.objects.filter(list=todo).order_by("position").last() == mover


def test_a_list_leaves_a_slot_and_comes_back_as_it_was_scrolled(opened, ed, olga, todo, doing):
    create_cards(actor=web(olga), list_id=todo.pk, drafts=[draft_card(title=f"Card {n}") for n in range(40)])
    shown = opened(ed)
    column, beside = shown.list(todo).locator("ol"), shown.list(doing)
    column.evaluate("column => { column.scrollTop = 300 }")
    before = box(beside)["left"]
    lift(shown, shown.list(todo).locator("h2"))
    frames(shown)
    assert box(beside)["left"] == before
    shown.page.mouse.move(before + 200, 200)
    expect(beside).to_have_class(re.compile("makes-room-after"))
    assert box(beside)["left"] < before
    shown.page.keyboard.press("Escape")
    shown.page.mouse.up()
    assert (box(beside)["left"], column.evaluate("column => column.scrollTop")) == (before, 300)


def test_no_message_tells_of_a_drag_that_landed_but_a_screen_reader_does(opened, ed, todo, doing, cards):
    shown = opened(ed)
    lift(shown, shown.tile(cards[0]))
    drop(shown, *middle(shown.list(doing)))
    expect(shown.page.get_by_role("status").filter(has_text="Moved to Doing, 1 of 1")).to_have_count(1)
    settled(shown, doing, "A")
    expect(shown.page.locator("main.sending")).to_have_count(0)
    expect(shown.page.locator(".toast")).to_have_count(0)
    shown.page.keyboard.press("Control+z")
    expect(shown.page.locator(".toast")).to_contain_text("Undone: Card moved, “A”")
    settled(shown, todo, "ABCD")


def test_a_tile_that_did_not_land_between_its_neighbours_says_where_it_is(opened, ed, olga, todo, doing, cards):
    """Both were moved away and archived, and the page does not know yet."""
    shown = opened(ed)
    for card in cards[:2]:
        delete_card(actor=web(olga), card_id=archive_card(actor=web(olga), card_id=card.pk).card.pk)
    lift(shown, shown.tile(cards[3]))
    drop(shown, *above(shown.tile(cards[1])))
    expect(shown.page.locator(".toast")).to_contain_text("Moved to To do, 4 of 4")


def test_of_several_cards_a_screen_reader_hears_how_many_were_dropped(opened, ed, todo, doing, cards):
    shown = opened(ed)
    for card in cards[:2]:
        shown.tile(card).click(modifiers=["Control"])
    expect(shown.page.locator(".card.selected")).to_have_count(2)
    lift(shown, shown.tile(cards[0]))
    drop(shown, *middle(shown.list(doing)))
    expect(shown.page.get_by_role("status").filter(has_text="2 cards moved to Doing")).to_have_count(1)


# Which of these are in the window as a whole.
IN_SIGHT = """found => found.map((e) => [e, e.closest(".list").getBoundingClientRect()])
  .filter(([, { left, right }]) => left >= 0 && right <= innerWidth).map(([e]) => e.textContent)"""

# The list may glide on after the finger has left it. Puts it back until it stays for ten frames.
STOP_SCROLLING = """async column => {
  for (let still = 0; still < 10; still += 1) {
    if (column.scrollTop !== 0) still = 0
    column.scrollTop = 0
    await new Promise(requestAnimationFrame)
  }
}"""


class Finger:
    """A finger on the page, as Chromium's touch emulation has it."""

    def __init__(self, shown: OpenBoard) -> None:
        self.page, self.session = shown.page, shown.page.context.new_cdp_session(shown.page)

    def send(self, kind: str, *points: tuple[float, float]) -> None:
        points_sent = [{"x": x, "y": y} for x, y in points]
        self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points_sent})

    def glide(self, start: tuple[float, float], end: tuple[float, float], steps: int = 10) -> None:
        for step in range(1, steps + 1):
            part = step / steps
            self.send("touchMove", (start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part))

    def carry(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Press until what is there is lifted, and glide with it."""
        self.send("touchStart", start)
        expect(self.page.locator(".drag-copy")).to_be_visible()
        self.glide(start, end)


def test_a_finger_scrolls_and_drags_after_a_long_press(opened, ed, olga, todo, doing):
    create_cards(actor=web(olga), list_id=todo.pk, drafts=[draft_card(title=f"Card {n}") for n in range(40)])
    first = Card.objects.filter(list=todo).order_by("position").first()
    shown = opened(ed, touch=True, clock=True)
    finger, column = Finger(shown), shown.list(todo).locator("ol")
    at = middle(shown.tile(first))
    shown.page.clock.pause_at(shown.page.evaluate("Date.now()") + 1000)  # or a slow machine makes it a long press
    finger.send("touchStart", (at[0], at[1] + 300))
    finger.glide((at[0], at[1] + 300), at)
    finger.send("touchEnd")
    expect(shown.page.locator(".drag-copy")).to_have_count(0)
    shown.page.wait_for_function("column => column.scrollTop > 100", arg=column.element_handle())
    shown.page.clock.resume()
    column.evaluate(STOP_SCROLLING)
    finger.carry(at, middle(shown.list(doing)))
    finger.send("touchEnd")
    wait_on_page(shown.page, lambda: Card.objects.get(pk=first.pk).list == doing, "the card is not moved")
    assert column.evaluate("column => column.scrollTop") == 0
    expect(shown.page.locator("#card-dialog")).not_to_be_visible()


def test_a_finger_takes_back_a_drag_by_the_button_of_its_message(opened, ed, todo, doing, cards):
    shown = opened(ed, touch=True)
    finger, at = Finger(shown), middle(shown.tile(cards[0]))
    finger.carry(at, middle(shown.list(doing)))
    finger.send("touchEnd")
    message = shown.page.locator(".toast")
    expect(message).to_contain_text("Moved to Doing, 1 of 1")
    message.get_by_role("button", name="Undo").click()
    settled(shown, todo, "ABCD")


def test_a_finger_takes_back_a_drag_of_a_list_by_the_button_of_its_message(opened, ed, board, todo, doing):
    shown = opened(ed, touch=True)
    finger, at = Finger(shown), middle(shown.list(todo).locator("h2"))
    finger.carry(at, (box(shown.list(doing))["right"] - 4, at[1]))
    finger.send("touchEnd")
    message = shown.page.locator(".toast")
    expect(message).to_contain_text("“To do” · List moved")
    assert list(List.objects.filter(board=board).order_by("position")) == [doing, todo]
    message.get_by_role("button", name="Undo").click()
    expect(shown.page.locator(".lists > .list[id] h2")).to_have_text(["To do", "Doing"])
    assert list(List.objects.filter(board=board).order_by("position")) == [todo, doing]


def test_a_finger_at_the_side_goes_on_one_list_a_second_and_the_tile_stays_in_sight(
    opened, ed, olga, board, todo, doing, cards
):
    for number in range(4):
        create_list(actor=web(olga), board_id=board.pk, title=f"List {number}")
    shown = opened(ed, touch=True, clock=True)
    page = shown.page
    page.set_viewport_size({"width": 360, "height": 740})
    page.clock.pause_at(page.evaluate("Date.now()") + 1000)
    finger, at = Finger(shown), middle(shown.tile(cards[0]))
    page.evaluate("import('/static/js/drag/drag-now.js')")
    finger.send("touchStart", at)
    page.clock.run_for(400)
    expect(page.locator(".drag-copy")).to_be_visible()
    finger.glide(at, (350, 300))
    row = page.locator(".lists > .list[id] h2")
    seen = []
    for milliseconds in (300, 300, 700, 300):
        page.clock.run_for(milliseconds)
        seen.append(row.evaluate_all(IN_SIGHT))
        copy = box(page.locator(".drag-copy"))
        assert 0 <= copy["left"] < copy["right"] <= 362  # it is turned a little
    assert seen == [["To do"], ["Doing"], ["Doing"], ["List 0"]]
    finger.send("touchEnd")
    wait_on_page(page, lambda: Card.objects.get(pk=cards[0].pk).list != todo, "the card is not moved")
    expect(shown.tile(cards[0])).to_be_in_viewport(ratio=0.99)


def test_a_list_is_dragged_by_its_head(opened, ed, board, todo, doing, olga):
    done = create_list(actor=web(olga), board_id=board.pk, title="Done")
    shown = opened(ed)
    lift(shown, shown.list(done).locator("h2"))
    with shown.page.expect_response(re.compile("/place$")):
        drop(shown, box(shown.list(todo))["left"] + 10, 200)
    expect(shown.page.locator(".lists > .list[id] h2")).to_have_text(["Done", "To do", "Doing"])
    order = List.objects.filter(board=board).order_by("position").values_list("title", flat=True)
    assert list(order) == ["Done", "To do", "Doing"]
    expect(shown.page.locator("details.edit[open]")).to_have_count(0)


def test_live_updates_do_not_pull_away_what_is_dragged_and_are_shown_afterwards(opened, ed, olga, todo, doing, cards):
    """Others move the tile that is dragged, and both neighbours of the place where it will be dropped."""
    a, b, _c, d = cards
    shown = opened(ed)
    lift(shown, shown.tile(d))
    shown.page.mouse.move(*above(shown.tile(b)))
    move_card(actor=web(olga), card_id=a.pk, list_id=doing.pk)
    move_card(actor=web(olga), card_id=d.pk, list_id=doing.pk)
    shown.tell(a, d)
    expect(shown.list(doing).locator(".card")).to_have_count(1)
    expect(shown.page.locator(".drag-copy")).to_be_visible()
    move_card(actor=web(olga), card_id=b.pk, list_id=doing.pk)
    drop(shown, *above(shown.tile(b)))
    settled(shown, todo, "DC")
    shown.tell(b)
    expect(shown.list(doing).locator(".card")).to_have_count(2)
    assert shown_titles(shown, todo) == titles(todo) == "DC"
    assert shown_titles(shown, doing) == titles(doing) == "AB"


def test_a_refused_tile_goes_back_with_the_servers_sentence(opened, ed, olga, board, todo, doing, cards):
    """Ed's role is taken away while he drags, and his page does not know yet."""
    shown = opened(ed)
    lift(shown, shown.tile(cards[0]))
    change_role(actor=web(olga), board_id=board.pk, user_id=ed.pk, role="viewer")
    drop(shown, *middle(shown.list(doing)))
    expect(shown.page.locator(".toast")).to_contain_text("You can view this board but not change it.")
    assert shown_titles(shown, todo) == titles(todo) == "ABCD"


def test_a_tile_that_was_archived_while_it_was_dragged_leaves_with_a_sentence(opened, ed, olga, todo, doing, cards):
    shown = opened(ed)
    lift(shown, shown.tile(cards[0]))
    archive_card(actor=web(olga), card_id=cards[0].pk)
    shown.tell(removed=[("card", cards[0])])
    drop(shown, *middle(shown.list(doing)))
    expect(shown.page.locator(".toast")).to_contain_text("This card is archived.")
    expect(shown.tile(cards[0])).to_have_count(0)


def test_a_tile_goes_back_if_the_connection_is_cut_in_the_middle_of_the_drag(opened, ed, todo, doing, cards):
    shown = opened(ed)
    lift(shown, shown.tile(cards[0]))
    shown.page.context.set_offline(True)
    drop(shown, *middle(shown.list(doing)))
    expect(shown.page.locator(".toast")).to_contain_text("Could not reach the server.")
    assert (shown_titles(shown, todo), shown_titles(shown, doing)) == ("ABCD", "")
    shown.page.context.set_offline(False)
    lift(shown, shown.tile(cards[0]))
    drop(shown, *middle(shown.list(doing)))
    expect(shown.page.locator(".toast.bad")).to_have_count(0)


def test_escape_ends_a_drag_and_nothing_is_sent(opened, ed, todo, doing, cards):
    shown = opened(ed)
    held = held_changes(shown.page)
    lift(shown, shown.tile(cards[0]))
    shown.page.mouse.move(*middle(shown.list(doing)))
    shown.page.keyboard.press("Escape")
    shown.page.mouse.up()
    expect(shown.page.locator(MARKS)).to_have_count(0)
    assert (shown_titles(shown, todo), len(held)) == ("ABCD", 0)
    shown.tile(cards[0]).click()
    expect(shown.page.locator("#open-card")).to_be_visible()


def test_nothing_drags_for_viewers_and_their_text_can_be_selected(opened, vera, todo, cards):
    shown = opened(vera)
    x, y = middle(shown.tile(cards[0]))
    shown.page.mouse.move(x, y)
    shown.page.mouse.down()
    shown.page.mouse.move(x, y + 60, steps=5)
    expect(shown.page.locator(".drag-copy")).to_have_count(0)
    shown.page.mouse.up()


def test_with_alt_the_text_of_a_tile_is_selected(opened, ed, todo, cards):
    shown = opened(ed)
    shown.tile(cards[0]).hover()
    title = box(shown.tile(cards[0]).locator(".title"))
    shown.page.keyboard.down("Alt")
    shown.page.mouse.move(title["left"] + 1, title["top"] + 10)
    shown.page.mouse.down()
    shown.page.mouse.move(title["left"] + 60, title["top"] + 10, steps=5)
    shown.page.mouse.up()
    assert "A" in shown.page.evaluate("getSelection().toString()")
    expect(shown.page.locator(".drag-copy")).to_have_count(0)


def test_at_an_edge_the_lists_scroll(opened, ed, olga, board, todo, doing):
    """The column under the pointer, and the board sideways, at 200 % zoom."""
    create_cards(actor=web(olga), list_id=todo.pk, drafts=[draft_card(title=f"Card {n}") for n in range(15)])
    for number in range(4):
        create_list(actor=web(olga), board_id=board.pk, title=f"List {number}")
    first = Card.objects.filter(list=todo).order_by("position").first()
    shown = opened(ed)
    shown.page.set_viewport_size({"width": 640, "height": 400})
    column, lists = shown.list(todo).locator("ol"), shown.page.locator(".lists")
    lift(shown, shown.tile(first))
    at = box(column)
    shown.page.mouse.move(at["left"] + 40, at["bottom"] - 4)
    shown.page.wait_for_function("e => e.scrollTop + e.clientHeight >= e.scrollHeight - 1", arg=column.element_handle())
    shown.page.mouse.move(at["left"] + 40, at["top"] + 4)
    shown.page.wait_for_function("e => e.scrollTop < 1", arg=column.element_handle())
    is_at_end = "e => e.scrollLeft + e.clientWidth >= e.scrollWidth - 1"
    shown.page.mouse.move(638, 200)
    shown.page.wait_for_function(is_at_end, arg=lists.element_handle())
    shown.page.mouse.move(2, 200)
    shown.page.wait_for_function("e => e.scrollLeft < 1", arg=lists.element_handle())
    shown.page.mouse.move(638, 200)
    shown.page.wait_for_function(is_at_end, arg=lists.element_handle())
    last = List.objects.get(title="List 3")
    drop(shown, *middle(shown.list(last)))
    wait_on_page(shown.page, lambda: Card.objects.get(pk=first.pk).list == last, "the card is not moved")


@pytest.mark.parametrize("is_dropped", [False, True], ids=["while it is dragged", "after the drop"])
def test_the_first_drag_counts_even_if_what_drags_comes_late(opened, ed, todo, doing, cards, is_dropped):
    shown = opened(ed)
    held = Held(shown.page, "**/drag-now.js")
    x, y = middle(shown.tile(cards[0]))
    shown.page.mouse.move(x, y)
    shown.page.mouse.down()
    shown.page.mouse.move(x + 8, y + 8)
    shown.page.mouse.move(*middle(shown.list(doing)))
    if is_dropped:
        shown.page.mouse.up()
    held.let_on()
    if not is_dropped:
        expect(shown.page.locator(".drag-copy")).to_be_visible()
        shown.page.mouse.up()
    settled(shown, doing, "A")
    expect(shown.page.locator(MARKS)).to_have_count(0)
    expect(shown.page.locator("#card-dialog")).not_to_be_visible()


def test_a_finger_whose_role_is_taken_away_meanwhile_puts_the_tile_back(opened, ed, olga, board, todo, doing, cards):
    """The board has no new version, so that nobody else sees the tile move."""
    shown = opened(ed, touch=True)
    finger, at = Finger(shown), middle(shown.tile(cards[0]))
    finger.carry(at, middle(shown.list(doing)))
    change_role(actor=web(olga), board_id=board.pk, user_id=ed.pk, role="viewer")
    before = Board.objects.get(pk=board.pk).version
    finger.send("touchEnd")
    expect(shown.page.locator(".toast")).to_contain_text("You can view this board but not change it.")
    expect(shown.page.locator(MARKS)).to_have_count(0)
    assert shown_titles(shown, todo) == titles(todo) == "ABCD"
    assert Board.objects.get(pk=board.pk).version == before


def test_a_finger_whose_connection_is_cut_meanwhile_puts_the_tile_back(opened, ed, todo, doing, cards):
    shown = opened(ed, touch=True)
    finger, at = Finger(shown), middle(shown.tile(cards[0]))
    finger.carry(at, middle(shown.list(doing)))
    shown.page.context.set_offline(True)
    finger.send("touchEnd")
    expect(shown.page.locator(".toast")).to_contain_text("Could not reach the server.")
    expect(shown.page.locator(MARKS)).to_have_count(0)
    assert (shown_titles(shown, todo), shown_titles(shown, doing)) == (titles(todo), "") == ("ABCD", "")


def test_who_watches_sees_where_a_finger_drops_a_tile(opened, ed, olga, board, todo, doing, cards):
    watching = opened(olga)
    shown = opened(ed, touch=True)
    since = board.version
    finger, at = Finger(shown), middle(shown.tile(cards[0]))
    finger.carry(at, middle(shown.list(doing)))
    late = create_card(actor=web(olga), list_id=doing.pk, title="E")
    for one in (shown, watching):
        one.socket.send(changes_since(board.pk, since, "en", None, MEMBERS).text)
        expect(one.tile(late)).to_be_visible()
    assert shown_titles(watching, todo) == "ABCD", "nothing is told before the drop"
    finger.send("touchEnd")
    wait_on_page(shown.page, lambda: Card.objects.get(pk=cards[0].pk).list == doing, "the card is not moved")
    watching.socket.send(changes_since(board.pk, late.version, "en", None, MEMBERS).text)
    expect(watching.list(doing).locator(".card")).to_have_count(2)
    assert shown_titles(watching, doing) == shown_titles(shown, doing) == titles(doing)
    assert shown_titles(watching, todo) == shown_titles(shown, todo) == titles(todo) == "BCD"
