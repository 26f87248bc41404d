"""The look of the start page and a board in Chromium, on desktops, tablets and phones."""

import re
from datetime import date, timedelta
from itertools import combinations
from math import dist

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from boards.actions.boards.board import update_board
from boards.actions.cards.card import complete_card, create_card, update_card
from boards.actions.cards.labels import add_label, create_label
from boards.actions.lists.list import create_list
from conftest import join, person, web
from web.tests.looking import box, contrast, is_in_window, lines_of, oklab, style, widest

pytestmark = pytest.mark.django_db(transaction=True)

ADDRESS = "https://example.com/a/very/long/address/that/nothing/breaks?" + "and=parameters&" * 10


@pytest.fixture
def many(ed, todo):
    """More tiles than a window and what is near it hold."""
    for number in range(60):
        create_card(actor=web(ed), list_id=todo.pk, title=f"Card {number}")


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


def test_a_tablet_names_sharing_and_the_search_in_words(show, olga, board):
    page = show(board.get_absolute_url(), olga, width=768)
    for words in (page.locator(".boardbar .button[data-share] > span"), page.locator(".jump > input")):
        assert is_in_window(words)
        assert box(words)["right"] - box(words)["left"] > 30


def test_a_long_title_takes_three_lines_of_a_phone_and_its_buttons_stay_beside_it(show, olga, board):
    title = "Donaudampfschifffahrtsgesellschaft: " + "Veröffentlichung " * 6
    update_board(actor=web(olga), board_id=board.pk, title=title)
    page = show(board.get_absolute_url(), olga, width=390)
    title, menu = page.locator("#board-head h1"), page.get_by_label("Board menu")
    assert lines_of(title) == 3
    expect(title).to_have_attribute("title", re.compile("^Donaudampfschiff"))
    assert box(menu)["top"] < box(title)["bottom"]


def test_the_dot_of_a_label_keeps_off_the_word_in_the_direction_of_its_letters(show, olga, board, card):
    for name in ("Bug", "مهم"):
        add_label(
            actor=web(olga), card_id=card.pk, label_id=create_label(actor=web(olga), board_id=board.pk, name=name).pk
        )
    labels = show(board.get_absolute_url(), olga).locator(".card .label")
    gaps = "label => { const { marginLeft, marginRight } = getComputedStyle(label, '::before'); return [marginLeft, marginRight] }"
    assert {label.inner_text(): label.evaluate(gaps) for label in labels.all()} == {
        "Bug": ["0px", "5px"],
        "مهم": ["5px", "0px"],
    }


def test_on_a_phone_the_head_of_the_board_is_the_first_row_and_the_account_is_on_the_start_page(show, ed, board):
    page = show(board.get_absolute_url(), ed, width=390)
    account = page.locator(".topbar > .menu").filter(has_text="Your account")
    expect(account).to_be_hidden()
    assert box(page.locator(".boardbar"))["top"] == 0
    page.get_by_role("link", name="Boards").click()
    expect(account).to_be_visible()


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


def test_an_empty_list_has_one_grey_sentence(show, ed, vera, board, todo):
    for user, words in ((ed, "No cards yet. Add one, or drag one here."), (vera, "No cards yet.")):
        page = show(board.get_absolute_url(), user)
        hint = page.locator(f"#list-{todo.pk} > .nothing")
        expect(hint).to_be_visible()
        assert hint.inner_text().strip() == words
        assert style(hint, "color") == style(page.locator(f"#list-{todo.pk} .count"), "color")


@pytest.mark.parametrize("width", [390, 1280])
def test_the_ring_of_the_focus_around_the_first_tile_is_not_cut_by_its_list(show, ed, board, todo, card, width):
    page = show(board.get_absolute_url(), ed, width=width)
    page.keyboard.press("ArrowDown")
    tile, row = page.locator(f"#card-{card.pk}"), page.locator(f"#cards-{todo.pk}")
    expect(tile.locator(".title")).to_be_focused()
    ring = sum(float(style(tile, name).removesuffix("px")) for name in ("outlineWidth", "outlineOffset"))
    assert style(tile, "outlineStyle") == "solid"
    shown, clip = box(tile), box(row)
    for side, room in {"left": 1, "top": 1, "right": -1}.items():
        assert (shown[side] - clip[side]) * room >= ring, side


