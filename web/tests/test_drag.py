"""Dragging tiles and lists by mouse and by finger, in Chromium."""

import re

import pytest
from playwright.sync_api import Locator, expect

from boards.actions.cards.archive import archive_card
from boards.actions.cards.card import create_card, create_cards, draft_card
from boards.actions.cards.moves import move_card
from boards.actions.lists.list import create_list
from boards.actions.people.members import change_role
from boards.models import Board, Card, List
from boards.reader import MEMBERS
from conftest import web
from web.live.catchup import changes_since
from web.tests.held import Held, held_changes
from web.tests.looking import box
from web.tests.open_board import OpenBoard

pytestmark = pytest.mark.django_db(transaction=True)


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
    expect(shown.page.locator(".toast").last).to_contain_text("Moved to Doing, 1 of 1")
    assert (titles(todo), titles(doing)) == ("CAD", "B")
    expect(shown.page.locator("#card-dialog")).not_to_be_visible()


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


def test_a_finger_scrolls_and_drags_after_a_long_press(opened, ed, olga, todo, doing):
    create_cards(actor=web(olga), list_id=todo.pk, drafts=[draft_card(title=f"Card {n}") for n in range(40)])
    first = Card.objects.filter(list=todo).order_by("position").first()
    shown = opened(ed, touch=True)
    finger, column = Finger(shown), shown.list(todo).locator("ol")
    at = middle(shown.tile(first))
    finger.send("touchStart", (at[0], at[1] + 300))
    finger.glide((at[0], at[1] + 300), at)
    finger.send("touchEnd")
    expect(shown.page.locator(".drag-copy")).to_have_count(0)
    shown.page.wait_for_function("column => column.scrollTop > 100", arg=column.element_handle())
    column.evaluate(STOP_SCROLLING)
    finger.send("touchStart", at)
    expect(shown.page.locator(".drag-copy")).to_be_visible()
    finger.glide(at, middle(shown.list(doing)))
    finger.send("touchEnd")
    expect(shown.page.locator(".toast")).to_contain_text("Moved to Doing, 1 of 1")
    assert column.evaluate("column => column.scrollTop") == 0
    assert Card.objects.get(pk=first.pk).list == doing
    expect(shown.page.locator("#card-dialog")).not_to_be_visible()


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
    expect(shown.page.locator(".toast")).to_contain_text("Moved to To do, 1 of 2")
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


def test_escape_ends_a_drag_and_nothing_is_sent(opened, ed, todo, doing, cards):
    shown = opened(ed)
    held = held_changes(shown.page)
    lift(shown, shown.tile(cards[0]))
    shown.page.mouse.move(*middle(shown.list(doing)))
    shown.page.keyboard.press("Escape")
    shown.page.mouse.up()
    expect(shown.page.locator(".drag-copy, .drop-line, .lifted")).to_have_count(0)
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
    expect(shown.page.locator(".toast")).to_contain_text("Moved to List 3, 1 of 1")


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
    expect(shown.page.locator(".toast")).to_contain_text("Moved to Doing, 1 of 1")
    expect(shown.page.locator(".drag-copy, .drop-line, .lifted")).to_have_count(0)
    expect(shown.page.locator("#card-dialog")).not_to_be_visible()


def test_a_finger_whose_role_is_taken_away_meanwhile_puts_the_tile_back(opened, ed, olga, board, todo, doing, cards):
    """The board has no new version, so that nobody else sees the tile move."""
    shown = opened(ed, touch=True)
    finger, at = Finger(shown), middle(shown.tile(cards[0]))
    finger.send("touchStart", at)
    expect(shown.page.locator(".drag-copy")).to_be_visible()
    finger.glide(at, middle(shown.list(doing)))
    change_role(actor=web(olga), board_id=board.pk, user_id=ed.pk, role="viewer")
    before = Board.objects.get(pk=board.pk).version
    finger.send("touchEnd")
    expect(shown.page.locator(".toast")).to_contain_text("You can view this board but not change it.")
    expect(shown.page.locator(".drag-copy, .drop-line, .lifted")).to_have_count(0)
    assert shown_titles(shown, todo) == titles(todo) == "ABCD"
    assert Board.objects.get(pk=board.pk).version == before


def test_a_finger_whose_connection_is_cut_meanwhile_puts_the_tile_back(opened, ed, todo, doing, cards):
    shown = opened(ed, touch=True)
    finger, at = Finger(shown), middle(shown.tile(cards[0]))
    finger.send("touchStart", at)
    expect(shown.page.locator(".drag-copy")).to_be_visible()
    finger.glide(at, middle(shown.list(doing)))
    shown.page.context.set_offline(True)
    finger.send("touchEnd")
    expect(shown.page.locator(".toast")).to_contain_text("Could not reach the server.")
    expect(shown.page.locator(".drag-copy, .drop-line, .lifted")).to_have_count(0)
    assert (shown_titles(shown, todo), shown_titles(shown, doing)) == (titles(todo), "") == ("ABCD", "")


def test_who_watches_sees_where_a_finger_drops_a_tile(opened, ed, olga, board, todo, doing, cards):
    watching = opened(olga)
    shown = opened(ed, touch=True)
    since = board.version
    finger, at = Finger(shown), middle(shown.tile(cards[0]))
    finger.send("touchStart", at)
    expect(shown.page.locator(".drag-copy")).to_be_visible()
    finger.glide(at, middle(shown.list(doing)))
    late = create_card(actor=web(olga), list_id=doing.pk, title="E")
    for one in (shown, watching):
        one.socket.send(changes_since(board.pk, since, "en", None, MEMBERS).text)
        expect(one.tile(late)).to_be_visible()
    assert shown_titles(watching, todo) == "ABCD", "nothing is told before the drop"
    finger.send("touchEnd")
    expect(shown.page.locator(".toast")).to_contain_text("Moved to Doing")
    watching.socket.send(changes_since(board.pk, late.version, "en", None, MEMBERS).text)
    expect(watching.list(doing).locator(".card")).to_have_count(2)
    assert shown_titles(watching, doing) == shown_titles(shown, doing) == titles(doing)
    assert shown_titles(watching, todo) == shown_titles(shown, todo) == titles(todo) == "BCD"
