"""A recovery removes the factors of the last seven days, and asks for the older ones."""

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.core import mail
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.tests.conftest import PASSWORD, _mail_server, is_signed_in, page, sign_in
from accounts.tests.factors import HERE, STEP, add_app, add_passkey, at_second_step, clock, codes_of
from accounts.tests.test_recovery import NEW, change_password, reset_link, reset_password
from security.models import SecurityEvent
from taskboard.tests.authenticator import code_of
from web.tests.browsing import browser, text_of

__all__ = ["_mail_server", "clock", "page"]
pytestmark = pytest.mark.usefixtures("_mail_server")
DAY = timedelta(days=1)


@pytest.fixture(autouse=True)
def _confirmed(olga) -> None:
    EmailAddress.objects.create(user=olga, email=olga.email, verified=True, primary=True)


@pytest.fixture
def secret(page, clock) -> str:
    """Olga's app, set up eight days ago, and recovery codes with it."""
    secret, _answer = add_app(page)
    clock.shift(8 * DAY)
    return secret


@pytest.fixture
def intruder(secret, olga) -> Client:
    """Somebody at an open browser, who knows Olga's password."""
    return browser(User.objects.get(pk=olga.pk))


def kinds_held(user: User) -> set[str]:
    return set(Authenticator.objects.filter(user=user).values_list("type", flat=True))


def sign_in_by(device) -> Client:
    visitor = Client(headers={"host": HERE})
    options = visitor.post("/sign-in/passkey/options").json()
    visitor.post("/sign-in/passkey", {"credential": device.get(options)})
    return visitor


def test_an_owner_whose_intruder_added_factors_gets_in_by_mail_and_the_intruder_does_not(olga, clock):
    intruder, owner = Client(), Client()
    sign_in(intruder, olga.email)
    passkey, (secret, _answer) = add_passkey(intruder, "evil"), add_app(intruder)
    codes = codes_of(olga)
    clock.shift(6 * DAY)
    assert is_signed_in(sign_in_by(passkey))
    reset_password(owner, olga.email)
    assert is_signed_in(owner)
    assert not is_signed_in(sign_in_by(passkey))
    assert not is_signed_in(intruder)
    assert sign_in(again := Client(), olga.email, NEW)["Location"] == "/"
    assert is_signed_in(again), f"neither {code_of(secret)} nor {codes[0]} is asked for"


@pytest.mark.parametrize("days, asked", [(6, False), (8, True)])
def test_a_factor_is_asked_for_after_a_reset_once_it_is_a_week_old(page, olga, clock, days, asked):
    secret, _answer = add_app(page)
    clock.shift(days * DAY)
    reset_password(owner := Client(), olga.email)
    assert is_signed_in(owner) is not asked
    if asked:
        owner.post(STEP, {"code": code_of(secret)})
        assert is_signed_in(owner)


def test_beside_an_older_factor_only_the_recent_ones_go(olga, intruder):
    passkey = add_passkey(intruder)
    code = codes_of(olga)[0]
    reset_password(owner := Client(), olga.email)
    assert kinds_held(olga) == {"totp", "recovery_codes"}
    owner.post(STEP, {"code": code})
    assert is_signed_in(owner)
    assert not is_signed_in(sign_in_by(passkey))


def test_recovery_codes_that_an_intruder_made_go_and_the_older_app_stays(olga, secret, intruder):
    intruder.post("/settings/security/recovery-codes")
    code = codes_of(olga)[0]
    reset_password(owner := Client(), olga.email)
    assert kinds_held(olga) == {"totp"}
    owner.post(STEP, {"code": code})
    assert not is_signed_in(owner)
    owner.post(STEP, {"code": code_of(secret)})
    assert is_signed_in(owner)


def test_where_an_intruder_replaced_the_older_factor_the_mailbox_alone_gets_in(olga, intruder):
    add_passkey(intruder, "evil")
    intruder.post("/settings/security/app/remove")
    assert kinds_held(olga) == {"webauthn", "recovery_codes"}
    reset_password(owner := Client(), olga.email)
    assert is_signed_in(owner)
    assert kinds_held(olga) == set(), "codes alone ask nobody for a second step"


