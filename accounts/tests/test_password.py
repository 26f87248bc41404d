import re

import pytest
from django.core import mail
from django.test import Client

from accounts.models import User
from accounts.tests.conftest import PASSWORD, is_signed_in, sign_in

NEW = "plum tart on sunday"


@pytest.fixture
def elsewhere(olga) -> Client:
    """Olga's other browser."""
    client = Client()
    client.force_login(olga)
    return client


def change(client: Client, old: str = PASSWORD, new: str = NEW, again: str = NEW):
    return client.post("/settings/password", {"oldpassword": old, "password1": new, "password2": again})


def test_change_keeps_this_session_and_closes_the_others(page, elsewhere, olga):
    assert change(page).status_code == 302
    assert is_signed_in(page)
    assert not is_signed_in(elsewhere)
    olga.refresh_from_db()
    assert olga.check_password(NEW)


def test_a_new_password_activates_no_account_that_was_deactivated_meanwhile(page, olga, monkeypatch):
    make_password = User.set_password

    def deactivated_meanwhile(user: User, password: str) -> None:
        make_password(user, password)
        User.objects.filter(pk=olga.pk).update(is_active=False)

    monkeypatch.setattr(User, "set_password", deactivated_meanwhile)
    change(page)
    olga.refresh_from_db()
    assert not olga.is_active


@pytest.mark.parametrize(
    "fields,at_fault",
    [
        ({"old": "wrong"}, "oldpassword"),
        ({"new": "short", "again": "short"}, "password1"),
        ({"again": "another one"}, "password2"),
    ],
)
def test_change_is_refused_by_the_field_at_fault(page, elsewhere, olga, fields, at_fault):
    assert change(page, **fields).context["form"].errors.keys() == {at_fault}
    olga.refresh_from_db()
    assert olga.check_password(PASSWORD)
    assert is_signed_in(elsewhere)


def test_one_signs_out_everywhere_else(page, elsewhere, olga):
    answer = page.post("/settings/security/sessions/end", follow=True)
    assert "You are signed out everywhere else." in answer.text
    assert is_signed_in(page)
    assert not is_signed_in(elsewhere)
    assert page.get("/settings/security/sessions/end").status_code == 405


def test_change_is_for_signed_in_people(client, db):
    assert change(client)["Location"] == "/sign-in?next=/settings/password"


def test_well_known_address_leads_to_the_page(page):
    assert page.get("/.well-known/change-password")["Location"] == "/settings/password"


def test_an_account_without_password_chooses_one(page, olga):
    olga.set_unusable_password()
    olga.save()
    page.force_login(olga)
    assert page.get("/settings/password")["Location"] == "/settings/password/set"
    page.post("/settings/password/set", {"password1": NEW, "password2": NEW})
    olga.refresh_from_db()
    assert olga.check_password(NEW)


@pytest.mark.usefixtures("_mail_server")
def test_a_changed_password_is_announced_by_mail(page, olga):
    change(page)
    assert [(message.to, message.subject) for message in mail.outbox] == [
        (["olga@example.com"], "[Taskboard] Your password was changed")
    ]


def test_reset_without_a_mail_server_says_to_ask_the_operator(client, olga):
    for answer in (client.get("/password/reset"), client.post("/password/reset", {"email": olga.email})):
        assert "only its operator can set a new password" in answer.content.decode()
        assert 'name="email"' not in answer.content.decode()
    assert mail.outbox == []


def ask_for_link(client: Client, email: str) -> str:
    """Request a reset and return the path in the mail."""
    answer = client.post("/password/reset", {"email": email})
    assert (answer.status_code, answer["Location"]) == (302, "/password/reset/sent")
    return re.search(r"http://127\.0\.0\.1:8000(/password/reset/\S+)", mail.outbox[-1].body).group(1)


@pytest.mark.usefixtures("_mail_server")
def test_reset_by_mail_sets_a_password_once_and_closes_other_sessions(client, elsewhere, olga):
    link = ask_for_link(client, "Olga@example.com")
    form = client.get(link, follow=True)
    assert "<h1>Choose a new password</h1>" in form.content.decode()
    client.post(form.request["PATH_INFO"], {"password1": NEW, "password2": NEW})
    assert is_signed_in(client)
    assert not is_signed_in(elsewhere)
    assert sign_in(Client(), olga.email, NEW).status_code == 302
    assert "This link no longer works" in Client().get(link, follow=True).content.decode()


@pytest.mark.usefixtures("_mail_server")
def test_reset_link_does_not_contain_a_forged_host(client, olga, settings):
    settings.ALLOWED_HOSTS = ["*"]
    client.post("/password/reset", {"email": olga.email}, headers={"host": "evil.example"})
    assert "evil.example" not in mail.outbox[-1].body


@pytest.mark.usefixtures("_mail_server")
def test_reset_answers_the_same_for_an_address_without_account(client, db):
    answer = client.post("/password/reset", {"email": "nobody@example.com"})
    assert (answer.status_code, answer["Location"]) == (302, "/password/reset/sent")
    assert [message.subject for message in mail.outbox] == ["[Taskboard] No account has this email address"]


@pytest.mark.usefixtures("_mail_server")
def test_an_invalid_link_is_refused_with_a_sentence(client, db):
    assert "This link no longer works" in client.get("/password/reset/abc-def").content.decode()
