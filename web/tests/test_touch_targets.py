"""On a phone, whatever is touched takes touches from 44 by 44 pixels."""

import pytest
from playwright.sync_api import expect

from boards.actions.cards.assignments import assign
from boards.actions.cards.card import update_card
from boards.actions.cards.comments import add_comment
from conftest import web

pytestmark = pytest.mark.django_db(transaction=True)

# Links within a text and titles, which are as high as their lines, are left out.
SMALL = """within => {
    const small = []
    const isClipped = (element) => element && (getComputedStyle(element).clipPath !== "none" || isClipped(element.parentElement))
    const controls = "button, summary, select, a.button, a.star, .tabs a, .switch"
    for (const control of document.querySelectorAll(`:is(${within}) :is(${controls})`)) {
        if (!control.checkVisibility() || isClipped(control)) continue
        control.scrollIntoView({ block: "center", inline: "center", behavior: "instant" })
        const { left, right, top, bottom } = control.getBoundingClientRect()
        const [x, y] = [(left + right) / 2, (top + bottom) / 2]
        const touched = [[0, 0], [-21, 0], [21, 0], [0, -21], [0, 21]].map(([across, down]) =>
            document.elementFromPoint(Math.min(Math.max(x + across, 1), innerWidth - 1), y + down))
        if (!touched.every((element) => control.contains(element)))
            small.push(`${control.getAttribute("aria-label") ?? control.textContent.trim()}: ${right - left} by ${bottom - top}`)
    }
    return small
}"""


@pytest.fixture
def everything(olga, ed, board, todo, card):
    update_card(actor=web(olga), card_id=card.pk, description="A paragraph")
    assign(actor=web(olga), card_id=card.pk, user_id=olga.pk)
    add_comment(actor=web(olga), card_id=card.pk, text="A comment")
    add_comment(actor=web(olga), card_id=card.pk, text="Another")
    return card


@pytest.mark.parametrize("path", ["", "/members", "/settings", "/table", "/activity"])
def test_signs_of_the_pages_of_a_board_are_large_enough(show, olga, board, everything, path):
    page = show(board.get_absolute_url() + path, olga, width=390, height=844, wired="")
    assert page.evaluate(SMALL, "main") == []


@pytest.mark.parametrize("path", ["/", "/my", "/notifications", "/settings/tokens", "/search?q=card&state=open"])
def test_signs_of_the_pages_of_a_person_are_large_enough(show, olga, everything, path):
    page = show(path, olga, width=390, height=844, wired="")
    assert page.evaluate(SMALL, ".topbar, main") == []


def test_signs_of_a_card_are_large_enough(show, olga, everything):
    page = show(everything.get_absolute_url(), olga, width=390, height=844)
    assert page.evaluate(SMALL, "#card-dialog") == []


def test_signs_of_sharing_are_large_enough(show, olga, board, everything):
    page = show(board.get_absolute_url(), olga, width=390, height=844)
    page.get_by_role("link", name="Share").click()
    expect(page.locator("#share-dialog").get_by_role("heading").first).to_be_visible()
    assert page.evaluate(SMALL, "#share-dialog") == []
