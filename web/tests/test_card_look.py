"""The look of an open card in Chromium, on desktops and phones."""

import re
from datetime import timedelta

import pytest
from django.conf import settings
from django.utils import timezone
from playwright.sync_api import expect

from accounts.models import User
from boards.actions.boards.board import update_board
from boards.actions.cards.card import create_card, update_card
from boards.actions.cards.checklists import add_item, create_checklist
from boards.actions.cards.comments import add_comment
from boards.actions.cards.labels import add_label, create_label
from conftest import web
from web.tests.looking import box, is_in_window, lines_of, style, widest

pytestmark = pytest.mark.django_db(transaction=True)

ADDRESS = "https://example.com/a/very/long/address/that/nothing/breaks?" + "and=parameters&" * 10
PHONES = [320, 360, 390]
RIGHTMOST = """details => Math.max(0, ...[...details.querySelectorAll("input, textarea, select, button, .items")]
    .filter((part) => part.checkVisibility() && !part.closest("[role=toolbar], [data-row=table]")) // these scroll sideways
    .map((part) => part.getBoundingClientRect().right))"""


@pytest.fixture
def full_card(olga, ed, board, todo, card):
    """A card with a bit of everything, long words too."""
    labels = [create_label(actor=web(olga), board_id=board.pk, name=f"Label {number}") for number in range(20)]
    for label in labels[:3]:
        add_label(actor=web(olga), card_id=card.pk, label_id=label.pk)
    update_card(
        actor=web(olga),
        card_id=card.pk,
        title=ADDRESS,
        description=f"# First\n\n## Second\n\n- [x] done\n- [ ] open\n\n{ADDRESS}\n\n" + "A paragraph.\n\n" * 30,
        due_at=timezone.now() - timedelta(days=40),
    )
    checklist = create_checklist(actor=web(olga), card_id=card.pk, title=ADDRESS)
    add_item(actor=web(olga), checklist_id=checklist.pk, text=ADDRESS)
    add_comment(actor=web(ed), card_id=card.pk, text=ADDRESS)
    return card


@pytest.mark.parametrize("width", PHONES)
def test_nothing_sticks_out_of_a_card_on_a_phone(show, ed, full_card, width):
    page = show(full_card.get_absolute_url(), ed, width=width)
    assert widest(page, "#card-dialog") == 0
    for details in page.locator("#card-dialog details").all():
        details.evaluate("details => { details.open = true }")
        assert widest(page, "#card-dialog") == 0
        assert details.evaluate(RIGHTMOST) <= width
        details.evaluate("details => { details.open = false }")


def test_the_dialog_is_as_high_for_every_card(show, ed, todo, full_card):
    create_card(actor=web(ed), list_id=todo.pk, title="Nearly nothing")
    page = show(todo.board.get_absolute_url(), ed)
    places = []
    for tile in page.locator(".card > .title").all():
        tile.click()
        expect(page.locator("#card-dialog:modal #open-card")).to_have_count(1)
        places.append(box(page.locator("#card-dialog")))
        page.get_by_label("Close card").click()
        expect(page.locator("#card-dialog")).to_be_hidden()
    assert places == [places[0]] * 2


def test_the_side_of_a_card_lies_on_its_surface_and_has_the_actions_in_words(show, ed, full_card):
    side = show(full_card.get_absolute_url(), ed).locator("#card-dialog .side")
    assert style(side, "backgroundColor") == "rgba(0, 0, 0, 0)"
    for words in ("Move to…", "Copy to…", "Copy link", "Archive"):
        assert is_in_window(side.locator(".act").filter(has_text=words))


@pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES])
def test_no_word_in_the_name_of_a_fact_breaks_in_any_language(show, ed, full_card, language):
    User.objects.filter(pk=ed.pk).update(language=language)
    names = show(full_card.get_absolute_url(), ed).locator("#card-dialog .side .name")
    assert names.count() >= 5
    assert [name.inner_text() for name in names.all() if lines_of(name) > len(name.inner_text().split())] == []


def test_on_a_phone_the_way_to_the_board_is_cut_between_lines_and_not_within_one(show, ed, olga, board, card):
    update_board(actor=web(olga), board_id=board.pk, title="Donaudampfschifffahrtsgesellschaft " * 4)
    way = show(card.get_absolute_url(), ed, width=360).locator("#card-dialog .crumbs > a")
    line = float(style(way, "lineHeight").removesuffix("px"))
    assert way.evaluate("way => way.scrollHeight > way.clientHeight")
    assert way.evaluate("way => way.clientHeight") == round(2 * line)


@pytest.mark.parametrize("width, height", [(1280, 800), (360, 800), (320, 568)])
def test_labels_and_people_to_choose_from_are_in_view(show, ed, full_card, width, height):
    page = show(full_card.get_absolute_url(), ed, width=width, height=height)
    for menu in ("#choose-labels", "#choose-people"):
        page.locator(menu).click()
        choices = page.locator(".choose[open] > .items")
        expect(choices).to_be_visible()
        assert is_in_window(choices)
        page.keyboard.press("Escape")