def test_a_second_step_that_the_intruder_has_before_them_ends(olga, secret):
    waiting = at_second_step(olga.email)
    reset_password(Client(), olga.email)
    assert waiting.post(STEP, {"code": code_of(secret)})["Location"] == "/sign-in"


def test_a_password_that_is_refused_removes_nothing(page, olga):
    add_app(page)
    form = Client()
    shown = form.get(reset_link(olga.email), follow=True)
    form.post(shown.request["PATH_INFO"], {"password1": "password", "password2": "password"})
    assert kinds_held(olga) == {"totp", "recovery_codes"}


def test_a_password_that_is_changed_by_a_signed_in_user_removes_no_factor(page, olga):
    add_app(page)
    change_password(page)
    assert kinds_held(olga) == {"totp", "recovery_codes"}


@pytest.mark.parametrize("door", ["admin", "command"])
def test_a_password_that_the_operator_sets_removes_recent_factors(olga, otto, intruder, door, capsys):
    add_passkey(intruder, "evil")
    if door == "command":
        call_command("adduser", olga.email, "--password", NEW)
        assert "Removed, as added in the last 7 days: Passkey “evil”." in capsys.readouterr().out
    else:
        fields = {"password1": NEW, "password2": NEW, "usable_password": "true", "set-password": "Change"}
        browser(otto).post(reverse("admin:auth_user_password_change", args=[olga.pk]), fields)
    assert kinds_held(olga) == {"totp", "recovery_codes"}
    told = next(one for one in mail.outbox if "methods were removed" in one.subject)
    assert "- Passkey “evil”\n" in told.body
    assert "The operator of this service did this" in told.body


# What is told


def test_the_owner_is_told_on_the_page_and_by_mail(page, olga):
    add_passkey(page, "laptop")
    add_app(page)
    owner = Client()
    form = owner.get(reset_link(olga.email), follow=True)
    shown = owner.post(form.request["PATH_INFO"], {"password1": NEW, "password2": NEW}, follow=True)
    words = text_of(shown)
    assert "so they were removed: Passkey “laptop”, Recovery codes, Authenticator app. If they were" in words
    told = next(one for one in mail.outbox if "methods were removed" in one.subject)
    assert told.to == [olga.email]
    assert "- Passkey “laptop”\n- Recovery codes\n- Authenticator app\n" in told.body


def test_the_owner_is_told_before_the_older_factor_is_asked_for(olga, intruder):
    add_passkey(intruder, "laptop")
    owner = Client()
    form = owner.get(reset_link(olga.email), follow=True)
    shown = owner.post(form.request["PATH_INFO"], {"password1": NEW, "password2": NEW}, follow=True)
    assert shown.request["PATH_INFO"] == STEP
    assert "Passkey “laptop”" in text_of(shown)


def test_who_loses_nothing_is_told_nothing(olga):
    reset_password(owner := Client(), olga.email)
    assert not any("methods were removed" in one.subject for one in mail.outbox)
    assert "so they were removed" not in text_of(owner.get("/"))


def test_the_security_log_has_each_that_was_removed(page, olga):
    add_passkey(page, "laptop")
    reset_password(Client(), olga.email)
    removed = SecurityEvent.objects.filter(user=olga, kind="factor-removed").order_by("id")
    assert [one.details for one in removed] == [{"factor": "passkey", "name": "laptop"}, {"factor": "codes"}]
    sign_in(owner := Client(), olga.email, NEW)
    words = text_of(owner.get("/settings/security/activity"))
    assert "Passkey “laptop” removed" in words
    assert "Recovery codes removed" in words


def test_the_old_password_signs_nobody_in(page, olga):
    add_app(page)
    reset_password(Client(), olga.email)
    assert sign_in(intruder := Client(), olga.email, PASSWORD).status_code == 200
    assert not is_signed_in(intruder)