def test_hovering_a_tile_is_not_the_ring_of_the_focus(show, ed, board, todo, card):
    page = show(board.get_absolute_url(), ed)
    tile = page.locator(f"#card-{card.pk}")
    tile.hover()
    accent = style(page.locator(".button.primary").first, "backgroundColor")
    assert accent not in style(tile, "boxShadow")
    page.keyboard.press("Tab")
    tile.locator(".title").focus()
    assert style(tile, "outlineStyle") == "solid"


def test_the_number_of_a_card_is_in_the_menu_of_its_tile_and_not_on_the_tile(show, ed, board, todo, card):
    page = show(board.get_absolute_url(), ed)
    tile = page.locator(f"#card-{card.pk}")
    tile.hover()
    assert style(tile.locator(".number"), "clipPath") == "inset(50%)"
    tile.locator(".tile-more").click()
    expect(page.locator("#tile-menu [data-number]")).to_have_text(f"#{card.number}")


def test_nothing_on_a_tile_shifts_under_the_pointer(show, ed, board, todo, card):
    page = show(board.get_absolute_url(), ed)
    title = page.locator(f"#card-{card.pk} .title")
    before = box(title)
    title.hover()
    expect(page.locator(f"#card-{card.pk} > .done-circle")).to_be_visible()
    assert box(title) == before


def test_people_stand_at_the_end_of_the_last_row_of_a_tile_and_never_alone(show, ed, olga, vera, board, todo, card):
    plain = create_card(actor=web(ed), list_id=todo.pk, title="Plain", assignee_ids=[ed.pk])
    labelled = create_card(actor=web(ed), list_id=todo.pk, title="Labelled", assignee_ids=[ed.pk])
    add_label(
        actor=web(ed), card_id=labelled.pk, label_id=create_label(actor=web(ed), board_id=board.pk, name="Bug").pk
    )
    dated = create_card(actor=web(ed), list_id=todo.pk, title="Dated", assignee_ids=[ed.pk], due_day=date(2030, 1, 2))
    page = show(board.get_absolute_url(), ed)
    for one, row in ((plain, ".title"), (labelled, ".labels"), (dated, ".facts")):
        tile = page.locator(f"#card-{one.pk}")
        face, beside = box(tile.locator(".avatars")), box(tile.locator(row))
        assert abs(face["bottom"] - beside["bottom"]) <= 2
        assert face["left"] >= beside["right"]


def test_a_tile_shows_three_people_or_two_and_how_many_more(show, ed, olga, vera, board, todo):
    three = create_card(actor=web(ed), list_id=todo.pk, title="Three", assignee_ids=[olga.pk, ed.pk, vera.pk])
    join(ken := person("ken"), board)
    four = create_card(actor=web(ed), list_id=todo.pk, title="Four", assignee_ids=[olga.pk, ed.pk, vera.pk, ken.pk])
    page = show(board.get_absolute_url(), ed)
    for one, faces, more in ((three, 3, ""), (four, 2, "+2")):
        tile = page.locator(f"#card-{one.pk}")
        assert sum(face.is_visible() for face in tile.locator(".avatar").all()) == faces
        assert "".join(tile.locator(".more").all_inner_texts()) == more


def test_labels_are_lighter_than_titles(show, ed, board, todo, card):
    add_label(actor=web(ed), card_id=card.pk, label_id=create_label(actor=web(ed), board_id=board.pk, name="Bug").pk)
    page = show(board.get_absolute_url(), ed)
    label, title = page.locator(f"#card-{card.pk} .label"), page.locator(f"#card-{card.pk} .title")
    assert int(style(label, "fontWeight")) < int(style(title, "fontWeight")) == 500
    assert style(label, "color") != style(title, "color")
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


def test_the_title_of_a_done_card_is_quieter_than_the_others(show, ed, board, todo, card):
    complete_card(actor=web(ed), card_id=card.pk)
    create_card(actor=web(ed), list_id=todo.pk, title="Another")
    page = show(board.get_absolute_url(), ed)
    done, other = page.locator(f"#card-{card.pk} .title"), page.locator(".card:not(.done) .title")
    assert style(done, "color") != style(other, "color")
    assert int(style(done, "fontWeight")) < int(style(other, "fontWeight"))