def test_the_head_and_the_side_of_a_card_stay_while_it_is_scrolled(show, ed, full_card):
    page = show(full_card.get_absolute_url(), ed, height=1000)
    parts = [page.locator(selector) for selector in ("#card-title", ".close-card", "#completion", "#choose-due")]
    before = [box(part) for part in parts]
    page.locator("#card-dialog").evaluate("dialog => { dialog.scrollTop = 600 }")
    assert [box(part) for part in parts] == before
    assert all(is_in_window(part) for part in parts)


def test_on_a_phone_title_and_close_button_stay(show, ed, card):
    update_card(actor=web(ed), card_id=card.pk, description="A paragraph.\n\n" * 40)
    page = show(card.get_absolute_url(), ed, width=360)
    page.locator("#card-dialog").evaluate("dialog => { dialog.scrollTop = 900 }")
    assert is_in_window(page.locator("#card-title"))
    assert is_in_window(page.locator(".close-card"))


def test_a_side_taller_than_the_dialog_can_be_scrolled_to_its_end(show, ed, full_card):
    page = show(full_card.get_absolute_url(), ed, height=230)
    last = page.locator(".side-actions .act").last
    assert not is_in_window(last)
    page.locator("#card-dialog").evaluate("dialog => { dialog.scrollTop = 600 }")
    assert is_in_window(last)


def test_the_head_never_hides_what_has_the_focus(show, ed, full_card):
    page = show(full_card.get_absolute_url(), ed)
    page.locator("#new-comment").focus()
    for _step in range(12):
        page.keyboard.press("Shift+Tab")
        focused = page.locator(":focus")
        if focused.evaluate("element => !!element.closest('.main > :not([data-part=head])')"):
            assert box(focused)["top"] >= box(page.locator("[data-part=head]"))["bottom"] - 1


def test_an_overdue_date_is_a_sentence_and_no_column(show, ed, full_card):
    page = show(full_card.get_absolute_url(), ed, width=360)
    due = page.locator(".side .due")
    expect(due).to_contain_text("Overdue")
    assert lines_of(due) <= 3


def test_boxes_in_a_description_look_ticked_rather_than_disabled_to_a_viewer(show, vera, full_card):
    page = show(full_card.get_absolute_url(), vera)
    ticked, empty = page.locator(".prose .tasks input").all()
    assert [style(one, "appearance") for one in (ticked, empty)] == ["none", "none"]
    page.evaluate(
        "document.getElementById('card-dialog').insertAdjacentHTML('beforeend', '<b class=\"button primary\"></b>')"
    )
    accent = page.locator("#card-dialog b.button.primary")
    assert style(ticked, "backgroundColor") == style(accent, "backgroundColor") != style(empty, "backgroundColor")


def test_the_headings_of_a_card_are_below_those_of_its_author(show, ed, full_card):
    page = show(full_card.get_absolute_url(), ed)
    texts = ["#card-title", ".prose h1", ".prose h2", "#description-heading"]
    sizes = [float(style(page.locator(text).first, "fontSize").removesuffix("px")) for text in texts]
    assert sizes == sorted(set(sizes), reverse=True)
    assert sizes[-1] >= 14


def test_the_whole_row_of_a_property_opens_it(show, ed, card):
    page = show(card.get_absolute_url(), ed)
    for name in ("due", "people", "labels", "place"):
        row = page.locator(f"#choose-{name}")
        place = box(row)
        assert place["bottom"] - place["top"] >= 32
        for edge in (place["left"] + 12, place["right"] - 12):
            page.mouse.click(edge, place["top"] + 16)
            expect(page.locator(f"#{name}-menu > .items")).to_be_visible()
            assert is_in_window(page.locator(f"#{name}-menu > .items"))
            page.keyboard.press("Escape")
            expect(page.locator(f"#{name}-menu > .items")).to_be_hidden()
            expect(row).to_be_focused()


def test_a_picker_closed_by_a_click_elsewhere_forgets_what_was_not_saved(show, ed, card):
    page = show(card.get_absolute_url(), ed)
    page.locator("#choose-due").click()
    page.locator("#due-field").fill("2030-01-02")
    page.locator("#card-title").click(position={"x": 2, "y": 2})
    expect(page.locator("#due-field")).to_be_hidden()
    expect(page.locator("#due-field")).to_have_value("")  # the event of the picker comes after it is hidden


def test_on_a_phone_the_description_is_in_view_below_the_properties(show, ed, full_card):
    update_card(actor=web(ed), card_id=full_card.pk, title="A title of the usual length")
    page = show(full_card.get_absolute_url(), ed, width=360, height=780)
    assert is_in_window(page.locator(".prose h1"))
    rows = [box(page.locator(f"#choose-{name}")) for name in ("due", "people", "labels", "place")]
    assert min(row["bottom"] - row["top"] for row in rows) >= 44


