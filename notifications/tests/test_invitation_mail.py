"""The mail about an invitation: to whom it goes, and what it says."""

import re
from datetime import timedelta
from smtplib import SMTPServerDisconnected

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.conf import settings as django_settings
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from boards.actions.allowances import DAY
from boards.actions.boards.board import create_board, update_board
from boards.models import Invitation, InvitationMail, InvitationStop, Use
from conftest import person, run_jobs, web
from notifications.mail.invitation_stops import stop
from notifications.models import Habits
from web.tests.browsing import browser, text_of


@pytest.fixture
def _mail_server(settings, board, olga):
    settings.MAIL = {"EMAIL_HOST": "mail.example.com"}
    confirm(olga)


pytestmark = pytest.mark.usefixtures("_mail_server")


def confirm(user, *, verified=True):
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=verified)


def invite(olga, board, email):
    return browser(olga).post(f"/board/{board.pk}/invitations", {"email": email, "role": "viewer"})


def test_the_mail_names_the_inviter_and_the_board(olga, stan, board, settings):
    confirm(stan)
    invite(olga, board, stan.email)
    run_jobs()
    [message] = mail.outbox
    assert (message.to, message.subject) == ([stan.email], "[Taskboard] Olga invited you to “Launch”")
    assert "Olga (olga@example.com) invited you to the board “Launch”." in message.body
    assert f"{settings.BASE_URL}/invitation/{Invitation.objects.get().pk}" in message.body


@pytest.mark.parametrize(
    "name, title",
    [
        ("Your account is locked, see evil.example", "Launch"),
        ("Olga", "https://evil"),
        ("Olga", "Write to help@evil"),
        ("Olga", "evil\\share"),
        ("Olga", "evil\u200e.example"),
    ],
)
def test_the_mail_leaves_out_what_a_mail_program_could_make_a_link_of(olga, stan, board, name, title):
    olga.name = name
    olga.save()
    update_board(actor=web(olga), board_id=board.pk, title=title)
    confirm(stan)
    invite(olga, board, stan.email)
    run_jobs()
    [message] = mail.outbox
    assert message.subject == "[Taskboard] You have been invited to a board"
    assert "olga@example.com invited you to a board." in message.body
    assert "evil" not in message.body


def test_a_title_neither_turns_the_mail_around_nor_begins_a_new_line_in_it(olga, stan, board):
    update_board(actor=web(olga), board_id=board.pk, title="Launch\u202e\u2028Pay\x85now")
    confirm(stan)
    invite(olga, board, stan.email)
    run_jobs()
    [message] = mail.outbox
    assert message.subject == "[Taskboard] Olga invited you to “Launch Pay now”"
    assert "invited you to the board “Launch Pay now”." in message.body


def test_a_long_title_is_shortened_in_the_mail(olga, stan, board):
    update_board(actor=web(olga), board_id=board.pk, title="x" * 200)
    confirm(stan)
    invite(olga, board, stan.email)
    run_jobs()
    assert f"“{'x' * 59}…”" in mail.outbox[0].body


def test_the_mail_is_in_the_language_of_the_account_that_gets_it(olga, stan, board):
    stan.language = "de"
    stan.save()
    confirm(stan)
    invite(olga, board, stan.email)
    run_jobs()
    assert mail.outbox[0].subject.startswith("[Taskboard] ")


def test_a_deactivated_account_gets_no_mail(olga, board):
    confirm(person("gone", is_active=False))
    invite(olga, board, "gone@example.com")
    run_jobs()
    assert mail.outbox == []


def test_where_the_operator_wants_no_other_address_gets_a_mail(olga, stan, board, settings):
    settings.INVITATION_MAIL = "accounts"
    confirm(stan, verified=False)
    for email in (stan.email, "nobody@example.com"):
        invite(olga, board, email)
    run_jobs()
    assert mail.outbox == []


def test_where_nobody_can_sign_up_no_other_address_gets_a_mail(olga, board, settings):
    settings.SIGNUP_OPEN = False
    invite(olga, board, "nobody@example.com")
    run_jobs()
    assert mail.outbox == []


def stop_link():
    return re.search(r"/invitation-mails/\S+", mail.outbox[0].body)[0]


def test_an_address_without_an_account_gets_a_mail_with_a_link_that_stops_them(olga, board, settings):
    olga.name = "Your account is locked, see evil.example"
    olga.save()
    invite(olga, board, "nobody@example.com")
    run_jobs()
    [message] = mail.outbox
    assert message.to == ["nobody@example.com"]
    assert "You need an account with this email address." in message.body
    assert "evil" not in message.body
    assert "Launch" not in message.body
    assert message.extra_headers["List-Unsubscribe"] == f"<{settings.BASE_URL}{stop_link()}>"
    assert message.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"


