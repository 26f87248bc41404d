"""The one tile that keys mean: the rule over seeded sequences of what happens, and the page that follows it."""

import json
import random

import pytest
from playwright.sync_api import Locator, expect

from boards.actions.cards.archive import archive_card
from boards.actions.cards.card import create_cards, draft_card
from boards.models import Card
from conftest import web
from taskboard.tests.waiting import wait_on_page
from web.tests.looking import box
from web.tests.open_board import OpenBoard

pytestmark = pytest.mark.django_db(transaction=True)

FOLLOW = """async (sequences) => {
  const { NOTHING, next } = await import("/static/js/board/meant.js")
  return JSON.stringify(JSON.parse(sequences).map((sequence) => {
    let state = NOTHING
    return sequence.map(([type, tile]) => (state = next(state, { type, tile })).tile)
  }))
}"""
LISTEN = """() => {
  window.told = []
  document.addEventListener("board:done", (event) => {
    event.stopImmediatePropagation()
    told.push(event.detail.card)
  }, { capture: true })
}"""

TILES = ["A", "B", "C", "D"]
SEQUENCES, STEPS = 10_000, 30
KINDS = ["point", "point", "point", "scroll", "slide", "focus", "focus", "open", "lift", "gone"]
ENDS = {"open": "close", "lift": "drop"}
DIALOGS = {*ENDS, *ENDS.values()}

Happened = tuple[str, str | None]


def sequence(chance: random.Random) -> list[Happened]:
    """Return what may happen on a page: what is opened is closed, and what is lifted is dropped."""
    made: list[Happened] = []
    above: Happened | None = None
    while len(made) < STEPS:
        if above and chance.random() < 0.4:
            made.append((ENDS[above[0]], above[1]))
            above = None
            continue
        kind = chance.choice(KINDS)
        tile = chance.choice(TILES if kind in ("open", "lift", "gone") else [*TILES, None])
        if kind in ENDS:
            if above:
                continue
            above = (kind, tile)
        made.append((kind, tile))
    return made


def wrong(made: list[Happened], meant: list[str | None]) -> list[str]:
    """Return what is wrong with the tiles that were meant after each happening of a sequence."""
    found: list[str] = []
    is_above, has_focus = False, False
    last: Happened = ("point", None)
    was: str | None = None
    for (kind, tile), now in zip(made, meant, strict=True):
        is_decided = kind in ("point", "focus") and tile is not None
        if kind in DIALOGS:
            expected = {tile}
        elif kind == "gone":
            expected = {None if was == tile else was}
        elif is_above or (kind == "slide" and was):
            expected = {was}
        elif is_decided:
            expected = {tile}
        elif kind in ("point", "scroll") and last[0] in ("close", "drop"):
            expected = {was}
        elif kind in ("point", "scroll") and last[0] == "point" and last[1] and not has_focus:
            expected = {tile}
        else:
            expected = {was, tile, None}
        if now not in expected:
            found.append(f"{kind} {tile} after {last} and {was}: {now}")
        is_above = kind in ENDS or (is_above and kind not in DIALOGS)
        has_focus = has_focus or kind in ("focus", "close")
        last, was = (kind, tile), now
    return found


def test_over_10_000_sequences_the_last_happening_says_which_tile_is_meant(opened, ed):
    chance = random.Random(20261126)
    sequences = [sequence(chance) for _ in range(SEQUENCES)]
    meant = json.loads(opened(ed).page.evaluate(FOLLOW, json.dumps(sequences)))  # as text: quicker by far
    found = [error for made, tiles in zip(sequences, meant, strict=True) for error in wrong(made, tiles)]
    assert found[:5] == []
    assert {tile for tiles in meant for tile in tiles} == {*TILES, None}


@pytest.fixture
def cards(todo, doing, ed) -> list[Card]:
    drafts = [draft_card(title=f"Card {number}") for number in range(4)]
    return [
        *create_cards(actor=web(ed), list_id=todo.pk, drafts=drafts),
        *create_cards(actor=web(ed), list_id=doing.pk, drafts=drafts),
    ]


