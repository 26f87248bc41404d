"""Moves that a page shows before the server has agreed to them, in Chromium."""

import re

import pytest
from playwright.sync_api import expect

from boards.actions.cards.archive import archive_card
from boards.actions.cards.card import create_card, update_card
from boards.models import Card
from conftest import web
from web.tests.held import held_changes
from web.tests.open_board import OpenBoard

pytestmark = pytest.mark.django_db(transaction=True)

MOVE = """async ([card, list]) => {
    const { moveTile } = await import("/static/js/board/optimistic.js")
    const { sendCards } = await import("/static/js/board/send-cards.js")
    moveTile(document.getElementById(`card-${card}`), document.getElementById(`list-${list}`))
    window.sent = sendCards([card], { list, where: "bottom" })
}"""


def move(shown: OpenBoard, card, row) -> None:
    shown.page.evaluate(MOVE, [str(card.pk), str(row.pk)])


def test_a_moved_tile_lies_there_at_once_and_waits_for_the_answer_with_what_others_change(
    opened, ed, todo, doing, card
):
    shown = opened(ed)
    held = held_changes(shown.page)
    move(shown, card, doing)
    expect(shown.list(doing).locator(".card")).to_have_count(1)
    expect(shown.list(todo).locator(".count")).to_have_text("0")
    update_card(actor=web(ed), card_id=card.pk, title="New words")
    arriving = create_card(actor=web(ed), list_id=doing.pk, title="Arriving")
    shown.tell(card, arriving)
    expect(shown.list(doing).locator(".card")).to_have_count(2)
    expect(shown.tile(card)).not_to_contain_text("New words")
    held.let_on()
    assert shown.page.evaluate("sent") is True
    expect(shown.list(doing).locator(".title")).to_have_text([re.compile("Arriving"), re.compile("New words")])
    expect(shown.page.locator(".toast")).to_contain_text("Moved to Doing, 2 of 2")
    assert Card.objects.get(pk=card.pk).list == doing


def test_a_refused_move_goes_back_with_a_sentence(opened, ed, todo, doing, card):
    shown = opened(ed)
    archive_card(actor=web(ed), card_id=card.pk)
    move(shown, card, doing)
    assert shown.page.evaluate("sent") is False
    expect(shown.page.locator(".toast")).to_contain_text("This card is archived.")
    expect(shown.list(todo).locator(".card")).to_have_count(1)


def test_of_two_quick_moves_the_answer_to_the_first_does_not_move_the_tile_back(opened, ed, todo, doing, card):
    shown = opened(ed)
    held = held_changes(shown.page)
    move(shown, card, doing)
    move(shown, card, todo)
    held.let_on()
    expect(shown.page.locator(".toast")).to_contain_text("Moved to Doing, 1 of 1")
    expect(shown.list(todo).locator(".card")).to_have_count(1)
    held.let_on()
    assert shown.page.evaluate("sent") is True
    expect(shown.list(todo).locator(".card")).to_have_count(1)
    assert Card.objects.get(pk=card.pk).list == todo