def test_a_click_on_the_description_edits_it_but_not_a_click_on_a_link_in_it(show, ed, card):
    update_card(actor=web(ed), card_id=card.pk, description="Some words and [a link](mailto:ed@example.com)")
    page = show(card.get_absolute_url(), ed)
    page.locator(".prose a").dispatch_event("click")
    expect(page.locator("#description-field")).to_be_hidden()
    page.locator(".prose p").click(position={"x": 4, "y": 8})
    # the plain field, or the editor if that has come already
    expect(page.locator("#description-field:focus, [data-part=description] .ProseMirror:focus")).to_have_count(1)


def test_done_is_a_check_beside_the_title(show, ed, card):
    page = show(card.get_absolute_url(), ed)
    check, title = page.locator("#completion"), page.locator("#card-title")
    assert box(check)["right"] <= box(title)["left"]
    assert abs(box(check)["top"] - box(title)["top"]) <= 4
    check.click()
    expect(page.get_by_role("button", name="Reopen")).to_be_visible()
    expect(page.locator("[data-part=head] .stamp")).to_contain_text("Done")


def test_a_card_that_is_not_done_has_an_empty_circle(show, ed, card):
    page = show(card.get_absolute_url(), ed)
    check = page.locator("#completion")
    expect(check.locator(".icon")).to_have_css("opacity", "0")
    check.click()
    expect(page.locator("#completion[value='0'] .icon")).to_have_css("opacity", "1")


def test_the_menu_of_a_card_moves_it_and_copies_its_link(show, ed, board, todo, doing, card):
    page = show(card.get_absolute_url(), ed)
    page.context.grant_permissions(["clipboard-write"])
    page.get_by_label("Card menu").click()
    page.locator("#card-menu").get_by_text("Copy link").click()
    expect(page.locator(".toast")).to_contain_text("copied")
    comment = page.get_by_placeholder("Write a comment (Markdown)")
    comment.focus()
    page.keyboard.press("Control+V")  # pages may not read it
    expect(comment).to_have_value(re.compile(re.escape(card.get_absolute_url()) + "$"))
    comment.fill("")
    page.get_by_label("Card menu").click()
    page.locator("#card-menu").get_by_role("button", name="Move to…").click()
    expect(page.get_by_role("dialog", name="Move to")).to_be_visible()


def test_on_paper_a_heading_stays_with_what_follows_it(show, ed, board, card):
    update_card(actor=web(ed), card_id=card.pk, description="# Plan\n\nText")
    page = show(f"{board.get_absolute_url()}?card={card.pk}", ed)
    page.emulate_media(media="print")
    assert style(page.locator("#open-card .prose h1"), "breakAfter") == "avoid"
    assert style(page.locator(".list > header").first, "breakInside") == "avoid"
    expect(page.locator("[data-part=attachments]")).to_be_hidden()


@pytest.mark.parametrize("width", PHONES)
def test_on_a_phone_the_menu_of_notifications_is_in_the_window(show, ed, card, width):
    page = show(card.get_absolute_url(), ed, width=width, height=740)
    page.get_by_label("Notifications about this card").click()
    items = page.locator(".corner > .following > .items")
    expect(items.get_by_role("button").first).to_be_visible()
    assert is_in_window(items)


def test_the_toolbar_of_the_editor_is_one_row(show, ed, card):
    page = show(card.get_absolute_url(), ed, width=1440)
    page.locator("[data-part=description] > .edit > summary").click()
    buttons = page.locator(".editor .toolbar .button")
    expect(buttons.last).to_be_visible()
    assert {box(button)["top"] for button in buttons.all()} == {box(buttons.first)["top"]}


@pytest.mark.parametrize("width", [390, 768])
def test_the_last_button_of_the_editors_toolbar_comes_beside_the_corner(show, ed, card, width):
    page = show(card.get_absolute_url(), ed, width=width)
    page.locator("[data-part=description] > .edit > summary").click()
    page.locator(".editor .toolbar").evaluate("bar => { bar.scrollLeft = bar.scrollWidth }")
    last = box(page.locator(".editor .toolbar .button").last)
    assert last["right"] <= box(page.locator("#card-dialog .corner"))["left"]


def test_many_labels_on_a_phone_stand_on_a_ground_whose_corners_leave_them_room(show, ed, board, full_card):
    for number in range(5):
        label = create_label(actor=web(ed), board_id=board.pk, name=f"One more label {number}")
        add_label(actor=web(ed), card_id=full_card.pk, label_id=label.pk)
    page = show(full_card.get_absolute_url(), ed, width=360)
    row = page.locator(".prop-row:has(.labels)")
    assert box(row)["bottom"] - box(row)["top"] > 60
    assert float(style(row, "borderTopLeftRadius").removesuffix("px")) <= 22
