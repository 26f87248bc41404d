"""/settings/security: what one signs in with is added and removed there, and what that ends."""

import re
from datetime import timedelta

import pytest
import time_machine
from allauth.mfa.models import Authenticator
from django.core import mail
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import TrustedBrowser
from accounts.sign_in.factors.adapter import STORED
from accounts.tests.conftest import PASSWORD, _mail_server, at_once, is_signed_in, page
from accounts.tests.factors import (
    APP,
    HERE,
    PASSKEY,
    add_app,
    add_passkey,
    at_second_step,
    codes_of,
    hidden,
    options_in,
)
from conftest import person
from core.bus import bus
from operating.tidying import tidy
from security.models import SecurityEvent
from taskboard.tests.admin_pages import act
from taskboard.tests.authenticator import Device, code_of
from web.tests.browsing import browser, text_of

__all__ = ["_mail_server", "page"]
SECURITY = "/settings/security"


def remembered(user) -> TrustedBrowser:
    return TrustedBrowser.objects.create(user=user, digest=str(user.pk), expires_at=timezone.now() + timedelta(days=1))


def remove(page: Client, passkey: Authenticator):
    return page.post(reverse("remove_passkey", args=[passkey.pk]))


def test_the_page_says_what_there_is_when_there_is_nothing(page):
    words = text_of(page.get(SECURITY))
    assert "Two-step sign-in Off" in words
    assert "Set up Authenticator app" in words
    assert "No remembered browsers." in words
    assert "Change password" in words


@pytest.mark.parametrize("address", [APP, PASSKEY])
def test_before_a_first_factor_is_added_the_page_says_which_sessions_that_ends(page, olga, address):
    here = {"host": HERE}
    assert "This browser stays signed in" not in text_of(page.post(address, headers=here))
    others = [browser(olga) for _ in range(2)]
    for other in others:
        other.get("/settings/profile")
    assert "Your 2 other sessions end when you add it." in text_of(page.post(address, headers=here))
    add_passkey(page)
    browser(olga).get("/settings/profile")
    assert "end when you add it" not in text_of(page.post(address, headers=here))


def test_an_app_is_set_up_by_the_key_that_is_shown(page, olga):
    shown = page.post(APP)
    picture = re.search(r'class="qr" src="(data:image/svg\+xml;base64,[^"]+)"', shown.text)
    assert picture
    secret, answer = add_app(page)
    assert len(secret) == 32
    assert "Keep these codes in a safe place" in text_of(answer)
    assert answer["Cache-Control"] == "no-store"
    assert "Two-step sign-in On" in text_of(page.get(SECURITY))


def test_recovery_codes_are_shown_once(page, olga):
    _secret, answer = add_app(page)
    codes = codes_of(olga)
    assert len(codes) == len(set(codes)) == 10
    assert all(code in text_of(answer) for code in codes)
    words = text_of(page.get(SECURITY))
    assert "10 codes left" in words
    assert not any(code in words for code in codes)


def test_a_wrong_first_code_keeps_the_key(page, olga):
    key = hidden(page.post(APP), "key")
    wrong = page.post(APP, {"key": key, "code": "000000"})
    assert wrong.status_code == 422
    assert "check your phone's clock" in text_of(wrong)
    secret = re.search(r'id="app-secret">([^<]+)<', wrong.text)[1]
    page.post(APP, {"key": hidden(wrong, "key"), "code": code_of(secret)})
    assert Authenticator.objects.filter(user=olga, type="totp").exists()


def test_a_key_of_somebody_else_sets_nothing_up(page, olga, ed):
    shown = browser(ed).post(APP)
    secret = re.search(r'id="app-secret">([^<]+)<', shown.text)[1]
    answer = page.post(APP, {"key": hidden(shown, "key"), "code": code_of(secret)})
    assert secret not in answer.text
    assert not Authenticator.objects.exists()


