"""Many sign-ins at once: few are checked at a time, the others are told to come back, and pages go on."""

import pytest
from django.contrib.auth.hashers import check_password, make_password
from django.test import Client

from accounts.models import User
from accounts.sign_in.password import hashers
from accounts.sign_in.password.hashers import InTurns
from accounts.tests.conftest import PASSWORD, is_signed_in
from core.limits.turns import Busy, Turns


@pytest.fixture
def slow(settings, monkeypatch):
    """The hasher of the service, with fewer rounds, and with one turn for all."""
    settings.PASSWORD_HASHERS = ["accounts.sign_in.password.hashers.InTurns"]
    monkeypatch.setattr(InTurns, "iterations", 10)
    turns = Turns(at_once=1, waiting=0, patience=0)
    monkeypatch.setattr(hashers, "HASHING", turns)
    return turns


def test_a_password_is_hashed_and_checked_as_django_does_it(slow):
    kept = make_password("correct horse")
    assert kept.startswith("pbkdf2_sha256$10$")
    assert check_password("correct horse", kept)
    assert not check_password("wrong", kept)


def test_hashing_without_a_turn_is_refused(slow):
    with slow.take(), pytest.raises(Busy):
        make_password("correct horse")


def test_a_sign_in_that_finds_no_turn_is_told_to_come_back_and_pages_go_on(slow, olga):
    page = Client()
    page.force_login(olga)
    form = {"login": olga.email, "password": "correct horse"}
    with slow.take():
        answer = Client().post("/sign-in", form)
        assert page.get("/").status_code == 200
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert "Wait a few seconds, then try again." in answer.content.decode()
    assert Client().post("/sign-in", form).status_code == 302


def test_what_finds_no_turn_counts_as_no_attempt(slow, olga, settings):
    settings.LIMITS = settings.LIMITS | {"sign-in": "1/10m"}
    form = {"login": olga.email, "password": "correct horse"}
    with slow.take():
        assert [Client().post("/sign-in", form).status_code for _time in range(3)] == [503] * 3
    assert Client().post("/sign-in", form).status_code == 302


def grow_stronger(user: User, settings) -> None:
    """Keep the user's password as an older version hashed it: the next right password is hashed anew."""
    settings.PASSWORD_HASHERS = ["accounts.sign_in.password.hashers.InTurns"]
    User.objects.filter(pk=user.pk).update(password=InTurns().encode(PASSWORD, "salt", iterations=1))


@pytest.mark.usefixtures("_mail_server")
@pytest.mark.parametrize(
    ("address", "form"),
    {
        "new address": ("/settings/email", {"email": "new@example.com", "password": PASSWORD}),
        "no address": ("/settings/email", {"email": "no address", "password": PASSWORD}),
        "refused new password": ("/settings/password", {"oldpassword": PASSWORD, "password1": "x", "password2": "x"}),
        "confirmation": ("/account/confirm", {"password_again": PASSWORD}),
    }.values(),
)
def test_nobody_is_signed_out_because_their_password_was_hashed_anew(client, olga, settings, address, form):
    grow_stronger(olga, settings)
    olga.refresh_from_db()
    client.force_login(olga)
    client.post(address, form)
    assert User.objects.get(pk=olga.pk).password != olga.password
    assert is_signed_in(client)


@pytest.mark.usefixtures("_mail_server")
def test_a_session_whose_password_was_changed_meanwhile_is_not_kept(client, olga, settings, monkeypatch):
    client.force_login(olga)

    def changed_meanwhile(user: User, password: str) -> bool:
        User.objects.filter(pk=olga.pk).update(password=make_password("another"))
        return False

    monkeypatch.setattr(User, "check_password", changed_meanwhile)
    client.post("/settings/email", {"email": "new@example.com", "password": PASSWORD})
    assert not is_signed_in(client)


def test_a_password_that_is_hashed_anew_does_not_come_back_over_a_new_one(slow, olga, settings):
    grow_stronger(olga, settings)
    checked = User.objects.get(pk=olga.pk)
    User.objects.filter(pk=olga.pk).update(password=make_password("another"))
    checked.check_password(PASSWORD)
    assert User.objects.get(pk=olga.pk).check_password("another")
