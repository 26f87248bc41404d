import re

import pytest
from django.contrib.auth.hashers import MD5PasswordHasher
from django.test import Client

from accounts.models import User
from accounts.tests.conftest import PASSWORD, is_signed_in, sign_in
from conftest import person


def test_signs_in_with_address_and_password(client, olga):
    answer = sign_in(client, olga.email)
    assert (answer.status_code, answer["Location"]) == (302, "/")
    assert is_signed_in(client)


def test_address_is_accepted_in_any_case(client, olga):
    sign_in(client, "OLGA@Example.COM")
    assert is_signed_in(client)


@pytest.mark.parametrize("email,password", [("olga@example.com", "wrong"), ("nobody@example.com", PASSWORD)])
def test_wrong_password_and_unknown_address_get_the_same_sentence(client, olga, email, password):
    answer = sign_in(client, email, password)
    assert answer.status_code == 200
    assert "Incorrect email or password." in answer.content.decode()
    assert not is_signed_in(client)


@pytest.mark.parametrize("email", ["olga@example.com", "gone@example.com", "nobody@example.com"])
def test_a_password_is_hashed_once_whoever_has_the_address_so_that_the_time_tells_nothing(
    client, olga, monkeypatch, email
):
    person("gone", is_active=False)
    hashed: list[int] = []
    encode = MD5PasswordHasher.encode
    monkeypatch.setattr(MD5PasswordHasher, "encode", lambda *args: hashed.append(1) or encode(*args))
    sign_in(client, email, "wrong")
    assert len(hashed) == 1


def test_a_deactivated_account_is_told_so_and_not_signed_in(client, olga):
    User.objects.filter(pk=olga.pk).update(is_active=False)
    answer = sign_in(client, olga.email)
    assert (answer.status_code, answer["Location"]) == (302, "/account/inactive")
    assert "This account is deactivated" in client.get("/account/inactive").content.decode()
    assert not is_signed_in(client)


def test_sign_in_redirects_to_the_page_that_was_asked_for(client, olga):
    wanted = client.get("/settings/tokens")
    assert wanted["Location"] == "/sign-in?next=/settings/tokens"
    assert 'name="next" value="/settings/tokens"' in client.get(wanted["Location"]).content.decode()
    assert sign_in(client, olga.email, next="/settings/tokens")["Location"] == "/settings/tokens"


def test_sign_in_leads_to_the_page_that_the_account_chose_unless_another_was_asked_for(client, olga):
    olga.start_page = "my"
    olga.save()
    assert sign_in(client, olga.email)["Location"] == "/my"
    assert client.get("/sign-in")["Location"] == "/my"
    client.logout()
    assert sign_in(client, olga.email, next="/settings/tokens")["Location"] == "/settings/tokens"


@pytest.mark.parametrize(
    "target",
    [
        *("https://evil.example", "//evil.example", "/\\evil.example", "https:evil.example", "javascript:alert(1)"),
        *(
            "http://localhost/x",
            "//127.0.0.1/x",
            "http://[::1]/x",
            "\\\\localhost/x",
        ),  # allowed hosts, but not this one
    ],
)
def test_sign_in_never_leads_to_another_site(client, olga, target):
    assert sign_in(client, olga.email, next=target)["Location"] == "/"


@pytest.mark.parametrize("target", ["https://evil.example", "//evil.example"])
def test_neither_sign_out_nor_language_leads_to_another_site(page, target):
    assert page.post("/sign-out", {"next": target})["Location"] == "/"
    assert page.post("/language", {"language": "de", "next": target})["Location"] == "/"


def test_signs_out_by_post_only(page):
    assert "Sign out?" in page.get("/sign-out").content.decode()
    assert is_signed_in(page)
    assert page.post("/sign-out")["Location"] == "/"
    assert not is_signed_in(page)


@pytest.mark.parametrize(
    "path", ["/sign-in", "/sign-up", "/sign-out", "/settings/profile", "/settings/tokens", "/language"]
)
def test_a_form_from_another_site_is_refused_with_a_sentence(olga, path):
    client = Client(enforce_csrf_checks=True)
    client.force_login(olga)
    answer = client.post(path, {})
    assert answer.status_code == 403
    assert "This page is out of date" in answer.content.decode()
    assert is_signed_in(client)


def test_the_address_can_be_typed_at_once(client, db):
    assert re.search(r'<input[^>]*name="login"[^>]* autofocus', client.get("/sign-in").content.decode())


def test_the_sign_in_page_redirects_signed_in_people(page):
    assert page.get("/sign-in")["Location"] == "/"


def test_after_sign_in_language_and_zone_are_the_accounts_not_the_browsers(client, olga):
    olga.language = "de"
    olga.save()
    client.force_login(olga)
    answer = client.get("/settings/profile", headers={"accept-language": "fr"})
    assert 'lang="de"' in answer.content.decode()
