"""The scripts of the account pages, in Chromium."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def tab(chrome, live_server) -> Iterator[Page]:
    context = chrome.new_context(base_url=live_server.url)
    context.set_default_timeout(10_000)
    yield context.new_page()
    context.close()


def test_a_password_that_is_shown_is_hidden_when_it_is_sent(tab):
    """Browsers may store the text of a field that is not a password field."""
    tab.goto("/sign-in")
    tab.locator("#id_login").fill("olga@example.com")
    field = tab.locator("#id_password")
    field.fill("correct horse")
    tab.get_by_label("Show password").click()
    expect(field).to_have_attribute("type", "text")
    tab.route("**/sign-in", lambda route: route.fulfill(status=204))  # the browser then stays on the page
    tab.get_by_role("button", name="Sign in").click()
    expect(field).to_have_attribute("type", "password")


def test_a_theme_is_shown_as_soon_as_it_is_chosen(tab, page, live_server, olga):
    tab.context.add_cookies([{"name": "sessionid", "value": page.cookies["sessionid"].value, "url": live_server.url}])
    tab.goto("/settings/profile")
    root = tab.locator("html")
    expect(root).to_have_attribute("data-theme", "system")
    tab.get_by_label("Dark").check()
    expect(root).to_have_attribute("data-theme", "dark")
    olga.refresh_from_db()
    assert olga.theme == "system"
