"""How an open card looks in Chromium, on desktops and phones."""

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from boards.actions.cards import update_card
from boards.actions.checklists import add_item, create_checklist
from boards.actions.comments import add_comment
from boards.actions.labels import add_label, create_label
from conftest import web
from web.tests.looking import box, is_in_window, lines_of, style, widest

pytestmark = [pytest.mark.once, pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ADDRESS = "https://example.com/a/very/long/address/that/nothing/breaks?" + "and=parameters&" * 10
PHONES = [320, 360, 390]
RIGHTMOST = """details => Math.max(0, ...[...details.querySelectorAll("input, textarea, select, button, .items")]
    .filter((part) => part.checkVisibility()).map((part) => part.getBoundingClientRect().right))"""


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
    parts = [page.locator(selector) for selector in ("#card-title", ".close-card", "#completion", "#archival")]
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
    page = show(full_card.get_absolute_url(), ed, height=480)
    assert not is_in_window(page.locator("#archival"))
    page.locator("#card-dialog").evaluate("dialog => { dialog.scrollTop = 600 }")
    assert is_in_window(page.locator("#archival"))


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


def test_boxes_in_a_description_look_ticked_rather_than_disabled(show, ed, full_card):
    page = show(full_card.get_absolute_url(), ed)
    ticked, empty = page.locator(".prose .tasks input").all()
    assert [style(one, "appearance") for one in (ticked, empty)] == ["none", "none"]
    accent = page.locator("#card-dialog .button.primary").first
    assert style(ticked, "backgroundColor") == style(accent, "backgroundColor") != style(empty, "backgroundColor")


def test_the_headings_of_a_card_are_below_those_of_its_author(show, ed, full_card):
    page = show(full_card.get_absolute_url(), ed)
    texts = ["#card-title", ".prose h1", ".prose h2", "#description-heading"]
    sizes = [float(style(page.locator(text).first, "fontSize").removesuffix("px")) for text in texts]
    assert sizes == sorted(set(sizes), reverse=True)
    assert sizes[-1] >= 14
