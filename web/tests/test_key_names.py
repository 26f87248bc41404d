"""The names of keys, as the reader's own keyboard has them."""

import pytest
from django.utils import translation
from playwright.sync_api import expect

from web.templatetags.key_tags import keys
from web.tests.browsing import browser

MAC = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36"
WINDOWS = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0"


@pytest.mark.parametrize(
    "language,pressed,others,apple",
    [
        ("en", "Mod Shift Z", "Ctrl Shift Z", "⌘ ⇧ Z"),
        ("de", "Mod Shift Z", "Strg Umschalt Z", "⌘ ⇧ Z"),
        ("fr", "Mod+Enter", "Ctrl+Entrée", "⌘+↩"),
        ("ja", "Alt ↑", "Alt ↑", "⌥ ↑"),
    ],
)
def test_keys_have_their_names_on_both_kinds_of_keyboards(language, pressed, others, apple):
    with translation.override(language):
        shown = keys(pressed)
    assert shown == f'<span class="others-key">{others}</span><span class="apple-key">{apple}</span>'


def test_a_letter_is_named_once():
    assert keys("N") == "N"


@pytest.mark.django_db
@pytest.mark.parametrize("agent,keyboard", [(MAC, "apple"), (WINDOWS, "other"), ("", "other")])
def test_the_page_says_which_keyboard_the_browser_has(ed, agent, keyboard):
    page = browser(ed).get("/help", HTTP_USER_AGENT=agent).content.decode()
    assert f'data-keyboard="{keyboard}"' in page


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("agent,shown", [(MAC, "⌘ K"), (WINDOWS, "Ctrl K")])
def test_the_help_shows_only_the_keys_of_the_readers_system(chrome, live_server, agent, shown):
    page = chrome.new_page(base_url=live_server.url, user_agent=agent)
    page.goto("/")
    page.evaluate("kbd => document.body.insertAdjacentHTML('beforeend', kbd)", f"<kbd>{keys('Mod K')}</kbd>")
    expect(page.locator("kbd")).to_have_text(shown, use_inner_text=True)
