"""How the start page and a board look in Chromium, on desktops, tablets and phones."""

from itertools import combinations
from math import dist

import pytest
from playwright.sync_api import expect

from boards.actions.cards.card import complete_card, create_card, update_card
from boards.actions.cards.labels import add_label, create_label
from boards.actions.lists.list import create_list
from conftest import web
from web.tests.looking import box, contrast, is_in_window, oklab, style, widest

pytestmark = pytest.mark.django_db(transaction=True)

ADDRESS = "https://example.com/a/very/long/address/that/nothing/breaks?" + "and=parameters&" * 10


def test_an_address_as_the_title_of_a_new_card_stays_inside_its_list(show, ed, board, todo):
    page = show(board.get_absolute_url(), ed)
    page.get_by_text("Add card").click()
    field = page.locator("textarea[name^=new-]")
    field.fill(ADDRESS)
    assert box(field)["right"] <= box(page.locator(f"#list-{todo.pk}"))["right"]
    assert widest(page, ".lists") <= 0


def test_the_first_letter_typed_after_add_card_is_not_lost(show, ed, board, todo):
    page = show(board.get_absolute_url(), ed)
    has_focus = page.get_by_text("Add card").evaluate(
        "button => { button.click(); return document.activeElement.name?.startsWith('new-') }"
    )
    assert has_focus


def test_there_is_no_gap_under_add_card(show, ed, board, todo):
    page = show(board.get_absolute_url(), ed)
    details = box(page.locator("details.newcard"))
    button = box(page.locator("details.newcard > summary"))
    assert details["bottom"] == button["bottom"]


def test_a_tablet_shows_several_lists(show, ed, board, todo, doing):
    create_list(actor=web(ed), board_id=board.pk, title="Third")
    page = show(board.get_absolute_url(), ed)
    for width, lists in ((768, 2), (1024, 3)):
        page.set_viewport_size({"width": width, "height": 800})
        assert sum(is_in_window(row) for row in page.locator(".list[id]").all()) == lists


def test_a_phone_shows_one_list_at_a_time(show, ed, board, todo, doing):
    page = show(board.get_absolute_url(), ed, width=360)
    assert [is_in_window(row) for row in page.locator(".list[id]").all()] == [True, False]
    assert style(page.locator(".lists"), "scrollSnapType") == "x mandatory"


def test_renaming_a_list_that_is_out_of_view_does_not_widen_the_page(show, ed, board, todo, doing):
    third = create_list(actor=web(ed), board_id=board.pk, title="Third")
    page = show(board.get_absolute_url(), ed, width=360)
    page.locator(f"#list-{third.pk} h2").evaluate("title => title.click()")
    page.locator(f"#list-{third.pk} textarea").first.wait_for(state="attached")
    assert widest(page, "html") == 0


def test_hovering_a_tile_is_not_the_ring_of_the_focus(show, ed, board, todo, card):
    page = show(board.get_absolute_url(), ed)
    tile = page.locator(f"#card-{card.pk}")
    tile.hover()
    accent = style(page.locator(".button.primary").first, "backgroundColor")
    assert accent not in style(tile, "boxShadow")
    page.keyboard.press("Tab")
    tile.locator(".title").focus()
    assert style(tile, "outlineStyle") == "solid"


def test_a_tile_shows_its_number_only_to_the_pointer_and_the_focus(show, ed, board, todo, card):
    page = show(board.get_absolute_url(), ed)
    number = page.locator(f"#card-{card.pk} .number")
    assert style(number, "opacity") == "0"
    page.locator(f"#card-{card.pk}").hover()
    assert style(number, "opacity") == "1"
    page.mouse.move(0, 0)
    page.locator(f"#card-{card.pk} .title").focus()
    assert style(number, "opacity") == "1"


def test_labels_are_lighter_than_titles(show, ed, board, todo, card):
    add_label(actor=web(ed), card_id=card.pk, label_id=create_label(actor=web(ed), board_id=board.pk, name="Bug").pk)
    page = show(board.get_absolute_url(), ed)
    label = page.locator(f"#card-{card.pk} .label")
    assert int(style(label, "fontWeight")) <= 500
    assert box(label)["bottom"] - box(label)["top"] <= 22


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_twelve_colours_are_far_enough_apart_and_readable(show, ed, board, theme):
    page = show(board.get_absolute_url(), ed, theme=theme)
    colours = page.evaluate(
        """() => {
            const measure = (name, hue) => {
                const element = document.body.appendChild(document.createElement("i"))
                element.className = `hue-${hue}`
                element.style.color = `color(from var(${name}) srgb r g b)`
                const numbers = getComputedStyle(element).color.match(/-?[\\d.]+(e-?\\d+)?/g).map(Number)
                element.remove()
                return numbers.slice(0, 3)
            }
            const all = (name) => Array.from({ length: 12 }, (_, index) => measure(name, index + 1))
            return { tint: all("--hue-tint"), soft: all("--hue-soft"), ink: all("--hue-ink") }
        }"""
    )
    assert min(dist(oklab(one), oklab(other)) for one, other in combinations(colours["tint"], 2)) > 0.07
    assert min(dist(oklab(one), oklab(other)) for one, other in combinations(colours["soft"], 2)) > 0.03
    assert min(contrast(ink, soft) for ink, soft in zip(colours["ink"], colours["soft"], strict=True)) > 4.5


