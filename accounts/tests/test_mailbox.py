"""Strangers can send a bounded number of mails to one mailbox through us."""

import pytest
import time_machine
from django.core import mail
from django.test import Client

from accounts import mailbox
from accounts.tests.conftest import PASSWORD
from web.tests.browsing import without_tokens

pytestmark = pytest.mark.usefixtures("_mail_server")


@pytest.fixture(autouse=True)
def clock():
    """Stop the clock, so that no window ends during a test."""
    with time_machine.travel("2026-05-04 12:00Z", tick=False) as clock:
        yield clock


def request_reset(email: str, number: int = 1):
    client = Client(REMOTE_ADDR=f"198.51.100.{number % 250}")
    return client.post("/password/reset", {"email": email}, follow=True)


@pytest.mark.parametrize("email", ["olga@example.com", "nobody@example.com"])
def test_a_mailbox_gets_three_mails_an_hour_whoever_asks(olga, email, clock):
    for number in range(20):
        request_reset(email if number % 2 else email.upper(), number)
    assert len(mail.outbox) == 3
    clock.shift(3600)
    request_reset(email)
    assert len(mail.outbox) == 4


def test_a_mailbox_without_an_account_gets_ten_mails_a_day(db, clock):
    for _hour in range(6):
        for number in range(4):
            request_reset("nobody@example.com", number)
        clock.shift(3600)
    assert len(mail.outbox) == 10


def test_the_answer_does_not_tell_whether_a_mail_was_sent(olga):
    answers = [request_reset(olga.email) for _time in range(4)] + [request_reset("nobody@example.com")]
    assert len(mail.outbox) == 4
    assert len({(answer.status_code, without_tokens(answer)) for answer in answers}) == 1


def test_nobody_can_keep_an_owner_from_a_link_that_works(olga, clock, settings):
    for _time in range(3):
        request_reset(olga.email)
    clock.shift(3599)
    request_reset(olga.email)
    assert settings.PASSWORD_RESET_TIMEOUT >= 3600, "a link in the mailbox works until another one can be sent"


def test_one_address_cannot_have_mails_sent_to_many(db):
    answers = [request_reset(f"p{number}@example.com", 7).status_code for number in range(21)]
    assert (answers.count(200), answers[-1], len(mail.outbox)) == (20, 429, 20)


def test_links_to_one_address_are_counted_over_all_accounts(olga, ed, stan):
    for person in (olga, ed, stan):
        client = Client()
        client.force_login(person)
        for _time in range(2):
            client.post("/settings/email", {"email": "victim@example.com", "password": PASSWORD})
    assert [message.to for message in mail.outbox].count(["victim@example.com"]) == 3


def test_who_signs_up_when_the_mailbox_has_had_enough_gets_no_further_mail(db, rf):
    for _time in range(3):
        mailbox.takes(rf.post("/"), "account/email/email_confirmation", "new@example.com")
    answer = Client().post(
        "/sign-up", {"email": "new@example.com", "password1": "plum tart on sunday", "language": "en"}
    )
    assert (answer.status_code, answer["Location"], mail.outbox) == (302, "/account/email/sent", [])


def test_who_changes_a_password_is_always_told(page, olga):
    for _time in range(5):
        request_reset(olga.email)
    mail.outbox.clear()
    new = "plum tart on sunday"
    page.post("/settings/password", {"oldpassword": PASSWORD, "password1": new, "password2": new})
    assert [message.to for message in mail.outbox] == [[olga.email]]