def test_an_address_without_an_account_gets_one_mail_a_day_whoever_invites(olga, ed, board):
    confirm(ed)
    other = create_board(actor=web(ed), title="Other")
    for owner, on in ((olga, board), (ed, other)):
        invite(owner, on, "nobody@example.com")
    run_jobs()
    assert len(mail.outbox) == 1


def test_an_inviter_and_the_service_mail_so_many_a_day(olga, ed, board, monkeypatch):
    confirm(ed)
    monkeypatch.setattr("notifications.mail.invitation_mail.MOST_TO_OTHERS", {DAY: 2})
    monkeypatch.setattr("notifications.mail.invitation_mail.MOST_OF_SERVICE", 3)
    other = create_board(actor=web(ed), title="Other")
    for number in range(3):
        invite(olga, board, f"{number}@example.com")
        invite(ed, other, f"other{number}@example.com")
    run_jobs()
    assert len(mail.outbox) == 3
    assert Use.objects.filter(what="stranger-mail", user=olga).count() <= 2


def test_a_stopped_address_gets_no_mail_and_is_kept_as_a_digest(olga, board):
    invite(olga, board, "nobody@example.com")
    run_jobs()
    client = Client(enforce_csrf_checks=True)
    assert "Stop invitation emails?" in text_of(client.get(stop_link()))
    assert not InvitationStop.objects.exists()
    assert "Invitation emails stopped" in text_of(client.post(stop_link(), {"List-Unsubscribe": "One-Click"}))
    assert "nobody" not in str(InvitationStop.objects.values()) + str(InvitationMail.objects.values())
    InvitationMail.objects.all().delete()
    Invitation.objects.all().delete()
    invite(olga, board, "nobody@example.com")
    run_jobs()
    assert len(mail.outbox) == 1


def test_a_forged_link_stops_nothing():
    for method in ("get", "post"):
        assert getattr(Client(), method)("/invitation-mails/forged").status_code == 404
    assert not InvitationStop.objects.exists()


def test_the_answer_does_not_tell_that_a_mail_is_not_sent(olga, stan, board):
    confirm(stan)
    said = set()
    for email in (stan.email, "nobody@example.com"):
        client = browser(olga)
        answer = client.post(f"/board/{board.pk}/invitations", {"email": email, "role": "viewer"}, follow=True)
        said.add(str(next(iter(answer.context["messages"]))).replace(email, "X"))
    assert len(said) == 1


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


# When the mail server did not take it at once


@pytest.fixture
def away(monkeypatch):
    def fail(backend, messages):
        raise SMTPServerDisconnected

    with monkeypatch.context() as away:
        away.setattr(f"{django_settings.EMAIL_BACKEND}.send_messages", fail)
        yield away


def try_again(away) -> list:
    away.undo()
    for hours in (1, 2):
        with time_machine.travel(timezone.now() + timedelta(hours=hours)):
            run_jobs()
    return mail.outbox


def test_an_invitation_that_waits_for_another_try_arrives_once(olga, stan, board, away):
    confirm(stan)
    for email in (stan.email, "nobody@example.com"):
        invite(olga, board, email)
    run_jobs()
    assert sorted(message.to for message in try_again(away)) == [["nobody@example.com"], [stan.email]]


@pytest.mark.usefixtures("each_makes_statements")
@pytest.mark.parametrize("what", ["unsubscribed", "deactivated", "withdrawn", "declined", "inviter deactivated"])
def test_an_invitation_that_waits_for_another_try_is_not_mailed_to_an_account(olga, stan, board, away, what):
    confirm(stan)
    invite(olga, board, stan.email)
    run_jobs()
    match what:
        case "unsubscribed":
            Habits.objects.create(user=stan, mails=False)
        case "deactivated":
            type(stan).objects.filter(pk=stan.pk).update(is_active=False)
        case "withdrawn":
            Invitation.objects.all().delete()
        case "declined":
            Invitation.objects.update(declined_at=timezone.now())
        case "inviter deactivated":
            type(olga).objects.filter(pk=olga.pk).update(is_active=False)
    assert try_again(away) == []


def test_an_invitation_of_a_person_that_waits_for_another_try_goes_to_the_address_of_that_moment(
    olga, stan, board, away
):
    confirm(stan)
    invite(olga, board, stan.email)
    Invitation.objects.update(invitee=stan, email="")
    run_jobs()
    type(stan).objects.filter(pk=stan.pk).update(email="new@example.com")
    EmailAddress.objects.filter(user=stan).update(email="new@example.com")
    assert [message.to for message in try_again(away)] == [["new@example.com"]]


def test_an_invitation_that_waits_for_another_try_is_not_mailed_to_an_address_that_said_stop(olga, board, away):
    invite(olga, board, "nobody@example.com")
    run_jobs()
    stop("nobody@example.com")
    assert try_again(away) == []