def test_a_key_is_good_for_an_hour(page, olga):
    with time_machine.travel(timezone.now(), tick=False) as clock:
        page.force_login(olga)
        shown = page.post(APP)
        secret = re.search(r'id="app-secret">([^<]+)<', shown.text)[1]
        clock.shift(timedelta(minutes=61))
        page.post("/account/confirm", {"password_again": PASSWORD})
        answer = page.post(APP, {"key": hidden(shown, "key"), "code": code_of(secret)})
    assert "open for too long" in text_of(answer)
    assert not Authenticator.objects.exists()


def test_one_app_is_enough(page, olga):
    add_app(page)
    _secret, answer = add_app(page)
    assert answer["Location"] == SECURITY
    assert "already set up" in text_of(page.get(SECURITY))
    assert Authenticator.objects.filter(type="totp").count() == 1


@pytest.mark.django_db(transaction=True)
def test_an_app_that_is_set_up_twice_at_once_is_set_up_once(page, olga):
    shown = page.post(APP)
    secret = re.search(r'id="app-secret">([^<]+)<', shown.text)[1]
    sent = {"key": hidden(shown, "key"), "code": code_of(secret)}
    statuses = sorted(at_once(3, lambda: page.post(APP, sent).status_code))
    assert statuses[0] == 200, "codes are shown to one"
    assert Authenticator.objects.count() == 2


def test_secrets_are_encrypted(page, olga):
    secret, _answer = add_app(page)
    kept = {one.type: one.data for one in Authenticator.objects.all()}
    assert secret not in str(kept)
    assert STORED.decrypt(kept["totp"]["secret"]) == secret
    assert len(STORED.decrypt(kept["recovery_codes"]["seed"])) == 80


def test_after_a_new_secret_key_factors_work_and_are_encrypted_anew(page, olga, settings):
    with time_machine.travel("2026-05-04 12:00:15Z", tick=False) as clock:
        page.force_login(olga)
        secret, _answer = add_app(page)
        clock.shift(90)
        former, settings.SECRET_KEY = settings.SECRET_KEY, "a new key of the service, quite long"
        settings.SECRET_KEY_FALLBACKS = [former]
        newcomer = at_second_step(olga.email)
        newcomer.post("/sign-in/second-step", {"code": code_of(secret)})
        assert is_signed_in(newcomer)
    app = Authenticator.objects.get(type="totp")
    assert STORED.is_current(app.data["secret"]), "when it is used"
    assert not STORED.is_current(Authenticator.objects.get(type="recovery_codes").data["seed"])
    tidy()
    settings.SECRET_KEY_FALLBACKS = []
    assert len(codes_of(olga)) == 10, "or when the service tidies up"


def test_with_a_lost_secret_key_a_code_is_refused_and_the_log_says_why(page, olga, settings, caplog):
    secret, _answer = add_app(page)
    settings.SECRET_KEY = "a new key of the service, quite long"
    newcomer = at_second_step(olga.email)
    assert newcomer.post("/sign-in/second-step", {"code": code_of(secret)}).status_code == 422
    assert "cannot be decrypted: is a former secret key missing?" in caplog.text
    settings.SECRET_KEY_FALLBACKS = ["yet another key of the service, long"]
    tidy()
    assert Authenticator.objects.count() == 2, "nothing is thrown away"


def test_new_recovery_codes_replace_the_former(page, olga):
    add_app(page)
    former = codes_of(olga)
    words = text_of(page.post(f"{SECURITY}/recovery-codes"))
    assert all(code in words for code in codes_of(olga))
    assert not set(former) & set(codes_of(olga))


def test_without_a_factor_there_are_no_recovery_codes(page):
    assert page.post(f"{SECURITY}/recovery-codes")["Location"] == SECURITY
    assert "Set up an authenticator app or a passkey first." in text_of(page.get(SECURITY))
    assert not Authenticator.objects.exists()


def test_removing_the_last_factor_removes_the_recovery_codes(page, olga):
    add_app(page)
    page.post(f"{SECURITY}/app/remove")
    assert not Authenticator.objects.exists()
    assert page.post(f"{SECURITY}/app/remove")["Location"] == SECURITY, "again"


def test_recovery_codes_stay_with_another_factor(page, olga):
    add_app(page)
    former = codes_of(olga)
    add_passkey(page)
    page.post(f"{SECURITY}/app/remove")
    assert codes_of(olga) == former


