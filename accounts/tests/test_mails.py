"""No page waits for the mail server: a worker sends what the page has rendered, and tries again."""

import logging
import re
from datetime import timedelta
from email.utils import parseaddr
from smtplib import (
    SMTPAuthenticationError,
    SMTPDataError,
    SMTPRecipientsRefused,
    SMTPSenderRefused,
    SMTPServerDisconnected,
)

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.mail import EmailMultiAlternatives
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from accounts.mails import send_later
from conftest import run_jobs
from jobs.housekeeping import tidy_jobs

OUTBOX = "django.core.mail.backends.locmem.EmailBackend.send_messages"
REFUSED = SMTPRecipientsRefused({"olga@example.com": (550, b"No such user here")})
FULL = SMTPRecipientsRefused({"olga@example.com": (452, b"Mailbox full")})


@pytest.fixture
def _slow_mail_server(settings):
    """As `_mail_server`, with a worker that is run by hand."""
    settings.MAIL = {"EMAIL_HOST": "mail.example.com"}
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    settings.ACCOUNT_EMAIL_NOTIFICATIONS = True


@pytest.fixture
def fails(monkeypatch, _slow_mail_server):
    """Each mail ends with this error, until it is None."""
    errors = {"now": None}

    def send_messages(backend, messages):
        if errors["now"]:
            raise errors["now"]
        mail.outbox.extend(messages)
        return len(messages)

    monkeypatch.setattr(OUTBOX, send_messages)

    def fail(error):
        errors["now"] = error

    return fail


def ask(client: Client, email: str = "olga@example.com"):
    return client.post("/password/reset", {"email": email}, follow=True)


def test_a_mail_server_that_does_not_answer_costs_neither_the_page_nor_the_mail(client, olga, fails):
    fails(SMTPServerDisconnected("Connection unexpectedly closed"))
    assert "Check your inbox" in ask(client).content.decode()
    run_jobs()
    assert DBTaskResult.objects.get().status == "READY"
    fails(None)
    with time_machine.travel(timezone.now() + timedelta(minutes=2)):
        run_jobs()
    assert [message.to for message in mail.outbox] == [["olga@example.com"]]


@pytest.mark.usefixtures("_slow_mail_server")
@pytest.mark.parametrize("email", ["olga@example.com", "nobody@example.com"])
def test_the_page_sends_nothing_itself_whether_there_is_an_account_or_not(client, olga, email):
    """So the time that it takes does not tell one from the other: each enqueues one mail."""
    with CaptureQueriesContext(connection) as captured:
        ask(client, email)
    enqueued = [query for query in captured if query["sql"].startswith('INSERT INTO "django_tasks')]
    assert len(enqueued) == 1
    assert mail.outbox == []
    run_jobs()
    assert [message.to for message in mail.outbox] == [[email]]


@pytest.mark.usefixtures("_slow_mail_server")
def test_nothing_is_left_of_a_mail_that_was_sent(client, olga):
    ask(client)
    assert "/password/reset/" in DBTaskResult.objects.get().args_kwargs["kwargs"]["body"]
    run_jobs()
    assert not DBTaskResult.objects.exists()


@pytest.mark.parametrize(
    "error",
    [REFUSED, SMTPDataError(554, b"Spam")],
    ids=["no such mailbox", "not this mail"],
)
def test_what_the_server_refuses_for_good_is_given_up_at_once_and_logged(client, olga, fails, caplog, error):
    fails(error)
    ask(client)
    run_jobs()
    assert DBTaskResult.objects.get().status == "FAILED"
    assert [record.getMessage() for record in caplog.records if record.levelno == logging.ERROR] == [
        "accounts.mails.send is given up after 1 tries"
    ]


