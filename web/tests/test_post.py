"""A page of a board takes the answers to its forms, in Chromium."""

import pytest
from playwright.sync_api import expect

from taskboard.tests.interception import intercept
from web.tests.open_board import OpenBoard

pytestmark = pytest.mark.django_db(transaction=True)

SEND = """([address, values]) => import("/static/js/kit/send-forms.js").then(({ sendValues }) => sendValues(address, values))"""
REPLACE_FIELD = """async () => {
    const { keepingFocus } = await import("/static/js/kit/post.js")
    document.querySelector(".lists").insertAdjacentHTML("beforebegin", '<p><input id="typed" value="Launch"></p>')
    const field = document.getElementById("typed")
    field.focus()
    field.setSelectionRange(2, 4)
    keepingFocus(() => field.replaceWith(field.cloneNode()))
    const { selectionStart, selectionEnd } = document.getElementById("typed")
    return [selectionStart, selectionEnd]
}"""


@pytest.fixture
def shown(opened, ed) -> OpenBoard:
    return opened(ed)


def test_a_field_that_is_replaced_keeps_the_focus_and_its_selection(shown):
    assert shown.page.evaluate(REPLACE_FIELD) == [2, 4]
    expect(shown.page.locator("#typed")).to_be_focused()


def test_an_answer_with_an_address_opens_it(shown):
    answer = {"status": 403, "headers": {"HX-Redirect": "/inbox"}}
    intercept(shown.page, "**/somewhere", lambda route: route.fulfill(**answer))
    shown.page.evaluate(f"void ({SEND})(['/somewhere', {{}}])")
    shown.page.wait_for_url("**/inbox")


def test_a_name_with_several_values_is_sent_once_for_each_and_the_page_says_where_it_is(shown):
    intercept(shown.page, "**/somewhere", lambda route: route.fulfill(status=204))
    with shown.page.expect_request("**/somewhere") as sent:
        assert shown.page.evaluate(SEND, ["/somewhere", {"card": ["1", "2"], "title": "Ü & more"}]) is True
    assert sent.value.post_data == "card=1&card=2&title=%C3%9C+%26+more"
    assert sent.value.headers["hx-request"] == "true"
    assert sent.value.headers["hx-current-url"] == shown.page.url
    assert sent.value.headers["x-csrftoken"]
