"""With a new key in front of the old one nobody is signed out, and links that were sent stay good. Little else ends."""

import secrets

import pytest
from allauth.account.models import EmailAddress
from django.contrib.sessions.models import Session
from django.test import Client

from accounts.models import ApiToken, User
from accounts.tests.conftest import _mail_server
from accounts.tests.test_email_address import change as change_address
from accounts.tests.test_email_address import link_in_mail, stop_link
from accounts.tests.test_recovery import reset_link
from boards.errors import Invalid
from boards.models import Card
from boards.reader import Reader
from boards.reading.search import cursor_after, search_cards
from boards.reading.search_filters import Filters
from cliauth.tests.conftest import CommandLine
from web.live.visitors import user_of

__all__ = ["_mail_server"]

OLD, NEW = secrets.token_urlsafe(48), secrets.token_urlsafe(48)


@pytest.fixture
def old_key(settings) -> None:
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = OLD, []


@pytest.fixture
def rotate(settings):
    def rotate(*older: str) -> None:
        settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = NEW, list(older)

    return rotate


@pytest.fixture
def browser(old_key, olga: User) -> Client:
    browser = Client()
    browser.force_login(olga)
    return browser


def test_people_stay_signed_in(browser: Client, rotate) -> None:
    rotate(OLD)
    assert browser.get("/settings/profile").status_code == 200
    rotate()  # and without the old one still: the first request has signed the session anew
    assert browser.get("/settings/profile").status_code == 200


def test_an_open_page_stays_connected_and_its_browser_signed_in(browser: Client, rotate, olga: User) -> None:
    session = browser.session.session_key
    rotate(OLD)
    assert user_of(session) == olga.pk
    assert Session.objects.filter(pk=session).exists()
    assert browser.get("/settings/profile").status_code == 200


def test_without_the_old_key_they_sign_in_again(browser: Client, rotate) -> None:
    rotate()
    assert browser.get("/settings/profile").status_code == 302


@pytest.mark.parametrize("kept", [True, False], ids=["old key kept", "old key left out"])
def test_links_that_were_mailed_work_as_long_as_the_old_key_is_kept(
    browser: Client, rotate, request, kept: bool
) -> None:
    request.getfixturevalue("_mail_server")
    change_address(browser, "new@example.com")
    reset = reset_link("olga@example.com")
    rotate(*[OLD] * kept)
    for link in (link_in_mail(), stop_link(), reset):
        assert ("This link no longer works" not in Client().get(link, follow=True).text) is kept, link
    Client().post(stop_link())
    assert EmailAddress.objects.filter(email="new@example.com").exists() is not kept


def test_a_command_line_that_was_approved_and_has_not_fetched_its_token_asks_again(browser: Client, rotate) -> None:
    line = CommandLine()
    line.start()
    browser.post("/cli", {"code": line.codes["userCode"], "answer": "approve"})
    rotate(OLD)
    assert line.poll().status_code == 410
    assert not ApiToken.objects.live().exists()


def test_a_search_that_is_under_way_begins_anew(old_key, olga: User, card: Card, rotate) -> None:
    cursor = cursor_after(Filters(), card)
    assert search_cards(Reader(olga), Filters(), limit=1, after=cursor).cards == []
    rotate(OLD)
    with pytest.raises(Invalid, match="Search again without cursor"):
        search_cards(Reader(olga), Filters(), limit=1, after=cursor)