@pytest.mark.parametrize(
    "error",
    [
        FULL,
        SMTPDataError(451, b"Try again later"),
        SMTPSenderRefused(550, b"Not you", "taskboard@example.com"),
        SMTPAuthenticationError(535, b"Wrong password"),
        ConnectionRefusedError(),
        TimeoutError(),
    ],
    ids=["mailbox full", "greylisted", "sender", "password", "connection", "time"],
)
def test_what_may_be_mended_is_tried_again_and_given_up_in_the_end(client, olga, fails, error):
    fails(error)
    ask(client)
    began = timezone.now()
    with time_machine.travel(began, tick=False) as clock:
        while (row := DBTaskResult.objects.get()).status == "READY":
            clock.move_to(max(timezone.now(), row.run_after if row.worker_ids else began))
            run_jobs()
        assert timedelta(hours=6) < timezone.now() - began < timedelta(hours=14)
        assert row.status == "FAILED"
        assert len(row.worker_ids) == 6
        clock.shift(timedelta(days=1, minutes=1))
        tidy_jobs.call()
        assert not DBTaskResult.objects.exists()


@pytest.mark.usefixtures("_slow_mail_server")
@pytest.mark.parametrize(
    "code, subject", [("de", "Neues Passwort wählen"), ("ja", "新しいパスワード"), ("zh-hans", "设置新密码")]
)
def test_a_mail_speaks_the_language_of_its_account(client, olga, code, subject):
    olga.language = code
    olga.save()
    client.cookies["django_language"] = "fr"
    ask(client)
    run_jobs()
    assert subject in mail.outbox[0].subject


@pytest.mark.usefixtures("_slow_mail_server")
def test_a_mail_without_account_speaks_the_language_of_the_page(client, db):
    client.cookies["django_language"] = "fr"
    ask(client, "nobody@example.com")
    run_jobs()
    assert "compte" in mail.outbox[0].subject


@pytest.mark.usefixtures("_slow_mail_server")
def test_a_sign_up_with_the_address_of_an_account_is_told_in_the_language_of_that(client, olga):
    olga.language = "de"
    olga.save()
    client.cookies["django_language"] = "fr"
    new = {"email": "Olga@Example.com", "password1": "plum tart on sunday", "language": "fr"}
    assert "Location" in client.post("/sign-up", new)
    run_jobs()
    assert [message.subject for message in mail.outbox] == [
        "[Taskboard] Zu dieser E-Mail-Adresse gibt es bereits ein Konto"
    ]


@pytest.mark.usefixtures("_slow_mail_server")
def test_a_mail_about_a_change_speaks_the_language_of_its_account(client, olga):
    """The link was opened in somebody's French browser."""
    EmailAddress.objects.create(user=olga, email=olga.email, primary=True, verified=True)
    olga.language, olga.date_form, olga.clock = "de", "iso", "12"
    olga.save()
    client.cookies["django_language"] = "fr"
    ask(client)
    run_jobs()
    form = client.get(re.search(r"/password/reset/\S+", mail.outbox[-1].body).group(), follow=True)
    new = "plum tart on sunday"
    client.post(form.request["PATH_INFO"], {"password1": new, "password2": new})
    run_jobs()
    assert [message.subject for message in mail.outbox[1:]] == ["[Taskboard] Ihr Passwort wurde geändert"]
    assert re.search(r"\s\d{4}-\d\d-\d\d\s\d{1,2}:\d\d\s(AM|PM|vorm|nachm)", mail.outbox[-1].body)


def test_a_mail_keeps_its_id_so_that_a_second_one_can_be_told(client, olga, fails):
    fails(SMTPServerDisconnected())
    ask(client)
    expected = DBTaskResult.objects.get().args_kwargs["kwargs"]["headers"]["Message-ID"]
    run_jobs()
    fails(None)
    with time_machine.travel(timezone.now() + timedelta(minutes=2)):
        run_jobs()
    assert mail.outbox[0].message()["Message-ID"] == expected


def test_a_mail_in_two_forms_arrives_as_it_was_rendered(db):
    message = EmailMultiAlternatives("Subject", "Text", "Taskboard <taskboard@example.com>", ["olga@example.com"])
    message.attach_alternative("<p>Text</p>", "text/html")
    send_later(message)
    run_jobs()
    sent = mail.outbox[0]
    assert (sent.subject, sent.body, parseaddr(sent.from_email)[1]) == ("Subject", "Text", "taskboard@example.com")
    assert [tuple(one) for one in sent.alternatives] == [("<p>Text</p>", "text/html")]
