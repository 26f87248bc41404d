import re
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core import mail
from django.db import IntegrityError
from django.test import Client
from django.utils import timezone

from accounts.models import User
from accounts.tests.conftest import PASSWORD, at_once, is_signed_in, sign_in
from accounts.tests.test_email_address import link_in_mail

NEWCOMER = {
    "email": "Nora@Example.com",
    "name": "  Nora Nord ",
    "password1": "plum tart on sunday",
    "language": "fr",
    "time_zone": "Asia/Tokyo",
}


def sign_up(client: Client, **changes: str):
    return client.post("/sign-up", {**NEWCOMER, **changes})


def test_makes_an_account_and_signs_in(client, otto):
    answer = sign_up(client)
    assert (answer.status_code, answer["Location"]) == (302, "/")
    nora = User.objects.exclude(pk=otto.pk).get()
    assert (nora.email, nora.name, nora.language, nora.time_zone, nora.plan_id) == (
        "nora@example.com",
        "Nora Nord",
        "fr",
        "Asia/Tokyo",
        "free",
    )
    assert nora.check_password("plum tart on sunday")
    assert is_signed_in(client)


def test_sign_up_redirects_to_the_page_that_was_asked_for(client, db):
    assert sign_up(client, next="/settings/tokens")["Location"] == "/settings/tokens"


def test_name_may_be_left_out(client, db):
    sign_up(client, name="")
    assert User.objects.get().display_name == "nora"


@pytest.mark.parametrize("name", ["x" * 101, "a\x07b", "two\nlines", "\u202eecila"])
def test_a_name_that_is_too_long_or_has_control_characters_is_refused(client, db, name):
    answer = sign_up(client, name=name)
    assert answer.context["form"].errors.keys() == {"name"}
    assert not User.objects.exists()


def test_a_name_without_visible_characters_counts_as_empty(client, db):
    sign_up(client, name="\u200b\u2060")
    assert User.objects.get().name == ""


@pytest.mark.parametrize("zone", ["", "Mars/Olympus", "../etc/passwd"])
def test_without_a_time_zone_that_exists_the_account_starts_in_utc(client, db, zone):
    sign_up(client, time_zone=zone)
    assert User.objects.get().time_zone == "UTC"


def test_a_language_that_is_not_offered_is_refused(client, db):
    assert sign_up(client, language="tlh").context["form"].errors.keys() == {"language"}
    assert not User.objects.exists()


def test_language_is_preset_from_the_browser(client, db):
    answer = client.get("/sign-up", headers={"accept-language": "pt-BR,en;q=0.5"})
    assert '<option value="pt-br" selected>' in answer.content.decode()


def test_a_language_chosen_in_the_footer_takes_precedence_over_the_browsers(client, db):
    client.post("/language", {"language": "de", "next": "/sign-up"})
    answer = client.get("/sign-up", headers={"accept-language": "fr"})
    assert '<html lang="de"' in answer.content.decode()
    assert '<option value="de" selected>' in answer.content.decode()


@pytest.mark.parametrize("language", ["de", "ja", "zh-hans"])
def test_every_language_is_called_by_its_own_name(client, db, language):
    page = client.get("/sign-in", headers={"accept-language": language}).content.decode()
    assert re.findall(r'name="language".*?>([^<]+)</button>', page, re.DOTALL) == [
        name for _code, name in settings.LANGUAGES
    ]


@pytest.mark.parametrize("email", ["olga@example.com", "OLGA@EXAMPLE.COM"])
def test_an_address_that_has_an_account_is_refused_in_any_case(client, olga, email):
    answer = sign_up(client, email=email)
    assert "This email address already has an account." in answer.content.decode()
    assert User.objects.count() == 1
    assert not is_signed_in(client)


@pytest.mark.parametrize("password", ["short", "password", "3141592653", "nora@example.com"])
def test_a_password_that_is_easy_to_guess_is_refused(client, db, password):
    assert sign_up(client, password1=password).context["form"].errors.keys() == {"password1"}
    assert not User.objects.exists()


def test_errors_are_shown_at_their_fields_and_announced_with_them(client, db):
    html = sign_up(client, email="nonsense").content.decode()
    assert 'id="id_email_error"' in html
    assert 'aria-describedby="id_email_error"' in html
    assert 'aria-invalid="true"' in html


def test_refusals_by_django_and_allauth_have_our_sentences(client, db):
    client.post("/language", {"language": "de", "next": "/sign-up"})
    page = sign_up(client, email="nonsense", password1="31415926535897").content.decode()
    assert "Geben Sie eine gültige E-Mail-Adresse ein." in page
    assert "Dieses Passwort besteht nur aus Ziffern." in page