def test_the_mark_before_the_title_of_a_board_has_its_colour(show, olga, board, todo):
    page = show(board.get_absolute_url(), olga)
    tints = []
    for hue in (1, 8):
        page.locator("#board-head").evaluate("(head, hue) => { head.className = `board-head titled hue-${hue}` }", hue)
        tints.append(page.locator("#board-head h1").evaluate("e => getComputedStyle(e, '::before').backgroundColor"))
    assert len(set(tints)) == 2


def test_members_are_seen_and_only_the_owner_is_offered_to_share(show, olga, ed, board, todo):
    for member, shown in ((ed, [True, False, False]), (olga, [True, True, False])):
        page = show(board.get_absolute_url(), member)
        links = page.locator(".boardbar a:is([href$='/members'], [data-share])")
        assert [link.is_visible() for link in links.all()] == shown
    assert links.first.locator(".avatar").count() >= 2


def is_laid_out(tile) -> bool:
    return tile.evaluate("tile => tile.firstElementChild.checkVisibility({ contentVisibilityAuto: true })")


def test_tiles_out_of_sight_are_not_laid_out_before_the_scripts_have_started(show, ed, board, many):
    tiles = show(board.get_absolute_url(), ed, scripts=False).locator(".card")
    assert is_laid_out(tiles.first)
    assert not is_laid_out(tiles.last)


def test_once_the_scripts_have_started_all_tiles_are_laid_out(show, ed, board, many):
    tiles = show(board.get_absolute_url(), ed).locator(".card")
    assert is_laid_out(tiles.last)


def test_on_paper_all_tiles_are_laid_out_before_the_scripts_have_started(show, ed, board, many):
    page = show(board.get_absolute_url(), ed, scripts=False, height=100)
    page.emulate_media(media="print")
    assert is_laid_out(page.locator(".card").last)


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


def test_no_entry_of_the_boards_menu_wraps_and_one_has_a_bell(show, olga, board):
    page = show(board.get_absolute_url(), olga)
    page.get_by_label("Board menu").click()
    entries = page.locator(".boardbar .menu[open] .item")
    expect(entries.first).to_be_visible()
    heights = [entry.bounding_box()["height"] for entry in entries.all()]
    assert max(heights) == min(heights)
    assert entries.locator("use[href$='#bell']").count() == 1


def test_on_a_phone_the_menu_of_the_board_is_beside_its_title(show, ed, board):
    page = show(f"{board.get_absolute_url()}?q=x", ed, width=360)
    middle = "element => { const { top, bottom } = element.getBoundingClientRect(); return (top + bottom) / 2 }"
    title = page.locator("#board-head h1").evaluate(middle)
    assert abs(page.get_by_label("Board menu").evaluate(middle) - title) < 2


def test_on_a_phone_the_menu_stays_beside_the_title_for_the_owner_too(show, olga, board):
    page = show(f"{board.get_absolute_url()}?q=x", olga, width=360)
    menu = box(page.get_by_label("Board menu"))
    assert menu["top"] < box(page.locator("#board-head h1"))["bottom"]
    assert menu["right"] <= 360


def test_in_a_narrow_window_a_word_of_the_title_is_not_broken_for_a_button_that_is_not_seen(show, olga, board):
    update_board(actor=web(olga), board_id=board.pk, title="Marketing")
    page = show(board.get_absolute_url(), olga, width=360)
    rename, title = page.get_by_label("Rename board"), page.locator("#board-head h1")
    assert lines_of(title) == 1
    page.get_by_role("link", name="Table").focus()
    page.keyboard.press("Shift+Tab")
    expect(rename).to_be_focused()
    assert is_in_window(rename)
    assert style(rename, "opacity") == "1"


def test_a_tile_on_the_page_of_its_list_is_overdue_only_once_it_is(show, ed, olga, todo, card):
    update_card(actor=web(olga), card_id=card.pk, due_at=timezone.now() + timedelta(days=40))
    page = show(f"/list/{todo.pk}", ed, wired="")
    expect(page.locator(".late-word")).to_have_text("Overdue")
    expect(page.locator(".late-word")).to_be_hidden()
