"""After a password was changed or reset, nothing is left to whoever had the account before."""

import re
from datetime import timedelta

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.utils import timezone

from accounts.models import ApiToken, User
from accounts.tests.conftest import PASSWORD, is_signed_in, sign_in
from accounts.tests.test_email_address import change as change_address
from accounts.tests.test_email_address import link_in_mail, stop_link
from accounts.tokens import create_token, find_live_token
from cliauth import grants
from cliauth.grants import Outcome
from security.models import SecurityEvent

NEW = "plum tart on sunday"

pytestmark = pytest.mark.usefixtures("_mail_server")


@pytest.fixture
def intruder(olga) -> Client:
    """Somebody who knows Olga's password."""
    client = Client()
    client.force_login(olga)
    return client


def change_password(client: Client, **fields: str):
    data = {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW, **fields}
    return client.post("/settings/password", data)


def reset_link(email: str) -> str:
    Client().post("/password/reset", {"email": email})
    found = re.search(r"http://127\.0\.0\.1:8000(/password/reset/\S+)", str(mail.outbox[-1].body))
    assert found
    return found[1]


def reset_password(client: Client, email: str) -> None:
    form = client.get(reset_link(email), follow=True)
    client.post(form.request["PATH_INFO"], {"password1": NEW, "password2": NEW})


RECOVER = {
    "changed": lambda client, user: change_password(client, revoke_tokens="on"),
    "reset": lambda client, user: reset_password(Client(), user.email),
}


@pytest.mark.parametrize("recover", RECOVER.values(), ids=RECOVER)
def test_a_waiting_address_and_its_links_end(page, olga, intruder, recover):
    change_address(intruder, "evil@example.com")
    confirm, stop = link_in_mail(), stop_link()
    recover(page, olga)
    assert "This link no longer works" in Client().get(confirm).text
    assert Client().post(confirm).status_code == 404
    assert "This link no longer works" in Client().post(stop).text
    olga.refresh_from_db()
    assert olga.email == "olga@example.com"
    assert not EmailAddress.objects.filter(email="evil@example.com").exists()


@pytest.mark.parametrize("recover", RECOVER.values(), ids=RECOVER)
def test_an_older_link_confirms_nothing_even_if_the_address_is_entered_anew(page, olga, intruder, recover):
    with time_machine.travel(timezone.now() - timedelta(minutes=10)):
        change_address(intruder, "evil@example.com")
    old, row = link_in_mail(), EmailAddress.objects.get(email="evil@example.com")
    recover(page, olga)
    row.save(force_insert=True)
    assert Client().post(old).status_code == 404
    olga.refresh_from_db()
    assert olga.email == "olga@example.com"


@pytest.mark.parametrize("recover", RECOVER.values(), ids=RECOVER)
def test_tokens_end_and_so_do_approved_command_lines(page, olga, intruder, recover):
    olga.plan_id = "pro"
    olga.save()
    _token, value = create_token(olga, "evil")
    grant, device_code = grants.start(client_name="evil", address="203.0.113.7", browser="")
    intruder.post("/cli", {"code": grant.shown_code, "answer": "approve"})
    recover(page, olga)
    assert find_live_token(value) is None
    assert grants.poll(device_code).outcome == Outcome.GONE
    assert not ApiToken.objects.taking_a_slot().exists()


def test_with_the_box_unticked_tokens_stay_but_not_approved_command_lines(page, olga, intruder):
    olga.plan_id = "pro"
    olga.save()
    _token, value = create_token(olga, "mine")
    grant, device_code = grants.start(client_name="evil", address="203.0.113.7", browser="")
    intruder.post("/cli", {"code": grant.shown_code, "answer": "approve"})
    change_password(page)
    assert find_live_token(value) is not None
    assert grants.poll(device_code).outcome == Outcome.GONE


def test_the_box_is_ticked(page):
    assert re.search(r'<input type="checkbox" name="revoke_tokens"[^>]* checked', page.get("/settings/password").text)


@pytest.mark.parametrize("recover", RECOVER.values(), ids=RECOVER)
def test_older_reset_links_end(page, olga, recover):
    old = reset_link(olga.email)
    recover(page, olga)
    assert "This link no longer works" in Client().get(old, follow=True).text


def test_a_reset_link_ends_when_the_address_changes(page, olga):
    old = reset_link(olga.email)
    change_address(page, "new@example.com")
    page.post(link_in_mail())
    assert "This link no longer works" in Client().get(old, follow=True).text


@pytest.mark.parametrize("minutes,works", [(59, True), (61, False)])
def test_reset_links_live_for_an_hour(olga, minutes, works):
    link = reset_link(olga.email)
    with time_machine.travel(timezone.now() + timedelta(minutes=minutes)):
        assert ("This link no longer works" not in Client().get(link, follow=True).text) is works


def test_the_key_of_a_reset_link_is_only_in_the_first_path(olga):
    link = reset_link(olga.email)
    assert Client().get(link)["Location"].endswith("-set-password")


def test_a_reset_confirms_the_address(olga):
    reset_password(Client(), olga.email)
    assert list(EmailAddress.objects.values_list("email", "verified")) == [("olga@example.com", True)]