def test_closed_sign_up_says_so_and_creates_no_account(client, db, settings):
    settings.SIGNUP_OPEN = False
    assert "Sign-up is closed" in client.get("/sign-up").content.decode()
    assert "Sign-up is closed" in sign_up(client).content.decode()
    assert 'href="/sign-up"' not in client.get("/sign-in").content.decode()
    assert not User.objects.exists()


def test_an_account_whose_address_cannot_be_kept_is_not_made(client, db, monkeypatch):
    def fail(*args, **options):
        raise IntegrityError

    monkeypatch.setattr(EmailAddress, "save", fail)
    assert "This email address already has an account." in sign_up(client).content.decode()
    assert not User.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_of_four_sign_ups_with_one_address_at_once_one_wins_and_the_others_are_told():
    answers = at_once(4, lambda: sign_up(Client()))
    assert sorted(answer.status_code for answer in answers) == [200, 200, 200, 302]
    losers = [answer.content.decode() for answer in answers if answer.status_code == 200]
    assert all("This email address already has an account." in html for html in losers)
    assert User.objects.count() == 1


# With a mail server


@pytest.mark.usefixtures("_mail_server")
def test_with_a_mail_server_nobody_is_signed_in_before_the_address_is_confirmed(client, db):
    answer = sign_up(client, next="/settings/tokens")
    assert answer["Location"] == "/account/email/sent"
    assert not is_signed_in(client)
    assert sign_in(Client(), "nora@example.com", NEWCOMER["password1"])["Location"] == "/account/email/sent"


@pytest.mark.usefixtures("_mail_server")
def test_the_link_signs_in_the_browser_that_signed_up_and_leads_on(client, db):
    sign_up(client, next="/settings/tokens")
    assert client.post(link_in_mail())["Location"] == "/settings/tokens"
    assert is_signed_in(client)


@pytest.mark.usefixtures("_mail_server")
def test_a_mail_that_comes_late_keeps_where_one_wanted_to_go(client, db, time_machine):
    sign_up(client, next="/settings/tokens")
    time_machine.move_to(timezone.now() + timedelta(minutes=16))
    assert client.post(link_in_mail())["Location"] == "/sign-in?next=/settings/tokens"


@pytest.mark.usefixtures("_mail_server")
def test_the_link_signs_no_other_browser_in(client, db):
    sign_up(client)
    elsewhere = Client()
    elsewhere.post(link_in_mail())
    assert EmailAddress.objects.get().verified
    assert not is_signed_in(elsewhere)
    assert sign_in(elsewhere, "nora@example.com", NEWCOMER["password1"])["Location"] == "/"


@pytest.mark.usefixtures("_mail_server")
@pytest.mark.parametrize("email", ["olga@example.com", "OLGA@example.com", "nora@example.com"])
def test_with_a_mail_server_the_page_is_the_same_whether_the_address_has_an_account(client, olga, email):
    answer = sign_up(client, email=email)
    assert (answer.status_code, answer["Location"]) == (302, "/account/email/sent")
    assert f"We sent a link to {email.lower()}." in client.get("/account/email/sent").text
    assert [message.to for message in mail.outbox] == [[email.lower()]]
    assert not is_signed_in(client)


@pytest.mark.usefixtures("_mail_server")
def test_an_address_that_has_an_account_is_told_so_by_mail_and_nothing_changes(client, olga):
    sign_up(client, email=olga.email)
    assert mail.outbox[0].subject == "[Taskboard] This email address already has an account"
    assert "/account/email/" not in mail.outbox[0].body
    assert User.objects.get().check_password(PASSWORD)


@pytest.mark.usefixtures("_mail_server")
def test_a_password_is_hashed_either_way_so_that_the_time_tells_nothing(client, olga, monkeypatch):
    hashed = []
    encode = MD5PasswordHasher.encode
    monkeypatch.setattr(MD5PasswordHasher, "encode", lambda *args: hashed.append(1) or encode(*args))
    sign_up(client, email=olga.email)
    sign_up(client, email="nora@example.com")
    assert len(hashed) == 2


@pytest.mark.usefixtures("_mail_server")
def test_an_address_that_waits_at_another_account_can_sign_up(client, olga):
    EmailAddress.objects.create(user=olga, email="nora@example.com")
    sign_up(client)
    client.post(link_in_mail())
    assert is_signed_in(client)
    assert EmailAddress.objects.get(verified=True).user.email == "nora@example.com"