def test_passkeys_are_listed_renamed_and_removed(page, olga):
    add_passkey(page, "laptop")
    add_passkey(page, "phone")
    laptop, phone = Authenticator.objects.filter(type="webauthn").order_by("pk")
    page.post(reverse("rename_passkey", args=[laptop.pk]), {"name": "old laptop"})
    words = text_of(page.get(SECURITY))
    assert "old laptop Added" in words
    assert "Last used never" in words
    remove(page, phone)
    assert "“phone” was removed." in text_of(page.get(SECURITY))
    assert [one.data["name"] for one in Authenticator.objects.filter(type="webauthn")] == ["old laptop"]


@pytest.mark.parametrize("name", ["", " ", "x" * 101, "a\u202eb"])
def test_a_name_that_does_not_fit_is_refused(page, olga, name):
    add_passkey(page, "laptop")
    passkey = Authenticator.objects.get(type="webauthn")
    page.post(reverse("rename_passkey", args=[passkey.pk]), {"name": name})
    passkey.refresh_from_db()
    assert passkey.data["name"] == "laptop"
    shown = page.post(PASSKEY, headers={"host": HERE})
    credential = Device().create(options_in(shown, "create"))
    answer = page.post(PASSKEY, {"name": name, "credential": credential}, headers={"host": HERE})
    assert answer.status_code == 422


@pytest.mark.parametrize("what", ["name", "remove"])
def test_passkeys_of_others_are_not_there(page, olga, ed, what):
    add_passkey(browser(ed), "laptop")
    passkey = Authenticator.objects.get(user=ed, type="webauthn")
    assert page.post(f"{SECURITY}/passkeys/{passkey.pk}/{what}", {"name": "mine"}).status_code == 404
    assert page.post(f"{SECURITY}/passkeys/{10**30}/{what}", {"name": "mine"}).status_code == 404
    passkey.refresh_from_db()
    assert passkey.data["name"] == "laptop"


def test_an_account_has_at_most_twenty_passkeys(page, olga):
    for _number in range(21):
        add_passkey(page)
    assert Authenticator.objects.filter(type="webauthn").count() == 20
    assert "limit of 20 passkeys" in text_of(page.get(SECURITY))


def test_the_only_way_to_sign_in_is_not_removed(page, olga):
    add_passkey(page)
    olga.set_unusable_password()
    olga.save()
    page.force_login(olga)
    passkey = Authenticator.objects.get(type="webauthn")
    remove(page, passkey)
    assert "the only way to sign in" in text_of(page.get(SECURITY))
    add_passkey(page, "phone")
    remove(page, passkey)
    assert [one.data["name"] for one in Authenticator.objects.filter(type="webauthn")] == ["phone"]


@pytest.mark.parametrize("path", [APP, f"{APP}/remove", f"{SECURITY}/recovery-codes", PASSKEY])
def test_a_change_needs_a_fresh_confirmation(page, olga, path):
    add_app(page)
    before = list(Authenticator.objects.values())
    with time_machine.travel(timezone.now() + timedelta(minutes=16)):
        assert page.post(path).status_code == 403
    assert list(Authenticator.objects.values()) == before


@pytest.mark.parametrize("path", [APP, f"{SECURITY}/recovery-codes", PASSKEY])
def test_looking_at_an_address_that_changes_something_leads_to_the_page(page, path):
    assert page.get(path)["Location"] == SECURITY


# What a change ends


def test_the_first_factor_ends_other_sessions_and_the_next_one_does_not(page, olga):
    other = browser(olga)
    add_app(page)
    assert is_signed_in(page)
    assert not is_signed_in(other)
    olga.refresh_from_db()
    another = browser(olga)
    add_passkey(page)
    assert is_signed_in(another)


def test_removing_a_factor_ends_other_sessions(page, olga):
    add_app(page)
    add_passkey(page)
    olga.refresh_from_db()
    other = browser(olga)
    page.post(f"{SECURITY}/app/remove")
    assert is_signed_in(page)
    assert not is_signed_in(other)


