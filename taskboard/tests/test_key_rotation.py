"""With a new key in front of the old one nobody is signed out, and links that were sent stay good."""

import secrets

import pytest
from django.contrib.auth.tokens import default_token_generator
from django.contrib.sessions.models import Session
from django.core import signing
from django.test import Client

from accounts.models import User
from web.live.visitors import user_of

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


def test_a_signed_link_made_under_the_old_key_still_works(old_key, olga: User, rotate) -> None:
    link, reset = signing.dumps("olga@example.com"), default_token_generator.make_token(olga)
    rotate(OLD)
    assert signing.loads(link) == "olga@example.com"
    assert default_token_generator.check_token(olga, reset)
    rotate()
    assert not default_token_generator.check_token(olga, reset)
    with pytest.raises(signing.BadSignature):
        signing.loads(link)
