"""Tokens, command lines and the end of a board want a password that was typed a short time ago."""

from datetime import timedelta

import pytest
import time_machine
from django.test import Client
from django.utils import timezone
from uuid_utils.compat import uuid7

from accounts.models import ApiToken
from accounts.tests.factors import add_app, codes_of
from boards.actions.sharing.public_links import create_public_link
from boards.models import Board, InvitationLink, Offer, PublicLink
from cliauth import grants
from cliauth.models import Grant
from conftest import web
from exporter.models import Export
from security.models import SecurityEvent
from taskboard.tests.authenticator import code_of

PASSWORD = "correct horse"


@pytest.fixture
def page(client, olga):
    """Olga's browser, in which she signed in an hour ago."""
    with time_machine.travel(timezone.now() - timedelta(hours=1)):
        client.force_login(olga)
    return client


def send(page, path, fields, **headers):
    return page.post(path, fields, headers=headers)


TOKEN = ("/settings/tokens", {"name": "laptop", "expires": ""})


def test_soon_after_sign_in_nothing_is_asked(client, olga):
    client.force_login(olga)
    assert send(client, *TOKEN).status_code == 200
    assert ApiToken.objects.count() == 1


def test_later_the_password_is_asked_for_and_nothing_is_done(page):
    answer = send(page, *TOKEN)
    assert answer.status_code == 403
    assert "no-store" in answer["Cache-Control"]
    assert "Confirm your identity" in answer.text
    assert not ApiToken.objects.exists()


def test_with_the_password_what_was_sent_is_done_and_the_next_is_not_asked_again(page, olga):
    olga.plan_id = "pro"
    olga.save()
    asked = send(page, *TOKEN)
    assert '<input type="hidden" name="name" value="laptop">' in asked.text
    fields = dict(asked.context["hidden"])
    assert "tbk_" in send(page, "/settings/tokens", {**fields, "password_again": PASSWORD}).text
    assert "tbk_" in send(page, *TOKEN).text
    assert [event.kind for event in SecurityEvent.objects.filter(kind="reauthenticated")] == ["reauthenticated"]


def test_a_password_that_is_hashed_anew_on_this_occasion_counts_and_keeps_the_session(page, olga, settings):
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.PBKDF2PasswordHasher", *settings.PASSWORD_HASHERS]
    assert "tbk_" in send(page, "/settings/tokens", {"name": "laptop", "password_again": PASSWORD}).text
    assert page.get("/settings/tokens").status_code == 200
    olga.refresh_from_db()
    assert olga.password.startswith("pbkdf2")


@pytest.mark.parametrize("password", ["wrong", ""])
def test_a_wrong_password_does_nothing_and_keeps_what_was_typed(page, password):
    answer = send(page, "/settings/tokens", {"name": "laptop", "password_again": password})
    assert answer.status_code == 403
    assert answer.context["password_form"].errors.keys() == {"password_again"}
    assert '<input type="hidden" name="name" value="laptop">' in answer.text
    assert not ApiToken.objects.exists()


def test_another_persons_password_does_not_count(page, ed):
    ed.set_password("plum tart on sunday")
    ed.save()
    answer = send(page, *TOKEN[:1], {"name": "laptop", "password_again": "plum tart on sunday"})
    assert answer.status_code == 403


def test_the_password_cannot_be_guessed_here_either(page):
    for _attempt in range(10):
        send(page, "/settings/tokens", {"name": "laptop", "password_again": "wrong"})
    answer = send(page, "/settings/tokens", {"name": "laptop", "password_again": PASSWORD})
    assert answer.status_code == 429
    assert not ApiToken.objects.exists()


def test_a_confirmation_ends_after_a_quarter_of_an_hour(page):
    send(page, "/settings/tokens", {"name": "laptop", "password_again": PASSWORD})
    with time_machine.travel(timezone.now() + timedelta(minutes=14)):
        assert send(page, *TOKEN).status_code == 200
    with time_machine.travel(timezone.now() + timedelta(minutes=16)):
        assert send(page, *TOKEN).status_code == 403


def test_a_sign_in_elsewhere_confirms_nothing_here(page, olga, client):
    type(client)().force_login(olga)
    assert send(page, *TOKEN).status_code == 403


def test_looking_is_never_asked_for_a_password(page):
    assert page.get("/settings/tokens").status_code == 200


def test_an_account_without_a_password_has_nothing_to_confirm_with(page, olga):
    with time_machine.travel(timezone.now() - timedelta(hours=1)):
        olga.set_unusable_password()
        olga.save()
        page.force_login(olga)
    assert send(page, *TOKEN).status_code == 200


def test_a_device_is_approved_with_the_password_and_denied_without(page, olga):
    grant, _code = grants.start(client_name="laptop", address="203.0.113.7", browser="")
    answer = {"code": grant.shown_code, "answer": "approve"}
    assert send(page, "/cli", answer).status_code == 403
    assert Grant.objects.get().state == "waiting"
    assert send(page, "/cli", {**answer, "password_again": PASSWORD}).status_code == 200
    assert Grant.objects.get().state == "approved"
    other, _code = grants.start(client_name="laptop", address="203.0.113.7", browser="")
    with time_machine.travel(timezone.now() + timedelta(hours=1)):
        Grant.objects.filter(pk=other.pk).update(expires_at=timezone.now() + timedelta(minutes=1))
        send(page, "/cli", {"code": other.shown_code, "answer": "deny"})
    assert Grant.objects.get(pk=other.pk).state == "denied"


def test_a_board_is_deleted_with_the_password_only(page, board):
    path = f"/board/{board.pk}/deletion"
    assert send(page, path, {"title": "Launch"}).status_code == 403
    assert Board.objects.exists()
    assert send(page, path, {"title": "Launch", "password_again": PASSWORD})["Location"] == "/"
    assert not Board.objects.exists()