@pytest.mark.parametrize("change", ["add", "remove", "codes"])
def test_every_change_of_factors_forgets_browsers(page, olga, change):
    add_app(page)
    remembered(olga)
    {
        "add": lambda: add_passkey(page),
        "remove": lambda: page.post(f"{SECURITY}/app/remove"),
        "codes": lambda: page.post(f"{SECURITY}/recovery-codes"),
    }[change]()
    assert not TrustedBrowser.objects.exists()


def test_api_tokens_stay(page, olga):
    page.post("/settings/tokens", {"name": "laptop"})
    add_app(page)
    assert olga.tokens.get().revoked_at is None


# What is told


@pytest.mark.usefixtures("_mail_server")
def test_each_change_is_told_by_mail(page, olga):
    add_app(page)
    add_passkey(page, "laptop\u00e9")
    remove(page, Authenticator.objects.get(type="webauthn"))
    page.post(f"{SECURITY}/recovery-codes")
    page.post(f"{SECURITY}/app/remove")
    subjects = [one.subject.removeprefix("[Taskboard] ") for one in mail.outbox]
    assert subjects == [
        "An authenticator app was added to your account",
        "A passkey was added to your account",
        "A passkey was removed from your account",
        "New recovery codes were created for your account",
        "The authenticator app was removed from your account",
    ]
    assert "“laptop\u00e9”" in mail.outbox[1].body
    leads_to = ["/account/factor/", "/account/factor/", *["/settings/security"] * 3]
    assert all(path in one.body for path, one in zip(leads_to, mail.outbox, strict=True))
    assert all("127.0.0.1" in one.body for one in mail.outbox)


def test_each_change_is_in_the_security_log(page, olga):
    add_app(page)
    add_passkey(page, "laptop")
    remove(page, Authenticator.objects.get(type="webauthn"))
    events = SecurityEvent.objects.filter(user=olga).order_by("id").values_list("kind", "details")
    assert list(events) == [
        ("factor-added", {"factor": "app"}),
        ("recovery-codes-made", {}),
        ("factor-added", {"factor": "passkey", "name": "laptop"}),
        ("factor-removed", {"factor": "passkey", "name": "laptop"}),
    ]


# Operators


@pytest.mark.usefixtures("_mail_server")
def test_an_operator_removes_the_factors_of_an_account_that_lost_them(page, olga, otto):
    add_app(page)
    add_passkey(page)
    remembered(olga)
    act(browser(otto), "remove_factors", olga)
    assert not Authenticator.objects.exists()
    assert not TrustedBrowser.objects.exists()
    assert not is_signed_in(page)
    event = SecurityEvent.objects.get(kind="factor-removed")
    assert (event.user, event.by, event.details) == (olga, otto, {"factor": "all"})
    assert mail.outbox[-1].subject == "[Taskboard] Two-step sign-in was removed from your account"


def test_an_operator_who_is_no_superuser_removes_none_of_an_operator(page, olga, otto):
    olga.is_staff = True
    olga.save()
    add_app(page)
    restricted = person("rita", is_staff=True)
    act(browser(restricted), "remove_factors", olga)
    assert Authenticator.objects.exists()


def test_a_command_removes_the_factors_of_an_operator_who_lost_them(page, otto, capsys):
    operator = browser(otto)
    add_app(operator)
    call_command("removefactors", "Otto@example.com")
    assert "password alone" in capsys.readouterr().out
    assert not Authenticator.objects.exists()
    assert not is_signed_in(operator)
    call_command("removefactors", "otto@example.com")
    assert "Nothing was changed." in capsys.readouterr().out


def test_live_pages_notice_when_sessions_end(page, olga, monkeypatch, django_capture_on_commit_callbacks):
    sent = []
    monkeypatch.setattr(bus, "publish", lambda group, message: sent.append(group))
    with django_capture_on_commit_callbacks(execute=True):
        add_app(page)
    assert sent


def test_the_page_takes_a_fixed_number_of_statements(page, olga, django_assert_max_num_queries):
    add_app(page)
    add_passkey(page)
    add_passkey(page)
    olga.refresh_from_db()
    remembered(olga)
    with django_assert_max_num_queries(5):  # session, account, factors, browsers, sessions
        page.get(SECURITY)
