import re
from datetime import timedelta

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from django.utils import timezone

from accounts.models import User
from accounts.tests.conftest import PASSWORD, is_signed_in, sign_in
from accounts.views import email_address


def link_in_mail() -> str:
    """Return the path of the last link to confirm an address."""
    return links("/account/email/[-:\\w]+")[-1]


def links(pattern: str) -> list[str]:
    bodies = "\n".join(str(message.body) for message in mail.outbox)
    return re.findall(rf"http://127\.0\.0\.1:8000({pattern})\s", bodies)


def stop_link() -> str:
    return links("/account/email/stop/[-:\\w]+")[-1]


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
def test_no_cache_keeps_the_page_of_its_link(page, olga):
    change(page, "new@example.com")
    assert "no-store" in Client().get(link_in_mail()).headers.get("Cache-Control", "")


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
def test_an_address_gets_three_links_an_hour(page, olga):
    answers = [page.post("/settings/email", {"send_again": ""}, follow=True) for _time in range(4)]
    told = ["We already sent several links to this address." in answer.content.decode() for answer in answers]
    assert told == [False, False, False, True]
    assert len(mail.outbox) == 3


@pytest.mark.usefixtures("_mail_server")
@pytest.mark.parametrize(
    "email,password,at_fault",
    [
        ("olga@example.com", PASSWORD, "email"),
        ("nonsense", PASSWORD, "email"),
        ("new@example.com", "wrong", "password"),
    ],
)
def test_change_is_refused_by_the_field_at_fault(page, olga, email, password, at_fault):
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


# What the old address can do


@pytest.mark.usefixtures("_mail_server")
def test_the_old_address_is_told_at_once_in_the_accounts_language(page, olga):
    olga.language = "de"
    olga.save()
    change(page, "new@example.com")
    assert [message.to for message in mail.outbox] == [["new@example.com"], ["olga@example.com"]]
    assert "möchte dessen E-Mail-Adresse von olga@example.com in new@example.com ändern" in mail.outbox[1].body


@pytest.mark.usefixtures("_mail_server")
def test_its_link_stops_the_change_signed_out_by_a_button(page, olga):
    change(page, "new@example.com")
    stranger = Client()
    asked = stranger.get(stop_link())
    assert "new@example.com" in asked.text
    assert EmailAddress.objects.filter(email="new@example.com").exists(), "looking at the page stops nothing"
    answer = stranger.post(stop_link())
    assert "choose a new one now" in answer.text
    assert 'href="/password/reset"' in answer.text
    assert not EmailAddress.objects.filter(email="new@example.com").exists()
    assert "This link no longer works" in page.get(link_in_mail()).text
    assert "This link no longer works" in stranger.post(stop_link()).text


@pytest.mark.usefixtures("_mail_server")
def test_it_says_that_nothing_was_stopped_where_the_change_was_confirmed_at_the_same_moment(page, olga, monkeypatch):
    change(page, "new@example.com")
    confirming = link_in_mail()
    monkeypatch.setattr(email_address, "lock_undeleted_account", lambda _pk: page.post(confirming))
    assert "This link no longer works" in Client().post(stop_link()).text
    olga.refresh_from_db()
    assert olga.email == "new@example.com"


@pytest.mark.usefixtures("_mail_server")
def test_a_new_address_that_was_confirmed_at_the_same_moment_is_not_forgotten(page, olga, monkeypatch):
    change(page, "new@example.com")
    confirming, lock = link_in_mail(), email_address.lock_account

    def confirmed_meanwhile(user: User) -> User:
        monkeypatch.undo()
        Client().post(confirming)
        return lock(user)

    monkeypatch.setattr(email_address, "lock_account", confirmed_meanwhile)
    page.post("/settings/email", {"forget": ""})
    assert list(EmailAddress.objects.values_list("email", "verified")) == [("new@example.com", True)]


@pytest.mark.usefixtures("_mail_server")
def test_a_link_sent_again_is_told_again(page, olga):
    with time_machine.travel(timezone.now() - timedelta(minutes=5)):
        change(page, "new@example.com")
    page.post("/settings/email", {"send_again": ""})
    assert [message.to[0] for message in mail.outbox] == ["new@example.com", "olga@example.com"] * 2


@pytest.mark.usefixtures("_mail_server")
def test_a_link_to_confirm_stops_nothing_and_one_to_stop_confirms_nothing(page, olga):
    change(page, "new@example.com")
    confirm, stop = link_in_mail().rpartition("/")[2], stop_link().rpartition("/")[2]
    assert "This link no longer works" in page.get(f"/account/email/{stop}").text
    assert "This link no longer works" in page.get(f"/account/email/stop/{confirm}").text


@pytest.mark.usefixtures("_mail_server")
@pytest.mark.parametrize("hours,works", [(23, True), (25, False)])
def test_links_live_for_a_day(page, olga, hours, works):
    change(page, "new@example.com")
    with time_machine.travel(timezone.now() + timedelta(hours=hours)):
        assert ("This link no longer works" not in Client().get(link_in_mail()).text) is works
        assert ("This link no longer works" not in Client().get(stop_link()).text) is works


@pytest.mark.usefixtures("_mail_server")
def test_looking_at_a_link_signs_nobody_out(page, olga, ed):
    change(page, "new@example.com")
    elsewhere = Client()
    elsewhere.force_login(ed)
    elsewhere.get(link_in_mail())
    assert is_signed_in(elsewhere)


# Nobody learns who has an account


@pytest.mark.usefixtures("_mail_server")
@pytest.mark.parametrize("email", ["ed@example.com", "nobody@example.com"])
def test_the_page_is_the_same_whether_the_new_address_has_an_account(page, olga, ed, email):
    answer = change(page, email)
    assert (answer.status_code, answer["Location"]) == (302, "/settings/email")
    html = page.get("/settings/email").text
    assert f"We sent a link to <b>{email}</b>" in html
    assert f"We sent a link to {email}." in html
    assert [message.to[0] for message in mail.outbox] == [email, "olga@example.com"]


@pytest.mark.usefixtures("_mail_server")
def test_an_address_that_has_an_account_gets_no_link_to_confirm(page, olga, ed):
    change(page, "ed@example.com")
    assert "it already has one" in mail.outbox[0].body
    assert links("/account/email/[-:\\w]+") == []


@pytest.mark.usefixtures("_mail_server")
def test_a_waiting_address_is_no_way_in(page, olga):
    """It may be anybody's: a reset for it is answered as for an address without account."""
    change(page, "new@example.com")
    Client().post("/password/reset", {"email": "new@example.com"})
    assert mail.outbox[-1].subject == "[Taskboard] No account has this email address"


@pytest.mark.usefixtures("_mail_server")
def test_nobody_signs_in_by_a_waiting_address(page, olga):
    """An account that has the address would be tried in its place, so a sign-in would tell that there is none."""
    change(page, "new@example.com")
    assert sign_in(Client(), "new@example.com").status_code == 200
