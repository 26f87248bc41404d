"""The mail about an invitation: to whom it goes, and what it says."""

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.db import connection
from django.test.utils import CaptureQueriesContext

from boards.models import Invitation
from conftest import person, run_jobs
from web.tests.browsing import browser


@pytest.fixture
def _mail_server(settings, board, olga):
    settings.MAIL = {"EMAIL_HOST": "mail.example.com"}
    confirm(olga)


pytestmark = pytest.mark.usefixtures("_mail_server")


def confirm(user, *, verified=True):
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=verified)


def invite(olga, board, email):
    return browser(olga).post(f"/board/{board.pk}/invitations", {"email": email, "role": "viewer"})


def test_a_confirmed_address_gets_a_mail_with_nothing_that_the_inviter_wrote(olga, stan, board, settings):
    olga.name = "Your account is locked, see evil.example"
    olga.save()
    confirm(stan)
    invite(olga, board, stan.email)
    run_jobs()
    [message] = mail.outbox
    assert (message.to, message.subject) == ([stan.email], "[Taskboard] You have been invited to a board")
    assert f"{settings.BASE_URL}/invitation/{Invitation.objects.get().pk}" in message.body
    assert "olga@example.com invited you to a board." in message.body
    assert "evil" not in message.body
    assert "Launch" not in message.body


def test_the_mail_is_in_the_language_of_the_account_that_gets_it(olga, stan, board):
    stan.language = "de"
    stan.save()
    confirm(stan)
    invite(olga, board, stan.email)
    run_jobs()
    assert mail.outbox[0].subject.startswith("[Taskboard] ")


def test_no_other_address_gets_a_mail(olga, stan, board):
    confirm(stan, verified=False)
    confirm(person("gone", is_active=False))
    for email in (stan.email, "gone@example.com", "nobody@example.com"):
        invite(olga, board, email)
    run_jobs()
    assert mail.outbox == []
    assert Invitation.objects.count() == 3


def test_a_withdrawn_invitation_is_not_mailed(olga, stan, board):
    confirm(stan)
    invite(olga, board, stan.email)
    Invitation.objects.all().delete()
    run_jobs()
    assert mail.outbox == []


def test_an_account_gets_five_such_mails_a_day(olga, stan, board):
    confirm(stan)
    for _time in range(7):
        Invitation.objects.all().delete()
        invite(olga, board, stan.email)
        run_jobs()
    assert len(mail.outbox) == 5


def test_the_request_of_the_inviter_takes_as_many_statements_for_every_address(olga, stan, board):
    confirm(stan)
    numbers = set()
    for email in ("first@example.com", stan.email, "nobody@example.com"):
        with CaptureQueriesContext(connection) as captured:
            invite(olga, board, email)
        numbers.add(len(captured))
    assert len(numbers) == 1


def test_without_a_mail_server_nothing_is_enqueued(olga, stan, board, settings):
    settings.MAIL = None
    invite(olga, board, stan.email)
    run_jobs()
    assert mail.outbox == []
