import re

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client

from accounts.tests.conftest import PASSWORD


def link_in_mail() -> str:
    return re.search(r"http://127\.0\.0\.1:8000(/account/email/\S+)", mail.outbox[-1].body).group(1)


def change(client: Client, email: str, password: str = PASSWORD):
    return client.post("/settings/email", {"email": email, "password": password})


def test_without_a_mail_server_the_operator_changes_it(page, olga):
    for answer in (page.get("/settings/email"), change(page, "new@x.org")):
        assert "Ask its operator to change your address." in answer.content.decode()
    assert not EmailAddress.objects.filter(email="new@x.org").exists()


def test_the_page_is_for_signed_in_people(client, db):
    assert client.get("/settings/email")["Location"] == "/sign-in?next=/settings/email"


@pytest.mark.usefixtures("_mail_server")
def test_sign_up_sends_a_link_that_confirms_the_address(client, db):
    client.post("/sign-up", {"email": "nora@example.com", "password1": "plum tart on sunday", "language": "en"})
    link = link_in_mail()
    assert not EmailAddress.objects.get().verified
    assert "nora@example.com" in client.get(link).content.decode()
    assert not EmailAddress.objects.get().verified, "looking at the page confirms nothing"
    client.post(link)
    assert EmailAddress.objects.get().verified


@pytest.mark.usefixtures("_mail_server")
def test_a_new_address_replaces_the_old_one_once_it_is_confirmed(page, olga):
    EmailAddress.objects.create(user=olga, email=olga.email, verified=True, primary=True)
    change(page, "Kern@example.com")
    olga.refresh_from_db()
    assert olga.email == "olga@example.com"
    page.post(link_in_mail())
    olga.refresh_from_db()
    assert olga.email == "kern@example.com"
    assert list(EmailAddress.objects.values_list("email", "verified")) == [("kern@example.com", True)]
    assert mail.outbox[-1].to == ["olga@example.com"], "the old address hears of it"
    assert "from olga@example.com to kern@example.com" in mail.outbox[-1].body


@pytest.mark.usefixtures("_mail_server")
def test_the_last_of_two_new_addresses_counts(page, olga):
    change(page, "first@example.com")
    old_link = link_in_mail()
    change(page, "second@example.com")
    assert "This link no longer works" in page.get(old_link).content.decode()
    page.post(link_in_mail())
    olga.refresh_from_db()
    assert olga.email == "second@example.com"


@pytest.mark.usefixtures("_mail_server")
def test_a_new_address_can_be_forgotten(page, olga):
    change(page, "new@example.com")
    assert "new@example.com" in page.get("/settings/email").content.decode()
    page.post("/settings/email", {"forget": ""})
    assert "new@example.com" not in page.get("/settings/email").content.decode()
    assert "This link no longer works" in page.get(link_in_mail()).content.decode()


@pytest.mark.usefixtures("_mail_server")
def test_the_current_address_can_be_confirmed_later(page, olga):
    page.post("/settings/email", {"send_again": ""})
    page.post(link_in_mail())
    assert list(EmailAddress.objects.values_list("email", "verified")) == [("olga@example.com", True)]
    assert "Not confirmed yet" not in page.get("/settings/email").content.decode()


@pytest.mark.usefixtures("_mail_server")
def test_links_to_one_address_are_sent_minutes_apart(page, olga):
    page.post("/settings/email", {"send_again": ""})
    answer = page.post("/settings/email", {"send_again": ""}, follow=True)
    assert "We sent you a link a moment ago." in answer.content.decode()
    assert len(mail.outbox) == 1


@pytest.mark.usefixtures("_mail_server")
@pytest.mark.parametrize(
    "email,password,at_fault",
    [
        ("ED@example.com", PASSWORD, "email"),
        ("olga@example.com", PASSWORD, "email"),
        ("nonsense", PASSWORD, "email"),
        ("new@example.com", "wrong", "password"),
    ],
)
def test_change_is_refused_by_the_field_at_fault(page, olga, ed, email, password, at_fault):
    assert change(page, email, password).context["form"].errors.keys() == {at_fault}
    assert mail.outbox == []


@pytest.mark.usefixtures("_mail_server")
def test_confirming_an_address_that_another_account_took_meanwhile_is_refused_with_a_sentence(page, olga, ed):
    change(page, "new@example.com")
    ed.email = "new@example.com"
    ed.save()
    answer = page.post(link_in_mail(), follow=True)
    assert "Another account uses this address." in answer.content.decode()
    olga.refresh_from_db()
    assert olga.email == "olga@example.com"
    assert not EmailAddress.objects.filter(verified=True).exists()


@pytest.mark.usefixtures("_mail_server")
def test_an_invalid_link_is_refused_with_a_sentence(client, db):
    assert "This link no longer works" in client.get("/account/email/abc").content.decode()
