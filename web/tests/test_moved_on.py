"""People who are typing are told that the text has moved on, and a box is ticked where the text is read. In Chromium."""

import pytest
from playwright.sync_api import expect

from boards.actions.cards.card import update_card
from boards.models import Card
from boards.richtext import to_markdown
from conftest import web
from web.cards import parts

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_person_who_is_typing_is_told_who_changed_the_text_meanwhile(opened, olga, ed, card):
    shown = opened(ed, card=card)
    field = shown.edit_description()
    field.press_sequentially("Ed's words")
    changed = update_card(actor=web(olga), card_id=card.pk, description="Olga's words")
    shown.tell(changed)
    notice = shown.page.locator("[data-part=description] > .moved-on")
    expect(notice).to_contain_text("Olga changed this text while you were editing.")
    expect(field).to_have_text("Ed's words")
    update_card(actor=web(olga), card_id=card.pk, title="Another title")
    shown.tell(Card.objects.get(pk=card.pk), since=changed.version)
    expect(shown.page.locator("#card-title")).to_have_text("Another title")
    expect(shown.page.locator(".moved-on")).to_have_count(1)
    field.press("Control+Enter")
    expect(shown.page.locator(".both-versions")).to_contain_text("Olga's words")


def test_a_person_who_is_not_typing_is_told_nothing(opened, olga, ed, card):
    shown = opened(ed, card=card)
    shown.tell(update_card(actor=web(olga), card_id=card.pk, description="Olga's words"))
    expect(shown.page.locator("[data-part=description]")).to_contain_text("Olga's words")
    expect(shown.page.locator(".moved-on")).to_have_count(0)


def test_a_title_that_moved_on_is_read_anew_when_its_form_is_closed(opened, olga, ed, card):
    shown = opened(ed, card=card)
    shown.page.locator("#card-title").click()
    field = shown.page.locator("[data-part=head] textarea[name=title]")
    field.fill("Ed's title")
    shown.tell(update_card(actor=web(olga), card_id=card.pk, title="Olga's title"))
    expect(shown.page.locator("[data-part=head] > .moved-on")).to_contain_text("Olga changed this text")
    expect(field).to_have_value("Ed's title")
    field.press("Escape")
    expect(shown.page.locator(".moved-on")).to_have_count(0)
    expect(field).to_have_value("Olga's title")


def test_a_box_is_ticked_by_mouse_and_keyboard_without_opening_the_editor(opened, ed, card):
    update_card(actor=web(ed), card_id=card.pk, description="- [ ] one\n- [ ] two")
    shown = opened(ed, card=card)
    one, two = (shown.page.get_by_role("checkbox", name=name, exact=True) for name in ("one", "two"))
    one.click()
    expect(one).to_be_checked()
    expect(one).to_be_focused()
    expect(shown.page.locator(".toast")).to_contain_text("Ticked.")
    two.focus()
    two.press("Space")
    expect(two).to_be_checked()
    one.click()
    expect(one).not_to_be_checked()
    assert to_markdown(Card.objects.get(pk=card.pk).description) == "- [ ] one\n- [x] two"
    expect(shown.page.locator("details.edit[open]")).to_have_count(0)
    assert shown.errors == []


@pytest.mark.parametrize("way", ["since", "reload"])
def test_a_person_who_missed_many_changes_is_told_too(opened, olga, ed, card, way, monkeypatch):
    """The card is then read whole: where the history since then is long, and where the page reads everything anew."""
    monkeypatch.setattr(parts, "AT_MOST", 2)
    shown = opened(ed, card=card)
    field = shown.edit_description()
    field.press_sequentially("Ed's words")
    for number in range(3):
        changed = update_card(actor=web(olga), card_id=card.pk, description=f"Olga's words {number}")
    if way == "since":
        shown.tell(changed)
    else:
        shown.reload()
    expect(shown.page.locator("[data-part=description] > .moved-on")).to_contain_text("Olga changed this text")
    expect(shown.page.locator(".moved-on")).to_have_count(1)
    expect(field).to_have_text("Ed's words")
