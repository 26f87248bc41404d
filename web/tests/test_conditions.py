"""A board under the settings that people have: 200 % zoom, reduced motion, forced colors; moved by keys while another watches."""

import pytest
from playwright.sync_api import expect

from boards.actions.cards.assignments import assign
from boards.actions.cards.card import create_card
from boards.actions.cards.checklists import add_item, create_checklist
from boards.models import Card
from boards.reader import MEMBERS
from conftest import run_jobs, web
from web.live.catchup import changes_since
from web.tests.looking import is_in_window, style
from web.tests.open_board import OpenBoard

pytestmark = pytest.mark.django_db(transaction=True)

STICKS_OUT = """() => [...document.querySelectorAll("dialog:modal, [popover]:popover-open")].filter((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect()
    return left < 0 || top < 0 || right > innerWidth || bottom > innerHeight
}).length + (document.documentElement.scrollWidth > innerWidth)"""


@pytest.mark.parametrize(
    "keys, opens",
    [
        (["?"], "#help:modal"),
        (["Control+k"], "#command-palette:modal"),
        (["j", "m"], "#move-dialog:modal"),
        (["j", "Tab", "Enter"], "#tile-menu:popover-open"),
        (["j", "Enter"], "#card-dialog:modal"),
    ],
    ids=["help", "palette", "move to", "menu of a tile", "card"],
)
def test_at_200_percent_what_opens_over_a_board_fits_the_window(opened, ed, card, keys, opens):
    """A window of 1280 by 800 has half as many pixels then."""
    shown = opened(ed)
    shown.page.set_viewport_size({"width": 640, "height": 400})
    for key in keys:
        shown.page.keyboard.press(key)
    expect(shown.page.locator(opens)).to_be_visible()
    assert shown.page.evaluate(STICKS_OUT) == 0


def test_at_200_percent_the_share_dialog_and_the_menus_of_the_board_fit_the_window(opened, olga, card):
    page = opened(olga).page
    page.set_viewport_size({"width": 720, "height": 450})
    page.get_by_label("Board menu").click()
    assert is_in_window(page.locator(".boardbar > .menu[open] > .items"))
    page.keyboard.press("Escape")
    page.keyboard.press("f")
    expect(page.locator(".filter-panel")).to_be_visible()
    assert is_in_window(page.locator(".filter-panel"))
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Share", exact=True).click()
    expect(page.locator("#share-dialog:modal")).to_be_visible()
    assert page.evaluate(STICKS_OUT) == 0


def test_with_reduced_motion_nothing_moves_when_a_card_arrives_or_a_dialog_opens(opened, ed, olga, todo, card):
    """The pages of these tests ask for it."""
    shown = opened(ed)
    arrived = create_card(actor=web(olga), list_id=todo.pk, title="New")
    shown.tell(arrived)
    expect(shown.tile(arrived)).to_be_visible()
    shown.tile(card).locator(".title").focus()
    shown.page.keyboard.press("Enter")
    expect(shown.page.locator("#card-dialog:modal")).to_be_visible()
    long = "() => document.getAnimations().filter((one) => one.effect.getComputedTiming().duration > 10).length"
    assert shown.page.evaluate(long) == 0


def outline(shown: OpenBoard, selector: str) -> str:
    return shown.page.locator(selector).first.evaluate("e => getComputedStyle(e).outlineStyle")


def test_with_forced_colors_the_focus_is_seen(opened, ed, card):
    shown = opened(ed)
    shown.page.emulate_media(forced_colors="active")
    assert outline(shown, ".list[id] .card") == "none"
    shown.page.keyboard.press("j")
    expect(shown.tile(card).locator(".title")).to_be_focused()
    assert outline(shown, ".list[id] .card") != "none"


def test_with_forced_colors_edges_the_current_page_and_the_chosen_color_are_seen(opened, olga, board):
    page = opened(olga).page
    page.goto(f"/board/{board.pk}/settings")
    page.emulate_media(forced_colors="active")
    assert style(page.locator(".panel").first, "borderTopStyle") == "solid"
    here, elsewhere = (page.locator(f".tabs a{one}").first for one in ("[aria-current]", ":not([aria-current])"))
    assert style(here, "backgroundColor") != style(elsewhere, "backgroundColor")
    chosen, other = (page.locator(f".palette label{one}").first for one in (":has(:checked)", ":not(:has(:checked))"))
    assert style(chosen, "boxShadow") != style(other, "boxShadow")
    assert style(chosen, "backgroundColor") != style(other, "backgroundColor")


@pytest.mark.parametrize(
    ("address", "links"), [("/my", ".which > a"), ("/my/table", ".which > a"), ("/search", ".topbar > a")]
)
def test_with_forced_colors_the_chosen_cards_and_the_page_at_hand_are_seen(show, ed, board, address, links):
    page = show(address, ed, width=360, wired="")
    page.emulate_media(forced_colors="active")
    here, elsewhere = page.locator(f"{links}[aria-current]"), page.locator(".topbar .bell > .button")
    assert style(here, "backgroundColor") != style(elsewhere, "backgroundColor")


def test_with_forced_colors_the_chosen_row_of_the_inbox_is_seen(show, ed, olga, board, card):
    assign(actor=web(olga), card_id=card.pk, user_id=ed.pk)
    run_jobs()
    page = show(f"/notifications?card={card.pk}", ed, width=1280)
    page.emulate_media(forced_colors="active")
    assert style(page.locator(".told[aria-current]"), "outlineStyle") == "solid"


def test_with_forced_colors_a_selected_card_a_filter_and_progress_are_seen(opened, ed, card):
    steps = create_checklist(actor=web(ed), card_id=card.pk, title="Steps")
    add_item(actor=web(ed), checklist_id=steps.pk, text="One")
    page = opened(ed).page
    page.emulate_media(forced_colors="active")
    tile, rest = page.locator(f"#card-{card.pk}"), style(page.locator(f"#card-{card.pk}"), "outlineStyle")
    page.keyboard.press("j")
    page.keyboard.press("x")
    expect(tile).to_contain_class("selected")
    page.mouse.move(0, 0)
    page.keyboard.press("f")
    expect(page.locator(".filter-panel")).to_be_visible()
    assert style(tile, "outlineStyle") != rest
    assert style(page.locator(".filter-panel"), "borderTopStyle") == "solid"
    page.goto(card.get_absolute_url())
    assert style(page.locator("#open-card .progress"), "borderTopStyle") == "solid"


def test_who_watches_sees_where_keys_move_a_tile(opened, ed, olga, board, todo, doing, card):
    watching, shown = opened(olga), opened(ed)
    shown.tile(card).locator(".title").focus()
    with shown.page.expect_response("**/cards"):
        shown.page.keyboard.press("Alt+ArrowRight")
    expect(shown.list(doing).locator(".card")).to_have_count(1)
    assert Card.objects.get(pk=card.pk).list_id == doing.pk
    watching.socket.send(changes_since(board.pk, board.version, "en", None, MEMBERS).text)
    expect(watching.list(doing).locator(".card")).to_have_count(1)
    expect(watching.list(todo).locator(".card")).to_have_count(0)