def test_what_began_with_the_old_password_gets_no_token_after_the_change(page, olga, intruder):
    before = User.objects.get(pk=olga.pk)
    change_password(page, revoke_tokens="on")
    with pytest.raises(PermissionDenied):
        create_token(before, "evil")


def test_somebody_who_signed_up_with_anothers_address_keeps_nothing(client, db, settings):
    """They did so before the service had a mail server: with one, nobody is signed in before the address is confirmed."""
    settings.MAIL, settings.ACCOUNT_EMAIL_VERIFICATION = {}, "none"
    client.post("/sign-up", {"email": "victim@example.com", "password1": "a squatters phrase", "language": "en"})
    value = re.search(r"tbk_[\w-]{43}", client.post("/settings/tokens", {"name": "evil"}).text)[0]
    settings.MAIL, settings.ACCOUNT_EMAIL_VERIFICATION = {"EMAIL_HOST": "mail.example.com"}, "mandatory"
    change_address(client, "evil@example.com", "a squatters phrase")
    confirm = link_in_mail()
    victim = Client()
    reset_password(victim, "victim@example.com")
    assert is_signed_in(victim)
    assert not is_signed_in(client)
    assert find_live_token(value) is None
    assert Client().post(confirm).status_code == 404
    assert sign_in(Client(), "victim@example.com", "a squatters phrase").status_code == 200


# What is told by mail


def subjects() -> list[tuple[str, str]]:
    return [(message.to[0], message.subject.removeprefix("[Taskboard] ")) for message in mail.outbox]


def test_a_new_token_is_told_by_mail(page, olga):
    page.post("/settings/tokens", {"name": "laptop"})
    assert subjects() == [("olga@example.com", "A new API token for your account")]
    assert "“laptop”" in mail.outbox[0].body
    assert "IP address 127.0.0.1" in mail.outbox[0].body
    assert "tbk_" not in mail.outbox[0].body


@pytest.mark.parametrize(
    "rights, words", [("read", "can read your boards on"), ("write", "can read and change your boards on")]
)
def test_the_mail_about_a_token_says_whether_it_may_change_boards(page, rights, words):
    page.post("/settings/tokens", {"name": "laptop", "rights": rights})
    assert f"It {words} your behalf." in mail.outbox[0].body


FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0"


@pytest.mark.parametrize(
    "header, shown", [(FIREFOX, "Firefox on Linux"), ("curl/8.1", "curl"), ("evil.example.com/1", "Unknown browser")]
)
def test_mails_about_a_token_or_a_password_name_the_browser(page, olga, header, shown):
    page.post("/settings/tokens", {"name": "laptop"}, headers={"user-agent": header})
    page.post(
        "/settings/password",
        {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW},
        headers={"user-agent": header},
    )
    assert len(mail.outbox) == 2
    assert all(f"Browser or program: {shown}\n\nIf this wasn't you" in message.body for message in mail.outbox)


def test_a_refused_token_is_not_told(page, olga):
    create_token(olga, "first")
    page.post("/settings/tokens", {"name": "second"})
    assert subjects() == []


def test_a_token_that_a_command_line_fetched_is_told_when_it_is_fetched(page, olga):
    grant, device_code = grants.start(client_name="laptop", address="203.0.113.7", browser="")
    page.post("/cli", {"code": grant.shown_code, "answer": "approve"})
    assert subjects() == []
    body = f'{{"deviceCode": "{device_code}"}}'
    for _poll in range(2):
        Client(REMOTE_ADDR="203.0.113.7").post("/api/v1/cli/auth/token", body, "application/json")
    assert subjects() == [("olga@example.com", "A new API token for your account")]
    assert "IP address 203.0.113.7" in mail.outbox[0].body


def test_a_token_of_the_operator_is_told_too(olga, capsys):
    from django.core.management import call_command

    call_command("addtoken", olga.email)
    assert subjects() == [("olga@example.com", "A new API token for your account")]
    assert "The operator of this service did this" in mail.outbox[0].body
    assert ").\n\nIf you didn't ask for this, contact the operator of this service.\n" in mail.outbox[0].body
    assert "wasn't you" not in mail.outbox[0].body
    assert capsys.readouterr().out.strip() not in mail.outbox[0].body


def test_without_a_mail_server_nothing_is_told(page, settings):
    settings.ACCOUNT_EMAIL_NOTIFICATIONS = False
    page.post("/settings/tokens", {"name": "laptop"})
    assert subjects() == []


def kinds() -> list[str]:
    return list(SecurityEvent.objects.order_by("id").values_list("kind", flat=True))


def test_the_log_tells_a_recovery(page, olga):
    create_token(olga, "evil")
    change_address(page, "new@example.com")
    reset_password(Client(), olga.email)
    assert kinds() == ["address-requested", "reset-requested", "password-reset", "signed-in"]
    event = SecurityEvent.objects.get(kind="password-reset")
    assert (event.user, event.details, event.address) == (olga, {"tokens_revoked": 1}, "127.0.0.1")
