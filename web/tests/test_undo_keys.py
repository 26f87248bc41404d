"""Ctrl+Z on the page of a board, in Chromium."""

import re

import pytest
from playwright.sync_api import expect

from boards.actions.cards.card import create_card, update_card
from boards.actions.cards.comments import add_comment
from boards.models import Card
from conftest import web

pytestmark = pytest.mark.django_db(transaction=True)


def rename(shown, card, title):
    shown.page.evaluate(
        """async ([card, title]) => {
            const { sendValues } = await import("/static/js/kit/send-forms.js")
            await sendValues(`/card/${card}/title`, { title })
        }""",
        [str(card.pk), title],
    )


def test_ctrl_z_takes_back_one_change_after_the_other_and_ctrl_shift_z_makes_them_again(opened, ed, todo, card):
    shown = opened(ed)
    tile, toasts = shown.tile(card).locator(".title"), shown.page.locator(".toast")
    shown.page.keyboard.press("Control+z")
    expect(toasts).to_have_text(re.compile("Nothing left to undo"))
    for title in ("One", "Two"):
        rename(shown, card, title)
    expect(tile).to_have_text("Two #1")
    shown.page.keyboard.press("Control+z")
    shown.page.keyboard.press("Control+z")
    expect(tile).to_have_text("Write the announcement #1")
    expect(toasts.last).to_contain_text("Undone: Card changed, “One”")
    shown.page.keyboard.press("Control+z")
    expect(toasts.last).to_contain_text("Nothing left to undo")
    shown.page.keyboard.press("Control+Shift+z")
    expect(tile).to_have_text("One #1")
    toasts.filter(has_text="Redone: “Write").get_by_text("Undo").click()
    expect(tile).to_have_text("Write the announcement #1")
    shown.page.keyboard.press("Control+Shift+z")
    expect(tile).to_have_text("One #1")
    shown.page.keyboard.press("Control+Shift+z")
    expect(tile).to_have_text("Two #1")
    expect(toasts.last).to_contain_text("Redone: “One”")
    shown.page.keyboard.press("Control+z")
    expect(toasts.last).to_contain_text("Undone: Card changed, “Two”")


def test_a_refused_undo_says_why_and_is_not_tried_again(opened, ed, olga, todo, card):
    other = create_card(actor=web(olga), list_id=todo.pk, title="Other")
    shown = opened(ed)
    rename(shown, other, "By Ed")
    rename(shown, card, "Mine")
    update_card(actor=web(olga), card_id=card.pk, title="Hers")
    shown.page.keyboard.press("Control+z")
    expect(shown.page.locator(".toast")).to_contain_text("Olga has changed “Mine” since then.")
    shown.page.keyboard.press("Control+z")
    expect(shown.tile(other).locator(".title")).to_have_text("Other #2")
    assert Card.objects.get(pk=card.pk).title == "Hers"


def test_a_comment_that_was_deleted_comes_back_to_its_place_in_the_open_card(opened, ed, card):
    texts = ("First", "Second", "Third")
    comments = [add_comment(actor=web(ed), card_id=card.pk, text=text) for text in texts]
    shown = opened(ed, card=card)
    second = shown.page.locator(f'[data-part="comment-{comments[1].pk}"]')
    second.get_by_label("Delete comment").click()
    second.locator("button.danger").click()
    expect(second).to_have_count(0)
    shown.page.locator(".toast").get_by_text("Undo").click()
    bodies = shown.page.locator("[data-part^=comment-] .prose")
    expect(bodies).to_have_text(list(reversed(texts)))