def test_japanese_on_the_start_page_breaks_between_phrases(chrome, live_server):
    page = chrome.new_page(base_url=live_server.url, locale="ja-JP")
    page.goto("/")
    texts = page.locator("h1, .lead, .points :is(h2, p)").all()
    assert {style(text, "wordBreak") for text in texts} == {"auto-phrase"}
    page.close()


def test_a_done_card_is_struck_and_lies_lower_than_the_others(show, ed, board, todo, card):
    complete_card(actor=web(ed), card_id=card.pk)
    create_card(actor=web(ed), list_id=todo.pk, title="Another")
    page = show(board.get_absolute_url(), ed)
    done, other = page.locator(f"#card-{card.pk}"), page.locator(".card:not(.done)")
    assert "line-through" in style(done.locator(".title"), "textDecorationLine")
    assert style(done, "backgroundColor") != style(other, "backgroundColor")


def test_the_bar_of_a_board_is_tinted_in_its_colour(show, olga, board, todo):
    page = show(board.get_absolute_url(), olga)
    bar = page.locator(".boardbar")
    tints = []
    for hue in (1, 8):
        page.locator("#board-head").evaluate("(head, hue) => { head.className = `board-head titled hue-${hue}` }", hue)
        tints.append(page.locator("#board-head").evaluate("e => getComputedStyle(e, '::after').backgroundColor"))
    assert len(set(tints)) == 2
    assert page.locator("#board-head").evaluate("e => getComputedStyle(e, '::after').width") == style(bar, "width")


def test_the_members_are_said_once_beside_the_menu(show, ed, board, todo):
    page = show(board.get_absolute_url(), ed)
    links = page.locator(".boardbar a[href$='/members']")
    assert [link.is_visible() for link in links.all()] == [True, False]
    assert links.first.locator(".avatar").count() >= 2


def test_on_paper_a_board_is_its_lists_and_a_card_is_whole(show, ed, board, todo, card):
    add_label(actor=web(ed), card_id=card.pk, label_id=create_label(actor=web(ed), board_id=board.pk, name="Bug").pk)
    update_card(actor=web(ed), card_id=card.pk, description="A paragraph.\n\n" * 60)
    page = show(board.get_absolute_url(), ed)
    page.emulate_media(media="print")
    assert page.locator("h2", has_text="To do").is_visible()
    assert page.locator(f"#card-{card.pk} .label").is_visible()
    for hidden in (".topbar", ".boardbar .menu", ".list > footer"):
        assert not page.locator(hidden).first.is_visible()
    page = show(card.get_absolute_url(), ed)
    page.emulate_media(media="print")
    assert not page.locator(".lists").is_visible()
    assert not page.locator(".corner").is_visible()
    dialog = page.locator("#card-dialog")
    assert style(dialog, "overflow") == "visible"
    assert box(page.locator(".prose p").last)["bottom"] <= box(dialog)["bottom"]


def test_the_first_line_of_descriptions_is_shown_by_choice_and_the_choice_is_kept(show, ed, board, todo, card):
    update_card(actor=web(ed), card_id=card.pk, description="What it is <b>about</b>\n\nAnd more.")
    page = show(board.get_absolute_url(), ed)
    line = page.locator(f"#card-{card.pk} .excerpt")
    assert not line.is_visible()
    page.get_by_label("Board menu").click()
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        page.get_by_role("button", name="Descriptions on cards").click()
    expect(line).to_be_visible()
    assert line.inner_text() == "What it is <b>about</b>"
    page.reload()
    expect(line).to_be_visible()
    expect(page.get_by_role("button", name="Descriptions on cards", include_hidden=True)).to_have_attribute(
        "aria-pressed", "true"
    )


def test_on_a_phone_the_menu_of_the_board_is_beside_its_title(show, ed, board):
    page = show(f"{board.get_absolute_url()}?q=x", ed, width=360)
    middle = "element => { const { top, bottom } = element.getBoundingClientRect(); return (top + bottom) / 2 }"
    title = page.locator("#board-head h1").evaluate(middle)
    assert abs(page.get_by_label("Board menu").evaluate(middle) - title) < 2
