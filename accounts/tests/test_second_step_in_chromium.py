"""Passkeys with Chromium's virtual authenticator, and what works without scripts."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from allauth.mfa.models import Authenticator
from django.test import Client
from playwright.sync_api import Browser, Page, expect

from accounts.models import User
from accounts.tests.conftest import PASSWORD
from conftest import person
from taskboard.tests.authenticator import code_of
from taskboard.tests.axe import complaints_in_both_themes as complaints
from taskboard.tests.browsers import refused_by_policy

pytestmark = pytest.mark.django_db(transaction=True)

KEEPS_PASSKEYS = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": False,
}
NO_SUGGESTIONS = "PublicKeyCredential.isConditionalMediationAvailable = async () => false"


@pytest.fixture
def address(live_server) -> str:
    """Passkeys work at a name only."""
    return live_server.url.replace("127.0.0.1", "localhost")


@pytest.fixture
def tab(chrome: Browser, address: str) -> Iterator[Page]:
    context = chrome.new_context(base_url=address)
    context.set_default_timeout(15_000)
    yield context.new_page()
    context.close()


class Key:
    """The authenticator of a tab. It answers while `present` is true."""

    def __init__(self, tab: Page) -> None:
        self.session = tab.context.new_cdp_session(tab)
        self.session.send("WebAuthn.enable")
        self.id = self.session.send("WebAuthn.addVirtualAuthenticator", {"options": KEEPS_PASSKEYS})["authenticatorId"]
        self.present = True

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, value)
        if name == "present":
            sent = {"authenticatorId": self.id, "enabled": value}
            self.session.send("WebAuthn.setAutomaticPresenceSimulation", sent)


@pytest.fixture
def olga(db) -> User:
    return person("olga")


def type_password(tab: Page) -> None:
    tab.goto("/sign-in")
    tab.get_by_label("Email address").fill("olga@example.com")
    tab.get_by_label("Password", exact=True).fill(PASSWORD)
    tab.get_by_role("button", name="Sign in", exact=True).click()


def test_a_passkey_is_added_signs_in_and_is_a_second_step(tab, olga):
    tab.add_init_script(NO_SUGGESTIONS)
    refused, _key = refused_by_policy(tab), Key(tab)
    type_password(tab)
    tab.wait_for_url("**/")
    tab.goto("/settings/security")
    tab.get_by_role("button", name="Add passkey").click()
    tab.get_by_label("Name").fill("")
    tab.get_by_role("button", name="Add passkey").click()
    expect(tab.get_by_label("Name")).to_be_focused()
    assert not Authenticator.objects.exists(), "the name is asked for before the device"
    tab.get_by_label("Name").fill("work laptop")
    tab.get_by_role("button", name="Add passkey").click()
    expect(tab.get_by_role("heading", name="Keep these codes in a safe place")).to_be_visible()
    with tab.expect_download() as download:
        tab.get_by_role("link", name="Download").click()
    codes = Path(download.value.path()).read_text().split("\n")
    assert codes[:-1] == tab.locator("#recovery-codes").inner_text().strip().split("\n")
    tab.get_by_role("link", name="I've saved them").click()
    expect(tab.get_by_role("heading", name="work laptop")).to_be_visible()

    tab.context.clear_cookies()
    tab.goto("/sign-in?next=/settings/profile")
    tab.get_by_role("button", name="Sign in with a passkey").click()
    tab.wait_for_url(lambda url: urlsplit(url).path == "/settings/profile")

    tab.context.clear_cookies()
    type_password(tab)
    tab.wait_for_url("**/sign-in/second-step")
    tab.get_by_label("Don't ask again").check()
    tab.get_by_role("button", name="Use a passkey").click()
    tab.wait_for_url("**/")
    tab.goto("/settings/security")
    expect(tab.locator("section[aria-labelledby=browsers]").get_by_text("this browser")).to_be_visible()
    assert refused == []


def test_the_browser_offers_passkeys_below_the_address(tab, olga):
    tab.add_init_script(
        """
        PublicKeyCredential.isConditionalMediationAvailable = async () => true
        navigator.credentials.get = ({ mediation, publicKey, signal }) => new Promise((answer, refuse) => {
          document.documentElement.dataset.asked = `${document.documentElement.dataset.asked ?? ""} ${mediation ?? "at once"}`
          signal?.addEventListener("abort", () => refuse(signal.reason))
        })
        """
    )
    tab.goto("/sign-in")
    expect(tab.locator("html")).to_have_attribute("data-asked", " conditional")
    expect(tab.get_by_label("Email address")).to_have_attribute("autocomplete", "username webauthn")
    tab.get_by_role("button", name="Sign in with a passkey").click()
    expect(tab.locator("html")).to_have_attribute("data-asked", " conditional at once")
    expect(tab.locator(".toast")).to_have_count(0)


def test_a_device_that_refuses_is_told_and_one_can_try_again(tab, olga):
    tab.add_init_script(NO_SUGGESTIONS)
    tab.goto("/sign-in")
    tab.evaluate(
        "() => { navigator.credentials.get = async () => { throw new DOMException('no', 'NotAllowedError') } }"
    )
    tab.get_by_role("button", name="Sign in with a passkey").click()
    expect(tab.locator(".toast")).to_contain_text("The passkey was not used.")


def test_without_scripts_the_app_works_and_passkeys_say_what_they_need(chrome, address, olga):
    context = chrome.new_context(base_url=address, java_script_enabled=False)
    tab = context.new_page()
    type_password(tab)
    expect(tab.get_by_role("button", name="Sign in with a passkey")).to_have_count(0)
    tab.goto("/settings/security")
    tab.get_by_role("button", name="Add passkey").click()
    expect(tab.locator("noscript .notice")).to_be_visible()
    tab.goto("/settings/security")
    tab.get_by_role("button", name="Set up").click()
    secret = tab.locator("#app-secret").inner_text()
    tab.get_by_label("Code from the app").fill(code_of(secret))
    tab.get_by_role("button", name="Turn on").click()
    codes = tab.locator("#recovery-codes").inner_text().strip().split("\n")
    context.clear_cookies()
    type_password(tab)
    tab.get_by_label("Code", exact=True).fill(codes[0])
    tab.get_by_role("button", name="Sign in").click()
    expect(tab.get_by_text("You have 9 left.")).to_be_visible()
    context.close()


def test_no_page_of_the_second_step_has_a_violation(axe, tab, olga):
    tab.add_init_script(NO_SUGGESTIONS)
    Key(tab)
    wrong: list[str] = []
    type_password(tab)
    tab.wait_for_url("**/")
    tab.goto("/settings/security")
    tab.get_by_role("button", name="Set up").click()
    expect(tab.locator(".qr")).to_have_js_property("complete", True)
    assert tab.locator(".qr").evaluate("(picture) => picture.naturalWidth") > 0
    tab.get_by_label("Code from the app").fill("000000")
    tab.get_by_role("button", name="Turn on").click()
    expect(tab.get_by_text("Incorrect code.")).to_be_visible()
    wrong += complaints(tab)
    tab.get_by_label("Code from the app").fill(code_of(tab.locator("#app-secret").inner_text()))
    tab.get_by_role("button", name="Turn on").click()
    code = tab.locator("#recovery-codes").inner_text().split("\n")[0]
    wrong += complaints(tab)
    tab.goto("/settings/security")
    tab.get_by_role("button", name="Add passkey").click()
    expect(tab.get_by_label("Name")).to_be_visible()
    wrong += complaints(tab)
    tab.get_by_role("button", name="Add passkey").click()
    tab.wait_for_url("**/settings/security")
    tab.goto("/account/confirm")
    tab.get_by_text("Use a code from your authenticator app").click()
    wrong += complaints(tab)
    tab.context.clear_cookies()
    type_password(tab)
    tab.wait_for_url("**/sign-in/second-step")
    wrong += complaints(tab)
    tab.get_by_label("Don't ask again").check()
    tab.get_by_label("Code", exact=True).fill(code)
    tab.get_by_role("button", name="Sign in").click()
    tab.wait_for_url("**/")
    tab.goto("/settings/security")
    wrong += complaints(tab)
    assert wrong == []


def test_a_form_is_sent_once_when_its_button_is_double_clicked(tab, olga):
    """The first one ends the session that the second would come with: whoever clicked twice was signed out."""
    elsewhere = Client()
    elsewhere.force_login(olga)
    type_password(tab)
    tab.wait_for_url("**/")
    tab.goto("/settings/security")
    form = tab.locator("form[action$='/sessions/end']").last
    submits = "(form) => form.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }))"
    assert [form.evaluate(submits), form.evaluate(submits)] == [True, False]
