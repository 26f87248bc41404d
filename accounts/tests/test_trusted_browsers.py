"""Browsers in which nobody is asked for the second step, for thirty days."""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from accounts.models import TrustedBrowser
from accounts.models.token import digest_of
from accounts.sign_in.factors.second_step import SecondStep
from accounts.sign_in.factors.trusted_browsers import cookie_name
from accounts.tests.conftest import PASSWORD, is_signed_in, page, sign_in
from accounts.tests.factors import STEP, add_app, at_second_step, clock, secret
from operating.tidying import tidy
from security.browsers import name_of_browser
from security.models import SecurityEvent
from taskboard.tests.authenticator import code_of
from web.tests.browsing import browser, text_of

__all__ = ["clock", "page", "secret"]
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


@pytest.fixture
def trusted(olga, secret, clock) -> Client:
    """A browser that was remembered a minute ago, signed out."""
    client = at_second_step(olga.email, Client(headers={"user-agent": FIREFOX}, REMOTE_ADDR="203.0.113.7"))
    client.post(STEP, {"code": code_of(secret), "remember": "on"})
    assert is_signed_in(client)
    client.post("/sign-out")
    clock.shift(60)
    return client


def gets_in(client: Client, email: str, password: str = PASSWORD) -> bool:
    return sign_in(client, email, password)["Location"] == "/"


def test_a_browser_is_not_remembered_unless_asked(olga, secret):
    client = at_second_step(olga.email)
    client.post(STEP, {"code": code_of(secret)})
    assert cookie_name() not in client.cookies
    assert not TrustedBrowser.objects.exists()


def test_a_remembered_browser_signs_in_with_the_password_alone(trusted, olga):
    assert gets_in(trusted, olga.email)
    assert SecurityEvent.objects.get(kind="browser-trusted").user == olga


def test_a_cookie_that_cannot_be_set_again_does_no_harm(olga, secret):
    client = at_second_step(olga.email)
    cookies = [f"{name}={morsel.coded_value}" for name, morsel in client.cookies.items()]
    cookies.append(f'{cookie_name()}="a control character: \\177"')
    client.post(STEP, {"code": code_of(secret), "remember": "on"}, HTTP_COOKIE="; ".join(cookies))
    assert digest_of(client.cookies[cookie_name()].value) == TrustedBrowser.objects.get().digest


def test_only_a_digest_is_kept_and_scripts_cannot_read_the_cookie(trusted):
    cookie = trusted.cookies[cookie_name()]
    assert cookie.value not in str(TrustedBrowser.objects.values())
    assert (cookie["httponly"], cookie["samesite"], cookie["max-age"]) == (True, "Lax", 30 * 24 * 60 * 60)


def test_behind_https_the_cookie_is_held_to_this_host(olga, secret, settings):
    settings.SESSION_COOKIE_SECURE = True
    client = at_second_step(olga.email)
    client.post(STEP, {"code": code_of(secret), "remember": "on"})
    cookie = client.cookies["__Host-trusted"]
    assert (cookie["secure"], cookie["path"], cookie["domain"]) == (True, "/", "")


def test_after_thirty_days_it_is_asked_again_and_tidied(trusted, olga, clock):
    clock.shift(timedelta(days=29))
    assert gets_in(trusted, olga.email)
    trusted.post("/sign-out")
    clock.shift(timedelta(days=2))
    assert sign_in(trusted, olga.email)["Location"] == STEP
    tidy()
    assert not TrustedBrowser.objects.exists()


def test_it_is_remembered_for_its_account_alone(trusted, ed, clock):
    his = browser(ed)
    add_app(his)
    assert sign_in(trusted, ed.email)["Location"] == STEP


@pytest.mark.parametrize("value", ["", "x", "|||||", "a|b|c|d|e|f|g", "\u00fc"])
def test_a_made_up_cookie_opens_nothing(trusted, olga, value):
    trusted.cookies[cookie_name()] = value
    assert sign_in(trusted, olga.email)["Location"] == STEP


def test_two_accounts_can_be_remembered_in_one_browser(trusted, olga, ed, clock):
    secret, _answer = add_app(browser(ed))
    clock.shift(60)
    at_second_step(ed.email, trusted).post(STEP, {"code": code_of(secret), "remember": "on"})
    trusted.post("/sign-out")
    assert gets_in(trusted, olga.email)
    trusted.post("/sign-out")
    assert gets_in(trusted, ed.email)


def test_each_is_listed_and_withdrawn(page, trusted, olga):
    words = text_of(page.get("/settings/security"))
    assert "Firefox on Linux IP address 203.0.113.7 Since" in words
    page.post(reverse("forget_browser", args=[TrustedBrowser.objects.get().pk]))
    assert sign_in(trusted, olga.email)["Location"] == STEP
    assert SecurityEvent.objects.get(kind="trust-withdrawn").details == {"browser": "Firefox on Linux"}


def test_all_are_withdrawn_at_once(page, trusted, olga):
    page.post(reverse("forget_browsers"))
    assert sign_in(trusted, olga.email)["Location"] == STEP
    assert SecurityEvent.objects.get(kind="trust-withdrawn").details == {"browser": "all"}


def test_nobody_withdraws_those_of_others(trusted, ed):
    browser = TrustedBrowser.objects.get()
    his = Client()
    his.force_login(ed)
    assert his.post(reverse("forget_browser", args=[browser.pk])).status_code == 404
    his.post(reverse("forget_browsers"))
    assert TrustedBrowser.objects.exists()


@pytest.mark.parametrize("end", ["change", "command", "sign out elsewhere"])
def test_what_ends_the_password_or_the_sessions_ends_them(page, trusted, olga, end):
    new = "plum tart on sunday"
    if end == "change":
        page.post("/settings/password", {"oldpassword": PASSWORD, "password1": new, "password2": new})
    elif end == "command":
        call_command("adduser", olga.email, "--password", new)
    else:
        page.post("/settings/security/sessions/end")
    assert not TrustedBrowser.objects.exists()


def test_none_is_remembered_for_an_account_that_was_recovered_meanwhile(olga, secret, monkeypatch):
    client, exit_step = at_second_step(olga.email), SecondStep.exit

    def recovered_meanwhile(step: SecondStep):
        call_command("adduser", olga.email, "--password", "plum tart on sunday")
        return exit_step(step)

    monkeypatch.setattr(SecondStep, "exit", recovered_meanwhile)
    client.post(STEP, {"code": code_of(secret), "remember": "on"})
    assert not TrustedBrowser.objects.exists()


def test_an_account_has_at_most_twenty(olga, secret, clock):
    for _number in range(22):
        client = at_second_step(olga.email)
        client.post(STEP, {"code": code_of(secret), "remember": "on"})
        clock.shift(60)
    assert TrustedBrowser.objects.count() == 20
    client.post("/sign-out")
    assert gets_in(client, olga.email), "the newest stay"


@pytest.mark.parametrize(
    "header, name",
    [
        (FIREFOX, "Firefox on Linux"),
        ("Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/142.0 Safari/537.36 Edg/142.0", "Edge on Windows"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Safari/604.1", "Safari on iPhone"),
        ("Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 Chrome/142.0 Mobile Safari/537.36", "Chrome on Android"),
        ("curl/8.9", "curl"),
        ("", "Unknown browser"),
        ("<b>", "Unknown browser"),
    ],
)
def test_browsers_are_named_in_words(header, name):
    assert name_of_browser(header) == name
