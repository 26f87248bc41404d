"""Daily work on a card, and an invitation, take few steps: counted in clicks, or in keys without the mouse."""

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from boards.actions.cards.labels import create_label
from boards.models import Invitation, Label
from conftest import web

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def labels(ed, board):
    return [
        create_label(actor=web(ed), board_id=board.pk, name=name, hue=hue) for name, hue in (("Bug", 8), ("Chore", 4))
    ]


def worn(card) -> list[str]:
    return sorted(card.labels.values_list("name", flat=True))


def shown_labels(page):
    return page.locator("#choose-labels .label")


def find_label(page):
    page.locator("#choose-labels").click()
    expect(page.locator("#new-label")).to_be_focused()


def test_an_existing_label_takes_two_clicks(show, ed, card, labels):
    page = show(card.get_absolute_url(), ed)
    page.locator("#choose-labels").click()
    page.locator(f"#label-{labels[1].pk}").click()
    expect(shown_labels(page)).to_have_text(["Chore"])


def test_a_label_is_found_while_typing_and_enter_adds_and_removes_it(show, ed, card, labels):
    page = show(card.get_absolute_url(), ed)
    find_label(page)
    for expected in (["Chore"], []):
        page.keyboard.type("cho")
        expect(page.locator("#labels-menu [role=checkbox]:visible")).to_have_count(1)
        page.keyboard.press("Enter")
        expect(shown_labels(page)).to_have_text(expected)
        expect(page.locator("#new-label")).to_be_focused()
    assert worn(card) == []


def test_a_new_label_takes_a_name_and_enter_and_gets_a_color_that_no_other_has(show, ed, card, labels):
    page = show(card.get_absolute_url(), ed)
    find_label(page)
    page.keyboard.type("Urgent")
    page.keyboard.press("Enter")
    expect(shown_labels(page)).to_have_text(["Urgent"])
    assert Label.objects.get(name="Urgent").hue not in (8, 4)


def test_letters_that_several_labels_have_create_the_new_one(show, ed, card, labels):
    create_label(actor=web(ed), board_id=card.board_id, name="Bugs")
    page = show(card.get_absolute_url(), ed)
    find_label(page)
    page.keyboard.type("bu")
    page.keyboard.press("Enter")
    expect(shown_labels(page)).to_have_text(["bu"])


def test_enter_in_the_empty_field_does_nothing(show, ed, card, labels):
    page = show(card.get_absolute_url(), ed)
    find_label(page)
    page.keyboard.press("Enter")
    expect(page.locator("#labels-menu [role=checkbox]:visible")).to_have_count(2)
    expect(page.locator(".refusal")).to_have_count(0)


def test_a_person_takes_one_click(show, ed, vera, card):
    page = show(card.get_absolute_url(), ed)
    page.locator(".quick-face", has=page.locator(f"xpath=self::*[@value='{vera.pk}']")).click()
    expect(page.locator("#choose-people")).to_contain_text("Vera")
    expect(page.locator(f"#quick-{vera.pk}")).to_have_count(0)


def test_tomorrow_takes_two_clicks(show, ed, card):
    page = show(card.get_absolute_url(), ed)
    page.locator("#choose-due").click()
    page.locator("#due-menu").get_by_role("button", name="Tomorrow").click()
    expect(page.locator("#choose-due .due")).to_be_visible()
    card.refresh_from_db()
    assert card.due_day == timezone.localdate() + timedelta(days=1)


def test_a_checklist_of_three_takes_no_mouse(show, ed, card):
    page = show(card.get_absolute_url(), ed)
    page.locator("[data-part=new-checklist] > summary").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#new-checklist")).to_be_focused()
    page.keyboard.type("Steps")
    page.keyboard.press("Enter")
    for number, text in enumerate(("Write", "Print", "Fold"), 1):
        expect(page.get_by_label("New item in Steps")).to_be_focused()
        page.keyboard.type(text)
        page.keyboard.press("Enter")
        expect(page.locator(".checklist .item .text")).to_have_count(number)
    expect(page.locator(".checklist .item .text")).to_have_text(["Write", "Print", "Fold"])
    assert list(card.checklists.values_list("title", flat=True)) == ["Steps"]


def test_an_invitation_takes_two_clicks_and_an_address(show, olga, board):
    page = show(board.get_absolute_url(), olga)
    dialog = page.locator("#share-dialog")
    page.get_by_role("link", name="Share", exact=True).click()
    expect(dialog.locator("[name=email]")).to_be_focused()
    page.keyboard.type("gina@example.com")
    dialog.get_by_role("button", name="Invite").click()
    expect(dialog.locator("li", has_text="gina@example.com")).to_be_visible()
    assert Invitation.objects.get(board=board).email == "gina@example.com"


def test_a_viewer_is_offered_none_of_it(show, vera, card, labels):
    page = show(card.get_absolute_url(), vera)
    expect(page.locator(".quick-face, #new-label, .side-actions")).to_have_count(0)
