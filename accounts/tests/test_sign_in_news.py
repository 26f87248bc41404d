"""The mail about a sign-in in a browser that the account does not know."""

from datetime import timedelta

import pytest
import time_machine
from django.core import mail
from django.test import Client
from django.utils import timezone

from accounts.models import User
from accounts.sign_in.password.hashers import InTurns
from accounts.tests.conftest import PASSWORD, is_signed_in, sign_in
from accounts.tests.factors import HERE, STEP, add_app, add_passkey, at_second_step, codes_of
from accounts.tests.test_passkeys import use
from accounts.tests.test_recovery import reset_password
from web.tests.browsing import browser

pytestmark = pytest.mark.usefixtures("_mail_server")
SUBJECT = "[Taskboard] New sign-in to your account"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


@pytest.fixture
def olga(olga, _mail_server):
    olga.emailaddress_set.create(email=olga.email, verified=True, primary=True)
    olga.last_login = timezone.now()
    olga.save()
    return olga


def news() -> list[mail.EmailMessage]:
    return [one for one in mail.outbox if one.subject == SUBJECT]


def test_it_tells_when_where_and_what_to_do(olga):
    sign_in(Client(REMOTE_ADDR="192.0.2.7", headers={"user-agent": FIREFOX}), olga.email)
    [told] = news()
    assert told.to == [olga.email]
    for words in ("Firefox on Linux", "192.0.2.7", "/settings/security", str(timezone.now().year), "(UTC)"):
        assert words in told.body


def test_a_browser_is_told_once(olga):
    client = Client()
    for _time in range(2):
        sign_in(client, olga.email)
        client.post("/sign-out")
    assert len(news()) == 1


@pytest.mark.parametrize("steps", [1, 2])
def test_a_browser_is_not_told_again_because_the_password_was_hashed_anew(olga, settings, monkeypatch, steps):
    settings.PASSWORD_HASHERS = ["accounts.sign_in.password.hashers.InTurns"]
    monkeypatch.setattr(InTurns, "iterations", 10)
    olga.set_password(PASSWORD)
    olga.save()
    sign_in(client := Client(), olga.email)
    if steps == 2:
        add_app(client)
    client.post("/sign-out")
    mail.outbox.clear()
    monkeypatch.setattr(InTurns, "iterations", 20)
    sign_in(client, olga.email)
    if steps == 2:
        client.post(STEP, {"code": codes_of(olga)[0]})
    assert is_signed_in(client)
    assert User.objects.get().password.startswith("pbkdf2_sha256$20$")
    assert not news()


def test_a_failed_sign_in_tells_nothing(olga):
    sign_in(Client(), olga.email, "wrong")
    assert not mail.outbox


@pytest.mark.parametrize("days, told", [(0, 0), (2, 1)])
def test_the_first_sign_in_after_the_sign_up_is_no_news(olga, days, told):
    User.objects.update(last_login=None, date_joined=timezone.now() - timedelta(days=days))
    sign_in(Client(), olga.email)
    assert len(news()) == told


def test_a_second_step_tells_only_when_it_is_done(olga):
    add_app(browser(olga))
    newcomer = at_second_step(olga.email)
    assert not news()
    newcomer.post(STEP, {"code": codes_of(olga)[0]})
    assert is_signed_in(newcomer)
    assert len(news()) == 1


def test_a_passkey_tells_too(olga):
    device = add_passkey(browser(olga))
    newcomer = Client(headers={"host": HERE})
    use(newcomer, device)
    assert is_signed_in(newcomer)
    assert len(news()) == 1


def test_a_reset_tells_of_the_new_password_alone(olga):
    client = Client()
    reset_password(client, olga.email)
    assert is_signed_in(client)
    assert not news()


def test_at_most_ten_a_day(olga):
    start = timezone.now().replace(hour=1)
    for number in range(12):
        with time_machine.travel(start + timedelta(seconds=number), tick=False):
            assert sign_in(Client(), olga.email).status_code == 302
    assert len(news()) == 10


def test_it_is_in_the_language_of_the_account(olga):
    User.objects.update(time_zone="Asia/Tokyo")
    sign_in(Client(), olga.email)
    assert "(JST)" in news()[0].body


@pytest.mark.parametrize("header", ["evil.example.com/1.0", "<b>", "\u202eevil"])
def test_what_a_program_calls_itself_is_no_link(olga, header):
    sign_in(Client(headers={"user-agent": header}), olga.email)
    assert "in a new browser: Unknown browser." in news()[0].body


def test_without_a_mail_server_nothing_is_sent(olga, settings):
    settings.ACCOUNT_EMAIL_NOTIFICATIONS = False
    sign_in(Client(), olga.email)
    assert not mail.outbox