def test_a_board_is_offered_with_the_password_only(page, board, ed):
    path = f"/board/{board.pk}/ownership"
    assert send(page, path, {"to": str(ed.pk)}).status_code == 403
    assert not Offer.objects.exists()
    send(page, path, {"to": str(ed.pk), "password_again": PASSWORD})
    assert Offer.objects.get().to == ed


@pytest.mark.parametrize(
    "path, fields, made",
    [
        ("/board/{board}/public-link", {"embedding": "nobody"}, PublicLink),
        (
            "/board/{board}/invitation-links",
            {"link-role": "viewer", "link-expires": "7", "link-form": str(uuid7())},
            InvitationLink,
        ),
        ("/settings/data/exports", {"board": "all", "form": "json"}, Export),
    ],
)
def test_what_lets_others_read_is_made_with_the_password_only(page, board, path, fields, made):
    path = path.format(board=board.pk)
    asked = send(page, path, fields)
    assert (asked.status_code, made.objects.exists()) == (403, False)
    send(page, path, {**dict(asked.context["hidden"]), "password_again": PASSWORD})
    assert made.objects.exists()


def test_a_new_address_of_a_public_link_is_made_with_the_password_only(page, board, olga):
    link = create_public_link(actor=web(olga), board_id=board.pk, password="")
    asked = send(page, f"/board/{board.pk}/public-link/renewal", {})
    assert (asked.status_code, PublicLink.objects.get().digest) == (403, link.digest)


def test_an_export_of_one_board_asks_nothing(page, board):
    assert send(page, "/settings/data/exports", {"board": str(board.pk), "form": "json"}).status_code == 302


def test_a_script_is_led_to_the_page_and_back(page):
    here = {"HX-Request": "true", "HX-Current-URL": "http://testserver/settings/tokens?x=1"}
    answer = send(page, *TOKEN, **here)
    assert (answer.status_code, answer["HX-Redirect"]) == (403, "/account/confirm?next=%2Fsettings%2Ftokens%3Fx%3D1")
    asked = page.get(answer["HX-Redirect"])
    assert "Confirm your identity, then try again." in asked.text
    back = page.post("/account/confirm", {"password_again": PASSWORD, "next": "/settings/tokens?x=1"})
    assert back["Location"] == "/settings/tokens?x=1"
    assert send(page, *TOKEN).status_code == 200


def test_signed_out_people_are_asked_to_sign_in_first(client, db):
    assert send(client, *TOKEN)["Location"] == "/sign-in?next=/settings/tokens"


def test_a_code_of_the_app_confirms_once(page, olga):
    with time_machine.travel("2026-05-04 12:00:15Z", tick=False) as clock:
        page.force_login(olga)
        secret, _answer = add_app(page)
        clock.shift(16 * 60)
        path, sent = TOKEN
        code = code_of(secret)
        assert page.post(path, {**sent, "code_again": "000000"}).status_code == 403
        assert page.post(path, {**sent, "code_again": code}).status_code == 200
        clock.shift(16 * 60)
        assert page.post(path, {**sent, "code_again": code}).status_code == 403


def test_a_recovery_code_confirms_nothing(page, olga):
    with time_machine.travel("2026-05-04 12:00:15Z", tick=False) as clock:
        page.force_login(olga)
        add_app(page)
        clock.shift(16 * 60)
        path, sent = TOKEN
        assert page.post(path, {**sent, "code_again": codes_of(olga)[0]}).status_code == 403


def test_wrong_codes_are_counted_with_wrong_passwords_of_the_session(page, olga):
    with time_machine.travel("2026-05-04 12:00:15Z", tick=False) as clock:
        page.force_login(olga)
        add_app(page)
        clock.shift(16 * 60)
        tries = [page.post("/account/confirm", {"password_again": "wrong"}).status_code for _time in range(5)]
        tries += [page.post("/account/confirm", {"code_again": "000000"}).status_code for _time in range(6)]
    assert tries == [200] * 10 + [429]


@pytest.mark.parametrize(
    "wrong",
    [
        ("/account/confirm", {"password_again": "wrong"}),
        ("/account/confirm", {"code_again": "000000"}),
        ("/settings/password", {"oldpassword": "wrong", "password1": "another horse", "password2": "another horse"}),
    ],
)
def test_signing_out_elsewhere_gives_no_more_tries(page, olga, wrong):
    """It gives the session a new key, and asks for nothing itself."""
    with time_machine.travel("2026-05-04 12:00:15Z", tick=False) as clock:
        page.force_login(olga)
        add_app(page)
        clock.shift(16 * 60)
        tries = [page.post(*wrong).status_code for _time in range(10)]
        key = page.session.session_key
        assert page.post("/settings/security/sessions/end").status_code == 302
        assert page.session.session_key != key
        assert [*tries, page.post(*wrong).status_code] == [200] * 10 + [429]


def test_two_sessions_are_counted_apart(page, olga):
    """A thief's wrong passwords do not lock the owner out."""
    with time_machine.travel("2026-05-04 12:00:15Z", tick=False) as clock:
        page.force_login(olga)
        thief = Client()
        thief.force_login(olga)
        clock.shift(16 * 60)
        for _time in range(11):
            answer = thief.post("/account/confirm", {"password_again": "wrong"})
        assert answer.status_code == 429
        assert page.post("/account/confirm", {"password_again": PASSWORD}).status_code == 302


@pytest.mark.parametrize(
    "headers", [{"referer": "http://["}, {"hx-request": "true", "hx-current-url": "http://["}, {"origin": "http://["}]
)
def test_a_header_that_is_no_address_is_no_failure(page, headers):
    assert send(page, *TOKEN, **headers).status_code == 403