class Hand:
    """A mouse that never rests at the same point twice: a resting one decides nothing."""

    def __init__(self, shown: OpenBoard, chance: random.Random) -> None:
        self.shown, self.chance, self.number = shown, chance, 0

    def inside(self, element: Locator) -> tuple[float, float]:
        at = box(element)
        self.number += 1
        return at["left"] + 40 + self.number % 40, at["top"] + 8 + self.number % 20

    def point(self, element: Locator) -> None:
        self.shown.page.mouse.move(*self.inside(element))

    def drag(self, tile: Locator, to: Locator) -> None:
        x, y = self.inside(tile)
        self.shown.page.mouse.move(x, y)
        self.shown.page.mouse.down()
        self.shown.page.mouse.move(x + 9, y + 9)
        expect(self.shown.page.locator(".drag-copy")).to_be_visible()
        self.shown.page.mouse.move(*self.inside(to))
        self.shown.page.mouse.up()
        expect(self.shown.page.locator(".drag-copy")).to_have_count(0)


def focused(shown: OpenBoard) -> str | None:
    return shown.page.evaluate("document.activeElement.closest('.card')?.id ?? null")


def expect_meant(shown: OpenBoard, tile: str | None) -> None:
    """Expect that tile to look meant, no other one, and letters to mean its card."""
    assert shown.page.evaluate("[...document.querySelectorAll('.card.meant')].map((tile) => tile.id)") == (
        [tile] if tile else []
    )
    ringed = "[...document.querySelectorAll('.card')].filter((tile) => getComputedStyle(tile).outlineStyle !== 'none')"
    assert shown.page.evaluate(f"{ringed}.map((tile) => tile.id)") == ([tile] if tile else [])
    shown.page.evaluate("told.length = 0")
    shown.page.keyboard.press("c")
    if tile:  # scripts that come later may hold it for a moment (later.js)
        wait_on_page(shown.page, lambda: shown.page.evaluate("told.length"))
    assert shown.page.evaluate("told") == ([tile.removeprefix("card-")] if tile else [])


def step(hand: Hand, kind: str, cards: list[Card]) -> str | None:
    """Do it, and return the tile that is meant afterwards."""
    shown, page = hand.shown, hand.shown.page
    tile = shown.tile(hand.chance.choice(cards))
    name = str(tile.get_attribute("id"))
    if kind == "point":
        hand.point(tile)
    elif kind == "arrow":
        page.keyboard.press(hand.chance.choice(["ArrowDown", "ArrowUp", "ArrowLeft", "ArrowRight"]))
        return focused(shown)
    elif kind in ("click", "enter"):
        hand.point(tile)
        if kind == "click":
            page.mouse.down()
            page.mouse.up()
        else:
            page.keyboard.press("Enter")
        expect(page.locator("#open-card")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.locator("dialog:modal")).to_have_count(0)
    elif kind == "drag":
        hand.drag(tile, shown.tile(hand.chance.choice(cards)))
    return name


def test_in_forty_steps_exactly_the_tile_that_keys_mean_looks_meant(opened, ed, cards):
    shown = opened(ed)
    shown.page.evaluate(LISTEN)
    hand = Hand(shown, random.Random(41))
    expect_meant(shown, None)
    for _ in range(8):
        for kind in hand.chance.sample(["point", "arrow", "click", "enter", "drag"], 5):
            expect_meant(shown, step(hand, kind, cards))


def test_the_pointed_tile_is_meant_after_another_one_was_opened_and_closed(opened, ed, cards):
    shown = opened(ed)
    shown.tile(cards[0]).click()
    expect(shown.page.locator("#open-card")).to_be_visible()
    shown.page.keyboard.press("Escape")
    expect(shown.page.locator("dialog:modal")).to_have_count(0)
    shown.tile(cards[2]).hover()
    shown.page.keyboard.press("e")
    expect(shown.tile(cards[2])).to_have_count(0)
    expect(shown.tile(cards[0])).to_have_count(1)


def test_off_all_tiles_nothing_is_meant_and_letters_do_nothing(opened, ed, cards, todo):
    shown = opened(ed)
    shown.page.evaluate(LISTEN)
    shown.tile(cards[0]).hover()
    shown.list(todo).locator("h2").hover()
    expect_meant(shown, None)


def test_arrows_go_on_from_the_tile_under_the_pointer(opened, ed, cards):
    shown = opened(ed)
    shown.tile(cards[1]).hover()
    shown.page.keyboard.press("ArrowDown")
    expect(shown.tile(cards[2]).locator(".title")).to_be_focused()
    shown.page.keyboard.press("j")
    expect(shown.tile(cards[3]).locator(".title")).to_be_focused()


def test_the_tile_that_comes_under_a_resting_pointer_is_meant_when_the_other_was_archived(opened, ed, cards):
    shown = opened(ed)
    shown.tile(cards[1]).hover()
    shown.page.keyboard.press("e")
    expect(shown.tile(cards[2])).to_have_class("card meant")


def test_a_tile_that_others_push_away_from_the_pointer_stays_meant(opened, ed, olga, cards):
    shown = opened(ed)
    shown.tile(cards[1]).hover()
    archive_card(actor=web(olga), card_id=cards[0].pk)
    shown.tell(removed=[("card", cards[0])])
    expect(shown.tile(cards[0])).to_have_count(0)
    shown.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    expect(shown.tile(cards[1])).to_have_class("card meant")


def test_the_tile_under_the_pointer_is_meant_when_the_wheel_turns(opened, ed, todo):
    drafts = [draft_card(title=f"Card {number}") for number in range(40)]
    made = create_cards(actor=web(ed), list_id=todo.pk, drafts=drafts)
    shown = opened(ed)
    shown.tile(made[3]).hover()
    shown.page.mouse.wheel(0, 400)
    under = (
        "() => document.querySelector('.card:hover')?.matches('.meant') && document.querySelectorAll('.meant').length"
    )
    shown.page.wait_for_function(f"() => document.querySelector('#list-{todo.pk} > ol').scrollTop >= 400")
    shown.page.wait_for_function(under)
    expect(shown.tile(made[3])).to_have_class("card")


def test_a_resting_pointer_takes_nothing_from_the_arrows(opened, ed, todo):
    drafts = [draft_card(title=f"Card {number}") for number in range(40)]
    made = create_cards(actor=web(ed), list_id=todo.pk, drafts=drafts)
    shown = opened(ed)
    shown.tile(made[3]).hover()
    shown.page.keyboard.press("ArrowDown")
    shown.page.keyboard.press("End")  # the list scrolls below the pointer
    expect(shown.tile(made[-1]).locator(".title")).to_be_in_viewport()
    expect(shown.tile(made[-1])).to_have_class("card meant")


def test_the_focus_follows_the_pointer_from_tile_to_tile_alone(opened, ed, cards, todo):
    shown = opened(ed)
    shown.page.keyboard.press("j")
    shown.tile(cards[2]).hover()
    expect(shown.tile(cards[2]).locator(".title")).to_be_focused()
    shown.list(todo).get_by_text("Add card").click()
    shown.page.keyboard.type("Mine")
    shown.tile(cards[1]).hover()
    expect(shown.list(todo).locator("textarea[name^=new-]")).to_be_focused()


def test_the_menu_and_the_circle_of_a_tile_are_on_the_one_that_is_meant(opened, ed, cards):
    shown = opened(ed)
    shown.tile(cards[1]).hover()
    shown.page.keyboard.press("ArrowDown")
    for tool in (".tile-more", ".done-circle"):
        expect(shown.tile(cards[2]).locator(tool)).to_have_count(1)
        expect(shown.tile(cards[1]).locator(tool)).to_have_count(0)


def test_no_letter_does_anything_to_a_card_while_one_is_dragged(opened, ed, cards):
    shown = opened(ed)
    shown.page.evaluate(LISTEN)
    at = box(shown.tile(cards[0]))
    shown.page.mouse.move(at["left"] + 50, at["top"] + 10)
    shown.page.mouse.down()
    shown.page.mouse.move(at["left"] + 60, at["top"] + 20)
    expect(shown.page.locator(".drag-copy")).to_be_visible()
    shown.page.keyboard.press("c")
    assert shown.page.evaluate("told") == []
    shown.page.keyboard.press("Escape")
    shown.page.mouse.up()
    shown.page.keyboard.press("c")
    assert shown.page.evaluate("told") == [str(cards[0].pk)]


def test_enter_opens_the_tile_that_was_dropped(opened, ed, cards):
    shown = opened(ed)
    hand = Hand(shown, random.Random(1))
    hand.drag(shown.tile(cards[0]), shown.tile(cards[2]))
    shown.page.keyboard.press("Enter")
    expect(shown.page.locator(f'#open-card[data-card="{cards[0].pk}"]')).to_be_visible()


def test_on_an_empty_board_nothing_is_meant(opened, ed, todo):
    shown = opened(ed)
    shown.page.evaluate(LISTEN)
    shown.page.keyboard.press("ArrowDown")
    expect_meant(shown, None)
